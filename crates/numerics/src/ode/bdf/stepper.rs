//! Step and order control of the backward differentiation method.

use super::super::initial_step::initial_step;
use super::super::options::Statistics;
use super::super::problem::{Problem, Projection};
use super::super::stepper::Stepper;
use super::super::system::{Crossing, EventAction};
use super::differences::Differences;
use super::newton::{MAX_ITERATIONS, Stage, StepNewton};
use super::{MAX_ORDER, alpha, error_constant};
use crate::error::OdeError;

const SHRINK_MAX: f64 = 0.2;
const GROW_MAX: f64 = 10.0;
/// Step reduction after a Newton failure.
const RETREAT: f64 = 0.5;

/// State of a backward differentiation run.
pub(crate) struct Bdf<'a> {
    p: Problem<'a>,
    newton: StepNewton,
    now: Differences,
    /// Differences at the start of the last step, for repeating it.
    before: Differences,
    order: usize,
    /// Grid step of `now`, and of `before`.
    h: f64,
    h_before: f64,
    equal_steps: usize,
    /// Order and step wait to be chosen from the last accepted step.
    choice_due: bool,
    /// A projection moved the last point by more than the tolerance.
    restart_due: bool,
    safety: f64,
    error_norm: f64,
    t0: f64,
    t1: f64,
    y1: Vec<f64>,
    predicted: Vec<f64>,
    psi: Vec<f64>,
    error: Vec<f64>,
}

/// Projections that move a point by more than this many tolerances break the smoothness on which the differences rest.
const LARGEST_PROJECTION: f64 = 100.0;

impl<'a> Bdf<'a> {
    pub fn new(p: Problem<'a>) -> Self {
        let n = p.dim();
        let zeros = || vec![0.0; n];
        Self {
            newton: StepNewton::new(n, p.options.rtol),
            now: Differences::new(n),
            before: Differences::new(n),
            order: 1,
            h: 1.0,
            h_before: 1.0,
            equal_steps: 0,
            choice_due: false,
            restart_due: false,
            safety: 1.0,
            error_norm: 0.0,
            t0: 0.0,
            t1: 0.0,
            y1: zeros(),
            predicted: zeros(),
            psi: zeros(),
            error: zeros(),
            p,
        }
    }

    /// Order 1 from the end of the last step, with a new Jacobian.
    fn fresh_start(&mut self) -> Result<(), OdeError> {
        self.p.rhs(self.t1, self.h, &self.y1, &mut self.psi)?;
        let work = [&mut self.predicted[..], &mut self.error[..]];
        self.h = initial_step(&mut self.p, 1, self.t1, &self.y1, &self.psi, work)?;
        self.now.start(&self.y1, &self.psi, self.h);
        self.order = 1;
        self.equal_steps = 0;
        self.choice_due = false;
        self.restart_due = false;
        self.newton.forget();
        Ok(())
    }

    fn change_step(&mut self, factor: f64) {
        self.now.rescale(self.order, factor);
        self.h *= factor;
        self.equal_steps = 0;
    }

    /// Order and step from the errors that the neighbouring orders would have made.
    fn choose_order(&mut self) {
        let k = self.order;
        let error_of = |order: usize, d: &[f64]| error_constant(order) * self.p.norm(d, &self.y1, &self.y1);
        let lower = if k > 1 { error_of(k - 1, &self.now.d[k]) } else { f64::INFINITY };
        let higher = if k < MAX_ORDER.min(self.p.options.max_order) {
            error_of(k + 1, &self.now.d[k + 2])
        } else {
            f64::INFINITY
        };

        let gain = |error: f64, order: usize| error.max(1e-20).powf(-1.0 / (order as f64 + 1.0));
        let mut best = (k, gain(self.error_norm, k));
        for (order, factor) in [(k.saturating_sub(1), gain(lower, k - 1)), (k + 1, gain(higher, k + 1))] {
            if factor > best.1 {
                best = (order, factor);
            }
        }
        self.order = best.0;
        self.change_step((self.safety * best.1).min(GROW_MAX));
    }

    /// Newton solve of the step to `t1` with the present differences.
    fn solve(&mut self, t1: f64) -> Result<Option<usize>, OdeError> {
        self.now.predict(self.order, &mut self.predicted, &mut self.psi);
        let h = t1 - self.t0;
        let stage = Stage { t: t1, h, c: h / alpha(self.order), predicted: &self.predicted, psi: &self.psi };
        self.newton.solve(&mut self.p, &stage)
    }

    /// Tries steps until one passes; its end.
    fn controlled_step(&mut self, t_limit: f64) -> Result<f64, OdeError> {
        loop {
            let t1 = self.fit_step(t_limit);
            let solved = self.solve(t1);
            if let Err(cause) = &solved
                && cause.is_final()
            {
                return Err(cause.clone());
            }
            let factor = match solved {
                Ok(Some(iterations)) => {
                    self.estimate_error(iterations);
                    if self.error_norm <= 1.0 {
                        return Ok(t1);
                    }
                    let k = self.order as f64;
                    (self.safety * self.error_norm.powf(-1.0 / (k + 1.0))).max(SHRINK_MAX)
                }
                _ => RETREAT,
            };
            if self.h * factor < self.p.smallest_step(self.t0) {
                return Err(self.step_failure(solved));
            }
            self.p.statistics.rejected += 1;
            self.change_step(factor);
        }
    }

