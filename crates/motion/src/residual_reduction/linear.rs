//! The least squares problem and its Gauss-Newton steps.

use super::correction::{Correction, Weights};
use super::{MassChange, ReductionOptions, ReductionScales};
use crate::MotionError;
use crate::coordinate::Coordinate;
use crate::history::CoordinateHistory;
use crate::inverse_dynamics::InverseFrame;
use crate::subject::Subject;
use nalgebra::{DMatrix, DVector};
use wolff_multibody::Model;
use wolff_spatial::{MassProperties, Vec3};

/// Shortest time between instants that are used [s]: sufficient for changes below 8 Hz.
const SHORTEST: f64 = 0.008;
/// Steps of finite differences: of coordinates, speeds and accelerations, of the mass centre \[m\] and of the factor of
/// masses.
const STEPS: [f64; 3] = [1e-5, 1e-4, 1.0];
const CENTRE_STEP: f64 = 1e-3;
const MASS_STEP: f64 = 1e-3;
/// Relative decrease of the cost below which the search has converged.
const LITTLE: f64 = 1e-4;
/// Maximum number of halvings of a step.
const MOST_HALVINGS: usize = 8;
/// Maximum number of unknowns: their matrix is dense and takes 300 MB and about ten seconds per step at this size.
const MOST_UNKNOWNS: usize = 6000;
/// Unknowns that belong to masses: three of the shift and the factor.
const MASSES: usize = 4;

/// A row of the problem: indices of unknowns, and the derivatives by them.
type Row = Vec<(usize, f64)>;

/// The least squares problem: unknowns and data.
pub(super) struct Problem<'a> {
    pub subject: &'a Subject,
    pub history: &'a CoordinateHistory,
    pub root: &'a [Coordinate],
    pub adjusted: Vec<Coordinate>,
    pub options: &'a ReductionOptions,
    pub correction: Correction,
    /// Coefficients of the changes of each coordinate, then shift \[m\] and relative change of masses.
    pub unknowns: DVector<f64>,
    /// Total mass \[kg\] and weight \[N\] before.
    pub mass: f64,
    pub weight: f64,
    times: Vec<f64>,
}

impl<'a> Problem<'a> {
    pub fn new(
        subject: &'a Subject,
        history: &'a CoordinateHistory,
        times: &[f64],
        root: &'a [Coordinate],
        adjusted: Vec<Coordinate>,
        options: &'a ReductionOptions,
    ) -> Result<Self, MotionError> {
        let (Some(first), Some(last)) = (times.first(), times.last()) else {
            return Err(MotionError::input("residual reduction", "no instant of the motion is in the range"));
        };
        let correction = Correction::new([*first, *last], options.knots)?;
        let stride = (SHORTEST * (times.len() - 1) as f64 / (last - first)).round().max(1.0) as usize;
        let mass = subject.mass();
        let weight = mass * subject.model.gravity.norm();
        if !(weight > 0.0) {
            return Err(MotionError::input(&subject.name, "has no weight; give masses and gravity"));
        }
        let count = adjusted.len() * correction.count() + MASSES;
        if count > MOST_UNKNOWNS {
            let reason = format!(
                "{} coordinates over {} s with knots every {} s are {count} unknowns, more than {MOST_UNKNOWNS}; \
                 give a shorter range or wider knots",
                adjusted.len(),
                last - first,
                options.knots
            );
            return Err(MotionError::input("residual reduction", reason));
        }
        let unknowns = DVector::zeros(count);
        let times = times.iter().step_by(stride).copied().collect();
        Ok(Problem { subject, history, root, adjusted, options, correction, unknowns, mass, weight, times })
    }

    /// Changes of the masses by the unknowns.
    pub fn mass_change(&self) -> MassChange {
        let n = self.unknowns.len() - MASSES;
        let shift = Vec3::from_fn(|i, _| self.unknowns[n + i]);
        MassChange { shift, factor: 1.0 + self.unknowns[n + 3] }
    }

    /// The model with its masses changed.
    pub fn changed(&self, change: MassChange) -> Result<Model, MotionError> {
        let mut model = self.subject.model.clone();
        for (i, body) in self.subject.model.bodies().iter().enumerate().skip(1) {
            let shift = if Some(&body.name) == self.options.body.as_ref() { change.shift } else { Vec3::zeros() };
            let MassProperties { mass, com, inertia } = body.mass;
            let changed = MassProperties::new(mass * change.factor, com + shift, inertia * change.factor)
                .map_err(|cause| MotionError::Mass { body: body.name.clone(), cause })?;
            model.set_mass(i, changed)?;
        }
        Ok(model)
    }

