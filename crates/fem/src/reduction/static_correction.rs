//! Attachment modes: the static answer of the interior to loads where muscles pull.
//!
//! With all interfaces held, a load pattern `f` deforms the interior by `ψ = K_ii⁻¹ f_i`. Added to the basis, it makes
//! the reduced static response to `f` exact (Craig and Chang 1977, AIAA Dynamics Specialist Conf.). What the
//! fixed-interface modes already say is taken out and the rest is made M-orthonormal in the order of the longest
//! remainder, so that a pattern which the basis already answers shows as a short remainder and is left out.

use faer::{Mat, MatRef};

use crate::error::FemError;
use crate::solver::dense::{product, subtract_product};
use crate::solver::krylov::dot;
use crate::solver::modes::Problem;

/// A remainder shorter than this, relative to the response it came from, is rounding.
const DEPENDENT: f64 = 1e-9;

/// The modes that were added.
pub(crate) struct Attached {
    /// M-orthonormal, and M-orthogonal to the fixed-interface modes.
    pub(crate) shapes: Mat<f64>,
    /// Load patterns without a mode of their own.
    pub(crate) dependent: Vec<usize>,
}

/// The attachment modes of interior forces, one pattern per column, beside M-orthonormal `normal` modes.
pub(crate) fn attachment_modes(problem: &Problem<'_>, forces: MatRef<'_, f64>, normal: MatRef<'_, f64>) -> Attached {
    let mut left = forces.to_owned();
    problem.factor.solve_in_place(left.as_mut());
    let full = problem.m_norms(&left);
    for (j, norm) in full.iter().enumerate().filter(|(_, norm)| **norm > 0.0) {
        left.col_as_slice_mut(j).iter_mut().for_each(|x| *x /= norm);
    }
    remove(problem, &mut left, normal);
    remove(problem, &mut left, normal);
    // M times the remainders is carried along: a product with the whole block would cost as much as all the rest
    let mut weighted = problem.m.mul(left.as_ref());
    let mut waiting: Vec<usize> = (0..forces.ncols()).filter(|&j| full[j] > 0.0).collect();
    let (mut chosen, mut count) = (Mat::<f64>::zeros(forces.nrows(), waiting.len()), 0);
    loop {
        let norm_of = |j: usize| dot(left.col_as_slice(j), weighted.col_as_slice(j)).max(0.0).sqrt();
        let longest = waiting.iter().map(|&j| (j, norm_of(j))).max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((next, norm)) = longest.filter(|(_, norm)| *norm > DEPENDENT) else { break };
        waiting.retain(|&j| j != next);
        let mut unit = Mat::from_fn(left.nrows(), 1, |i, _| left[(i, next)] / norm);
        // A short remainder has lost its orthogonality to rounding.
        remove(problem, &mut unit, normal);
        remove(problem, &mut unit, chosen.as_ref().subcols(0, count));
        let mut weighted_unit = problem.m.mul(unit.as_ref());
        let norm = dot(unit.col_as_slice(0), weighted_unit.col_as_slice(0)).sqrt();
        for column in [&mut unit, &mut weighted_unit] {
            column.col_as_slice_mut(0).iter_mut().for_each(|x| *x /= norm);
        }
        let along = product(weighted_unit.transpose(), left.as_ref());
        subtract_product(&mut left, unit.as_ref(), along.as_ref());
        subtract_product(&mut weighted, weighted_unit.as_ref(), along.as_ref());
        chosen.col_as_slice_mut(count).copy_from_slice(unit.col_as_slice(0));
        count += 1;
    }
    let mut dependent = waiting;
    dependent.extend((0..forces.ncols()).filter(|&j| !(full[j] > 0.0)));
    dependent.sort_unstable();
    Attached { shapes: chosen.as_ref().subcols(0, count).to_owned(), dependent }
}

/// Load patterns on the mesh dof must be finite and fit.
pub(crate) fn check_patterns(patterns: MatRef<'_, f64>, dof: usize) -> Result<(), FemError> {
    if patterns.ncols() > 0 && patterns.nrows() != dof {
        return Err(FemError::Boundary(format!("attachment loads on {} dof of a mesh of {dof}", patterns.nrows())));
    }
    match (0..patterns.ncols()).find(|&j| !patterns.col(j).iter().all(|f| f.is_finite())) {
        Some(pattern) => Err(FemError::NonFinite(format!("attachment load {pattern}"))),
        None => Ok(()),
    }
}

/// `X - Q Qᵀ M X`.
fn remove(problem: &Problem<'_>, x: &mut Mat<f64>, q: MatRef<'_, f64>) {
    if q.ncols() > 0 {
        let along = product(q.transpose(), problem.m.mul(x.as_ref()).as_ref());
        subtract_product(x, q, along.as_ref());
    }
}
