//! Craig-Bampton reduction: a mesh becomes a few modes that keep every static response to interface loads exact.
//!
//! With the independent dof split into interior `i` and interface `b` (retained nodes and rigid interfaces),
//!
//! ```text
//!       | u_i |   | Φ   Ψ | | p |       K_ii Φ = M_ii Φ Ω²,  Φᵀ M_ii Φ = I    fixed-interface modes
//!       | u_b | = | 0   I | | u_b |     Ψ = -K_ii⁻¹ K_ib                      constraint modes
//!
//!       | Ω²      0                     |        | I    Φᵀ (M_ib + M_ii Ψ)                  |
//! K̂ =  |  0    K_bb + K_bi Ψ           |  M̂ =  | sym  M_bb + M_bi Ψ + Ψᵀ (M_ib + M_ii Ψ)  |
//! ```
//!
//! (Craig and Bampton 1968, AIAA J. 6, 1313-1319). Averaging interfaces are constraints `A u = q_a` on interior dof:
//! `K_ii` is bordered by `A`, fixed-interface modes obey `A φ = 0`, and the constraint modes of `q_a` are the responses
//! to unit means, with the multipliers as their forces. Attachment modes come between `p` and `u_b`. The reduced
//! eigenproblem `K̂ y = M̂ y λ` then gives orthonormal modes with modal mass 1 and stiffness `ω²`; the six with `λ = 0`
//! are the rigid motions of a free body and are removed. The frequencies are upper bounds of those of the mesh with the
//! same interfaces. Dropping further orthonormal modes loses static exactness: keep all unless the loss is known.

use std::ops::Range;

use faer::linalg::cholesky::llt::factor::LltError;
use faer::linalg::solvers::Solve;
use faer::{Mat, MatRef, Side};

use crate::error::FemError;
use crate::mesh::TetMesh;
pub use crate::reduction::flexible::FlexibleModes;
use crate::reduction::static_correction::{attachment_modes, check_patterns};
use crate::solver::dense::{generalised_eigen, orthonormal, product, subtract_product, symmetrised};
use crate::solver::factor::Cholesky;
use crate::solver::modes::{ModeOptions, Problem, lowest_modes};
use crate::solver::sturm::negative_eigenvalues;
use crate::system::assembly::Assembled;
use crate::system::dofs::{Constraints, DofMap};
use crate::system::projection::{self, ProjectedMass, Split};

/// The largest `|λ|` of a rigid motion relative to the first flexible mode; rounding leaves about 1e-10.
const RIGID: f64 = 1e-6;

/// The reduced model in Craig-Bampton coordinates `[p, attachments, u_b]`.
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
    /// Attachment loads without a mode of their own, because the rest of the basis already answers them.
    pub dependent_attachments: Vec<usize>,
    /// Number of interface coordinates: the last ones, of retained nodes, rigid and averaging interfaces in turn.
    pub boundary: usize,
    /// Number of rigid and averaging interfaces; their six coordinates each are the last.
    pub interfaces: usize,
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
    craig_bampton_with_loads(mesh, system, interfaces, Mat::zeros(0, 0).as_ref(), fixed_modes, options)
}