    /// Coefficients of a coordinate.
    fn coefficients(&self, coordinate: usize) -> &[f64] {
        let n = self.correction.count();
        &self.unknowns.as_slice()[coordinate * n..(coordinate + 1) * n]
    }

    /// Changes of value, rate and second derivative of each coordinate.
    pub fn changes(&self, weights: &Weights) -> Vec<[f64; 3]> {
        (0..self.adjusted.len()).map(|j| weights.apply(self.coefficients(j))).collect()
    }

    /// Sets motion and its changes at an instant.
    fn place(&self, frame: &mut InverseFrame<'_>, t: f64, changes: &[[f64; 3]]) {
        self.history.evaluate(t, &mut frame.q, &mut frame.v, &mut frame.a);
        for (c, [q, v, a]) in self.adjusted.iter().zip(changes) {
            frame.q[c.position] += q;
            frame.v[c.speed] += v;
            frame.a[c.speed] += a;
        }
    }

    /// Residuals of the present motion, divided by their scales.
    fn residuals(&self, frame: &mut InverseFrame<'_>, t: f64) -> Result<Vec<f64>, MotionError> {
        let scale = 1.0 / (self.options.scales.residual * self.weight);
        let tau = frame.solve_present(t)?;
        Ok(self.root.iter().map(|c| tau[c.speed] * scale).collect())
    }

    /// One Gauss-Newton step, halved until the cost decreases; returns whether the search has converged. `progress`
    /// receives the fraction of the step that is done.
    pub fn step(&mut self, progress: &mut dyn FnMut(f64)) -> Result<bool, MotionError> {
        let (A, b, cost) = self.normal_equations(progress)?;
        let factor = A.cholesky().ok_or_else(|| {
            let reason = "the equations are singular; adjust fewer coordinates".into();
            MotionError::Numerical { object: "residual reduction".into(), reason }
        })?;
        let mut change = -factor.solve(&b);
        let start = self.unknowns.clone();
        for _ in 0..MOST_HALVINGS {
            self.unknowns = &start + &change;
            // invalid masses count as an infinite cost
            let reached = self.cost().unwrap_or(f64::INFINITY);
            if reached <= cost {
                return Ok(cost - reached <= LITTLE * cost);
            }
            change *= 0.5;
        }
        self.unknowns = start;
        Ok(true)
    }

    /// Normal matrix and gradient of half the sum of squares, and the sum; `progress` receives the fraction of the
    /// instants that is done.
    fn normal_equations(
        &self,
        progress: &mut dyn FnMut(f64),
    ) -> Result<(DMatrix<f64>, DVector<f64>, f64), MotionError> {
        let models = self.models()?;
        let mut frames: Vec<InverseFrame<'_>> = models.iter().map(InverseFrame::new).collect();
        let n = self.unknowns.len();
        let (mut A, mut b) = (DMatrix::zeros(n, n), DVector::zeros(n));
        let mut cost = 0.0;
        for (i, &t) in self.times.iter().enumerate() {
            progress(i as f64 / self.times.len() as f64);
            let weights = self.correction.weights(t);
            let (residuals, rows) = self.linearise(&mut frames, t, &weights)?;
            cost += squares(&residuals);
            for (r, row) in residuals.iter().zip(&rows) {
                add_row(&mut A, &mut b, row, *r);
            }
            for (value, row) in self.regularisation(&weights) {
                cost += value * value;
                add_row(&mut A, &mut b, &row, value);
            }
        }
        progress(1.0);
        for (k, scale) in self.mass_scales().into_iter().enumerate() {
            let at = n - MASSES + k;
            if scale.is_finite() {
                let value = scale * self.unknowns[at];
                cost += value * value;
                add_row(&mut A, &mut b, &[(at, scale)], value);
            } else {
                hold(&mut A, &mut b, at);
            }
        }
        Ok((A, b, cost))
    }

    /// The sum of squares.
    fn cost(&self) -> Result<f64, MotionError> {
        let model = self.changed(self.mass_change())?;
        let mut frame = InverseFrame::new(&model);
        let mut cost = 0.0;
        for &t in &self.times {
            let weights = self.correction.weights(t);
            self.place(&mut frame, t, &self.changes(&weights));
            cost += squares(&self.residuals(&mut frame, t)?);
            cost += self.regularisation(&weights).iter().map(|(value, _)| value * value).sum::<f64>();
        }
        let first = self.unknowns.len() - MASSES;
        let masses = self.mass_scales().into_iter().enumerate().filter(|(_, scale)| scale.is_finite());
        Ok(cost + masses.map(|(k, scale)| (scale * self.unknowns[first + k]).powi(2)).sum::<f64>())
    }

