//! Adams-Bashforth-Moulton, order 4, predict-evaluate-correct-evaluate.

use super::grid::FixedGrid;
use super::options::Statistics;
use super::problem::{Problem, Projection};
use super::runge_kutta::{Stages, hermite_rows, nested_interpolation, tableau};
use super::stepper::Stepper;
use super::system::{Crossing, EventAction};
use crate::error::OdeError;

/// Fixed-step multistep method; RK4 takes the first three steps after each start and every shortened step.
///
/// ```text
/// predict  y* = y_n + h/24 (55 f_n - 59 f_{n-1} + 37 f_{n-2} - 9 f_{n-3})
/// correct  y_{n+1} = y_n + h/24 (9 f(t_{n+1}, y*) + 19 f_n - 5 f_{n-1} + f_{n-2})
/// ```
///
/// Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., section III.1. Two
/// evaluations per step instead of four; stability limit about 1.25/|λ| on the negative real axis.
pub(super) struct Adams<'a> {
    p: Problem<'a>,
    stages: Stages,
    /// `f` at the last four step ends, newest first.
    history: [Vec<f64>; 4],
    /// How many entries of the history lie on the grid.
    known: usize,
    t0: f64,
    t1: f64,
    y0: Vec<f64>,
    y1: Vec<f64>,
    f1: Vec<f64>,
    predicted: Vec<f64>,
    grid: FixedGrid,
    rows: Vec<Vec<f64>>,
}

const RK_LAST: usize = 4;
const PREDICT: [f64; 4] = [55.0 / 24.0, -59.0 / 24.0, 37.0 / 24.0, -9.0 / 24.0];
const CORRECT: [f64; 3] = [19.0 / 24.0, -5.0 / 24.0, 1.0 / 24.0];
const CORRECT_NEW: f64 = 9.0 / 24.0;

impl<'a> Adams<'a> {
    pub fn new(p: Problem<'a>) -> Self {
        let n = p.dim();
        let h = p.options.h;
        let zeros = || vec![0.0; n];
        Self {
            stages: Stages::new(&tableau::RK4, n),
            history: [zeros(), zeros(), zeros(), zeros()],
            known: 0,
            t0: 0.0,
            t1: 0.0,
            y0: zeros(),
            y1: zeros(),
            f1: zeros(),
            predicted: zeros(),
            grid: FixedGrid::new(0.0, h),
            rows: vec![zeros(); 3],
            p,
        }
    }

    fn fresh_start(&mut self) -> Result<(), OdeError> {
        self.known = 0;
        self.grid = FixedGrid::new(self.t1, self.p.options.h);
        self.p.rhs(self.t1, self.grid.h(), &self.y1, &mut self.f1)
    }

    /// The end of the last step becomes the start of the next, its derivative the newest of the history.
    fn commit(&mut self) {
        self.history.rotate_right(1);
        self.history[0].copy_from_slice(&self.f1);
        self.known = (self.known + 1).min(4);
        self.y0.copy_from_slice(&self.y1);
        self.t0 = self.t1;
    }

    fn runge_kutta_step(&mut self, t1: f64) -> Result<(), OdeError> {
        self.stages.k[0].copy_from_slice(&self.history[0]);
        self.stages.take(&tableau::RK4, &mut self.p, (self.t0, t1), &self.y0, &mut self.y1)?;
        self.f1.copy_from_slice(&self.stages.k[RK_LAST]);
        Ok(())
    }

    fn adams_step(&mut self, t1: f64) -> Result<(), OdeError> {
        let h = t1 - self.t0;
        weighted_sum(&self.y0, h, &PREDICT, &self.history, &mut self.predicted);
        self.p.rhs(t1, h, &self.predicted, &mut self.f1)?;
        weighted_sum(&self.y0, h, &CORRECT, &self.history, &mut self.y1);
        for (y, f) in self.y1.iter_mut().zip(&self.f1) {
            *y += h * CORRECT_NEW * f;
        }
        self.p.require_finite(t1, h, &self.y1)?;
        self.p.rhs(t1, h, &self.y1, &mut self.f1)
    }

    fn finish(&mut self, t1: f64) -> Result<(), OdeError> {
        self.t1 = t1;
        if let Projection::Changed(_) = self.p.project(t1, &mut self.y1)? {
            self.known = 0;
            self.p.rhs(t1, self.grid.h(), &self.y1, &mut self.f1)?;
        }
        Ok(())
    }
}

/// `out = y + h Σ w_j f_j`.
fn weighted_sum(y: &[f64], h: f64, weights: &[f64], f: &[Vec<f64>], out: &mut [f64]) {
    for i in 0..y.len() {
        let sum: f64 = weights.iter().zip(f).map(|(w, f)| w * f[i]).sum();
        out[i] = y[i] + h * sum;
    }
}

impl Stepper for Adams<'_> {
    fn start(&mut self, t: f64, y: &[f64]) -> Result<(), OdeError> {
        self.y1.copy_from_slice(y);
        self.y0.copy_from_slice(y);
        (self.t0, self.t1) = (t, t);
        self.fresh_start()
    }

    fn advance(&mut self, t_limit: f64) -> Result<(), OdeError> {
        self.commit();
        let (t1, full) = self.grid.next(t_limit);
        if full && self.known == 4 {
            self.adams_step(t1)?;
        } else {
            self.runge_kutta_step(t1)?;
        }
        self.p.statistics.steps += 1;
        self.finish(t1)
    }

    fn retake(&mut self, t: f64) -> Result<(), OdeError> {
        self.runge_kutta_step(t)?;
        self.finish(t)
    }

    fn prepare_interpolation(&mut self, _accurate: bool) -> Result<(), OdeError> {
        let h = self.t1 - self.t0;
        hermite_rows(h, &self.y0, &self.y1, &self.history[0], &self.f1, &mut self.rows);
        Ok(())
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        nested_interpolation((t - self.t0) / (self.t1 - self.t0), &self.y0, &self.rows, y);
    }

    fn span(&self) -> (f64, f64) {
        (self.t0, self.t1)
    }

    fn end(&self) -> &[f64] {
        &self.y1
    }

    fn just_after(&mut self, y: &mut [f64]) -> Result<f64, OdeError> {
        let delta = 1e-3 * self.grid.h();
        for i in 0..y.len() {
            y[i] = self.y1[i] + delta * self.f1[i];
        }
        Ok(self.t1 + delta)
    }

    fn event_count(&self) -> usize {
        self.p.system.event_count()
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
        self.grid.h()
    }

    fn event_name(&self, index: usize) -> String {
        self.p.system.event_name(index)
    }
}
