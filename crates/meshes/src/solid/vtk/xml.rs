//! Reading VTK XML unstructured grids (`.vtu`).

use wolff_formats::vtk::{Piece, read_pieces};

use super::super::builder::{MeshBuilder, Order};
use super::super::from_formats;
use super::cells::Grid;
use super::{ELEMENT_SET, NODE_SET};
use wolff_fem::FemError;
use wolff_fem::TetMesh;

/// Reads a mesh from the content of a `.vtu` file; pieces are put one after the other.
///
/// # Errors
/// [`FemError::Parse`] with the line when it is not such a file, or with the array that is wrong.
pub fn read_vtu(bytes: &[u8]) -> Result<TetMesh, FemError> {
    let mut mesh = MeshBuilder::default();
    let (mut points, mut cells) = (0, 0);
    let read = |piece: &Piece| {
        let grid = add_piece(piece, &mut mesh, points, cells)?;
        points += (grid.points.len() / 3) as u64;
        cells += grid.types.len() as u64;
        Ok(())
    };
    read_pieces(bytes, "UnstructuredGrid", ".vtu", read).map_err(from_formats)?;
    mesh.finish(Order::OfFile)
}

/// Adds a piece to the mesh.
fn add_piece(piece: &Piece, mesh: &mut MeshBuilder, first_point: u64, first_cell: u64) -> Result<Grid, String> {
    let grid = Grid {
        points: piece.points()?,
        connectivity: piece.counts("Cells", "connectivity")?,
        ends: piece.counts("Cells", "offsets")?,
        types: piece.counts("Cells", "types")?,
    };
    grid.add_to(mesh, first_point, first_cell)?;
    for (parent, prefix, first) in [("PointData", NODE_SET, first_point), ("CellData", ELEMENT_SET, first_cell)] {
        let sets = if prefix == NODE_SET { &mut mesh.node_sets } else { &mut mesh.element_sets };
        for array in piece.names(parent) {
            let Some(name) = array.strip_prefix(prefix) else { continue };
            let members = piece.counts(parent, array)?;
            let chosen = (first..).zip(&members).filter(|(_, value)| **value != 0).map(|(number, _)| number);
            sets.entry(name.to_owned()).or_default().extend(chosen);
        }
    }
    Ok(grid)
}
