//! DICOM slices and archives of them.

use std::io::Write;

use wolff_imaging::Volume;
use wolff_spatial::Vec3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Packing {
    Explicit,
    Implicit,
    Deflated,
    Rle,
    Jpeg,
}

/// How slices are written, and what is wrong with them.
pub struct Slices {
    pub packing: Packing,
    pub signed: bool,
    pub series: &'static str,
    pub number: i32,
    pub syntax: Option<&'static str>,
    /// All are moved by this \[mm\].
    pub along_normal: f64,
    /// All are turned by this about their normal \[rad\].
    pub turned: f64,
    pub wider: bool,
}

impl Default for Slices {
    fn default() -> Self {
        Slices {
            packing: Packing::Explicit,
            signed: false,
            series: "1.2.3",
            number: 1,
            syntax: None,
            along_normal: 0.0,
            turned: 0.0,
            wider: false,
        }
    }
}

fn element(out: &mut Vec<u8>, explicit: bool, tag: (u16, u16), kind: &[u8; 2], value: &[u8]) {
    let mut value = value.to_vec();
    if value.len() % 2 == 1 {
        value.push(if kind == b"UI" { 0 } else { b' ' });
    }
    out.extend(tag.0.to_le_bytes());
    out.extend(tag.1.to_le_bytes());
    let length = value.len() as u32;
    match (explicit, kind) {
        (false, _) => out.extend(length.to_le_bytes()),
        (true, b"OW" | b"OB" | b"SQ") => {
            out.extend(kind);
            out.extend([0, 0]);
            out.extend(length.to_le_bytes());
        }
        (true, _) => {
            out.extend(kind);
            out.extend((length as u16).to_le_bytes());
        }
    }
    out.extend(value);
}

/// The slices of a volume of whole numbers, each a name and its content.
pub fn slices(volume: &Volume, how: &Slices) -> Vec<(String, Vec<u8>)> {
    (0..volume.size()[2]).map(|k| (format!("{k:03}.dcm"), slice(volume, k, how))).collect()
}

fn slice(volume: &Volume, k: usize, how: &Slices) -> Vec<u8> {
    let syntax = how.syntax.unwrap_or(match how.packing {
        Packing::Explicit => "1.2.840.10008.1.2.1",
        Packing::Implicit => "1.2.840.10008.1.2",
        Packing::Deflated => "1.2.840.10008.1.2.1.99",
        Packing::Rle => "1.2.840.10008.1.2.5",
        Packing::Jpeg => "1.2.840.10008.1.2.4.70",
    });
    let mut out = vec![0; 128];
    out.extend(b"DICM");
    element(&mut out, true, (2, 0x10), b"UI", syntax.as_bytes());
    let body = body(volume, k, how);
    match how.packing {
        Packing::Deflated => {
            let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            packed.write_all(&body).unwrap();
            out.extend(packed.finish().unwrap());
        }
        _ => out.extend(body),
    }
    out
}

fn body(volume: &Volume, k: usize, how: &Slices) -> Vec<u8> {
    let explicit = how.packing != Packing::Implicit;
    let mut out = Vec::new();
    let mut put = |tag: (u16, u16), kind: &[u8; 2], value: &[u8]| element(&mut out, explicit, tag, kind, value);
    let frame = volume.frame();
    let directions = frame.directions();
    let (r, c): (Vec3, Vec3) = (directions.column(0).into(), directions.column(1).into());
    let normal = r.cross(&c);
    let turn = nalgebra::Rotation3::from_scaled_axis(normal * how.turned);
    let position = 1e3 * frame.position(&Vec3::new(0.0, 0.0, k as f64)) + how.along_normal * normal;
    let list = |values: &[f64]| values.iter().map(|x| format!("{x:.8}")).collect::<Vec<_>>().join("\\");
    let spacing = 1e3 * frame.spacing() * if how.wider { 1.01 } else { 1.0 };
    put((8, 0x103e), b"LO", b"leg, sharp");
    put((0x20, 0xe), b"UI", how.series.as_bytes());
    put((0x20, 0x11), b"IS", how.number.to_string().as_bytes());
    put((0x20, 0x32), b"DS", list(position.as_slice()).as_bytes());
    put((0x20, 0x37), b"DS", list(&[(turn * r).as_slice(), (turn * c).as_slice()].concat()).as_bytes());
    // a sequence without a length, which is passed over
    if explicit {
        put((0x20, 0x9113), b"SQ", b"\xfe\xff\x00\xe0\x08\x00\x00\x00\x20\x00\x32\x00DS\x00\x00");
    }
    let [columns, rows, _] = volume.size().map(|n| n as u16);
    let signed = u16::from(how.signed);
    let shorts = [(0x2, 1), (0x10, rows), (0x11, columns), (0x100, 16), (0x101, 16), (0x102, 15), (0x103, signed)];
    let mut put_short = |element: u16, value: u16| put((0x28, element), b"US", &value.to_le_bytes());
    shorts[..3].iter().for_each(|&(tag, value)| put_short(tag, value));
    put((0x28, 0x30), b"DS", list(&[spacing.y, spacing.x]).as_bytes());
    let mut put_short = |element: u16, value: u16| put((0x28, element), b"US", &value.to_le_bytes());
    shorts[3..].iter().for_each(|&(tag, value)| put_short(tag, value));
    let intercept = if how.signed { 0 } else { -1024 };
    put((0x28, 0x1052), b"DS", intercept.to_string().as_bytes());
    put((0x28, 0x1053), b"DS", b"1");
    let count = usize::from(columns) * usize::from(rows);
    let value = |n: usize| (volume.samples().get(k * count + n) as i32 - intercept) as u16;
    let pixels: Vec<u16> = (0..count).map(value).collect();
    match how.packing {
        Packing::Rle => fragments(&mut out, &rle(&pixels)),
        Packing::Jpeg => fragments(&mut out, &jpeg(&pixels, usize::from(columns))),
        _ => put((0x7fe0, 0x10), b"OW", &pixels.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()),
    }
    out
}

