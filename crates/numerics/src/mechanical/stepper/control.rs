//! Fixed steps and steps controlled by the local error.

use super::{ImplicitStepper, Outcome};
use crate::error::OdeError;

/// Step reduction after a failed step, and bounds on changes by the error estimate.
const RETREAT: f64 = 0.25;
const SHRINK_MAX: f64 = 0.2;
const GROW_MAX: f64 = 3.0;
/// Smaller changes of the step are not worth a new tangent.
const GROW_MIN: f64 = 1.2;
/// Steps of one length before it may grow: each change disturbs the constraint forces for a few steps.
const EQUAL_STEPS: usize = 5;

impl ImplicitStepper<'_> {
    pub(super) fn fixed_step(&mut self, t_limit: f64) -> Result<(), OdeError> {
        let (t1, _) = self.grid.next(t_limit);
        match self.attempt(t1)? {
            Outcome::Converged => Ok(()),
            Outcome::Slow(residual) | Outcome::Failed(residual) => Err(self.newton_failure(t1 - self.from.t, residual)),
        }
    }

    pub(super) fn adaptive_step(
        &mut self,
        tolerance: f64,
        h_min: f64,
        h_max: f64,
        t_limit: f64,
    ) -> Result<(), OdeError> {
        let t0 = self.from.t;
        let h_min = h_min.max(16.0 * f64::EPSILON * t0.abs()).max(f64::MIN_POSITIVE);
        loop {
            let h = self.h_next.min(h_max);
            let (h, t1) = if t0 + 1.01 * h >= t_limit { (t_limit - t0, t_limit) } else { (h, t0 + h) };
            let verdict = self.attempt(t1);
            if let Err(cause) = &verdict
                && cause.is_final()
            {
                return Err(cause.clone());
            }
            let factor = match verdict {
                Ok(Outcome::Converged) => {
                    let error = self.local_error(h, tolerance).1;
                    let factor = 0.9 * error.max(1e-10).powf(-1.0 / 3.0);
                    if error <= 1.0 {
                        self.equal_steps += 1;
                        if factor > GROW_MIN && self.equal_steps >= EQUAL_STEPS {
                            self.h_next = h * factor.min(GROW_MAX);
                            self.equal_steps = 0;
                        } else {
                            self.h_next = h;
                        }
                        return Ok(());
                    }
                    factor.max(SHRINK_MAX)
                }
                _ => RETREAT,
            };
            self.equal_steps = 0;
            self.statistics.rejected += 1;
            self.h_next = h * factor;
            if self.h_next < h_min {
                return Err(self.step_failure(verdict, h, h_min, tolerance));
            }
        }
    }

    /// Why no smaller step is tried.
    fn step_failure(&self, verdict: Result<Outcome, OdeError>, h: f64, h_min: f64, tolerance: f64) -> OdeError {
        match verdict {
            Ok(Outcome::Converged) => {
                let (i, error) = self.local_error(h, tolerance);
                let component = self.system.coordinate_name(i);
                OdeError::StepTooSmall { t: self.from.t, h, h_min, component, error }
            }
            Ok(Outcome::Slow(residual) | Outcome::Failed(residual)) => self.newton_failure(h, residual),
            Err(cause) => cause,
        }
    }

    /// Coordinate with the largest local displacement error `C h² |a₁ - a₀|` over tolerance, and that ratio.
    ///
    /// Source: Zienkiewicz and Xie, Earthq Eng Struct Dyn 20, 1991, here for the generalised-α family.
    pub(super) fn local_error(&self, h: f64, tolerance: f64) -> (usize, f64) {
        let constant = self.equations.scheme.error_constant().abs() * h * h / tolerance;
        let mut worst = (0, 0.0);
        for i in 0..self.jerk.len() {
            let error = constant * (self.to.a[i] - self.from.a[i]).abs();
            if error > worst.1 {
                worst = (i, error);
            }
        }
        worst
    }
}
