//! A small scan for the page of a bone: an egg with a wall, as an image of Hounsfield units.

use std::fs;
use std::path::Path;

/// Voxels along each axis, and their side \[mm\].
const COUNT: i32 = 66;
const SIDE: f64 = 1.0;
/// Half axes of the egg \[mm\]: to the left, to the back, to the head.
const EGG: [f64; 3] = [18.0, 11.0, 21.0];
/// Thickness of its wall \[mm\].
const WALL: f64 = 3.0;
/// Grey values of what is around it, of its wall, and of its inside \[HU\].
const GREY: [f64; 3] = [40.0, 1300.0, 250.0];

/// Writes the scan as MetaImage.
pub fn write(path: &Path) -> Result<(), String> {
    let offset = -0.5 * f64::from(COUNT - 1) * SIDE;
    let mut bytes = format!(
        "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = False\n\
         TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = {offset} {offset} {offset}\n\
         ElementSpacing = {SIDE} {SIDE} {SIDE}\nDimSize = {COUNT} {COUNT} {COUNT}\nElementType = MET_SHORT\n\
         ElementDataFile = LOCAL\n"
    )
    .into_bytes();
    let place = |i: i32| offset + SIDE * f64::from(i);
    for k in 0..COUNT {
        for j in 0..COUNT {
            for i in 0..COUNT {
                bytes.extend((grey([place(i), place(j), place(k)]).round() as i16).to_le_bytes());
            }
        }
    }
    fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

/// The grey value at a place, with edges as soft as a scanner makes them.
fn grey(x: [f64; 3]) -> f64 {
    // heavier towards the head and the left, so that it has a side
    let stretch = 1.0 + 0.012 * x[2] + 0.006 * x[0];
    let radius = (0..3).map(|d| (x[d] / EGG[d]).powi(2)).sum::<f64>().sqrt() / stretch;
    let depth = (1.0 - radius) * EGG[1];
    let inside = |depth: f64| 1.0 / (1.0 + (-depth / 0.5).exp());
    let [around, wall, core] = GREY;
    around + (wall - around) * inside(depth) + (core - wall) * inside(depth - WALL)
}
