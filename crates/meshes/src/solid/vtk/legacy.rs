//! Reading VTK legacy files (`.vtk`), versions 2 to 5.1, text and binary (most significant byte first).

use super::super::builder::{MeshBuilder, Order};
use super::cells::Grid;
use crate::solid::located;
use wolff_fem::FemError;
use wolff_fem::TetMesh;
use wolff_files::scanner::{Encoding, Scalar, Scanner};

/// Reads a mesh from the content of a `.vtk` file with an unstructured grid; data on points and cells are passed over.
///
/// # Errors
/// With the line or byte and the remedy when the content cannot be understood or has no tetrahedra.
pub fn read_vtk(bytes: &[u8]) -> Result<TetMesh, FemError> {
    let mut scanner = Scanner::new(bytes, Encoding::Ascii);
    let grid = grid(&mut scanner).map_err(|message| located(&scanner, message))?;
    let mut mesh = MeshBuilder::default();
    grid.add_to(&mut mesh, 0, 0).map_err(FemError::Mesh)?;
    mesh.finish(Order::OfFile)
}

/// The version and the encoding of the data.
pub(crate) fn header(scanner: &mut Scanner) -> Result<(u32, Encoding), String> {
    let first = scanner.line().unwrap_or_default();
    let version =
        first.strip_prefix("# vtk DataFile Version").ok_or("the file does not begin with `# vtk DataFile`")?;
    let major: u32 = version.trim().split('.').next().and_then(|v| v.parse().ok()).ok_or("the version is missing")?;
    // Any title, which may be empty.
    scanner.skip_past("\n")?;
    match scanner.line().unwrap_or_default().to_ascii_uppercase().as_str() {
        "ASCII" => Ok((major, Encoding::Ascii)),
        "BINARY" => Ok((major, Encoding::Big)),
        other => Err(format!("`{other}` where ASCII or BINARY was expected")),
    }
}

fn grid(scanner: &mut Scanner) -> Result<Grid, String> {
    let (major, data) = header(scanner)?;
    let mut grid = Grid::default();
    while let Some(line) = scanner.line() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let keyword = words.first().map(|word| word.to_ascii_uppercase()).unwrap_or_default();
        scanner.encoding = data;
        match keyword.as_str() {
            "DATASET" => require_unstructured(&words)?,
            "POINTS" => points(scanner, &words, &mut grid)?,
            "CELLS" => cells(scanner, &words, major, &mut grid)?,
            "CELL_TYPES" => grid.types = numbers(scanner, at(&words, 1)?, "int", "cell types")?,
            "FIELD" => skip_field(scanner, at(&words, 2)?)?,
            "METADATA" => skip_metadata(scanner),
            "POINT_DATA" | "CELL_DATA" => break,
            other => return Err(format!("`{other}` is not a part of an unstructured grid")),
        }
        scanner.encoding = Encoding::Ascii;
    }
    Ok(grid)
}

fn require_unstructured(words: &[&str]) -> Result<(), String> {
    match words.get(1) {
        Some(kind) if kind.eq_ignore_ascii_case("UNSTRUCTURED_GRID") => Ok(()),
        other => {
            Err(format!("the file holds {}; save an UNSTRUCTURED_GRID of tetrahedra", other.unwrap_or(&"nothing")))
        }
    }
}

/// The number at `index` of a keyword line.
pub(crate) fn at(words: &[&str], index: usize) -> Result<u64, String> {
    let number = words.get(index).and_then(|word| word.parse().ok());
    number.ok_or_else(|| format!("`{}` lacks a count", words.join(" ")))
}

fn scalar(name: &str) -> Result<Scalar, String> {
    Ok(match name.to_ascii_lowercase().as_str() {
        "char" | "signed_char" => Scalar::Signed(1),
        "unsigned_char" => Scalar::Unsigned(1),
        "short" => Scalar::Signed(2),
        "unsigned_short" => Scalar::Unsigned(2),
        "int" | "vtkidtype" => Scalar::Signed(4),
        "unsigned_int" => Scalar::Unsigned(4),
        "long" | "vtktypeint64" => Scalar::Signed(8),
        "unsigned_long" | "vtktypeuint64" => Scalar::Unsigned(8),
        "float" => Scalar::Float32,
        "double" => Scalar::Float64,
        other => return Err(format!("the data type `{other}` is not supported here")),
    })
}

