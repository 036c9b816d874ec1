//! NRRD files: `.nrrd` with the voxels behind the header, `.nhdr` with the voxels in another file.
//!
//! Source: Kindlmann, Definition of NRRD file format (Teem). The axes of the volume are those with a space direction;
//! an axis without one (channels, time) may have one value only.

use std::borrow::Cow;
use std::collections::BTreeMap;

use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::Finding;

use super::raw::{Number, Raw, Values};
use super::unpack::{self, Packing};
use super::{Companion, Content, not_finite_remark, shortened, unknown_orientation};
use crate::frame::Frame;
use crate::volume::voxel_count;

/// A header is not longer than this.
const LONGEST_HEADER: usize = 1 << 20;

/// The fields of a header by their names without spaces, in small letters.
type Fields = BTreeMap<String, String>;

/// Whether bytes begin as an NRRD file.
pub fn is_nrrd(bytes: &[u8]) -> bool {
    bytes.starts_with(b"NRRD000")
}

/// Reads the content of a file; `companion` reads the file with the voxels that the header names.
pub fn read(bytes: &[u8], companion: &Companion) -> Result<Content, String> {
    let (fields, body) = header(bytes)?;
    let mut remarks = Vec::new();
    let sizes = sizes(&fields)?;
    let (axes, directions) = axes(&fields, &sizes)?;
    let size = axes.map(|axis| sizes[axis]);
    let count = voxel_count(size).map_err(|e| e.to_string())?;
    let frame = frame(&fields, axes, &directions, &mut remarks)?;
    let detached = fields.get("datafile").map(|name| companion(name)).transpose()?;
    let values = values(&fields, detached.as_deref().unwrap_or(body), count)?;
    remarks.extend(not_finite_remark(values.not_finite));
    Ok(Content { size, frame, samples: values.samples, remarks, modality: None })
}

fn header(bytes: &[u8]) -> Result<(Fields, &[u8]), String> {
    let mut fields = Fields::new();
    let mut rest = bytes;
    loop {
        let end = rest.iter().take(LONGEST_HEADER).position(|&b| b == b'\n');
        let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        rest = rest.get(line.len() + 1..).unwrap_or_default();
        if text.is_empty() || end.is_none() {
            return Ok((fields, rest));
        }
        if bytes.len() - rest.len() > LONGEST_HEADER {
            return Err("the header has no end: there is no empty line in its first MiB; the file is damaged".into());
        }
        // `key:=value` is for programs, `field: value` for all
        if let Some((name, value)) = text.split_once(": ").filter(|_| !text.starts_with('#')) {
            let name = name.trim().to_ascii_lowercase().replace(' ', "");
            fields.insert(name, value.trim().into());
        }
    }
}

fn field<'a>(fields: &'a Fields, name: &str) -> Result<&'a str, String> {
    fields.get(name).map(String::as_str).ok_or_else(|| format!("the header lacks `{name}`; the file is damaged"))
}

fn sizes(fields: &Fields) -> Result<Vec<usize>, String> {
    let words = field(fields, "sizes")?.split_whitespace().take(16);
    let size = |word: &str| {
        let size: usize = word.parse().map_err(|_| format!("`{}` is no number of voxels", shortened(word)))?;
        if size == 0 { Err("an axis has no voxels; the file is damaged".to_string()) } else { Ok(size) }
    };
    let sizes: Vec<usize> = words.map(size).collect::<Result<_, _>>()?;
    match field(fields, "dimension")?.parse() {
        Ok(n) if sizes.len() == n => Ok(sizes),
        _ => Err(format!(
            "there are {} sizes, but the dimension is {}",
            sizes.len(),
            shortened(field(fields, "dimension")?)
        )),
    }
}

