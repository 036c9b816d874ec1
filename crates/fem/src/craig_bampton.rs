//! Craig-Bampton reduction: a mesh becomes a few modes that keep every static response to interface loads exact.
//!
//! With the independent dof split into interior `i` and interface `b` (rigid interfaces and retained nodes),
//!
//! ```text
//!       | u_i |   | Φ   Ψ | | p |       K_ii Φ = M_ii Φ Ω²,  Φᵀ M_ii Φ = I    fixed-interface modes
//!       | u_b | = | 0   I | | u_b |     Ψ = -K_ii⁻¹ K_ib                      constraint modes
//!
//!       | Ω²      0                     |        | I    Φᵀ (M_ib + M_ii Ψ)                  |
//! K̂ =  |  0    K_bb + K_bi Ψ           |  M̂ =  | sym  M_bb + M_bi Ψ + Ψᵀ (M_ib + M_ii Ψ)  |
//! ```
//!
//! (Craig and Bampton 1968, AIAA J. 6, 1313-1319). The reduced eigenproblem `K̂ y = M̂ y λ` then gives orthonormal modes
//! with modal mass 1 and stiffness `ω²`; the six with `λ = 0` are the rigid motions of a free body and are removed. The
//! frequencies are upper bounds of those of the mesh with the same interfaces. Dropping further orthonormal modes loses
//! static exactness: keep all unless the loss is known.

use std::f64::consts::TAU;
use std::ops::Range;

use faer::linalg::cholesky::llt::factor::LltError;
use faer::linalg::solvers::Solve;
use faer::{Mat, MatRef, Side};

use crate::assembly::Assembled;
use crate::dense::{generalised_eigen, product, subtract_product, symmetrised};
use crate::dofs::{Constraints, DofMap};
use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::modes::{ModeOptions, lowest_modes};
use crate::sparse::{Cholesky, SymmetricMatrix};

/// The largest `|λ|` of a rigid motion relative to the first flexible mode; rounding leaves about 1e-10.
const RIGID: f64 = 1e-6;

/// The reduced model in Craig-Bampton coordinates `[p, u_b]`.
#[derive(Debug, Clone)]
pub struct CraigBampton {
    /// `K̂`, dense.
    pub stiffness: Mat<f64>,
    /// `M̂`, dense.
    pub mass: Mat<f64>,
    /// The basis on the mesh dof, one column per coordinate.
    pub basis: Mat<f64>,
    /// `ω²` of the fixed-interface modes, 1/s², ascending.
    pub fixed_interface: Vec<f64>,
    /// Number of interface coordinates; they come after the fixed-interface modes.
    pub boundary: usize,
    /// Number of rigid interfaces; their six coordinates each are the last.
    pub interfaces: usize,
}

/// Orthonormal modes of a free flexible body, rigid motions removed, `ω` ascending.
#[derive(Debug, Clone)]
pub struct FlexibleModes {
    /// `ω²`, 1/s².
    pub eigenvalues: Vec<f64>,
    /// Displacements of the mesh dof per modal coordinate, `φᵀ M φ = 1`.
    pub shapes: Mat<f64>,
    /// Displacement and rotation of each rigid interface per modal coordinate, 6 rows per interface.
    pub interface_shapes: Mat<f64>,
    /// The six eigenvalues that were removed: zero up to rounding.
    pub removed: Vec<f64>,
}

impl FlexibleModes {
    /// Natural frequencies, Hz.
    pub fn frequencies(&self) -> Vec<f64> {
        self.eigenvalues.iter().map(|lambda| lambda.sqrt() / TAU).collect()
    }
}

/// A matrix split into interior and interface.
struct Split {
    interior: SymmetricMatrix,
    /// `A_ib`, dense.
    coupling: Mat<f64>,
    /// `A_bb`, dense.
    boundary: Mat<f64>,
}

