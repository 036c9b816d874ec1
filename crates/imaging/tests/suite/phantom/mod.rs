//! Images made in the tests, and their files.

pub mod dicom;

use wolff_imaging::{Frame, Samples, Volume};
use wolff_spatial::{Mat3, Vec3};

/// A frame with general, oblique axes \[m\].
pub fn oblique() -> Frame {
    let rotation = nalgebra::Rotation3::from_euler_angles(0.2, -0.15, 0.3);
    let columns = rotation.matrix() * Mat3::from_diagonal(&Vec3::new(0.5e-3, 0.7e-3, 0.9e-3));
    Frame::new(Vec3::new(0.1, -0.04, 0.32), columns).unwrap()
}

/// A frame along the axes of the patient with one distance between voxels \[m\].
pub fn straight(spacing: f64) -> Frame {
    Frame::new(Vec3::zeros(), Mat3::identity() * spacing).unwrap()
}

/// A small image of whole numbers without symmetry.
pub fn small() -> Volume {
    let size = [5, 4, 3];
    let values = (0..60).map(|n| (n * n % 97) as i16 * 13 - 500).collect();
    Volume::new(size, oblique(), Samples::I16(values)).unwrap()
}

fn bytes_of(volume: &Volume) -> Vec<u8> {
    (0..volume.samples().len()).flat_map(|n| (volume.samples().get(n) as i16).to_le_bytes()).collect()
}

/// The columns of the frame in mm, and the origin.
fn in_mm(frame: &Frame) -> (Mat3, Vec3) {
    let columns = frame.directions() * Mat3::from_diagonal(&frame.spacing());
    (1e3 * columns, 1e3 * frame.origin())
}

/// A `.nii` file of version 1.
pub fn nifti(volume: &Volume) -> Vec<u8> {
    let mut header = vec![0u8; 352];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &348i32.to_le_bytes());
    let [a, b, c] = volume.size().map(|n| n as i16);
    for (n, value) in [3, a, b, c, 1, 1, 1, 1].into_iter().enumerate() {
        put(40 + 2 * n, &value.to_le_bytes());
    }
    put(70, &4i16.to_le_bytes());
    put(72, &16i16.to_le_bytes());
    put(108, &352f32.to_le_bytes());
    put(123, &[2]);
    put(254, &1i16.to_le_bytes());
    let (columns, origin) = in_mm(volume.frame());
    let ras = [-1.0, -1.0, 1.0];
    for row in 0..3 {
        let values = [columns[(row, 0)], columns[(row, 1)], columns[(row, 2)], origin[row]];
        for (column, value) in values.into_iter().enumerate() {
            put(280 + 16 * row + 4 * column, &((ras[row] * value) as f32).to_le_bytes());
        }
    }
    put(344, b"n+1\0");
    header.extend(bytes_of(volume));
    header
}

/// A `.nii` file of version 2 with its position as quaternion, most significant byte first.
pub fn nifti2(volume: &Volume, mirrored: bool) -> Vec<u8> {
    let mut header = vec![0u8; 544];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &540i32.to_be_bytes());
    put(4, b"n+2\0\r\n\x1a\n");
    put(12, &4i16.to_be_bytes());
    let [a, b, c] = volume.size().map(|n| n as i64);
    for (n, value) in [3, a, b, c, 1, 1, 1, 1].into_iter().enumerate() {
        put(16 + 8 * n, &value.to_be_bytes());
    }
    let (columns, origin) = in_mm(volume.frame());
    let ras = Mat3::from_diagonal(&Vec3::new(-1.0, -1.0, 1.0));
    let factor = if mirrored { -1.0 } else { 1.0 };
    let spacing = 1e3 * volume.frame().spacing();
    let unit = ras * columns * Mat3::from_diagonal(&Vec3::new(1.0 / spacing.x, 1.0 / spacing.y, factor / spacing.z));
    let rotation = nalgebra::UnitQuaternion::from_matrix(&unit);
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    for (n, value) in [factor, spacing.x, spacing.y, spacing.z].into_iter().enumerate() {
        put(104 + 8 * n, &value.to_be_bytes());
    }
    put(168, &544i64.to_be_bytes());
    put(176, &2f64.to_be_bytes());
    put(184, &100f64.to_be_bytes());
    put(344, &1i32.to_be_bytes());
    for (n, value) in [rotation.i, rotation.j, rotation.k].into_iter().enumerate() {
        put(352 + 8 * n, &(sign * value).to_be_bytes());
    }
    let origin = ras * origin;
    (0..3).for_each(|n| put(376 + 8 * n, &origin[n].to_be_bytes()));
    put(500, &2i32.to_be_bytes());
    let values = (0..volume.samples().len()).map(|n| ((volume.samples().get(n) - 100.0) / 2.0) as i16);
    header.extend(values.flat_map(i16::to_be_bytes));
    header
}

