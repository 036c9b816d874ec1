//! Faces of a mesh as a surface of its own.

use wolff_fem::TetMesh;
use wolff_fem::mesh::SurfaceFace;
use wolff_geometry::TriangleMesh;

use crate::BoneError;

/// Four triangles of a face with six nodes.
pub(crate) const PARTS: [[usize; 3]; 4] = [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]];

/// The surface of some faces of a mesh, with their nodes only; faces with six nodes as four triangles.
///
/// # Errors
/// When there is no face, or a triangle has no area.
pub fn surface_of<'a>(
    mesh: &TetMesh,
    faces: impl IntoIterator<Item = &'a SurfaceFace>,
) -> Result<TriangleMesh, BoneError> {
    let mut number = vec![None; mesh.nodes().len()];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for face in faces {
        let mut nodes = Vec::with_capacity(6);
        for &node in &face.nodes {
            nodes.push(*number[node].get_or_insert_with(|| {
                vertices.push(mesh.nodes()[node]);
                vertices.len() as u32 - 1
            }));
        }
        let parts: &[[usize; 3]] = if nodes.len() == 6 { &PARTS } else { &[[0, 1, 2]] };
        triangles.extend(parts.iter().map(|part| part.map(|k| nodes[k])));
    }
    TriangleMesh::new(vertices, triangles).map_err(|e| BoneError::invalid("surface of a bone", e.to_string()))
}
