//! Geometric stiffness in modal coordinates: how stress at rest stiffens or softens a flexible body.

use faer::{Mat, MatRef};
use nalgebra::Vector3;
use rayon::prelude::*;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::system::element::geometric::geometric_stiffness_of;
use crate::system::material::MaterialField;

/// Elements summed by one task, whatever the number of threads.
const TASK: usize = 512;

/// `Φᵀ K_g(σ) Φ`, N/m per squared modal coordinate, with the stress `σ = D ε(u)` of displacements `u`, m, of the mesh
/// dof and one shape per column of `shapes`.
///
/// `K_g = ∫ ∇Nᵀ σ ∇N dV ⊗ I₃` is summed element by element and never assembled. It is linear in `u`: the matrices of
/// unit interface loads add up to that of any load. Buckling is `(K + λ K_g) y = 0`.
///
/// # Errors
/// When displacements, shapes or materials do not fit the mesh, or an element is folded.
pub fn modal_geometric_stiffness(
    mesh: &TetMesh,
    materials: &MaterialField,
    displacement: &[f64],
    shapes: MatRef<'_, f64>,
) -> Result<Mat<f64>, FemError> {
    let dof = 3 * mesh.nodes().len();
    if displacement.len() != dof || shapes.nrows() != dof {
        return Err(FemError::Mesh(format!(
            "{} displacements and shapes on {} dof with a mesh of {dof}",
            displacement.len(),
            shapes.nrows()
        )));
    }
    if materials.element_count() != mesh.element_count() {
        return Err(FemError::Mesh(format!(
            "the material field has {} elements, the mesh {}",
            materials.element_count(),
            mesh.element_count()
        )));
    }
    if !displacement.iter().all(|u| u.is_finite()) || !shapes.norm_max().is_finite() {
        return Err(FemError::NonFinite("a displacement or shape".into()));
    }
    let tasks: Vec<usize> = (0..mesh.element_count()).step_by(TASK).collect();
    let parts: Vec<Result<Mat<f64>, FemError>> = tasks
        .into_par_iter()
        .map(|first| {
            let mut sum = Mat::zeros(shapes.ncols(), shapes.ncols());
            for index in first..(first + TASK).min(mesh.element_count()) {
                add_element(mesh, materials, displacement, shapes, index, &mut sum)?;
            }
            Ok(sum)
        })
        .collect();
    let mut total = Mat::zeros(shapes.ncols(), shapes.ncols());
    for part in parts {
        total += part?;
    }
    Ok(total)
}

/// Adds the share of one element: `Σ_axis Φᵀ k Φ` over its nodes.
fn add_element(
    mesh: &TetMesh,
    materials: &MaterialField,
    displacement: &[f64],
    shapes: MatRef<'_, f64>,
    index: usize,
    sum: &mut Mat<f64>,
) -> Result<(), FemError> {
    let nodes = mesh.element(index).unwrap_or_default();
    let (mut x, mut u) = ([Vector3::zeros(); 10], [Vector3::zeros(); 10]);
    mesh.gather(nodes, &mut x);
    for (u, &node) in u.iter_mut().zip(nodes) {
        *u = Vector3::from_column_slice(&displacement[3 * node..3 * node + 3]);
    }
    let mut k = [0.0; 55];
    if !geometric_stiffness_of(mesh.kind(), &x, &u, materials.stiffness(index), &mut k) {
        return Err(FemError::Quality(format!("element {index} is inverted or folded; remesh")));
    }
    for col in 0..shapes.ncols() {
        // Forces of the mode on the nodes of the element.
        let mut force = [Vector3::zeros(); 10];
        for a in 0..nodes.len() {
            for b in 0..=a {
                let value = k[a * (a + 1) / 2 + b];
                force[a] += shape_at(shapes, nodes[b], col) * value;
                if a != b {
                    force[b] += shape_at(shapes, nodes[a], col) * value;
                }
            }
        }
        for row in 0..shapes.ncols() {
            sum[(row, col)] += nodes.iter().zip(&force).map(|(&n, f)| shape_at(shapes, n, row).dot(f)).sum::<f64>();
        }
    }
    Ok(())
}

fn shape_at(shapes: MatRef<'_, f64>, node: usize, mode: usize) -> Vector3<f64> {
    Vector3::new(shapes[(3 * node, mode)], shapes[(3 * node + 1, mode)], shapes[(3 * node + 2, mode)])
}