/// Reduces a mesh to its interfaces and `fixed_modes` fixed-interface modes.
///
/// # Errors
/// When there is no interface, an interface is not fit for one, supports are given (a flexible body is free), or the
/// modes do not converge.
pub fn craig_bampton(
    mesh: &TetMesh,
    system: &Assembled,
    interfaces: &Constraints,
    fixed_modes: usize,
    options: &ModeOptions,
) -> Result<CraigBampton, FemError> {
    if !interfaces.prescribed.is_empty() {
        return Err(FemError::Boundary("a reduced body is free: hold it by its joints, not by supports".into()));
    }
    let map = DofMap::new(mesh, interfaces)?;
    if map.interior() == map.independent() {
        return Err(FemError::Boundary("a reduction needs an interface; tie or retain nodes".into()));
    }
    let (stiffness, mass) = map.project_both(system)?;
    let k = split(&stiffness, map.interior());
    let m = split(&mass, map.interior());
    let factor = Cholesky::new(&k.interior, "interior stiffness matrix")?;

    let mut constraint = k.coupling.clone();
    factor.solve_in_place(constraint.as_mut())?;
    let constraint = Mat::from_fn(constraint.nrows(), constraint.ncols(), |i, j| -constraint[(i, j)]);

    let none = Mat::zeros(map.interior(), 0);
    let (fixed_interface, normal) = if fixed_modes == 0 {
        (Vec::new(), none)
    } else {
        let modes = lowest_modes(&k.interior, &m.interior, &factor, 0.0, none.as_ref(), fixed_modes, options)?;
        (modes.eigenvalues, modes.shapes)
    };
    let (stiffness, mass) = reduced_matrices(&k, &m, &fixed_interface, normal.as_ref(), constraint.as_ref());
    Ok(CraigBampton {
        stiffness,
        mass,
        basis: map.expand_block(full_basis(normal.as_ref(), constraint.as_ref()).as_ref()),
        fixed_interface,
        boundary: map.independent() - map.interior(),
        interfaces: map.interfaces(),
    })
}

/// `K̂` and `M̂` by blocks.
fn reduced_matrices(
    k: &Split,
    m: &Split,
    fixed_interface: &[f64],
    normal: MatRef<'_, f64>,
    constraint: MatRef<'_, f64>,
) -> (Mat<f64>, Mat<f64>) {
    // K_bb + K_bi Ψ.
    let condensed = &k.boundary + product(k.coupling.transpose(), constraint);
    // M_ib + M_ii Ψ.
    let carried = &m.coupling + m.interior.mul(constraint);
    let coupling = product(normal.transpose(), carried.as_ref());
    let inertia =
        &m.boundary + product(m.coupling.transpose(), constraint) + product(constraint.transpose(), carried.as_ref());
    let modes = fixed_interface.len();
    let size = modes + constraint.ncols();
    let unit = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    let stiffness = Mat::from_fn(size, size, |i, j| match (i < modes, j < modes) {
        (true, true) => fixed_interface[i] * unit(i, j),
        (false, false) => condensed[(i - modes, j - modes)],
        _ => 0.0,
    });
    let mass = Mat::from_fn(size, size, |i, j| match (i < modes, j < modes) {
        (true, true) => unit(i, j),
        (true, false) => coupling[(i, j - modes)],
        (false, true) => coupling[(j, i - modes)],
        (false, false) => inertia[(i - modes, j - modes)],
    });
    (symmetrised(stiffness.as_ref()), symmetrised(mass.as_ref()))
}

/// `[Φ Ψ; 0 I]` on the independent dof.
fn full_basis(normal: MatRef<'_, f64>, constraint: MatRef<'_, f64>) -> Mat<f64> {
    let (interior, modes) = (constraint.nrows(), normal.ncols());
    Mat::from_fn(interior + constraint.ncols(), modes + constraint.ncols(), |i, j| match (i < interior, j < modes) {
        (true, true) => normal[(i, j)],
        (true, false) => constraint[(i, j - modes)],
        (false, true) => 0.0,
        (false, false) => f64::from(u8::from(i - interior == j - modes)),
    })
}

