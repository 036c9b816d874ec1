//! MetaImage files: `.mha` with the voxels behind the header, `.mhd` with the voxels in another file.
//!
//! Positions are in LPS axes and mm; the first three numbers of `TransformMatrix` are the direction of the first axis.
//! Source: MetaIO documentation, Kitware.

use std::borrow::Cow;
use std::collections::BTreeMap;

use wolff_spatial::{Mat3, Vec3};

use super::raw::{Number, Raw};
use super::unpack::{self, Packing};
use super::{Companion, Content, not_finite_remark, shortened, unknown_orientation};
use crate::frame::Frame;
use crate::volume::voxel_count;

/// A header has not more lines than this.
const MOST_LINES: usize = 1000;

type Fields = BTreeMap<String, String>;

/// Whether bytes begin as a MetaImage file.
pub fn is_meta(bytes: &[u8]) -> bool {
    let start = bytes.get(..2048).unwrap_or(bytes);
    let text = String::from_utf8_lossy(start);
    let known =
        |line: &str| line.split_once('=').is_some_and(|(name, _)| matches!(name.trim(), "ObjectType" | "NDims"));
    text.lines().take(8).any(known)
}

/// Reads the content of a file; `companion` reads the file with the voxels that the header names.
pub fn read(bytes: &[u8], companion: &Companion) -> Result<Content, String> {
    let (fields, body) = header(bytes)?;
    let size = size(&fields)?;
    let count = voxel_count(size).map_err(|e| e.to_string())?;
    let number = number(text(&fields, "ElementType").unwrap_or_default())?;
    if text(&fields, "ElementNumberOfChannels").is_some_and(|n| n != "1") {
        return Err("the image has several values for each voxel, there must be one; extract one".into());
    }
    let mut remarks = Vec::new();
    let oriented = ["TransformMatrix", "Rotation", "Orientation"].iter().find_map(|name| text(&fields, name));
    if oriented.is_none() {
        remarks.push(unknown_orientation("the header has no TransformMatrix"));
    }
    let frame = frame(&fields, oriented)?;
    let needed = count.saturating_mul(number.width());
    let detached = match text(&fields, "ElementDataFile") {
        Some("LOCAL" | "Local" | "local") => None,
        Some(name) if name.starts_with("LIST") || name.contains('%') => {
            return Err("the voxels are in a list of files; save the image as one .mha file".into());
        }
        Some(name) => Some(companion(name)?),
        None => return Err("the header lacks `ElementDataFile`; the file is damaged".into()),
    };
    let body = detached.as_deref().unwrap_or(body);
    let is_true = |name: &str| text(&fields, name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let bytes: Cow<[u8]> = match is_true("CompressedData") {
        true => Cow::Owned(unpack::unpacked(body, Packing::Zlib, needed as u64)?),
        false => Cow::Borrowed(behind_header(&fields, body, needed)?),
    };
    let big = is_true("BinaryDataByteOrderMSB") || is_true("ElementByteOrderMSB");
    let values = Raw { bytes: &bytes, number, big, slope: 1.0, intercept: 0.0 }.values(count)?;
    remarks.extend(not_finite_remark(values.not_finite));
    Ok(Content { size, frame, samples: values.samples, remarks, modality: None })
}

fn header(bytes: &[u8]) -> Result<(Fields, &[u8]), String> {
    let mut fields = Fields::new();
    let mut rest = bytes;
    for _ in 0..MOST_LINES {
        let end = rest
            .iter()
            .position(|&b| b == b'\n')
            .ok_or("the header ends without `ElementDataFile`; the file is cut off")?;
        let line = String::from_utf8_lossy(&rest[..end]);
        rest = rest.get(end + 1..).unwrap_or_default();
        let Some((name, value)) = line.split_once('=') else { continue };
        let (name, value) = (name.trim(), value.trim());
        fields.insert(name.into(), value.into());
        // the last line of the header
        if name == "ElementDataFile" {
            return Ok((fields, rest));
        }
    }
    Err("the header ends without `ElementDataFile`; the file is damaged".into())
}

fn text<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    fields.get(name).map(String::as_str)
}