pub(crate) fn numbers(scanner: &mut Scanner, count: u64, type_name: &str, what: &str) -> Result<Vec<u64>, String> {
    let scalar = scalar(type_name)?;
    (0..scanner.require_room(count, scalar.width(), what)?).map(|_| scanner.count(scalar)).collect()
}

/// `POINTS n type`.
pub(crate) fn points(scanner: &mut Scanner, words: &[&str], grid: &mut Grid) -> Result<(), String> {
    let scalar = scalar(words.get(2).unwrap_or(&"float"))?;
    let count = at(words, 1)?.checked_mul(3).ok_or("too many points")?;
    let count = scanner.require_room(count, scalar.width(), "coordinates")?;
    grid.points = (0..count).map(|_| scanner.float(scalar)).collect::<Result<_, _>>()?;
    Ok(())
}

/// Cells in the way of the version of the file.
pub(crate) fn cells(scanner: &mut Scanner, words: &[&str], major: u32, grid: &mut Grid) -> Result<(), String> {
    match major {
        0..5 => cells_with_counts(scanner, words, grid),
        _ => cells_with_offsets(scanner, words, grid),
    }
}

/// `CELLS n size`, then for each cell its number of points and the points.
fn cells_with_counts(scanner: &mut Scanner, words: &[&str], grid: &mut Grid) -> Result<(), String> {
    const INT: Scalar = Scalar::Signed(4);
    let cells = at(words, 1)?;
    for _ in 0..scanner.require_room(cells, 4, "cells")? {
        let count = scanner.count(INT)?;
        for _ in 0..scanner.require_room(count, 4, "points of a cell")? {
            grid.connectivity.push(scanner.count(INT)?);
        }
        grid.ends.push(grid.connectivity.len() as u64);
    }
    Ok(())
}

/// `CELLS n+1 size`, then `OFFSETS type` and `CONNECTIVITY type`: version 5.
fn cells_with_offsets(scanner: &mut Scanner, words: &[&str], grid: &mut Grid) -> Result<(), String> {
    for (count, name) in [(at(words, 1)?, "OFFSETS"), (at(words, 2)?, "CONNECTIVITY")] {
        let line = scanner.line().unwrap_or_default();
        let (found, type_name) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        if !found.eq_ignore_ascii_case(name) {
            return Err(format!("`{found}` where {name} was expected"));
        }
        let values = numbers(scanner, count, type_name.trim(), "cell offsets or points")?;
        match name {
            "OFFSETS" if values.first().is_none_or(|first| *first == 0) => {
                grid.ends = values.into_iter().skip(1).collect()
            }
            "OFFSETS" => return Err("the offsets of the cells do not begin with zero".into()),
            _ => grid.connectivity = values,
        }
    }
    Ok(())
}

/// `FIELD name n`, then n arrays `name components tuples type`.
pub(crate) fn skip_field(scanner: &mut Scanner, arrays: u64) -> Result<(), String> {
    for _ in 0..arrays {
        let mut line = scanner.line().ok_or("the file ends in a FIELD; it is cut off")?;
        if line.eq_ignore_ascii_case("METADATA") {
            skip_metadata(scanner);
            line = scanner.line().ok_or("the file ends in a FIELD; it is cut off")?;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let type_name = words.get(3).copied().unwrap_or_default();
        let count = at(&words, 1)?.checked_mul(at(&words, 2)?).ok_or("too many values")?;
        if scanner.encoding == Encoding::Ascii {
            for _ in 0..scanner.require_room(count, 1, "values")? {
                scanner.word()?;
            }
        } else {
            let width = scalar(type_name)?.width();
            let count = scanner.require_room(count, width, "values")?;
            scanner.take(count * width)?;
        }
    }
    Ok(())
}

/// Text up to an empty line.
pub(crate) fn skip_metadata(scanner: &mut Scanner) {
    let rest = scanner.rest();
    let mut length = 0;
    for line in rest.split_inclusive(|&b| b == b'\n') {
        length += line.len();
        if line.trim_ascii().is_empty() {
            break;
        }
    }
    // The length is within the rest: it is a sum of its parts.
    let _ = scanner.take(length);
}