    /// Adjusts the step to the largest allowed one and to the end of the interval; where it ends.
    fn fit_step(&mut self, t_limit: f64) -> f64 {
        let h_max = self.p.options.h_max;
        if self.h > h_max {
            self.change_step(h_max / self.h);
        }
        if self.t0 + 1.0001 * self.h < t_limit {
            return self.t0 + self.h;
        }
        self.change_step((t_limit - self.t0) / self.h);
        self.h = t_limit - self.t0;
        t_limit
    }

    /// Why no smaller step is tried.
    fn step_failure(&self, solved: Result<Option<usize>, OdeError>) -> OdeError {
        match solved {
            Ok(Some(_)) => self.p.step_too_small(self.t0, self.h, &self.error, &self.y1),
            Ok(None) => self.newton_failure(),
            Err(cause) => cause,
        }
    }

    fn estimate_error(&mut self, iterations: usize) {
        let m = 2.0 * MAX_ITERATIONS as f64;
        self.safety = 0.9 * (m + 1.0) / (m + iterations as f64);
        let constant = error_constant(self.order);
        for (e, d) in self.error.iter_mut().zip(&self.newton.correction) {
            *e = constant * d;
        }
        self.error_norm = self.p.norm(&self.error, &self.newton.y, &self.newton.y);
    }

    fn newton_failure(&self) -> OdeError {
        let (i, residual) = self.p.worst(&self.newton.update, &self.predicted);
        OdeError::NewtonFailed { t: self.t0, h: self.h, component: self.p.system.component_name(i), residual }
    }

    /// Takes over the solved step. A projection moves the newest point; one far beyond the tolerance restarts.
    fn finish(&mut self, t1: f64) -> Result<(), OdeError> {
        self.p.require_finite(t1, self.h, &self.newton.y)?;
        self.now.accept(self.order, &self.newton.correction);
        self.t1 = t1;
        self.y1.copy_from_slice(&self.newton.y);
        match self.p.project(t1, &mut self.y1)? {
            Projection::None => {}
            Projection::Changed(scaled) => {
                self.restart_due = scaled > LARGEST_PROJECTION;
                self.now.move_newest(self.order, &self.y1);
            }
            Projection::Roundoff => self.now.move_newest(self.order, &self.y1),
        }
        Ok(())
    }
}

impl Stepper for Bdf<'_> {
    fn start(&mut self, t: f64, y: &[f64]) -> Result<(), OdeError> {
        self.y1.copy_from_slice(y);
        (self.t0, self.t1) = (t, t);
        self.fresh_start()
    }

    fn advance(&mut self, t_limit: f64) -> Result<(), OdeError> {
        if self.restart_due {
            self.fresh_start()?;
        }
        if self.choice_due && self.equal_steps > self.order {
            self.choose_order();
        }
        self.t0 = self.t1;
        self.before.copy_from(&self.now);
        self.h_before = self.h;
        let t1 = self.controlled_step(t_limit)?;
        self.p.statistics.steps += 1;
        self.equal_steps += 1;
        self.choice_due = true;
        self.finish(t1)
    }

    fn retake(&mut self, t: f64) -> Result<(), OdeError> {
        self.now.copy_from(&self.before);
        self.h = self.h_before;
        self.change_step((t - self.t0) / self.h_before);
        match self.solve(t)? {
            Some(_) => self.finish(t),
            None => Err(self.newton_failure()),
        }
    }

    fn prepare_interpolation(&mut self, _accurate: bool) -> Result<(), OdeError> {
        Ok(())
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        self.now.interpolate(self.order, (t - self.t1) / self.h, y);
    }

    fn span(&self) -> (f64, f64) {
        (self.t0, self.t1)
    }

    fn end(&self) -> &[f64] {
        &self.y1
    }

    fn just_after(&mut self, y: &mut [f64]) -> Result<f64, OdeError> {
        self.p.rhs(self.t1, self.h, &self.y1, &mut self.psi)?;
        let delta = 1e-3 * self.h;
        for i in 0..y.len() {
            y[i] = self.y1[i] + delta * self.psi[i];
        }
        Ok(self.t1 + delta)
    }

    fn event_count(&self) -> usize {
        self.p.system.event_count()
    }

    fn step_limit(&mut self) -> Result<f64, OdeError> {
        self.p.system.step_limit(self.t1, &self.y1)
    }

    fn events(&mut self, t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        self.p.system.events(t, y, g)
    }

    fn on_event(&mut self, index: usize, direction: Crossing) -> Result<EventAction, OdeError> {
        self.p.on_event(index, direction, self.t1, &mut self.y1)
    }

    fn resume(&mut self, _restart: bool) -> Result<(), OdeError> {
        self.fresh_start()
    }

    fn statistics(&self) -> Statistics {
        self.p.statistics
    }

    fn next_h(&self) -> f64 {
        self.h
    }

    fn limiting_component(&self) -> Option<String> {
        let (i, _) = self.p.worst(&self.error, &self.y1);
        Some(format!("`{}`", self.p.system.component_name(i)))
    }

    fn limit_name(&self) -> Option<String> {
        self.p.system.limit_name()
    }

    fn event_name(&self, index: usize) -> String {
        self.p.system.event_name(index)
    }
}
