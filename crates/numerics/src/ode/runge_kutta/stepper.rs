//! The stepper of all explicit Runge-Kutta methods, with fixed or controlled step.

use super::super::grid::FixedGrid;
use super::super::initial_step::initial_step;
use super::super::options::Statistics;
use super::super::problem::{Problem, Projection};
use super::super::stepper::Stepper;
use super::super::system::{Crossing, EventAction};
use super::stages::{Stages, combine, hermite_rows, nested_interpolation};
use super::tableau::{ErrorControl, Tableau};
use crate::error::OdeError;

/// Safety factor and limits of the step size controller.
const SAFETY: f64 = 0.9;
const SHRINK_MAX: f64 = 0.2;
const GROW_MAX: f64 = 10.0;
/// Reduction after a stage that could not be evaluated.
const RETREAT: f64 = 0.25;

/// State of an explicit Runge-Kutta integration.
pub(crate) struct RungeKutta<'a> {
    p: Problem<'a>,
    tableau: &'static Tableau,
    stages: Stages,
    t0: f64,
    t1: f64,
    y0: Vec<f64>,
    y1: Vec<f64>,
    /// The last stage does not belong to `y1` any more.
    stale: bool,
    error: Vec<f64>,
    error3: Vec<f64>,
    zero: Vec<f64>,
    grid: FixedGrid,
    h_next: f64,
    /// An instant that no stage should come near.
    avoid: Option<f64>,
    error_old: f64,
    rows: Vec<Vec<f64>>,
    rows_ready: usize,
}

impl<'a> RungeKutta<'a> {
    pub fn new(p: Problem<'a>, tableau: &'static Tableau) -> Self {
        let n = p.dim();
        let h = p.options.h;
        let zeros = || vec![0.0; n];
        Self {
            tableau,
            stages: Stages::new(tableau, n),
            t0: 0.0,
            t1: 0.0,
            y0: zeros(),
            y1: zeros(),
            stale: true,
            error: zeros(),
            error3: zeros(),
            zero: zeros(),
            grid: FixedGrid::new(0.0, h),
            h_next: h,
            avoid: None,
            error_old: 1e-4,
            rows: vec![zeros(); 3 + tableau.dense.len()],
            rows_ready: 3,
            p,
        }
    }

    fn last(&self) -> usize {
        self.tableau.b.len()
    }

    /// Makes the last stage the derivative at the end of the last step.
    fn refresh_derivative(&mut self) -> Result<(), OdeError> {
        let last = self.last();
        self.p.rhs(self.t1, self.h_next, &self.y1, &mut self.stages.k[last])?;
        self.stale = false;
        Ok(())
    }

    /// Forgets everything but the end of the last step.
    fn fresh_start(&mut self) -> Result<(), OdeError> {
        self.grid = FixedGrid::new(self.t1, self.p.options.h);
        self.error_old = 1e-4;
        self.refresh_derivative()?;
        if let Some(control) = &self.tableau.control {
            let last = self.last();
            let (y1, k) = (&self.y1, &self.stages.k[last]);
            let work = [&mut self.error[..], &mut self.error3[..]];
            self.h_next = initial_step(&mut self.p, control.order, self.t1, y1, k, work)?;
        }
        Ok(())
    }

    /// The end of the last step becomes the start of the next.
    fn commit(&mut self) -> Result<(), OdeError> {
        if self.stale {
            self.refresh_derivative()?;
        }
        let last = self.last();
        self.stages.k.swap(0, last);
        self.y0.copy_from_slice(&self.y1);
        self.t0 = self.t1;
        Ok(())
    }

    fn attempt(&mut self, t1: f64) -> Result<(), OdeError> {
        self.stages.take(self.tableau, &mut self.p, (self.t0, t1), &self.y0, &mut self.y1)
    }

    /// Ends a step at `t1`: corrects the state if the system wants to.
    fn finish(&mut self, t1: f64) -> Result<(), OdeError> {
        self.t1 = t1;
        self.stale = self.p.project(t1, &mut self.y1)? != Projection::None;
        Ok(())
    }

    fn controlled_step(&mut self, control: &ErrorControl, t_limit: f64) -> Result<f64, OdeError> {
        let mut rejected = false;
        loop {
            let (h, t1) = self.propose(t_limit);
            let verdict = self.attempt(t1).map(|()| self.error_norm(control, h, t1));
            match verdict {
                Ok(err) if err <= 1.0 => {
                    self.grow(control, h, err, rejected);
                    return Ok(t1);
                }
                Ok(err) => {
                    self.h_next = h * (SAFETY * err.powf(-control.exponent)).max(SHRINK_MAX);
                    self.require_step(h)?;
                }
                Err(cause) => {
                    self.h_next = h * RETREAT;
                    if cause.is_final() || self.h_next < self.p.smallest_step(self.t0) {
                        return Err(cause);
                    }
                }
            }
            rejected = true;
            self.p.statistics.rejected += 1;
        }
    }

    /// Step to try and its end; a remainder that would be tiny is swallowed.
    fn propose(&self, t_limit: f64) -> (f64, f64) {
        let h = self.keep_clear(self.h_next.min(self.p.options.h_max));
        if self.t0 + 1.01 * h >= t_limit { (t_limit - self.t0, t_limit) } else { (h, self.t0 + h) }
    }

    /// The step, shortened where a stage would come near the instant to avoid: the instant shall lie in the middle of
    /// the widest gap between the stages, at the part `g` of this step or of the next one.
    fn keep_clear(&self, h: f64) -> f64 {
        let Some(ahead) = self.avoid.map(|t| t - self.t0).filter(|ahead| *ahead > 0.0) else { return h };
        let g = widest_gap(self.tableau.c);
        if ahead >= (1.0 + g) * h {
            h
        } else if ahead > g * h {
            (ahead - g * h).max(0.5 * ahead)
        } else {
            ahead / g
        }
    }

