//! Images: files to start from, and what must hold for a volume that is accepted.

use super::readers::{Checked, accepted, refused};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::fs;
use std::io::Write;
use std::path::Path;
use wolff_imaging::{Choice, ImagingError, ReadVolume, read, read_bytes};

/// Voxels along the axes of all images here.
const SIZE: [usize; 3] = [5, 4, 3];

fn values() -> Vec<u8> {
    (0..SIZE.iter().product::<usize>() as i16).flat_map(|n| (20 * n - 300).to_le_bytes()).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn nifti() -> Vec<Vec<u8>> {
    let mut header = vec![0; 352];
    header[0..4].copy_from_slice(&348i32.to_le_bytes());
    for (n, size) in [3i16, 5, 4, 3, 1, 1, 1, 1].iter().enumerate() {
        header[40 + 2 * n..42 + 2 * n].copy_from_slice(&size.to_le_bytes());
    }
    header[70..72].copy_from_slice(&4i16.to_le_bytes());
    header[72..74].copy_from_slice(&16i16.to_le_bytes());
    let mut real = |at: usize, x: f32| header[at..at + 4].copy_from_slice(&x.to_le_bytes());
    [1.0, 0.5, 0.7, 0.9].iter().enumerate().for_each(|(n, x)| real(76 + 4 * n, *x));
    real(108, 352.0);
    real(112, 1.0);
    let rows = [[-0.5, 0.0, 0.0, 10.0], [0.0, -0.7, 0.0, -20.0], [0.0, 0.0, 0.9, 30.0]];
    rows.iter().flatten().enumerate().for_each(|(n, x)| real(280 + 4 * n, *x));
    header[123] = 2;
    header[254..256].copy_from_slice(&1i16.to_le_bytes());
    header[344..348].copy_from_slice(b"n+1\0");
    let file = [header, values()].concat();
    vec![gzip(&file), file]
}

pub fn nrrd() -> Vec<Vec<u8>> {
    let file = |encoding: &str, body: &[u8]| {
        let header = format!(
            "NRRD0004\ntype: short\ndimension: 3\nsizes: 5 4 3\nspace: left-posterior-superior\nspace directions: \
             (0.5,0,0) (0,0.7,0) (0,0,0.9)\nspace origin: (1,2,3)\nkinds: domain domain domain\nendian: little\n\
             encoding: {encoding}\n\n"
        );
        [header.as_bytes(), body].concat()
    };
    let text: String = (0..60).map(|n| format!("{} ", 20 * n - 300)).collect();
    vec![file("raw", &values()), file("gzip", &gzip(&values())), file("ascii", text.as_bytes())]
}

pub fn meta() -> Vec<Vec<u8>> {
    let file = |packed: bool| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&values()).unwrap();
        let body = if packed { encoder.finish().unwrap() } else { values() };
        let header = format!(
            "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = {}\n\
             TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 1 2 3\nElementSpacing = 0.5 0.7 0.9\nDimSize = 5 4 3\n\
             ElementType = MET_SHORT\nElementDataFile = LOCAL\n",
            if packed { "True" } else { "False" }
        );
        [header.as_bytes(), &body].concat()
    };
    vec![file(false), file(true)]
}

fn element(out: &mut Vec<u8>, tag: [u16; 2], kind: &[u8; 2], value: &[u8]) {
    let mut value = value.to_vec();
    if value.len() % 2 == 1 {
        value.push(b' ');
    }
    tag.iter().for_each(|n| out.extend(n.to_le_bytes()));
    out.extend(kind);
    match kind {
        b"OW" => {
            out.extend([0, 0]);
            out.extend((value.len() as u32).to_le_bytes());
        }
        _ => out.extend((value.len() as u16).to_le_bytes()),
    }
    out.extend(value);
}