/// As [`craig_bampton`], with attachment modes that make the static response to the nodal force patterns `loads`, N,
/// exact; one column per pattern, rows as the mesh dof.
///
/// # Errors
/// As [`craig_bampton`], or when the loads do not fit the mesh or are not finite.
pub fn craig_bampton_with_loads(
    mesh: &TetMesh,
    system: &Assembled,
    interfaces: &Constraints,
    loads: MatRef<'_, f64>,
    fixed_modes: usize,
    options: &ModeOptions,
) -> Result<CraigBampton, FemError> {
    let map = interface_map(mesh, system, interfaces)?;
    check_patterns(loads, map.full())?;
    let interior = map.interior();
    let k = projection::split(&map, &system.stiffness);
    let averages = Averages::new(&map, &k);
    let tree = projection::tree(&map, mesh, &system.mass, interior + averages.rows.len());
    let bordered = projection::bordered(&k.interior, &averages.rows);
    let factor = Cholesky::new(&bordered, &tree, averages.rows.len(), "interior stiffness matrix")?;
    let (constraint, condensed) = constraint_modes(&k, &averages, &factor);

    let none = Mat::zeros(interior, 0);
    let reactions = averages.reactions(interior)?;
    let m = ProjectedMass { map: &map, mass: &system.mass, dim: interior };
    let (avoid, reactions) = (none.as_ref(), reactions.as_ref());
    let below = |lambda: f64| -> Result<usize, FemError> {
        let shifted = projection::interior(&map, &system.stiffness.plus(-lambda, &system.mass)?);
        let negative = negative_eigenvalues(&projection::bordered(&shifted, &averages.rows), &tree)?;
        Ok(negative - averages.rows.len().min(negative))
    };
    let problem = Problem { k: &k.interior, m, factor: &factor, shift: 0.0, avoid, reactions, below: &below };
    let (fixed_interface, normal) = match fixed_modes {
        0 => (Vec::new(), none.clone()),
        count => {
            let modes = lowest_modes(&problem, count, options)?;
            (modes.eigenvalues, modes.shapes)
        }
    };
    let attached = match loads.ncols() {
        0 => Mat::zeros(interior, 0),
        _ => map.project_block(loads, interior),
    };
    let attached = attachment_modes(&problem, attached.as_ref(), normal.as_ref());
    let inner = beside(normal.as_ref(), attached.shapes.as_ref());
    let basis = mesh_basis(&map, inner.as_ref(), constraint.as_ref());
    Ok(CraigBampton {
        stiffness: reduced_stiffness(&problem, &fixed_interface, inner.as_ref(), condensed.as_ref()),
        mass: symmetrised(product(basis.transpose(), system.mass.mul(basis.as_ref()).as_ref()).as_ref()),
        basis,
        fixed_interface,
        dependent_attachments: attached.dependent,
        boundary: constraint.ncols(),
        interfaces: map.interfaces(),
    })
}

/// The dof of a free mesh with at least one interface.
fn interface_map(mesh: &TetMesh, system: &Assembled, interfaces: &Constraints) -> Result<DofMap, FemError> {
    if !interfaces.prescribed.is_empty() {
        return Err(FemError::Boundary("a reduced body is free: hold it by its joints, not by supports".into()));
    }
    let map = DofMap::new(mesh, interfaces)?;
    if map.interior() == map.independent() && map.averages().is_empty() {
        return Err(FemError::Boundary("a reduction needs an interface; tie, average or retain nodes".into()));
    }
    if system.stiffness.dim() != map.full() {
        return Err(FemError::Mesh(format!(
            "matrices of {} dof with a mesh of {}: they belong to another mesh",
            system.stiffness.dim(),
            map.full()
        )));
    }
    Ok(map)
}

/// The rows of `A` on interior dof, lists of dof and coefficient, each multiplied by its scale so that the bordered
/// matrix is well scaled.
struct Averages {
    rows: Vec<Vec<(usize, f64)>>,
    scales: Vec<f64>,
}

impl Averages {
    fn new(map: &DofMap, k: &Split) -> Self {
        let stiffness = k.interior.trace() / k.interior.dim().max(1) as f64;
        let mut averages = Self { rows: Vec::new(), scales: Vec::new() };
        for (average, i) in map.averages().iter().flat_map(|average| (0..6).map(move |i| (average, i))) {
            let mesh_row = average.terms.iter().flat_map(|(node, a)| (0..3).map(move |c| (3 * node + c, a[(i, c)])));
            let mut row: Vec<(usize, f64)> =
                mesh_row.filter_map(|(dof, a)| Some((map.terms(dof).first()?.0, a))).collect();
            let scale = stiffness / row.iter().map(|(_, a)| a * a).sum::<f64>().sqrt();
            row.iter_mut().for_each(|(_, a)| *a *= scale);
            averages.rows.push(row);
            averages.scales.push(scale);
        }
        averages
    }

