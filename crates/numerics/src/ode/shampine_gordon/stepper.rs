//! Step and order control of the Adams method.

use super::super::initial_step::initial_step;
use super::super::options::Statistics;
use super::super::problem::{Problem, Projection};
use super::super::stepper::Stepper;
use super::super::system::{Crossing, EventAction};
use super::coefficients::Coefficients;
use super::{ERROR_CONSTANT, MAX_ORDER, SIZE};
use crate::error::OdeError;

/// Part of the tolerance at which the next step aims.
const TARGET: f64 = 0.5;
/// Shrink and growth of an accepted step.
const SHRINK: [f64; 2] = [0.5, 0.9];
/// Reduction after a derivative that could not be evaluated.
const RETREAT: f64 = 0.25;
/// Failures of one step after which the method starts again at order one.
const PATIENCE: usize = 3;
/// Projections that move a point by more than this many tolerances start the method again.
const LARGEST_PROJECTION: f64 = 100.0;

/// Order, step and errors between steps.
#[derive(Clone, Copy)]
struct Control {
    order: usize,
    h: f64,
    /// Order and step grow in every step.
    first_phase: bool,
    c: Coefficients,
}

/// Estimated errors over tolerance of the orders `k`, `k - 1`, and of the step taken.
struct Errors {
    step: f64,
    same: f64,
    lower: f64,
    /// The order should be lowered, whether or not the step is accepted.
    lower_wanted: bool,
}

/// State of an Adams run.
pub(crate) struct AdamsVariable<'a> {
    p: Problem<'a>,
    max_order: usize,
    now: Control,
    /// At the start of the last step, for repeating it.
    before: Control,
    /// Modified divided differences `φ_1 ... φ_{k+2}` (from index one), at the end of the last step and its start.
    phi: Vec<Vec<f64>>,
    phi_before: Vec<Vec<f64>>,
    /// A projection moved the last point by more than the tolerance.
    restart_due: bool,
    t0: f64,
    t1: f64,
    y0: Vec<f64>,
    y1: Vec<f64>,
    f1: Vec<f64>,
    predicted: Vec<f64>,
    error: Vec<f64>,
}

impl<'a> AdamsVariable<'a> {
    pub fn new(p: Problem<'a>) -> Self {
        let n = p.dim();
        let zeros = || vec![0.0; n];
        let control = Control { order: 1, h: 1.0, first_phase: true, c: Coefficients::start() };
        Self {
            max_order: p.options.max_order.min(MAX_ORDER),
            now: control,
            before: control,
            phi: vec![zeros(); SIZE],
            phi_before: vec![zeros(); SIZE],
            restart_due: false,
            t0: 0.0,
            t1: 0.0,
            y0: zeros(),
            y1: zeros(),
            f1: zeros(),
            predicted: zeros(),
            error: zeros(),
            p,
        }
    }

    /// Order one from the end of the last step.
    fn fresh_start(&mut self) -> Result<(), OdeError> {
        self.p.rhs(self.t1, self.now.h, &self.y1, &mut self.f1)?;
        let work = [&mut self.predicted[..], &mut self.error[..]];
        let h = initial_step(&mut self.p, 1, self.t1, &self.y1, &self.f1, work)?;
        self.now = Control { order: 1, h, first_phase: true, c: Coefficients::start() };
        self.phi.iter_mut().for_each(|row| row.fill(0.0));
        self.phi[1].copy_from_slice(&self.f1);
        self.restart_due = false;
        Ok(())
    }

    /// Everything as it was at the start of the last step.
    fn restore(&mut self) {
        self.now = self.before;
        for (to, from) in self.phi.iter_mut().zip(&self.phi_before).take(self.before.order + 3) {
            to.copy_from_slice(from);
        }
    }

    fn remember(&mut self) {
        self.before = self.now;
        for (to, from) in self.phi_before.iter_mut().zip(&self.phi).take(self.now.order + 3) {
            to.copy_from_slice(from);
        }
        self.y0.copy_from_slice(&self.y1);
        self.t0 = self.t1;
    }