/// Which axes of the file are those of the volume, and their directions if they are stated.
fn axes(fields: &Fields, sizes: &[usize]) -> Result<([usize; 3], Vec<Option<Vec3>>), String> {
    let directions = match fields.get("spacedirections") {
        None => Vec::new(),
        Some(text) => vectors(text)?,
    };
    if !directions.is_empty() && directions.len() != sizes.len() {
        return Err(format!(
            "there are {} space directions for {} axes; the file is damaged",
            directions.len(),
            sizes.len()
        ));
    }
    let spatial: Vec<usize> = match directions.is_empty() {
        true => (0..sizes.len()).filter(|&axis| sizes.len() == 3 || sizes[axis] > 1).collect(),
        false => (0..sizes.len()).filter(|&axis| directions[axis].is_some()).collect(),
    };
    let axes: [usize; 3] = spatial
        .clone()
        .try_into()
        .map_err(|_| format!("{} axes in space, there must be three; extract one volume", spatial.len()))?;
    match sizes.iter().enumerate().find(|(axis, size)| !axes.contains(axis) && **size != 1) {
        Some((axis, size)) => Err(format!(
            "axis {axis} has {size} values for each voxel (times or channels), there must be one; extract one"
        )),
        None => Ok((axes, directions)),
    }
}

