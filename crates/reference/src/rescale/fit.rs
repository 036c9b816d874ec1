//! Least squares over all coefficients of a walk.

use super::consistency::{build, instants};
use super::contact::Contact;
use super::rows::{Moment, Observer};
use super::unknowns::{Unknown, moved, unknowns};
use super::{Restoring, YieldingFloor};
use crate::walk::{InverseWalk, ReferenceWalk};
use nalgebra::{DMatrix, DVector};
use wolff_anatomy::AnatomyError;
use wolff_multibody::Model;
use wolff_numerics::dense::{cholesky_in_place, cholesky_solve};

/// Number of instants per cycle; half of them are used where the other half is the mirror image.
const INSTANTS: usize = 96;
/// Minimum relative decrease of the cost for another step.
const WORTHWHILE: f64 = 1e-3;

/// Makes a walk consistent: Gauss-Newton on
///
/// ```text
/// ½ Σ_t |faults(x, t)|² + ½ Σ_i ((x_i - x0_i)/σ_i)²
/// ```
/// x coefficients of motion and ground force, x0 those given. Steps are halved until the sum decreases. Returns the
/// walk and the number of steps.
pub(super) fn fit(
    start: ReferenceWalk,
    settings: &Restoring,
    floor: Option<&dyn YieldingFloor>,
) -> Result<(ReferenceWalk, usize), AnatomyError> {
    let problem = Problem::new(&start, settings, floor)?;
    let mut walk = start;
    let mut gone = vec![0.0; problem.unknowns.len()];
    let mut cost = problem.cost(&walk, &gone)?;
    for done in 0..settings.iterations {
        let direction = problem.step(&walk, &gone)?;
        let Some((length, lower)) = problem.shorten(&walk, &gone, &direction, cost)? else {
            return Ok((walk, done));
        };
        walk = moved(&walk, &problem.unknowns, &direction, length);
        gone.iter_mut().zip(&direction).for_each(|(g, d)| *g += length * d);
        let saved = cost - lower;
        cost = lower;
        if saved < WORTHWHILE * cost {
            return Ok((walk, done + 1));
        }
    }
    Ok((walk, settings.iterations))
}

struct Problem<'f> {
    model: Model,
    floor: Option<&'f dyn YieldingFloor>,
    settings: &'f Restoring,
    unknowns: Vec<Unknown>,
    moments: Vec<Moment>,
}

impl<'f> Problem<'f> {
    fn new(
        start: &ReferenceWalk,
        settings: &'f Restoring,
        floor: Option<&'f dyn YieldingFloor>,
    ) -> Result<Self, AnatomyError> {
        let model = build(start)?;
        let contacts = Contact::all(&start.skeleton, &model)?;
        let mut observer = Observer::new(start, &contacts, InverseWalk::new(start, &model)?, (floor, settings));
        let kept = |height: f64| height.clamp(0.0, settings.clearance);
        let moment = |t: f64| {
            let clearance = observer.heights(t).into_iter().map(kept).collect();
            Moment { t, clearance, joint_moments: observer.joint_moments(t) }
        };
        let moments = instants(start, INSTANTS, 0.5).map(moment).collect();
        Ok(Problem { model, floor, settings, unknowns: unknowns(start, settings.force), moments })
    }

    /// The sum to be minimised, after the coefficients have changed by `gone`.
    fn cost(&self, walk: &ReferenceWalk, gone: &[f64]) -> Result<f64, AnatomyError> {
        let contacts = Contact::all(&walk.skeleton, &self.model)?;
        let mut observer =
            Observer::new(walk, &contacts, InverseWalk::new(walk, &self.model)?, (self.floor, self.settings));
        let squares = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>();
        let faults: f64 = self.moments.iter().map(|moment| squares(&observer.faults(moment))).sum();
        let changes: f64 = gone.iter().zip(&self.unknowns).map(|(g, u)| (g / u.sigma).powi(2)).sum();
        Ok(0.5 * (faults + changes))
    }

    /// The step that would reach the minimum if the residuals were linear: `(JᵀJ + Σ⁻²) d = -(Jᵀ r + Σ⁻² gone)`.
    fn step(&self, walk: &ReferenceWalk, gone: &[f64]) -> Result<Vec<f64>, AnatomyError> {
        let contacts = Contact::all(&walk.skeleton, &self.model)?;
        let mut observer =
            Observer::new(walk, &contacts, InverseWalk::new(walk, &self.model)?, (self.floor, self.settings));
        let n = self.unknowns.len();
        let (mut slopes, mut faults) = (Vec::new(), Vec::new());
        for moment in &self.moments {
            let rows = observer.rows(moment, &self.unknowns);
            faults.extend(rows.faults);
            slopes.extend(rows.slopes.into_iter().flatten());
        }
        let transposed = DMatrix::from_vec(n, faults.len(), slopes);
        let mut normal = &transposed * transposed.transpose();
        let mut right = -(&transposed * DVector::from_vec(faults));
        for (i, unknown) in self.unknowns.iter().enumerate() {
            let weight = unknown.sigma.powi(-2);
            normal[(i, i)] += weight;
            right[i] -= weight * gone[i];
        }
        cholesky_in_place(&mut normal).map_err(|e| AnatomyError::numerical(&walk.skeleton.name, e.to_string()))?;
        cholesky_solve(&normal, right.as_mut_slice());
        Ok(right.as_slice().to_vec())
    }

    /// The longest of the steps 1, ½, ¼, ... that decreases the sum, with the new sum; `None` where even a thousandth
    /// does not.
    fn shorten(
        &self,
        walk: &ReferenceWalk,
        gone: &[f64],
        direction: &[f64],
        cost: f64,
    ) -> Result<Option<(f64, f64)>, AnatomyError> {
        let mut length = 1.0;
        while length > 1e-3 {
            let there: Vec<f64> = gone.iter().zip(direction).map(|(g, d)| g + length * d).collect();
            let lower = self.cost(&moved(walk, &self.unknowns, direction, length), &there)?;
            if lower < cost {
                return Ok(Some((length, lower)));
            }
            length *= 0.5;
        }
        Ok(None)
    }
}
