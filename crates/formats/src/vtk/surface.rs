//! Surfaces with fields, such as maps of contact pressure, as `.vtu`.

use super::write::{Fields, Grid, vtu};
use crate::error::FormatError;

/// The cells of a surface, by their points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SurfaceCells<'a> {
    /// Triangles.
    Triangles(&'a [[u32; 3]]),
    /// Quadrilaterals.
    Quads(&'a [[u32; 4]]),
    /// Flat polygons of three points and more.
    Polygons(&'a [Vec<u32>]),
}

impl SurfaceCells<'_> {
    /// VTK's number of the type.
    fn cell_type(&self) -> u8 {
        match self {
            SurfaceCells::Triangles(_) => 5,
            SurfaceCells::Polygons(_) => 7,
            SurfaceCells::Quads(_) => 9,
        }
    }

    fn for_each(&self, mut visit: impl FnMut(&[u32])) {
        match self {
            SurfaceCells::Triangles(cells) => cells.iter().for_each(|cell| visit(cell)),
            SurfaceCells::Quads(cells) => cells.iter().for_each(|cell| visit(cell)),
            SurfaceCells::Polygons(cells) => cells.iter().for_each(|cell| visit(cell)),
        }
    }
}

/// A `.vtu` file of a surface with fields on its points and cells; `points` in m.
///
/// # Errors
/// When a cell names a point that is not there or has fewer than three, a field has another length than the surface, or
/// a number is not finite.
pub fn surface_vtu(points: Vec<[f64; 3]>, cells: SurfaceCells, fields: &Fields) -> Result<String, FormatError> {
    let mut grid = Grid { points, ..Grid::default() };
    let mut short = None;
    cells.for_each(|cell| {
        if cell.len() < 3 {
            short.get_or_insert(grid.ends.len());
        }
        grid.connectivity.extend(cell.iter().map(|&point| point as usize));
        grid.ends.push(grid.connectivity.len());
        grid.types.push(cells.cell_type());
    });
    if let Some(cell) = short {
        let message = format!("polygon {cell} has fewer than three points; leave it out");
        return Err(FormatError::Unwritable { format: "a .vtu file", message });
    }
    vtu(&grid, fields)
}
