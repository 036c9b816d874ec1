//! NIfTI files, versions 1 and 2, as `.nii` and `.nii.gz`.
//!
//! The header has fixed places; positions are in RAS axes, which become LPS here (x and y change sign). The affine is
//! the `sform` where its code is set, else the `qform`. Source: Cox et al., nifti1.h and nifti2.h, NIH.

use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::Finding;

use super::raw::{Number, Raw};
use super::unpack;
use super::{Content, not_finite_remark, unknown_orientation};
use crate::frame::Frame;
use crate::volume::voxel_count;

/// Bytes of the header of version 2, the longer one, with its extension flag.
const LONGEST_HEADER: usize = 544;

/// Where the fields of a version are, and how wide its whole numbers and real numbers are.
struct Layout {
    dim: usize,
    datatype: usize,
    pixdim: usize,
    vox_offset: usize,
    slope: usize,
    units: usize,
    codes: usize,
    quaternion: usize,
    srow: usize,
    whole: Number,
    offset: Number,
    code: Number,
    real: Number,
    unit: Number,
}

const VERSION_1: Layout = Layout {
    dim: 40,
    datatype: 70,
    pixdim: 76,
    vox_offset: 108,
    slope: 112,
    units: 123,
    codes: 252,
    quaternion: 256,
    srow: 280,
    whole: Number::I16,
    offset: Number::F32,
    code: Number::I16,
    real: Number::F32,
    unit: Number::U8,
};

const VERSION_2: Layout = Layout {
    dim: 16,
    datatype: 12,
    pixdim: 104,
    vox_offset: 168,
    slope: 176,
    units: 500,
    codes: 344,
    quaternion: 352,
    srow: 400,
    whole: Number::I64,
    offset: Number::I64,
    code: Number::I32,
    real: Number::F64,
    unit: Number::I32,
};

/// A header whose fields are asked for by place.
struct Header<'a> {
    bytes: &'a [u8],
    big: bool,
    layout: &'static Layout,
}

impl Header<'_> {
    fn number(&self, at: usize, kind: Number, index: usize) -> Result<f64, String> {
        let at = at + index * kind.width();
        let bytes = self.bytes.get(at..at + kind.width()).ok_or("the header ends too early; the file is cut off")?;
        let raw = Raw { bytes, number: kind, big: self.big, slope: 1.0, intercept: 0.0 };
        Ok(raw.single())
    }

    fn reals<const N: usize>(&self, at: usize) -> Result<[f64; N], String> {
        let mut out = [0.0; N];
        for (n, x) in out.iter_mut().enumerate() {
            *x = self.number(at, self.layout.real, n)?;
        }
        Ok(out)
    }
}

/// Whether (unpacked) bytes begin as a NIfTI file.
pub fn is_nifti(bytes: &[u8]) -> bool {
    layout(bytes).is_some()
}

fn layout(bytes: &[u8]) -> Option<(bool, &'static Layout, bool)> {
    let first = bytes.get(..4)?;
    let big = first[0] == 0;
    let length = Raw { bytes: first, number: Number::I32, big, slope: 1.0, intercept: 0.0 }.single();
    match length as i64 {
        348 => {
            let magic = bytes.get(344..348)?;
            let single = magic == b"n+1\0";
            (single || magic == b"ni1\0").then_some((big, &VERSION_1, single))
        }
        540 => {
            let magic = bytes.get(4..8)?;
            let single = magic == b"n+2\0";
            (single || magic == b"ni2\0").then_some((big, &VERSION_2, single))
        }
        _ => None,
    }
}

/// Reads the content of a `.nii` or `.nii.gz` file.
pub fn read(bytes: &[u8]) -> Result<Content, String> {
    let start = unpack::beginning(bytes, LONGEST_HEADER);
    let (big, layout, single) = layout(&start).ok_or("this is no NIfTI file")?;
    if !single {
        return Err("the voxels of this header are in another file (.hdr with .img); save it as one .nii file".into());
    }
    let header = Header { bytes: &start, big, layout };
    let size = size(&header)?;
    let count = voxel_count(size).map_err(|e| e.to_string())?;
    let number = number(&header)?;
    let offset = header.number(layout.vox_offset, layout.offset, 0)?;
    if !(0.0..1e9).contains(&offset) {
        return Err(format!("the voxels begin at byte {offset}, which cannot be; the header is damaged"));
    }
    let offset = offset as usize;
    let mut remarks = Vec::new();
    let frame = frame(&header, size, &mut remarks)?;
    let whole = unpack::plain(bytes, (offset + count * number.width()) as u64)?;
    let body = whole.get(offset..).ok_or("the file ends before its voxels begin; it is cut off")?;
    let [mut slope, mut intercept] = header.reals::<2>(layout.slope)?;
    // a slope of zero means: no scaling
    if slope == 0.0 || slope.is_nan() {
        (slope, intercept) = (1.0, 0.0);
    }
    let values = Raw { bytes: body, number, big, slope, intercept }.values(count)?;
    remarks.extend(not_finite_remark(values.not_finite));
    Ok(Content { size, frame, samples: values.samples, remarks, modality: None })
}