/// Splits a matrix whose interface dof are the last.
fn split(a: &SymmetricMatrix, interior: usize) -> Split {
    let boundary = a.dim() - interior;
    let mut entries = Vec::with_capacity(a.values().len());
    let mut coupling = Mat::zeros(interior, boundary);
    let mut block = Mat::zeros(boundary, boundary);
    for col in 0..a.dim() {
        for (row, value) in a.column(col) {
            if row < interior {
                entries.push((row, col, value));
            } else if col < interior {
                coupling[(col, row - interior)] = value;
            } else {
                block[(row - interior, col - interior)] = value;
                block[(col - interior, row - interior)] = value;
            }
        }
    }
    Split { interior: SymmetricMatrix::from_entries(interior, &entries), coupling, boundary: block }
}

impl CraigBampton {
    /// The coordinates of a rigid interface.
    pub fn interface(&self, interface: usize) -> Range<usize> {
        let first = self.stiffness.nrows() - 6 * (self.interfaces - interface.min(self.interfaces));
        first..(first + 6).min(self.stiffness.nrows())
    }

    /// Orthonormalises the basis and removes the six rigid motions.
    ///
    /// # Errors
    /// When there are not exactly six: the body is in pieces, or its interfaces do not let it move rigidly.
    pub fn orthonormalise(&self) -> Result<FlexibleModes, FemError> {
        let (values, vectors) = generalised_eigen(self.stiffness.as_ref(), self.mass.as_ref())?;
        let count = values.len();
        let rigid = match values.get(6) {
            Some(first) => values.iter().take_while(|lambda| lambda.abs() < RIGID * first.abs()).count(),
            None => count,
        };
        if rigid != 6 || count == 6 {
            return Err(FemError::Boundary(format!(
                "the reduced body has {rigid} rigid motions among {count} modes instead of 6; check that the mesh is in \
                 one piece and that an interface or fixed-interface modes let it deform"
            )));
        }
        let kept = vectors.as_ref().subcols(6, count - 6);
        let interface_rows = 6 * self.interfaces;
        Ok(FlexibleModes {
            shapes: product(self.basis.as_ref(), kept),
            interface_shapes: kept.subrows(count - interface_rows, interface_rows).to_owned(),
            eigenvalues: values[6..].to_vec(),
            removed: values[..6].to_vec(),
        })
    }

    /// The coordinates under forces on the coordinates with those of `held` kept at zero: the reduced static response.
    ///
    /// # Errors
    /// When the forces do not fit, or what is held leaves a motion free.
    pub fn static_response(&self, forces: &[f64], held: Range<usize>) -> Result<Vec<f64>, FemError> {
        let size = self.stiffness.nrows();
        if forces.len() != size {
            return Err(FemError::Boundary(format!("{} forces on {size} reduced coordinates", forces.len())));
        }
        let free: Vec<usize> = (0..size).filter(|i| !held.contains(i)).collect();
        let n = free.len();
        let k = Mat::from_fn(n, n, |i, j| self.stiffness[(free[i], free[j])]);
        let factor = k.llt(Side::Lower).map_err(|LltError::NonPositivePivot { index }| {
            let row = free.get(index).copied().unwrap_or(index);
            FemError::NotPositiveDefinite { matrix: "reduced stiffness matrix", row }
        })?;
        let rhs = Mat::from_fn(n, 1, |i, _| forces[free[i]]);
        let mut x = factor.solve(&rhs);
        // One step of refinement: translations and rotations differ by orders of magnitude.
        let mut residual = rhs;
        subtract_product(&mut residual, k.as_ref(), x.as_ref());
        x += factor.solve(&residual);
        let mut out = vec![0.0; size];
        for (i, &coordinate) in free.iter().enumerate() {
            out[coordinate] = x[(i, 0)];
        }
        Ok(out)
    }
}