    /// The present model, then those of differences by the mass centre and the masses.
    fn models(&self) -> Result<Vec<Model>, MotionError> {
        let at = self.mass_change();
        let mut changes = vec![at];
        for axis in 0..3 {
            let mut moved = at;
            moved.shift[axis] += CENTRE_STEP;
            changes.push(moved);
        }
        changes.push(MassChange { factor: at.factor + MASS_STEP, ..at });
        changes.iter().map(|change| self.changed(*change)).collect()
    }

    /// Residuals at an instant, and of each its derivatives by unknowns as pairs of index and value.
    fn linearise(
        &self,
        frames: &mut [InverseFrame<'_>],
        t: f64,
        weights: &Weights,
    ) -> Result<(Vec<f64>, Vec<Row>), MotionError> {
        let changes = self.changes(weights);
        let splines = self.correction.count();
        let [frame, varied @ ..] = frames else { return Ok((Vec::new(), Vec::new())) };
        self.place(frame, t, &changes);
        let residuals = self.residuals(frame, t)?;
        let mut rows = vec![Vec::with_capacity(4 * self.adjusted.len() + MASSES); residuals.len()];
        for j in 0..self.adjusted.len() {
            let slopes = self.slopes(frame, t, &changes, j)?;
            for (i, row) in rows.iter_mut().enumerate() {
                for k in 0..4 {
                    let slope = (0..3).map(|order| slopes[order][i] * weights.orders[order][k]).sum();
                    row.push((j * splines + weights.first + k, slope));
                }
            }
        }
        for (k, other) in varied.iter_mut().enumerate() {
            self.place(other, t, &changes);
            let step = if k < 3 { CENTRE_STEP } else { MASS_STEP };
            for (row, (x, r)) in rows.iter_mut().zip(self.residuals(other, t)?.iter().zip(&residuals)) {
                row.push((self.unknowns.len() - MASSES + k, (x - r) / step));
            }
        }
        Ok((residuals, rows))
    }

    /// Derivatives of the residuals by value, rate and second derivative of a coordinate.
    fn slopes(
        &self,
        frame: &mut InverseFrame<'_>,
        t: f64,
        changes: &[[f64; 3]],
        coordinate: usize,
    ) -> Result<[Vec<f64>; 3], MotionError> {
        let mut slopes = [const { Vec::new() }; 3];
        let mut varied = changes.to_vec();
        for (order, step) in STEPS.into_iter().enumerate() {
            varied[coordinate][order] = changes[coordinate][order] + step;
            self.place(frame, t, &varied);
            let ahead = self.residuals(frame, t)?;
            varied[coordinate][order] = changes[coordinate][order] - step;
            self.place(frame, t, &varied);
            let behind = self.residuals(frame, t)?;
            varied[coordinate][order] = changes[coordinate][order];
            slopes[order] = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * step)).collect();
        }
        Ok(slopes)
    }

    /// Rows of the regularisation: changes of coordinates at an instant times their regularisation weights, and the
    /// derivatives.
    fn regularisation(&self, weights: &Weights) -> Vec<(f64, Row)> {
        let scales = &self.options.scales;
        let row_of = |(j, c): (usize, &Coordinate)| {
            let weight = 1.0 / if c.is_angle() { scales.rotation } else { scales.translation };
            let first = j * self.correction.count() + weights.first;
            let row = (0..4).map(|k| (first + k, weight * weights.orders[0][k])).collect();
            (weight * weights.apply(self.coefficients(j))[0], row)
        };
        self.adjusted.iter().enumerate().map(row_of).collect()
    }

    /// Regularisation weight of each change of masses; infinite for changes that are not allowed.
    fn mass_scales(&self) -> [f64; MASSES] {
        let ReductionScales { centre, mass, .. } = self.options.scales;
        let root = (self.times.len() as f64).sqrt();
        let centre = if self.options.body.is_some() { root / centre } else { f64::INFINITY };
        let mass = if self.options.masses { root / mass } else { f64::INFINITY };
        [centre, centre, centre, mass]
    }
}

fn squares(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// Removes an unknown from the equations.
fn hold(A: &mut DMatrix<f64>, b: &mut DVector<f64>, at: usize) {
    A.row_mut(at).fill(0.0);
    A.column_mut(at).fill(0.0);
    A[(at, at)] = 1.0;
    b[at] = 0.0;
}

/// Adds a row of the least squares problem to its normal equations.
fn add_row(A: &mut DMatrix<f64>, b: &mut DVector<f64>, row: &[(usize, f64)], value: f64) {
    for &(i, x) in row {
        b[i] += x * value;
        for &(j, y) in row {
            A[(i, j)] += x * y;
        }
    }
}
