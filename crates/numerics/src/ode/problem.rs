//! The system under integration with its tolerances and counters.

use super::options::{Options, Statistics};
use super::system::{Crossing, EventAction, OdeSystem};
use crate::error::OdeError;

/// A system, its settings and the work spent on it.
pub(super) struct Problem<'a> {
    pub system: &'a mut dyn OdeSystem,
    pub options: &'a Options,
    pub statistics: Statistics,
    before_projection: Vec<f64>,
}

/// What a projection did to the state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Projection {
    /// Nothing.
    None,
    /// Changed it by rounding only.
    Roundoff,
    /// Changed it; the largest change over tolerance is given.
    Changed(f64),
}

/// Changes below this many units in the last place count as rounding.
const ROUNDOFF: f64 = 64.0 * f64::EPSILON;

impl<'a> Problem<'a> {
    pub fn new(system: &'a mut dyn OdeSystem, options: &'a Options) -> Self {
        let n = system.dim();
        Self { system, options, statistics: Statistics::default(), before_projection: vec![0.0; n] }
    }

    pub fn dim(&self) -> usize {
        self.before_projection.len()
    }

    /// `dy = f(t, y)`, refusing non-finite results; `h` is the step in progress.
    pub fn rhs(&mut self, t: f64, h: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        self.statistics.rhs_evaluations += 1;
        self.system.rhs(t, y, dy)?;
        self.require_finite(t, h, dy)
    }

    /// Refuses NaN and infinity, naming the component.
    pub fn require_finite(&self, t: f64, h: f64, values: &[f64]) -> Result<(), OdeError> {
        match values.iter().position(|v| !v.is_finite()) {
            Some(i) => Err(OdeError::NonFinite { t, h, component: self.system.component_name(i) }),
            None => Ok(()),
        }
    }

    /// Allowed local error of component `i` with magnitude `y`.
    pub fn scale(&self, i: usize, y: f64) -> f64 {
        self.options.atol.get(i) + self.options.rtol * y.abs()
    }

    /// Root mean square of `x_i / scale_i`, with the larger of `|y_i|`, `|z_i|` in the scale.
    pub fn norm(&self, x: &[f64], y: &[f64], z: &[f64]) -> f64 {
        let sum: f64 = (0..x.len()).map(|i| (x[i] / self.scale(i, y[i].abs().max(z[i].abs()))).powi(2)).sum();
        (sum / x.len().max(1) as f64).sqrt()
    }

    /// The failure to report when error control cannot go below `h`.
    pub fn step_too_small(&self, t: f64, h: f64, error: &[f64], y: &[f64]) -> OdeError {
        let (i, error) = self.worst(error, y);
        let component = self.system.component_name(i);
        OdeError::StepTooSmall { t, h, h_min: self.smallest_step(t), component, error }
    }

    /// Component with the largest scaled value, and that value.
    pub fn worst(&self, x: &[f64], y: &[f64]) -> (usize, f64) {
        let mut worst = (0, 0.0);
        for i in 0..x.len() {
            let scaled = (x[i] / self.scale(i, y[i])).abs();
            if scaled > worst.1 || scaled.is_nan() {
                worst = (i, scaled);
            }
        }
        worst
    }

    /// Smallest sensible step at `t`.
    pub fn smallest_step(&self, t: f64) -> f64 {
        self.options.h_min.max(16.0 * f64::EPSILON * t.abs()).max(f64::MIN_POSITIVE)
    }

    /// Lets the system correct an accepted state and measures the change.
    pub fn project(&mut self, t: f64, y: &mut [f64]) -> Result<Projection, OdeError> {
        self.before_projection.copy_from_slice(y);
        if !self.system.project(t, y)? {
            return Ok(Projection::None);
        }
        self.require_finite(t, 0.0, y)?;
        let (mut roundoff, mut scaled) = (true, 0.0_f64);
        for i in 0..y.len() {
            let change = (y[i] - self.before_projection[i]).abs();
            roundoff &= change <= ROUNDOFF * y[i].abs().max(1.0);
            scaled = scaled.max(change / self.scale(i, y[i]));
        }
        Ok(if roundoff { Projection::Roundoff } else { Projection::Changed(scaled) })
    }

    pub fn on_event(
        &mut self,
        index: usize,
        direction: Crossing,
        t: f64,
        y: &mut [f64],
    ) -> Result<EventAction, OdeError> {
        let action = self.system.on_event(index, direction, t, y)?;
        self.require_finite(t, 0.0, y)?;
        Ok(action)
    }
}
