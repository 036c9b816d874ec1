//! The implicit equations of one step: modified Newton with a kept Jacobian.

use nalgebra::DMatrix;

use super::super::problem::Problem;
use crate::dense::Lu;
use crate::error::OdeError;

/// Iterations before a Newton solve is given up.
pub(super) const MAX_ITERATIONS: usize = 4;

/// Jacobian, factor of `I - c J`, and the iterate.
pub(super) struct StepNewton {
    jacobian: DMatrix<f64>,
    has_jacobian: bool,
    lu: Lu,
    /// `c` of the factor in `lu`.
    factored_c: Option<f64>,
    tolerance: f64,
    pub y: Vec<f64>,
    pub correction: Vec<f64>,
    f: Vec<f64>,
    pub update: Vec<f64>,
    perturbed: Vec<f64>,
}

/// What one Newton solve needs: `d` with `c f(t, y⁰ + d) - ψ - d = 0`.
pub(super) struct Stage<'s> {
    pub t: f64,
    pub h: f64,
    pub c: f64,
    pub predicted: &'s [f64],
    pub psi: &'s [f64],
}

impl StepNewton {
    pub fn new(dim: usize, rtol: f64) -> Self {
        let zeros = || vec![0.0; dim];
        Self {
            jacobian: DMatrix::zeros(dim, dim),
            has_jacobian: false,
            lu: Lu::new(dim),
            factored_c: None,
            tolerance: (10.0 * f64::EPSILON / rtol.max(f64::EPSILON)).max(0.03_f64.min(rtol.sqrt()).max(1e-9)),
            y: zeros(),
            correction: zeros(),
            f: zeros(),
            update: zeros(),
            perturbed: zeros(),
        }
    }

    /// The next solve starts with a new Jacobian.
    pub fn forget(&mut self) {
        self.has_jacobian = false;
    }

    /// Solves for `y` and `correction`, renewing the Jacobian if the kept one fails; the number of iterations, or
    /// none if even a new Jacobian did not help.
    pub fn solve(&mut self, p: &mut Problem, stage: &Stage) -> Result<Option<usize>, OdeError> {
        let mut current = false;
        if !self.has_jacobian {
            self.renew(p, stage)?;
            current = true;
        }
        loop {
            self.factor(p, stage.c)?;
            if let Some(iterations) = self.iterate(p, stage)? {
                return Ok(Some(iterations));
            }
            if current {
                return Ok(None);
            }
            self.renew(p, stage)?;
            current = true;
        }
    }

    /// Forward differences with the increments of RADAU5 (Hairer and Wanner), `√(ε max(1e-5, |y_j|))`.
    fn renew(&mut self, p: &mut Problem, stage: &Stage) -> Result<(), OdeError> {
        p.statistics.jacobian_evaluations += 1;
        let n = stage.predicted.len();
        p.rhs(stage.t, stage.h, stage.predicted, &mut self.f)?;
        self.perturbed.copy_from_slice(stage.predicted);
        for j in 0..n {
            let y = stage.predicted[j];
            self.perturbed[j] = y + (f64::EPSILON * y.abs().max(1e-5)).sqrt();
            let delta = self.perturbed[j] - y;
            p.rhs(stage.t, stage.h, &self.perturbed, &mut self.update)?;
            for i in 0..n {
                self.jacobian[(i, j)] = (self.update[i] - self.f[i]) / delta;
            }
            self.perturbed[j] = y;
        }
        self.has_jacobian = true;
        self.factored_c = None;
        Ok(())
    }

    fn factor(&mut self, p: &mut Problem, c: f64) -> Result<(), OdeError> {
        // the same step differs by rounding of its ends
        if self.factored_c.is_some_and(|kept| (c / kept - 1.0).abs() < 1e-6) {
            return Ok(());
        }
        p.statistics.factorisations += 1;
        let n = self.y.len();
        let m = self.lu.matrix_mut();
        for j in 0..n {
            for i in 0..n {
                m[(i, j)] = -c * self.jacobian[(i, j)];
            }
            m[(j, j)] += 1.0;
        }
        self.factored_c = None;
        self.lu.factor_in_place()?;
        self.factored_c = Some(c);
        Ok(())
    }

    fn iterate(&mut self, p: &mut Problem, stage: &Stage) -> Result<Option<usize>, OdeError> {
        self.y.copy_from_slice(stage.predicted);
        self.correction.fill(0.0);
        let mut previous: Option<f64> = None;
        for k in 0..MAX_ITERATIONS {
            p.rhs(stage.t, stage.h, &self.y, &mut self.f)?;
            for i in 0..self.y.len() {
                self.update[i] = stage.c * self.f[i] - stage.psi[i] - self.correction[i];
            }
            self.lu.solve(&mut self.update);
            let size = p.norm(&self.update, stage.predicted, stage.predicted);
            let rate = previous.map(|old| size / old);
            let left = (MAX_ITERATIONS - k) as i32;
            if !size.is_finite() || rate.is_some_and(|r| r >= 1.0 || r.powi(left) / (1.0 - r) * size > self.tolerance) {
                return Ok(None);
            }
            for i in 0..self.y.len() {
                self.y[i] += self.update[i];
                self.correction[i] += self.update[i];
            }
            if size == 0.0 || rate.is_some_and(|r| r / (1.0 - r) * size < self.tolerance) {
                return Ok(Some(k + 1));
            }
            previous = Some(size);
        }
        Ok(None)
    }
}