    /// An orthonormal basis of the columns of `Aᵀ`.
    fn reactions(&self, interior: usize) -> Result<Mat<f64>, FemError> {
        let mut columns = Mat::zeros(interior, self.rows.len());
        for (j, row) in self.rows.iter().enumerate() {
            row.iter().for_each(|&(dof, a)| columns[(dof, j)] = a / self.scales[j]);
        }
        orthonormal(columns)
    }
}

/// `Ψ` of all interface coordinates, and the forces on these coordinates: the condensed stiffness.
fn constraint_modes(k: &Split, averages: &Averages, factor: &Cholesky) -> (Mat<f64>, Mat<f64>) {
    let (interior, direct) = (k.coupling.nrows(), k.coupling.ncols());
    let size = direct + averages.rows.len();
    let mut x = Mat::from_fn(interior + averages.rows.len(), size, |i, j| match (i < interior, j < direct) {
        (true, true) => -k.coupling[(i, j)],
        (false, false) if i - interior == j - direct => averages.scales[j - direct],
        _ => 0.0,
    });
    factor.solve_in_place(x.as_mut());
    let (modes, multipliers) = x.as_ref().split_at_row(interior);
    // K_bi Ψ + K_bb on directly coupled coordinates, minus the multiplier on averaged ones.
    let carried = product(k.coupling.transpose(), modes);
    let forces = Mat::from_fn(size, size, |i, j| match (i < direct, j < direct) {
        (true, true) => carried[(i, j)] + k.boundary[(i, j)],
        (true, false) => carried[(i, j)],
        _ => -averages.scales[i - direct] * multipliers[(i - direct, j)],
    });
    (modes.to_owned(), symmetrised(forces.as_ref()))
}

/// `[inner Ψ; 0 I]` on the mesh dof.
fn mesh_basis(map: &DofMap, inner: MatRef<'_, f64>, constraint: MatRef<'_, f64>) -> Mat<f64> {
    let (interior, modes) = (map.interior(), inner.ncols());
    let independent =
        Mat::from_fn(map.independent(), modes + constraint.ncols(), |i, j| match (i < interior, j < modes) {
            (true, true) => inner[(i, j)],
            (true, false) => constraint[(i, j - modes)],
            (false, true) => 0.0,
            (false, false) => f64::from(u8::from(i - interior == j - modes)),
        });
    map.expand_block(independent.as_ref())
}

/// `K̂`: the constraint modes are K-orthogonal to all that leaves the interfaces at rest.
fn reduced_stiffness(
    problem: &Problem<'_>,
    fixed_interface: &[f64],
    inner: MatRef<'_, f64>,
    condensed: MatRef<'_, f64>,
) -> Mat<f64> {
    let (modes, count) = (fixed_interface.len(), inner.ncols());
    let attached = inner.subcols(modes, count - modes);
    let coupled = product(inner.transpose(), problem.k.mul(attached).as_ref());
    let size = count + condensed.ncols();
    let stiffness = Mat::from_fn(size, size, |i, j| {
        let (low, high) = (i.min(j), i.max(j));
        if high < modes {
            if i == j { fixed_interface[i] } else { 0.0 }
        } else if high < count {
            coupled[(low, high - modes)]
        } else if low >= count {
            condensed[(i - count, j - count)]
        } else {
            0.0
        }
    });
    symmetrised(stiffness.as_ref())
}

/// `[A B]`.
fn beside(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    Mat::from_fn(a.nrows(), a.ncols() + b.ncols(), |i, j| match j.checked_sub(a.ncols()) {
        None => a[(i, j)],
        Some(j) => b[(i, j)],
    })
}

impl CraigBampton {
    /// The coordinates of an interface, rigid ones first, then averaging ones.
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
