//! Inertia integrals of a mesh and its modes, with consistent mass.
//!
//! The mass matrix of a mesh is `m ⊗ 1₃` with the scalar node mass matrix `m_ab = ∫ ρ N_a N_b dV`. Positions and shapes
//! are interpolated with the same shape functions, `X = Σ N_a X_a`, `φ_i = Σ N_a φ_ia`, also in curved elements. All
//! integrals are then entries of one small matrix,
//!
//! ```text
//! G = Pᵀ m P        P = [1  X  Φ],  a row a node: 1, three coordinates, three displacements a mode
//!
//! ∫ dm = G_11,   ∫ X dm = G_1X,   ∫ X Xᵀ dm = G_XX,   S_i = G_1i,   B_i = G_Xi,   C_ij = G_ij
//! ```
//!
//! and hold to rounding for the mass matrix that also made the modes, so that orthonormal modes have `tr C_ij = δ_ij`
//! and free ones `S_i = 0` and symmetric `B_i`. (The mass matrix itself is exact for straight edges.)

use faer::MatRef;
use wolff_flexbody::InertiaIntegrals;
use wolff_spatial::{Mat3, Vec3};

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::solver::dense::product;
use crate::system::nodal::NodalMatrix;

/// Columns of `P` before the modes: one, and three coordinates.
const LEADING: usize = 4;

/// Integrals over the mass of a mesh with the modes in the columns of `shapes` (mesh dof by n); no geometric
/// stiffening.
///
/// # Errors
/// When mesh, mass matrix and shapes have different numbers of dof, or a value is not finite.
pub fn inertia_integrals(
    mesh: &TetMesh,
    mass: &NodalMatrix,
    shapes: MatRef<'_, f64>,
) -> Result<InertiaIntegrals, FemError> {
    let nodes = mesh.nodes().len();
    if mass.dim() != 3 * nodes || shapes.nrows() != 3 * nodes {
        return Err(FemError::Mesh(format!(
            "a mass matrix of {} dof and shapes of {} on a mesh of {}: they belong to another mesh",
            mass.dim(),
            shapes.nrows(),
            3 * nodes
        )));
    }
    let p = node_table(mesh, shapes);
    let width = LEADING + 3 * shapes.ncols();
    let mp = node_mass_times(mass, &p, width);
    let rows = |table: &[f64]| MatRef::from_row_major_slice(table, nodes, width).to_owned();
    let g = product(rows(&p).transpose(), rows(&mp).as_ref());
    let integrals = read_integrals(g.as_ref(), shapes.ncols());
    integrals.check("mesh")?;
    Ok(integrals)
}

/// `P`, row by row.
fn node_table(mesh: &TetMesh, shapes: MatRef<'_, f64>) -> Vec<f64> {
    let modes = shapes.ncols();
    let width = LEADING + 3 * modes;
    let mut table = vec![0.0; mesh.nodes().len() * width];
    for (row, x) in table.chunks_exact_mut(width).zip(mesh.nodes()) {
        row[..LEADING].copy_from_slice(&[1.0, x.x, x.y, x.z]);
    }
    for mode in 0..modes {
        for (node, row) in table.chunks_exact_mut(width).enumerate() {
            for axis in 0..3 {
                row[LEADING + 3 * mode + axis] = shapes[(3 * node + axis, mode)];
            }
        }
    }
    table
}

/// `m P`, row by row.
fn node_mass_times(mass: &NodalMatrix, p: &[f64], width: usize) -> Vec<f64> {
    let mut out = vec![0.0; p.len()];
    for (node, y) in out.chunks_exact_mut(width).enumerate() {
        for (other, m) in mass.row(node) {
            y.iter_mut().zip(&p[other * width..(other + 1) * width]).for_each(|(y, x)| *y += m * x);
        }
    }
    out
}

fn read_integrals(g: MatRef<'_, f64>, modes: usize) -> InertiaIntegrals {
    let vector = |row: usize, col: usize| Vec3::from_fn(|k, _| g[(row, col + k)]);
    let block = |row: usize, col: usize| Mat3::from_fn(|i, j| g[(row + i, col + j)]);
    let mode = |i: usize| LEADING + 3 * i;
    InertiaIntegrals {
        mass: g[(0, 0)],
        first: vector(0, 1),
        second: block(1, 1),
        S: (0..modes).map(|i| vector(0, mode(i))).collect(),
        B: (0..modes).map(|i| block(1, mode(i))).collect(),
        C: (0..modes * modes).map(|k| block(mode(k / modes), mode(k % modes))).collect(),
        S2: Vec::new(),
        B2: Vec::new(),
    }
}