    /// Predicts the state at `t1` and evaluates there.
    fn predict(&mut self, t1: f64) -> Result<(), OdeError> {
        let (k, h) = (self.now.order, t1 - self.t0);
        self.now.h = h;
        self.now.c.update(h, k);
        let c = &self.now.c;
        for i in c.equal_steps + 1..=k {
            self.phi[i].iter_mut().for_each(|x| *x *= c.beta[i]);
        }
        for l in 0..self.predicted.len() {
            self.phi[k + 2][l] = self.phi[k + 1][l];
            self.phi[k + 1][l] = 0.0;
            let mut sum = 0.0;
            for i in (1..=k).rev() {
                sum += c.g[i] * self.phi[i][l];
                self.phi[i][l] += self.phi[i + 1][l];
            }
            self.predicted[l] = self.y0[l] + h * sum;
        }
        self.p.require_finite(t1, h, &self.predicted)?;
        self.p.rhs(t1, h, &self.predicted, &mut self.f1)
    }

    /// Errors of the predicted step.
    fn errors(&mut self) -> Errors {
        let (k, h, c) = (self.now.order, self.now.h, &self.now.c);
        let norm = |row: Option<usize>, error: &mut [f64]| {
            for (l, e) in error.iter_mut().enumerate() {
                *e = row.map_or(0.0, |i| self.phi[i][l]) + (self.f1[l] - self.phi[1][l]);
            }
            h * self.p.norm(error, &self.y0, &self.predicted)
        };
        let constant = |order: usize| c.sigma[order + 1] * ERROR_CONSTANT[order];
        let lowest = if k > 2 { constant(k - 2) * norm(Some(k - 1), &mut self.error) } else { 0.0 };
        let lower = if k > 1 { constant(k - 1) * norm(Some(k), &mut self.error) } else { f64::INFINITY };
        let change = norm(None, &mut self.error);
        let same = constant(k) * change;
        let lower_wanted = match k {
            1 => false,
            2 => lower <= 0.5 * same,
            _ => lower.max(lowest) <= same,
        };
        let step = c.g[k] - c.g[k + 1];
        self.error.iter_mut().for_each(|e| *e *= h * step);
        Errors { step: change * step, same, lower, lower_wanted }
    }

    /// Corrects the predicted state, lets the system move it, evaluates there and updates the differences.
    fn correct(&mut self, t1: f64) -> Result<(), OdeError> {
        let (k, h) = (self.now.order, self.now.h);
        let weight = h * self.now.c.g[k + 1];
        for l in 0..self.y1.len() {
            self.y1[l] = self.predicted[l] + weight * (self.f1[l] - self.phi[1][l]);
        }
        self.p.require_finite(t1, h, &self.y1)?;
        self.t1 = t1;
        if let Projection::Changed(scaled) = self.p.project(t1, &mut self.y1)? {
            self.restart_due = scaled > LARGEST_PROJECTION;
        }
        self.p.rhs(t1, h, &self.y1, &mut self.f1)?;
        for l in 0..self.y1.len() {
            let newest = self.f1[l] - self.phi[1][l];
            self.phi[k + 1][l] = newest;
            self.phi[k + 2][l] = newest - self.phi[k + 2][l];
            for i in 1..=k {
                self.phi[i][l] += newest;
            }
        }
        self.now.c.last = (h, k);
        Ok(())
    }

    /// Order and length of the next step.
    fn choose(&mut self, errors: &Errors) {
        let (k, h) = (self.now.order, self.now.h);
        if errors.lower_wanted || k >= self.max_order {
            self.now.first_phase = false;
        }
        let may_rise = k < self.max_order && !errors.lower_wanted;
        // the difference of order k+1 says something for equal steps only
        let reliable = k < self.now.c.equal_steps;
        let higher = match may_rise && !self.now.first_phase && reliable {
            true => h * ERROR_CONSTANT[k + 1] * self.p.norm(&self.phi[k + 2], &self.y0, &self.y1),
            false => f64::INFINITY,
        };
        let (order, error) = if self.now.first_phase && may_rise {
            (k + 1, 0.0)
        } else if errors.lower_wanted || (k > 1 && reliable && errors.lower <= errors.same.min(higher)) {
            (k - 1, errors.lower)
        } else if may_rise && (k > 1 && higher < errors.same || k == 1 && higher < 0.5 * errors.same) {
            (k + 1, higher)
        } else {
            (k, errors.same)
        };
        self.now.order = order;
        let power = (order + 1) as i32;
        self.now.h = if self.now.first_phase || TARGET >= error * 2f64.powi(power) {
            2.0 * h
        } else if TARGET >= error {
            h
        } else {
            h * (TARGET / error).powf(1.0 / f64::from(power)).clamp(SHRINK[0], SHRINK[1])
        };
    }