/// An `.nrrd` file in RAS axes: header and body, packed or as they are.
pub fn nrrd(volume: &Volume, encoding: &str) -> (String, Vec<u8>) {
    let (columns, origin) = in_mm(volume.frame());
    let vector = |v: Vec3| format!("({},{},{})", -v.x, -v.y, v.z);
    let [a, b, c] = volume.size();
    let header = format!(
        "NRRD0004\n# comment\ntype: short\ndimension: 3\nspace: right-anterior-superior\nsizes: {a} {b} {c}\n\
         space directions: {} {} {}\nkinds: domain domain domain\nendian: little\nencoding: {encoding}\n\
         space origin: {}\nkey:=value\n",
        vector(columns.column(0).into()),
        vector(columns.column(1).into()),
        vector(columns.column(2).into()),
        vector(origin)
    );
    let body = match encoding {
        "gzip" => gzip(&bytes_of(volume)),
        "ascii" => {
            let words: Vec<String> = (0..volume.samples().len()).map(|n| volume.samples().get(n).to_string()).collect();
            words.join(" ").into_bytes()
        }
        _ => bytes_of(volume),
    };
    (header, body)
}

/// Bytes packed with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut out, bytes).unwrap();
    out.finish().unwrap()
}

/// Header and body of a MetaImage file; `place` is LOCAL or the name of the data file.
pub fn meta(volume: &Volume, place: &str, packed: bool) -> (String, Vec<u8>) {
    let (columns, origin) = in_mm(volume.frame());
    let spacing = 1e3 * volume.frame().spacing();
    let directions = volume.frame().directions();
    let list = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let [a, b, c] = volume.size();
    let header = format!(
        "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = {}\n\
         TransformMatrix = {}\nOffset = {}\nElementSpacing = {}\nDimSize = {a} {b} {c}\nElementType = MET_SHORT\n\
         ElementDataFile = {place}\n",
        if packed { "True" } else { "False" },
        list(directions.as_slice()),
        list(origin.as_slice()),
        list(spacing.as_slice()),
    );
    assert!(columns.iter().all(|x| x.is_finite()));
    let body = bytes_of(volume);
    if !packed {
        return (header, body);
    }
    let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut out, &body).unwrap();
    (header, out.finish().unwrap())
}

/// A ball of bone: a wall of one density around an inside of another, blurred.
pub struct Shell {
    pub radius: f64,
    pub thickness: f64,
    pub blur: f64,
    /// Levels outside, of the wall and inside.
    pub levels: [f64; 3],
    pub mirrored: bool,
}

/// A wall as thick as two and a half blurs.
pub const SHELL: Shell =
    Shell { radius: 12e-3, thickness: 2e-3, blur: 0.8e-3, levels: [50.0, 1400.0, 300.0], mirrored: false };

impl Shell {
    /// The centre of the image \[m\].
    pub fn centre(&self) -> Vec3 {
        Vec3::new(0.03, -0.12, 0.4)
    }

    /// The image: mean of the steps over each voxel, blurred by our smoothing (which has its own test).
    pub fn image(&self) -> Volume {
        let spacing = 0.6e-3;
        let half = ((self.radius + 5.0 * self.blur) / spacing).ceil();
        let size = [2 * half as usize + 1; 3];
        let mut columns = nalgebra::Rotation3::from_euler_angles(0.3, 0.2, -0.4).matrix() * spacing;
        if self.mirrored {
            columns.column_mut(1).neg_mut();
        }
        let origin = self.centre() - columns * Vec3::repeat(half);
        let frame = Frame::new(origin, columns).unwrap();
        let level = |x: Vec3| match (x - self.centre()).norm() {
            r if r > self.radius => self.levels[0],
            r if r > self.radius - self.thickness => self.levels[1],
            _ => self.levels[2],
        };
        let parts = [-1.0 / 3.0, 0.0, 1.0 / 3.0];
        let mean = |x: &Vec3| {
            let points = parts.iter().flat_map(|a| parts.iter().flat_map(move |b| parts.map(|c| Vec3::new(*a, *b, c))));
            points.map(|p| level(x + columns * p)).sum::<f64>() / 27.0
        };
        let steps = Volume::from_fn(size, frame.clone(), mean).unwrap();
        let blurred = wolff_imaging::segment::gaussian(steps.samples().to_f32(), size, [self.blur / spacing; 3]);
        // a little noise without a generator: the digits of the golden ratio
        let noise = |n: usize| ((n as f64 * 0.618_033_988_75).fract() - 0.5) as f32 * 40.0;
        let values = blurred.iter().enumerate().map(|(n, x)| x + noise(n)).collect();
        Volume::new(size, frame, Samples::F32(values)).unwrap()
    }
}