fn numbers(fields: &Fields, name: &str) -> Result<Option<Vec<f64>>, String> {
    let Some(words) = text(fields, name) else { return Ok(None) };
    let number = |word: &str| word.parse().map_err(|_| format!("{name}: `{}` is no number", shortened(word)));
    words.split_whitespace().take(64).map(number).collect::<Result<_, _>>().map(Some)
}

fn size(fields: &Fields) -> Result<[usize; 3], String> {
    if text(fields, "NDims") != Some("3") {
        return Err(format!(
            "the image has {} axes, there must be 3",
            shortened(text(fields, "NDims").unwrap_or("no"))
        ));
    }
    let size = numbers(fields, "DimSize")?.ok_or("the header lacks `DimSize`; the file is damaged")?;
    let whole = |x: &f64| (x.fract() == 0.0 && (1.0..=2147483648.0).contains(x)).then_some(*x as usize);
    let size: Option<Vec<usize>> = size.iter().map(whole).collect();
    size.and_then(|size| size.try_into().ok())
        .ok_or_else(|| "`DimSize` must be three whole numbers above zero; the file is damaged".into())
}

fn number(name: &str) -> Result<Number, String> {
    Ok(match name {
        "MET_CHAR" => Number::I8,
        "MET_UCHAR" => Number::U8,
        "MET_SHORT" => Number::I16,
        "MET_USHORT" => Number::U16,
        "MET_INT" | "MET_LONG" => Number::I32,
        "MET_UINT" | "MET_ULONG" => Number::U32,
        "MET_LONG_LONG" => Number::I64,
        "MET_ULONG_LONG" => Number::U64,
        "MET_FLOAT" => Number::F32,
        "MET_DOUBLE" => Number::F64,
        other => return Err(format!("numbers of the type `{}` are not read", shortened(other))),
    })
}

fn frame(fields: &Fields, matrix: Option<&str>) -> Result<Frame, String> {
    const MM: f64 = 1e-3;
    let vector = |name: &str| -> Result<Option<Vec3>, String> {
        let Some(found) = numbers(fields, name)? else { return Ok(None) };
        let three: [f64; 3] = found.try_into().map_err(|_| format!("`{name}` must be three numbers"))?;
        Ok(Some(three.into()))
    };
    let spacing = match vector("ElementSpacing")? {
        Some(spacing) => spacing,
        None => vector("ElementSize")?.unwrap_or(Vec3::repeat(1.0)),
    };
    let mut origin = Vec3::zeros();
    for name in ["Offset", "Position", "Origin"] {
        if let Some(found) = vector(name)? {
            origin = found;
            break;
        }
    }
    let directions = match matrix {
        None => Mat3::identity(),
        Some(words) => {
            let found: Vec<f64> = words.split_whitespace().take(10).map_while(|word| word.parse().ok()).collect();
            let nine: [f64; 9] = found.try_into().map_err(|_| "`TransformMatrix` must be nine numbers")?;
            // the numbers of an axis stand together: one column
            Mat3::from_column_slice(&nine)
        }
    };
    Frame::from_directions(MM * origin, MM * spacing, directions).map_err(|e| e.to_string())
}

/// The voxels behind the header of the raw file, whose length may be given as -1: whatever is before the last bytes.
fn behind_header<'a>(fields: &Fields, body: &'a [u8], needed: usize) -> Result<&'a [u8], String> {
    let skip = match text(fields, "HeaderSize").map(str::parse::<i64>) {
        None | Some(Ok(0)) => 0,
        Some(Ok(-1)) => body.len().saturating_sub(needed),
        Some(Ok(n)) if n > 0 => usize::try_from(n).unwrap_or(usize::MAX),
        _ => return Err("`HeaderSize` is no number of bytes".into()),
    };
    body.get(skip..).ok_or_else(|| "the file ends before its voxels begin; it is cut off".into())
}
