//! One slice of a CT or MRI series.

use wolff_files::text::on_one_line;
use wolff_spatial::Vec3;

use super::element::{Elements, PixelPacking};
use super::{jpeg, rle};

/// A slice: where it lies, and its values.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The file it is from.
    pub name: String,
    /// The series it belongs to.
    pub series: String,
    /// Number and description of the series.
    pub about: String,
    /// The number of the series.
    pub number: String,
    /// How it was made: `CT`, `MR` and so on; empty where it is not told.
    pub modality: String,
    /// Columns and rows.
    pub size: [usize; 2],
    /// The centre of the first pixel \[mm\].
    pub position: Vec3,
    /// Directions in which the column index and the row index rise.
    pub directions: [Vec3; 2],
    /// Distances between columns and between rows \[mm\].
    pub spacing: [f64; 2],
    /// The pixels as numbers, before the line of the rescaling.
    pub pixels: Vec<i32>,
    /// value = slope · number + intercept
    pub rescale: [f64; 2],
}

/// The description of the shape of pixels.
struct Shape {
    size: [usize; 2],
    bytes: usize,
    stored: u32,
    high: u32,
    signed: bool,
}

/// The slice of a file; `None` of what is no image, such as a list of files or a report.
pub fn slice(name: &str, elements: Elements) -> Result<Option<Slice>, String> {
    let text = |tag| elements.text(tag).map(|text| on_one_line(&text).into_owned());
    let Some(pixels) = &elements.pixels else { return Ok(None) };
    let shape = shape(&elements)?;
    let numbers = |tag, count: usize, what: &str| {
        let found = elements.numbers(tag).filter(|found| found.len() == count && found.iter().all(|x| x.is_finite()));
        found.ok_or_else(|| {
            format!("it has no {what} ({count} numbers); slices need it, so this is no slice of a volume")
        })
    };
    let position = numbers((0x0020, 0x0032), 3, "position in the patient")?;
    let axes = numbers((0x0020, 0x0037), 6, "orientation in the patient")?;
    let spacing = numbers((0x0028, 0x0030), 2, "distance between pixels")?;
    let optional = |tag, other: f64| elements.numbers(tag).and_then(|found| found.first().copied()).unwrap_or(other);
    Ok(Some(Slice {
        name: name.into(),
        series: text((0x0020, 0x000e)).unwrap_or_default(),
        about: text((0x0008, 0x103e)).unwrap_or_default(),
        number: text((0x0020, 0x0011)).unwrap_or_default(),
        modality: text((0x0008, 0x0060)).unwrap_or_default(),
        size: shape.size,
        position: Vec3::from_column_slice(&position),
        directions: [Vec3::from_column_slice(&axes[..3]), Vec3::from_column_slice(&axes[3..])],
        // the file states the distance between rows first
        spacing: [spacing[1], spacing[0]],
        pixels: decoded(pixels, &shape, elements.packing)?,
        rescale: [optional((0x0028, 0x1053), 1.0), optional((0x0028, 0x1052), 0.0)],
    }))
}

fn shape(elements: &Elements) -> Result<Shape, String> {
    let short = |element, what: &str| {
        elements.short((0x0028, element)).ok_or_else(|| format!("it lacks its {what}; the file is damaged"))
    };
    let size = [short(0x0011, "number of columns")?, short(0x0010, "number of rows")?].map(usize::from);
    if size.contains(&0) {
        return Err("it has no rows or no columns; the file is damaged".into());
    }
    let frames = elements.text((0x0028, 0x0008)).unwrap_or("1".into());
    if frames != "1" {
        return Err(
            "it has several frames (enhanced CT or MRI); export the series as single slices, or convert it to NIfTI"
                .into(),
        );
    }
    if elements.short((0x0028, 0x0002)).unwrap_or(1) != 1 {
        return Err("its pixels are colours; a volume needs grey values".into());
    }
    let allocated = short(0x0100, "bits per pixel")?;
    let stored = u32::from(elements.short((0x0028, 0x0101)).unwrap_or(allocated));
    let high = elements.short((0x0028, 0x0102)).map_or(stored.saturating_sub(1), u32::from);
    if !matches!(allocated, 8 | 16 | 32)
        || stored == 0
        || stored > u32::from(allocated)
        || high + 1 < stored
        || high >= u32::from(allocated)
    {
        return Err(format!(
            "pixels of {stored} bits up to bit {high} in {allocated} bits cannot be; the file is damaged"
        ));
    }
    let signed = elements.short((0x0028, 0x0103)).unwrap_or(0) == 1;
    Ok(Shape { size, bytes: usize::from(allocated / 8), stored, high, signed })
}

fn decoded(pixels: &[u8], shape: &Shape, packing: PixelPacking) -> Result<Vec<i32>, String> {
    let count = shape.size[0] * shape.size[1];
    if packing == PixelPacking::JpegLossless {
        let found = jpeg::decoded(pixels, shape.size)?;
        return Ok(found.into_iter().map(|number| masked(u32::from(number), shape)).collect());
    }
    let unpacked = match packing {
        PixelPacking::Rle => Some(rle::unpacked(pixels, count, shape.bytes)?),
        _ => None,
    };
    let bytes = unpacked.as_deref().unwrap_or(pixels);
    let needed = count * shape.bytes;
    let Some(bytes) = bytes.get(..needed) else {
        return Err(format!(
            "{} x {} pixels take {needed} bytes, but there are {}; the file is cut off",
            shape.size[0],
            shape.size[1],
            bytes.len()
        ));
    };
    let join = |sum: u32, byte: &u8| sum << 8 | u32::from(*byte);
    Ok(bytes.chunks_exact(shape.bytes).map(|b| masked(b.iter().rev().fold(0, join), shape)).collect())
}

/// The stored bits of a pixel as a number.
fn masked(bits: u32, shape: &Shape) -> i32 {
    let unused = 32 - shape.stored;
    let moved = bits >> (shape.high + 1 - shape.stored) << unused;
    if shape.signed { (moved as i32) >> unused } else { i32::try_from(moved >> unused).unwrap_or(i32::MAX) }
}