/// Packed pixels: an empty table of offsets, and two fragments.
fn fragments(out: &mut Vec<u8>, packed: &[u8]) {
    out.extend(b"\xe0\x7f\x10\x00OB\x00\x00\xff\xff\xff\xff");
    out.extend(b"\xfe\xff\x00\xe0\x00\x00\x00\x00");
    let half = packed.len() / 2;
    for part in [&packed[..half], &packed[half..]] {
        out.extend(b"\xfe\xff\x00\xe0");
        out.extend((part.len() as u32).to_le_bytes());
        out.extend(part);
    }
    out.extend(b"\xfe\xff\xdd\xe0\x00\x00\x00\x00");
}

fn rle(pixels: &[u16]) -> Vec<u8> {
    let planes = [8, 0].map(|shift| {
        let bytes: Vec<u8> = pixels.iter().map(|x| (x >> shift) as u8).collect();
        let mut out = Vec::new();
        for run in bytes.chunk_by(|a, b| a == b) {
            for part in run.chunks(128) {
                match part.len() {
                    1 => out.extend([0, part[0]]),
                    n => out.extend([(257 - n) as u8, part[0]]),
                }
            }
        }
        out
    });
    let mut out = vec![0; 64];
    out[0] = 2;
    out[4] = 64;
    out[8..12].copy_from_slice(&(64 + planes[0].len() as u32).to_le_bytes());
    planes.iter().for_each(|plane| out.extend(plane));
    out
}

/// Lossless JPEG with predictor 1 and a table in which all 17 lengths of differences have 5 bits.
fn jpeg(pixels: &[u16], columns: usize) -> Vec<u8> {
    let rows = (pixels.len() / columns) as u16;
    let mut out = vec![0xff, 0xd8, 0xff, 0xc4, 0, 36, 0];
    out.extend((1..=16).map(|length| if length == 5 { 17u8 } else { 0 }));
    out.extend(0..17u8);
    out.extend([0xff, 0xc3, 0, 11, 16]);
    out.extend(rows.to_be_bytes());
    out.extend((columns as u16).to_be_bytes());
    out.extend([1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 1, 0, 0]);
    let mut bits: Vec<bool> = Vec::new();
    for (n, &pixel) in pixels.iter().enumerate() {
        let prediction = match (n, n % columns) {
            (0, _) => 32768,
            (_, 0) => pixels[n - columns],
            _ => pixels[n - 1],
        };
        let difference = i32::from(pixel.wrapping_sub(prediction) as i16);
        let length = if difference == -32768 { 16 } else { 32 - difference.unsigned_abs().leading_zeros() };
        bits.extend((0..5).rev().map(|bit| length >> bit & 1 == 1));
        if length < 16 {
            let value = if difference < 0 { difference + (1 << length) - 1 } else { difference };
            bits.extend((0..length).rev().map(|bit| value >> bit & 1 == 1));
        }
    }
    for byte in bits.chunks(8) {
        let value = (0..8).fold(0, |sum, n| sum << 1 | u8::from(byte.get(n).copied().unwrap_or(true)));
        out.push(value);
        if value == 0xff {
            out.push(0);
        }
    }
    out.extend([0xff, 0xd9]);
    out
}

/// An archive: every second file is deflated, the others are stored.
pub fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut list) = (Vec::new(), Vec::new());
    for (n, (name, content)) in files.iter().enumerate() {
        let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(content).unwrap();
        let deflated = packed.finish().unwrap();
        let (method, packed) = if n % 2 == 0 { (8u16, &deflated) } else { (0, content) };
        let mut common = Vec::new();
        common.extend([20, 0, 0, 0]);
        common.extend(method.to_le_bytes());
        common.extend([0; 8]);
        common.extend((packed.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        let place = out.len() as u32;
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(packed);
        list.extend(b"PK\x01\x02\x14\x00");
        list.extend(&common);
        list.extend([0; 10]);
        list.extend(place.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let start = out.len() as u32;
    let count = files.len() as u16;
    out.extend(&list);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((list.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}