fn size(header: &Header) -> Result<[usize; 3], String> {
    let dim = |n: usize| header.number(header.layout.dim, header.layout.whole, n);
    let axes = dim(0)?;
    if !(1.0..=7.0).contains(&axes) {
        return Err(format!("the header announces {axes} axes, there must be 1 to 7; the file is damaged"));
    }
    let mut size = [1; 3];
    for axis in 1..=axes as usize {
        let voxels = dim(axis)?;
        if !(1.0..=2147483648.0).contains(&voxels) {
            return Err(format!(
                "axis {} has {voxels} voxels, there must be one at least; the file is damaged",
                axis - 1
            ));
        }
        match size.get_mut(axis - 1) {
            Some(size) => *size = voxels as usize,
            None if voxels == 1.0 => {}
            None => {
                return Err(format!(
                    "the image has {voxels} volumes (times, directions or channels), there must be one; extract one"
                ));
            }
        }
    }
    Ok(size)
}

fn number(header: &Header) -> Result<Number, String> {
    Ok(match header.number(header.layout.datatype, Number::I16, 0)? as i64 {
        2 => Number::U8,
        4 => Number::I16,
        8 => Number::I32,
        16 => Number::F32,
        64 => Number::F64,
        256 => Number::I8,
        512 => Number::U16,
        768 => Number::U32,
        1024 => Number::I64,
        1280 => Number::U64,
        other => {
            return Err(format!(
                "voxels of the type {other} (colours, complex numbers, bits or long floats) are not read; save the \
                 image with numbers of 8 to 64 bits"
            ));
        }
    })
}

/// The unit of length of a header \[m\]; mm where none is stated.
fn unit(header: &Header) -> Result<f64, String> {
    Ok(match header.number(header.layout.units, header.layout.unit, 0)? as i64 & 7 {
        1 => 1.0,
        3 => 1e-6,
        _ => 1e-3,
    })
}

fn frame(header: &Header, size: [usize; 3], remarks: &mut Vec<Finding>) -> Result<Frame, String> {
    let code = |n| header.number(header.layout.codes, header.layout.code, n);
    let (qform, sform) = (code(0)? > 0.0, code(1)? > 0.0);
    let made = |(columns, origin): (Mat3, Vec3)| Frame::new(origin, columns).map_err(|e| e.to_string());
    let of_quaternion = || made(quaternion_affine(header)?);
    if sform {
        let frame = made(sform_affine(header)?)?;
        let other = if qform { of_quaternion().ok() } else { None };
        let apart = other.map_or(0.0, |other| frame.difference(&other, size));
        if apart > 0.5 * frame.spacing().min() {
            remarks.push(Finding::warning(
                format!(
                    "the two positions in the header (sform and qform) disagree by {:.2} mm; sform is used",
                    1e3 * apart
                ),
                "check the position of the result against another program",
            ));
        }
        return Ok(frame);
    }
    if qform {
        return of_quaternion();
    }
    remarks.push(unknown_orientation("the codes of both sform and qform are 0"));
    let [_, x, y, z] = header.reals::<4>(header.layout.pixdim)?;
    made((to_lps(header)? * Mat3::from_diagonal(&Vec3::new(x.abs(), y.abs(), z.abs())), Vec3::zeros()))
}

/// From RAS in the unit of the file to LPS in m.
fn to_lps(header: &Header) -> Result<Mat3, String> {
    let unit = unit(header)?;
    Ok(Mat3::from_diagonal(&Vec3::new(-unit, -unit, unit)))
}

fn sform_affine(header: &Header) -> Result<(Mat3, Vec3), String> {
    let rows = header.reals::<12>(header.layout.srow)?;
    let matrix = Mat3::from_fn(|row, column| rows[4 * row + column]);
    let offset = Vec3::from_fn(|row, _| rows[4 * row + 3]);
    let to_lps = to_lps(header)?;
    Ok((to_lps * matrix, to_lps * offset))
}

/// The rotation of the unit quaternion (a, b, c, d), a ≥ 0, times the spacing; the third axis is reversed where
/// `pixdim[0]` is -1.
fn quaternion_affine(header: &Header) -> Result<(Mat3, Vec3), String> {
    let [b, c, d, x, y, z] = header.reals::<6>(header.layout.quaternion)?;
    let [factor, dx, dy, dz] = header.reals::<4>(header.layout.pixdim)?;
    let a2 = 1.0 - (b * b + c * c + d * d);
    if !(a2 > -1e-3) {
        return Err(format!("the rotation ({b}, {c}, {d}) is no unit quaternion; the header is damaged"));
    }
    let quaternion = nalgebra::Quaternion::new(a2.max(0.0).sqrt(), b, c, d);
    let rotation = nalgebra::UnitQuaternion::from_quaternion(quaternion).to_rotation_matrix();
    let reversed = if factor < 0.0 { -1.0 } else { 1.0 };
    let spacing = Mat3::from_diagonal(&Vec3::new(dx, dy, reversed * dz));
    let to_lps = to_lps(header)?;
    Ok((to_lps * rotation.matrix() * spacing, to_lps * Vec3::new(x, y, z)))
}
