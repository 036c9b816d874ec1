//! VTK's legacy surfaces (`.vtk`): `POLYDATA` of versions 2 to 5.1, text and binary, and unstructured grids of
//! triangles and polygons.

use wolff_files::scanner::{Encoding, Scanner};
use wolff_spatial::Vec3;

use super::polygon::{strip, triangulated};
use super::{Soup, scanned};
use crate::solid::vtk::cells::Grid;
use crate::solid::vtk::legacy;
use wolff_geometry::GeometryError;
use wolff_geometry::triangles::Cleaned;

const FORMAT: &str = ".vtk";

/// Whether the content of a `.vtk` file is a surface of polygons.
pub fn is_polydata(bytes: &[u8]) -> bool {
    const HEADER: usize = 1024;
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(HEADER)]).to_ascii_uppercase();
    start.lines().any(|line| line.split_whitespace().eq(["DATASET", "POLYDATA"]))
}

/// Reads the content of a legacy `.vtk` file with polygons or strips; lines, vertices and data are passed over.
///
/// # Errors
/// With the line or byte and the remedy when the content cannot be understood or holds no polygons.
pub fn read(bytes: &[u8]) -> Result<Cleaned, GeometryError> {
    scanned(bytes, FORMAT, soup, "points but no polygons or strips; save the surface, not a point cloud")
}

fn soup(scanner: &mut Scanner) -> Result<Soup, String> {
    let (major, data) = legacy::header(scanner)?;
    let (mut grid, mut polygons, mut strips) = (Grid::default(), Grid::default(), Grid::default());
    while let Some(line) = scanner.line() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let keyword = words.first().map(|word| word.to_ascii_uppercase()).unwrap_or_default();
        scanner.encoding = data;
        match keyword.as_str() {
            "DATASET" => require_surface(&words)?,
            "POINTS" => legacy::points(scanner, &words, &mut grid)?,
            "POLYGONS" => legacy::cells(scanner, &words, major, &mut polygons)?,
            "TRIANGLE_STRIPS" => legacy::cells(scanner, &words, major, &mut strips)?,
            "LINES" | "VERTICES" => legacy::cells(scanner, &words, major, &mut Grid::default())?,
            "CELLS" => legacy::cells(scanner, &words, major, &mut grid)?,
            "CELL_TYPES" => grid.types = legacy::numbers(scanner, legacy::at(&words, 1)?, "int", "cell types")?,
            "FIELD" => legacy::skip_field(scanner, legacy::at(&words, 2)?)?,
            "METADATA" => legacy::skip_metadata(scanner),
            "POINT_DATA" | "CELL_DATA" => break,
            other => return Err(format!("`{other}` is not a part of a surface")),
        }
        scanner.encoding = Encoding::Ascii;
    }
    let mut soup = Soup { vertices: Vec::new(), triangles: Vec::new() };
    if !grid.points.len().is_multiple_of(3) || u32::try_from(grid.points.len() / 3).is_err() {
        return Err("the points are not three coordinates each, or too many; the file is damaged".into());
    }
    soup.vertices = grid.points.chunks_exact(3).map(|x| Vec3::new(x[0], x[1], x[2])).collect();
    add(&polygons, &mut soup, |_| Some(false))?;
    add(&strips, &mut soup, |_| Some(true))?;
    let types = &grid.types;
    add(&grid, &mut soup, |cell| match types.get(cell) {
        // triangle, polygon, quadrilateral
        Some(5 | 7 | 9) => Some(false),
        Some(6) => Some(true),
        _ => None,
    })?;
    Ok(soup)
}

fn require_surface(words: &[&str]) -> Result<(), String> {
    match words.get(1) {
        Some(kind) if ["POLYDATA", "UNSTRUCTURED_GRID"].iter().any(|known| kind.eq_ignore_ascii_case(known)) => Ok(()),
        other => Err(format!("the file holds {}; save a POLYDATA of polygons", other.unwrap_or(&"nothing"))),
    }
}

/// Adds the cells that `is_strip` accepts: polygons, or strips where it is true.
fn add(cells: &Grid, soup: &mut Soup, is_strip: impl Fn(usize) -> Option<bool>) -> Result<(), String> {
    let known = soup.vertices.len();
    let mut start = 0;
    for (cell, &end) in cells.ends.iter().enumerate() {
        let corners = usize::try_from(end).ok().and_then(|end| cells.connectivity.get(start..end));
        let corners =
            corners.ok_or_else(|| format!("cell {cell} ends at {end} in a connectivity of another length"))?;
        start += corners.len();
        let Some(is_strip) = is_strip(cell) else { continue };
        if corners.len() < 3 {
            return Err(format!("cell {cell} has {} corners; three are the least, the file is damaged", corners.len()));
        }
        let index = |&point: &u64| u32::try_from(point).ok().filter(|&point| (point as usize) < known);
        let corners: Option<Vec<u32>> = corners.iter().map(index).collect();
        let corners =
            corners.ok_or_else(|| format!("cell {cell} names a point beyond the {known} there are (from 0)"))?;
        match is_strip {
            true => strip(&corners, &mut soup.triangles),
            false => triangulated(&corners, &soup.vertices, &mut soup.triangles),
        }
    }
    Ok(())
}