    /// Order and step after a rejected step, from the state before it.
    fn retreat(&mut self, h: f64, errors: Option<&Errors>, failures: usize) -> Result<(), OdeError> {
        let factor = match errors {
            None => RETREAT,
            Some(e) if failures > PATIENCE && TARGET < 0.25 * e.same => (TARGET / e.same).sqrt(),
            Some(_) => 0.5,
        };
        self.restore();
        self.now.first_phase = false;
        if errors.is_some_and(|e| e.lower_wanted) {
            self.now.order -= 1;
        }
        if failures >= PATIENCE {
            self.now.order = 1;
        }
        self.now.h = h * factor;
        match self.now.h < self.p.smallest_step(self.t0) {
            true => Err(self.p.step_too_small(self.t0, h, &self.error, &self.y0)),
            false => Ok(()),
        }
    }

    /// End of the next step to try; a remainder that would be tiny is swallowed.
    fn propose(&self, t_limit: f64) -> f64 {
        let h = self.now.h.min(self.p.options.h_max);
        if self.t0 + 1.01 * h >= t_limit { t_limit } else { self.t0 + h }
    }

    fn controlled_step(&mut self, t_limit: f64) -> Result<(), OdeError> {
        for failures in 1.. {
            let t1 = self.propose(t_limit);
            let h = t1 - self.t0;
            let errors = match self.predict(t1) {
                Err(cause) if cause.is_final() || RETREAT * h < self.p.smallest_step(self.t0) => return Err(cause),
                Err(_) => None,
                Ok(()) => {
                    let errors = self.errors();
                    if errors.step <= 1.0 {
                        match self.correct(t1) {
                            Ok(()) => {
                                self.choose(&errors);
                                return Ok(());
                            }
                            Err(cause) if cause.is_final() || RETREAT * h < self.p.smallest_step(self.t0) => {
                                return Err(cause);
                            }
                            Err(_) => None,
                        }
                    } else {
                        Some(errors)
                    }
                }
            };
            self.p.statistics.rejected += 1;
            self.retreat(h, errors.as_ref(), failures)?;
        }
        Ok(())
    }
}

impl Stepper for AdamsVariable<'_> {
    fn start(&mut self, t: f64, y: &[f64]) -> Result<(), OdeError> {
        self.y1.copy_from_slice(y);
        self.y0.copy_from_slice(y);
        (self.t0, self.t1) = (t, t);
        self.fresh_start()
    }

    fn advance(&mut self, t_limit: f64) -> Result<(), OdeError> {
        if self.restart_due {
            self.fresh_start()?;
        }
        self.remember();
        self.controlled_step(t_limit)?;
        self.p.statistics.steps += 1;
        Ok(())
    }

    fn retake(&mut self, t: f64) -> Result<(), OdeError> {
        let h = self.before.h;
        self.restore();
        self.predict(t)?;
        self.correct(t)?;
        self.now.h = h;
        Ok(())
    }

    fn prepare_interpolation(&mut self, _accurate: bool) -> Result<(), OdeError> {
        Ok(())
    }

    /// The integral of the polynomial through the last derivatives, back from the end of the step.
    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let (c, back) = (&self.now.c, t - self.t1);
        let terms = c.last.1 + 1;
        let mut g = [0.0; SIZE];
        let mut w: [f64; SIZE] = std::array::from_fn(|i| 1.0 / i.max(1) as f64);
        g[1] = 1.0;
        let mut term = 0.0;
        for j in 2..=terms {
            let psi = c.psi[j - 1];
            let (gamma, eta) = ((back + term) / psi, back / psi);
            for i in 1..=terms + 1 - j {
                w[i] = gamma * w[i] - eta * w[i + 1];
            }
            g[j] = w[1];
            term = psi;
        }
        for (l, y) in y.iter_mut().enumerate() {
            let sum: f64 = (1..=terms).rev().map(|i| g[i] * self.phi[i][l]).sum();
            *y = self.y1[l] + back * sum;
        }
    }

    fn span(&self) -> (f64, f64) {
        (self.t0, self.t1)
    }

    fn end(&self) -> &[f64] {
        &self.y1
    }

    fn just_after(&mut self, y: &mut [f64]) -> Result<f64, OdeError> {
        self.p.rhs(self.t1, self.now.h, &self.y1, &mut self.f1)?;
        let delta = 1e-3 * self.now.h;
        for i in 0..y.len() {
            y[i] = self.y1[i] + delta * self.f1[i];
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

    fn resume(&mut self, restart: bool) -> Result<(), OdeError> {
        if restart { self.fresh_start() } else { Ok(()) }
    }

    fn statistics(&self) -> Statistics {
        self.p.statistics
    }

    fn next_h(&self) -> f64 {
        self.now.h
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