/// Vectors as `(1,0,0) none (0,1,0)`.
fn vectors(text: &str) -> Result<Vec<Option<Vec3>>, String> {
    let wrong = || format!("`{}` is no list of vectors such as (1,0,0) (0,1,0) (0,0,1)", shortened(text));
    let mut out = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() && out.len() < 16 {
        if let Some(after) = rest.strip_prefix("none") {
            out.push(None);
            rest = after.trim_start();
            continue;
        }
        let (inside, after) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or_else(wrong)?;
        let numbers: Vec<f64> =
            inside.split(',').map(|x| x.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
        let [x, y, z] = numbers.try_into().map_err(|_| wrong())?;
        out.push(Some(Vec3::new(x, y, z)));
        rest = after.trim_start();
    }
    Ok(out)
}

/// From the space of the file to LPS; `None` for a space without orientation.
fn to_lps(space: &str) -> Result<Option<Vec3>, String> {
    let space = space.to_ascii_lowercase();
    let space = space.strip_suffix("-time").unwrap_or(&space);
    let signs = match space {
        "left-posterior-superior" | "lps" => [1.0, 1.0, 1.0],
        "right-anterior-superior" | "ras" => [-1.0, -1.0, 1.0],
        "left-anterior-superior" | "las" => [1.0, -1.0, 1.0],
        "" | "scanner-xyz" | "3d-right-handed" | "3d-left-handed" => return Ok(None),
        other => {
            return Err(format!(
                "the space `{}` is not known; left-posterior-superior, right-anterior-superior and \
                 left-anterior-superior are",
                shortened(other)
            ));
        }
    };
    Ok(Some(signs.into()))
}

fn frame(
    fields: &Fields,
    axes: [usize; 3],
    directions: &[Option<Vec3>],
    remarks: &mut Vec<Finding>,
) -> Result<Frame, String> {
    let signs = to_lps(fields.get("space").map_or("", String::as_str))?;
    let unit = match fields.get("spaceunits").map(|text| text.to_ascii_lowercase()) {
        Some(text) if text.contains("um") || text.contains("micro") => 1e-6,
        Some(text) if text.contains("cm") => 1e-2,
        Some(text) if text.contains("\"m\"") || text.contains("\"meter") => 1.0,
        _ => 1e-3,
    };
    if signs.is_none() || directions.is_empty() {
        remarks.push(unknown_orientation("the header states no space, or no directions"));
    }
    let signs = signs.unwrap_or(Vec3::repeat(1.0));
    let columns: [Vec3; 3] = match directions.is_empty() {
        false => axes.map(|axis| directions[axis].unwrap_or_default()),
        true => {
            let spacings = fields.get("spacings").map_or(Vec::new(), |text| {
                text.split_whitespace().map(|word| word.parse().unwrap_or(f64::NAN)).collect::<Vec<f64>>()
            });
            let along = |n: usize| {
                Vec3::ith(n, if spacings.is_empty() { 1.0 } else { spacings.get(axes[n]).copied().unwrap_or(f64::NAN) })
            };
            [along(0), along(1), along(2)]
        }
    };
    let origin = match fields.get("spaceorigin") {
        None => Vec3::zeros(),
        Some(text) => *vectors(text)?.first().and_then(Option::as_ref).ok_or("the space origin is no vector")?,
    };
    let map = Mat3::from_diagonal(&(unit * signs));
    Frame::new(map * origin, map * Mat3::from_columns(&columns)).map_err(|e| e.to_string())
}

fn number(name: &str) -> Result<Number, String> {
    Ok(match name.to_ascii_lowercase().as_str() {
        "signed char" | "int8" | "int8_t" => Number::I8,
        "uchar" | "unsigned char" | "uint8" | "uint8_t" => Number::U8,
        "short" | "short int" | "signed short" | "signed short int" | "int16" | "int16_t" => Number::I16,
        "ushort" | "unsigned short" | "unsigned short int" | "uint16" | "uint16_t" => Number::U16,
        "int" | "signed int" | "int32" | "int32_t" => Number::I32,
        "uint" | "unsigned int" | "uint32" | "uint32_t" => Number::U32,
        "longlong" | "long long" | "signed long long" | "long long int" | "int64" | "int64_t" => Number::I64,
        "ulonglong" | "unsigned long long" | "unsigned long long int" | "uint64" | "uint64_t" => Number::U64,
        "float" => Number::F32,
        "double" => Number::F64,
        other => return Err(format!("numbers of the type `{}` are not read", shortened(other))),
    })
}

fn values(fields: &Fields, body: &[u8], count: usize) -> Result<Values, String> {
    let number = number(field(fields, "type")?)?;
    let big = fields.get("endian").is_some_and(|e| e.eq_ignore_ascii_case("big"));
    let body = skipped(fields, body)?;
    let encoding = field(fields, "encoding")?.to_ascii_lowercase();
    let needed = count.saturating_mul(number.width());
    let bytes: Cow<[u8]> = match encoding.as_str() {
        "raw" => match fields.get("byteskip").map(String::as_str) {
            Some("-1") => Cow::Borrowed(body.get(body.len().saturating_sub(needed)..).unwrap_or_default()),
            _ => Cow::Borrowed(body),
        },
        "gzip" | "gz" => Cow::Owned(unpack::unpacked(body, Packing::Gzip, needed as u64)?),
        "ascii" | "text" | "txt" => return text_values(body, count),
        other => {
            return Err(format!("the encoding `{}` is not read; save the file as raw or gzip", shortened(other)));
        }
    };
    Raw { bytes: &bytes, number, big, slope: 1.0, intercept: 0.0 }.values(count)
}

/// The bytes behind the lines and bytes that are to be skipped.
fn skipped<'a>(fields: &Fields, body: &'a [u8]) -> Result<&'a [u8], String> {
    let skip = |name: &str| match fields.get(name).map(|text| text.parse::<i64>()) {
        None | Some(Ok(-1)) => Ok(0),
        Some(Ok(n)) if n >= 0 => usize::try_from(n).map_err(|_| format!("`{name}` is too large")),
        _ => Err(format!("`{name}` is no number")),
    };
    let mut rest = body;
    for _ in 0..skip("lineskip")? {
        let end = rest.iter().position(|&b| b == b'\n').ok_or("the file has fewer lines than are to be skipped")?;
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    rest.get(skip("byteskip")?..).ok_or_else(|| "the file has fewer bytes than are to be skipped".into())
}

fn text_values(body: &[u8], count: usize) -> Result<Values, String> {
    if count > body.len() / 2 + 1 {
        return Err(format!("{count} voxels are announced, but the text has {} bytes; it is cut off", body.len()));
    }
    let words = body.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let number = |word: &[u8]| {
        let text = String::from_utf8_lossy(word);
        text.parse::<f64>().map_err(|_| format!("`{}` is no number", shortened(&text)))
    };
    let values: Vec<f64> = words.take(count).map(number).collect::<Result<_, _>>()?;
    if values.len() != count {
        return Err(format!("{count} voxels are announced, but there are {}; the file is cut off", values.len()));
    }
    let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
    Raw { bytes: &bytes, number: Number::F64, big: false, slope: 1.0, intercept: 0.0 }.values(count)
}