/// A slice of a DICOM series, without packing.
fn slice(k: usize) -> Vec<u8> {
    let mut out = vec![0; 128];
    out.extend(b"DICM");
    element(&mut out, [0x0002, 0x0010], b"UI", b"1.2.840.10008.1.2.1\0");
    element(&mut out, [0x0020, 0x000e], b"UI", b"1.2.3.4\0");
    element(&mut out, [0x0020, 0x0011], b"IS", b"1");
    element(&mut out, [0x0020, 0x0032], b"DS", format!("1\\2\\{}", 3.0 + 0.9 * k as f64).as_bytes());
    element(&mut out, [0x0020, 0x0037], b"DS", b"1\\0\\0\\0\\1\\0");
    let short = |n: usize| (n as u16).to_le_bytes();
    element(&mut out, [0x0028, 0x0002], b"US", &short(1));
    element(&mut out, [0x0028, 0x0010], b"US", &short(SIZE[1]));
    element(&mut out, [0x0028, 0x0011], b"US", &short(SIZE[0]));
    element(&mut out, [0x0028, 0x0030], b"DS", b"0.7\\0.5");
    element(&mut out, [0x0028, 0x0100], b"US", &short(16));
    element(&mut out, [0x0028, 0x0101], b"US", &short(16));
    element(&mut out, [0x0028, 0x0102], b"US", &short(15));
    element(&mut out, [0x0028, 0x0103], b"US", &short(1));
    element(&mut out, [0x0028, 0x1052], b"DS", b"-10");
    element(&mut out, [0x0028, 0x1053], b"DS", b"1");
    let count = 2 * SIZE[0] * SIZE[1];
    element(&mut out, [0x7fe0, 0x0010], b"OW", &values()[k * count..(k + 1) * count]);
    out
}

pub fn dicom() -> Vec<Vec<u8>> {
    (0..SIZE[2]).map(slice).collect()
}

/// An archive of the slices, the middle one deflated.
pub fn dicom_zip() -> Vec<Vec<u8>> {
    let (mut out, mut list) = (Vec::new(), Vec::new());
    for (k, slice) in dicom().iter().enumerate() {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(slice).unwrap();
        let (method, body) = if k == 1 { (8u16, encoder.finish().unwrap()) } else { (0, slice.clone()) };
        let name = format!("{k}.dcm");
        let mut fields = [20u16, 0, method, 0, 0].map(u16::to_le_bytes).concat();
        fields.extend(0u32.to_le_bytes());
        fields.extend((body.len() as u32).to_le_bytes());
        fields.extend((slice.len() as u32).to_le_bytes());
        fields.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        let start = out.len() as u32;
        out.extend([b"PK\x03\x04", fields.as_slice(), name.as_bytes(), &body].concat());
        list.extend([b"PK\x01\x02\x14\0", fields.as_slice(), &[0; 10], &start.to_le_bytes(), name.as_bytes()].concat());
    }
    let (start, length) = (out.len() as u32, list.len() as u32);
    out.extend(list);
    out.extend(b"PK\x05\x06\0\0\0\0\x03\0\x03\0");
    out.extend([length, start].map(u32::to_le_bytes).concat());
    out.extend([0, 0]);
    vec![out]
}

pub fn read_image(bytes: &[u8], _: &Path) -> Checked {
    checked(read_bytes("image", bytes, &Choice::only()))
}

/// A folder in which one of three slices is damaged.
pub fn read_series(bytes: &[u8], place: &Path) -> Checked {
    let folder = place.with_extension("series");
    fs::create_dir_all(&folder).unwrap();
    for (k, good) in dicom().iter().enumerate() {
        fs::write(folder.join(format!("{k}.dcm")), if k == 1 { bytes } else { good }).unwrap();
    }
    let found = checked(read(&folder, &Choice::only()));
    let _ = fs::remove_dir_all(folder);
    found
}

fn checked(image: Result<ReadVolume, ImagingError>) -> Checked {
    let volume = match image {
        Ok(image) => image.volume,
        Err(error) => return refused(error),
    };
    let statistics = volume.statistics();
    let numbers = [statistics.min, statistics.max, statistics.mean, volume.frame().voxel_volume()];
    match numbers.iter().find(|x| !x.is_finite()) {
        Some(x) => Err(format!("accepts: a volume with {x}")),
        None => accepted(),
    }
}
