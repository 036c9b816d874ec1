//! The surface of a reduced body, for pictures.

use faer::MatRef;
use nalgebra::DMatrix;
use wolff_flexbody::Surface;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::mesh::locate::{FACE_PARTS, Locator};
use crate::recovery::Recovery;

/// The surface of a mesh with shapes of its own, one per column, rows as the mesh dof.
///
/// # Errors
/// When the mesh has no closed surface.
pub fn surface_of_shapes(mesh: &TetMesh, shapes: MatRef<'_, f64>) -> Result<Surface, FemError> {
    surface(&Recovery::new(mesh), &Locator::new(mesh)?, shapes)
}

/// The surface with its modes; faces of six nodes become four triangles.
pub(crate) fn surface(
    recovery: &Recovery<'_>,
    locator: &Locator<'_>,
    shapes: MatRef<'_, f64>,
) -> Result<Surface, FemError> {
    let nodes = locator.surface_nodes();
    let number = |node: usize| nodes.binary_search(&node).unwrap_or(0) as u32;
    let mut triangles = Vec::new();
    for face in locator.faces() {
        let parts: &[[usize; 3]] = if face.nodes.len() == 3 { &[[0, 1, 2]] } else { &FACE_PARTS };
        triangles.extend(parts.iter().map(|part| part.map(|k| number(face.nodes[k]))));
    }
    Ok(Surface {
        positions: nodes.iter().map(|&node| recovery.mesh().nodes()[node]).collect(),
        triangles,
        displacement: DMatrix::from_fn(3 * nodes.len(), shapes.ncols(), |i, j| shapes[(3 * nodes[i / 3] + i % 3, j)]),
        strain: recovery.nodal(&nodes, shapes)?.strain,
    })
}