    fn require_step(&self, h: f64) -> Result<(), OdeError> {
        if self.h_next < self.p.smallest_step(self.t0) {
            return Err(self.p.step_too_small(self.t0, h, &self.error, &self.y0));
        }
        Ok(())
    }

    fn grow(&mut self, control: &ErrorControl, h: f64, err: f64, rejected: bool) {
        let alpha = control.exponent - 0.75 * control.beta;
        let factor = SAFETY * err.max(1e-10).powf(-alpha) * self.error_old.powf(control.beta);
        let limit = if rejected { 1.0 } else { GROW_MAX };
        self.h_next = h * factor.clamp(SHRINK_MAX, limit);
        self.error_old = err.max(1e-4);
    }

    /// Root-mean-square error over tolerance; the 8(5,3) pair blends its two estimates.
    fn error_norm(&mut self, control: &ErrorControl, h: f64, t1: f64) -> f64 {
        combine(&self.zero, h, control.e, &self.stages.k, &mut self.error);
        self.p.system.project_error(t1, &self.y1, &mut self.error);
        let e5 = self.p.norm(&self.error, &self.y0, &self.y1);
        let Some(weights) = control.e3 else { return e5 };
        combine(&self.zero, h, weights, &self.stages.k, &mut self.error3);
        self.p.system.project_error(t1, &self.y1, &mut self.error3);
        let e3 = self.p.norm(&self.error3, &self.y0, &self.y1);
        if e5 == 0.0 && e3 == 0.0 {
            return 0.0;
        }
        e5 * e5 / (e5 * e5 + 0.01 * e3 * e3).sqrt()
    }
}

/// Middle of the widest gap between the stages, as a part of the step.
fn widest_gap(c: &[f64]) -> f64 {
    let next = |a: f64| c.iter().copied().filter(|b| *b > a).fold(1.0, f64::min);
    let gaps = c.iter().map(|&a| (next(a) - a, 0.5 * (next(a) + a)));
    gaps.fold((0.0, 0.5), |best, gap| if gap.0 > best.0 { gap } else { best }).1
}

impl Stepper for RungeKutta<'_> {
    fn start(&mut self, t: f64, y: &[f64]) -> Result<(), OdeError> {
        self.y1.copy_from_slice(y);
        self.y0.copy_from_slice(y);
        (self.t0, self.t1) = (t, t);
        self.fresh_start()
    }

    fn advance(&mut self, t_limit: f64) -> Result<(), OdeError> {
        self.commit()?;
        self.avoid = self.tableau.control.as_ref().and_then(|_| self.p.system.instant_to_avoid(self.t0, &self.y0));
        let t1 = match &self.tableau.control {
            Some(control) => self.controlled_step(control, t_limit)?,
            None => {
                let (t1, _) = self.grid.next(t_limit);
                self.attempt(t1)?;
                t1
            }
        };
        self.p.statistics.steps += 1;
        self.finish(t1)
    }

    fn retake(&mut self, t: f64) -> Result<(), OdeError> {
        self.attempt(t)?;
        self.finish(t)
    }

    fn prepare_interpolation(&mut self, accurate: bool) -> Result<(), OdeError> {
        let (h, last) = (self.t1 - self.t0, self.last());
        let k = &self.stages.k;
        hermite_rows(h, &self.y0, &self.y1, &k[0], &k[last], &mut self.rows);
        self.rows_ready = 3;
        if accurate && self.rows.len() > 3 {
            self.stages.take_extra(self.tableau, &mut self.p, (self.t0, self.t1), &self.y0)?;
            for (row, weights) in self.rows[3..].iter_mut().zip(self.tableau.dense) {
                combine(&self.zero, h, weights, &self.stages.k, row);
            }
            self.rows_ready = self.rows.len();
        }
        Ok(())
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let theta = (t - self.t0) / (self.t1 - self.t0);
        nested_interpolation(theta, &self.y0, &self.rows[..self.rows_ready], y);
    }

    fn span(&self) -> (f64, f64) {
        (self.t0, self.t1)
    }

    fn end(&self) -> &[f64] {
        &self.y1
    }

    fn just_after(&mut self, y: &mut [f64]) -> Result<f64, OdeError> {
        if self.stale {
            self.refresh_derivative()?;
        }
        let delta = 1e-3 * self.next_h();
        combine(&self.y1, delta, &[1.0], &self.stages.k[self.last()..], y);
        Ok(self.t1 + delta)
    }

    fn event_count(&self) -> usize {
        self.p.system.event_count()
    }

    fn step_limit(&mut self) -> Result<f64, OdeError> {
        match self.tableau.control {
            Some(_) => self.p.system.step_limit(self.t1, &self.y1),
            None => Ok(f64::INFINITY),
        }
    }

    fn events(&mut self, t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        self.p.system.events(t, y, g)
    }

    fn on_event(&mut self, index: usize, direction: Crossing) -> Result<EventAction, OdeError> {
        self.p.on_event(index, direction, self.t1, &mut self.y1)
    }

    fn resume(&mut self, restart: bool) -> Result<(), OdeError> {
        if restart {
            return self.fresh_start();
        }
        self.grid = FixedGrid::new(self.t1, self.p.options.h);
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.p.statistics
    }

    fn next_h(&self) -> f64 {
        if self.tableau.control.is_some() { self.h_next } else { self.grid.h() }
    }

    fn limiting_component(&self) -> Option<String> {
        self.tableau.control.as_ref()?;
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
