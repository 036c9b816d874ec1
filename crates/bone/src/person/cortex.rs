//! The cortical part of a bone whose elements differ.

use wolff_fem::TetMesh;
use wolff_fem::material::MaterialField;
use wolff_fem::mesh::SurfaceFace;

use crate::BoneError;

/// Elements at least this part as stiff along the bone as its stiffest tenth are cortex: an element that is half
/// cortex and half marrow counts as either.
const CORTICAL: f64 = 0.5;

/// Young's modulus along y of every element \[Pa\].
pub fn moduli(materials: &MaterialField) -> Vec<f64> {
    let along = |stiffness: &nalgebra::Matrix6<f64>| stiffness.try_inverse().map_or(0.0, |s| 1.0 / s[(1, 1)]);
    let of_material: Vec<f64> = materials.materials().map(|(stiffness, _)| along(stiffness)).collect();
    materials.element_material().iter().map(|&m| of_material[m]).collect()
}

/// The boundary of the cortex; that of the mesh where all elements are alike.
///
/// # Errors
/// When the mesh bounds no solid.
pub(super) fn faces(mesh: &TetMesh, materials: &MaterialField) -> Result<Vec<SurfaceFace>, BoneError> {
    let moduli = moduli(materials);
    let least = CORTICAL * stiffest_tenth(&moduli, &mesh.volumes().collect::<Vec<_>>());
    let cortex: Vec<usize> =
        mesh.elements().zip(&moduli).filter(|(_, e)| **e >= least).flat_map(|(n, _)| n).copied().collect();
    Ok(TetMesh::new(mesh.kind(), mesh.nodes().to_vec(), cortex)?.boundary()?)
}

/// The modulus that a tenth of the volume reaches.
fn stiffest_tenth(moduli: &[f64], volumes: &[f64]) -> f64 {
    let mut all: Vec<(f64, f64)> = moduli.iter().copied().zip(volumes.iter().copied()).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut left = 0.1 * volumes.iter().sum::<f64>();
    for (modulus, volume) in &all {
        left -= volume;
        if left <= 0.0 {
            return *modulus;
        }
    }
    all.last().map_or(0.0, |(modulus, _)| *modulus)
}
