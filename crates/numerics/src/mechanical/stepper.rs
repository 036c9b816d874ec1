//! Newton iteration, step control and dense output of the implicit mechanical methods.

use super::equations::{Equations, Point, check_finite};
use super::linear::Tangent;
use super::options::{ConstraintLevel, MechanicalOptions, StepControl};
use super::scheme::Scheme;
use super::system::MechanicalSystem;
use crate::error::OdeError;
use crate::ode::{Crossing, EventAction, FixedGrid, Statistics, Stepper};

/// Newton iterations with one tangent.
const MAX_ITERATIONS: usize = 12;
/// A kept tangent that reduces the correction less than this is renewed.
const SLOW_RATE: f64 = 0.3;
/// Step reduction after a failed step, and bounds on changes by the error estimate.
const RETREAT: f64 = 0.25;
const SHRINK_MAX: f64 = 0.2;
const GROW_MAX: f64 = 3.0;
/// Smaller changes of the step are not worth a new tangent.
const GROW_MIN: f64 = 1.2;

/// State of an implicit mechanical integration.
pub(super) struct ImplicitStepper<'a> {
    system: &'a mut dyn MechanicalSystem,
    options: &'a MechanicalOptions,
    equations: Equations,
    tangent: Tangent,
    from: Point,
    to: Point,
    /// Algorithmic acceleration at `from` for a step of `h_a`, and its rate, to adapt it to other steps.
    a_base: Vec<f64>,
    h_a: f64,
    jerk: Vec<f64>,
    correction: Vec<f64>,
    /// Tangent displacement of the last step, for the dense output.
    delta: Vec<f64>,
    blend: Vec<f64>,
    grid: FixedGrid,
    h_next: f64,
    statistics: Statistics,
}

/// How a Newton solve ended.
enum Outcome {
    Converged,
    /// The scaled correction left.
    Failed(f64),
}

impl<'a> ImplicitStepper<'a> {
    pub fn new(system: &'a mut dyn MechanicalSystem, options: &'a MechanicalOptions, scheme: Scheme) -> Self {
        let (nq, nv, nc) = (system.nq(), system.nv(), system.nc());
        let equations = Equations::new(scheme, options.level, nv, nc);
        let zeros = || vec![0.0; nv];
        Self {
            system,
            options,
            tangent: Tangent::new(nv, nc, equations.imposed()),
            correction: vec![0.0; nv + equations.imposed()],
            equations,
            from: Point::new(nq, nv, nc),
            to: Point::new(nq, nv, nc),
            a_base: zeros(),
            h_a: 0.0,
            jerk: zeros(),
            delta: zeros(),
            blend: zeros(),
            grid: FixedGrid::new(0.0, options.h),
            h_next: options.h,
            statistics: Statistics::default(),
        }
    }

    pub fn redundant_constraints(&self) -> usize {
        self.tangent.redundant
    }

    /// Consistent accelerations at `to` and their rate, from two evaluations a short time apart.
    fn fresh_start(&mut self) -> Result<(), OdeError> {
        self.to.make_consistent(self.system)?;
        self.from.copy_from(&self.to);
        let short = 1e-3 * self.options.h;
        self.nudge(short);
        self.from.make_consistent(self.system)?;
        for i in 0..self.jerk.len() {
            self.jerk[i] = (self.from.vdot()[i] - self.to.vdot()[i]) / short;
            self.to.a[i] = self.to.vdot()[i];
        }
        self.h_a = 0.0;
        self.h_next = self.options.h;
        self.grid = FixedGrid::new(self.to.t, self.options.h);
        self.from.copy_from(&self.to);
        self.tangent.forget();
        Ok(())
    }

    /// Moves `from` by `short` along the motion at `to`, to first order.
    fn nudge(&mut self, short: f64) {
        self.from.t = self.to.t + short;
        for (b, v) in self.blend.iter_mut().zip(self.to.v()) {
            *b = short * v;
        }
        let (q, v) = self.from.q_v_mut();
        self.system.retract(self.to.q(), &self.blend, q);
        for i in 0..v.len() {
            v[i] = self.to.v()[i] + short * self.to.vdot()[i];
        }
    }

    /// The end of the last step becomes the start of the next.
    fn commit(&mut self) {
        let h = self.to.t - self.from.t;
        if h > 0.0 {
            for i in 0..self.jerk.len() {
                self.jerk[i] = (self.to.algebraic[i] - self.from.algebraic[i]) / h;
            }
            self.h_a = h;
        }
        self.from.copy_from(&self.to);
        self.a_base.copy_from_slice(&self.to.a);
    }

    /// Solves the step from `from` to `t1`; nothing but `to` changes.
    fn attempt(&mut self, t1: f64) -> Result<Outcome, OdeError> {
        let h = t1 - self.from.t;
        let shift = self.equations.scheme.shift() * (h - self.h_a);
        for i in 0..self.jerk.len() {
            self.from.a[i] = self.a_base[i] + shift * self.jerk[i];
        }
        self.to.t = t1;
        self.to.algebraic.copy_from_slice(&self.from.algebraic);
        let outcome = self.newton(h)?;
        if let Outcome::Converged = outcome {
            let nv = self.jerk.len();
            self.equations.kinematics(self.system, &self.from, &mut self.to);
            self.delta.copy_from_slice(&self.equations.delta);
            if self.options.level != ConstraintLevel::Index1 {
                self.tangent.share_redundant_forces(&mut self.to.algebraic[nv..]);
            }
            check_finite(self.system, t1, h, self.to.v())?;
        }
        Ok(outcome)
    }

    /// Modified Newton: the kept tangent as long as it converges fast, a new one otherwise.
    fn newton(&mut self, h: f64) -> Result<Outcome, OdeError> {
        if self.tangent.usable(h)
            && let Outcome::Converged = self.iterate(h, SLOW_RATE)?
        {
            return Ok(Outcome::Converged);
        }
        // from the start again where the kept tangent led astray
        self.to.algebraic.copy_from_slice(&self.from.algebraic);
        let mut outcome = Outcome::Failed(f64::INFINITY);
        for _ in 0..2 {
            self.equations.evaluate(self.system, &self.from, &mut self.to)?;
            self.statistics.jacobian_evaluations += 1;
            self.tangent.renew(self.system, &mut self.equations, &self.from, &mut self.to)?;
            outcome = self.iterate(h, 2.0)?;
            if let Outcome::Converged = outcome {
                break;
            }
        }
        Ok(outcome)
    }

    fn iterate(&mut self, h: f64, worst_rate: f64) -> Result<Outcome, OdeError> {
        let mut previous: Option<f64> = None;
        for _ in 0..MAX_ITERATIONS {
            self.equations.evaluate(self.system, &self.from, &mut self.to)?;
            self.correction.copy_from_slice(&self.equations.r);
            self.tangent.solve(&mut self.correction);
            for (x, d) in self.to.algebraic.iter_mut().zip(&self.correction) {
                *x -= d;
            }
            let size = self.scaled_correction(h).1;
            let rate = previous.map_or(0.0, |old: f64| size / old);
            if size <= 1.0 {
                return Ok(Outcome::Converged);
            }
            if !size.is_finite() || rate > worst_rate {
                return Ok(Outcome::Failed(size));
            }
            previous = Some(size);
        }
        Ok(Outcome::Failed(previous.unwrap_or(f64::INFINITY)))
    }

    /// Coordinate with the largest correction over tolerance, and that ratio. The tolerance is the wanted accuracy of
    /// the velocity, or what rounding of the displacement allows.
    fn scaled_correction(&self, h: f64) -> (usize, f64) {
        let s = &self.equations.scheme;
        let (v_gain, q_gain) = (s.velocity_gain() * h, s.displacement_gain() * h * h);
        let q_size = self.to.q().iter().fold(1.0_f64, |m, q| m.max(q.abs()));
        let floor = 32.0 * f64::EPSILON * q_size / q_gain;
        let mut worst = (0, 0.0);
        for (i, v) in self.to.v().iter().enumerate() {
            let allowed = (self.options.newton_tolerance * v.abs().max(1.0) / v_gain).max(floor);
            let ratio = (self.correction[i] / allowed).abs();
            if ratio > worst.1 || ratio.is_nan() {
                worst = (i, ratio);
            }
        }
        worst
    }

    /// Names the worst coordinate, or the worst constraint if one is far from satisfied.
    fn newton_failure(&self, h: f64, residual: f64) -> OdeError {
        let nv = self.jerk.len();
        let gain = self.equations.row_gain(h);
        let (mut worst, mut largest) = (None, 1e-6);
        for (j, row) in self.equations.r[nv..].iter().enumerate() {
            if (row * gain).abs() > largest {
                (worst, largest) = (Some(j), (row * gain).abs());
            }
        }
        let component = match worst {
            Some(j) => self.system.constraint_name(j),
            None => self.system.coordinate_name(self.scaled_correction(h).0),
        };
        OdeError::NewtonFailed { t: self.from.t, h, component, residual }
    }

    fn fixed_step(&mut self, t_limit: f64) -> Result<(), OdeError> {
        let (t1, _) = self.grid.next(t_limit);
        match self.attempt(t1)? {
            Outcome::Converged => Ok(()),
            Outcome::Failed(residual) => Err(self.newton_failure(t1 - self.from.t, residual)),
        }
    }

    fn adaptive_step(&mut self, tolerance: f64, h_min: f64, h_max: f64, t_limit: f64) -> Result<(), OdeError> {
        let t0 = self.from.t;
        let h_min = h_min.max(16.0 * f64::EPSILON * t0.abs()).max(f64::MIN_POSITIVE);
        loop {
            let h = self.h_next.min(h_max);
            let (h, t1) = if t0 + 1.01 * h >= t_limit { (t_limit - t0, t_limit) } else { (h, t0 + h) };
            let (factor, failure) = match self.attempt(t1) {
                Ok(Outcome::Converged) => {
                    let (i, error) = self.local_error(h, tolerance);
                    let factor = 0.9 * error.max(1e-10).powf(-1.0 / 3.0);
                    if error <= 1.0 {
                        self.h_next = if factor > GROW_MIN { h * factor.min(GROW_MAX) } else { h * factor.min(1.0) };
                        return Ok(());
                    }
                    let component = self.system.coordinate_name(i);
                    (factor.max(SHRINK_MAX), OdeError::StepTooSmall { t: t0, h, h_min, component, error })
                }
                Ok(Outcome::Failed(residual)) => (RETREAT, self.newton_failure(h, residual)),
                Err(error) => (RETREAT, error),
            };
            self.statistics.rejected += 1;
            self.h_next = h * factor;
            if self.h_next < h_min {
                return Err(failure);
            }
        }
    }

    /// Coordinate with the largest local displacement error `C h² |a₁ - a₀|` over tolerance, and that ratio.
    ///
    /// Source: Zienkiewicz and Xie, Earthq Eng Struct Dyn 20, 1991, here for the generalised-α family.
    fn local_error(&self, h: f64, tolerance: f64) -> (usize, f64) {
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

impl Stepper for ImplicitStepper<'_> {
    fn start(&mut self, t: f64, y: &[f64]) -> Result<(), OdeError> {
        self.to.t = t;
        self.to.state.copy_from_slice(y);
        self.fresh_start()
    }

    fn advance(&mut self, t_limit: f64) -> Result<(), OdeError> {
        self.commit();
        match self.options.control {
            StepControl::Fixed => self.fixed_step(t_limit)?,
            StepControl::Adaptive { tolerance, h_min, h_max } => {
                self.adaptive_step(tolerance, h_min, h_max, t_limit)?;
            }
        }
        self.statistics.steps += 1;
        Ok(())
    }

    fn retake(&mut self, t: f64) -> Result<(), OdeError> {
        match self.attempt(t)? {
            Outcome::Converged => Ok(()),
            Outcome::Failed(residual) => Err(self.newton_failure(t - self.from.t, residual)),
        }
    }

    fn prepare_interpolation(&mut self, _accurate: bool) -> Result<(), OdeError> {
        Ok(())
    }

    /// Cubic Hermite on the tangent at the start of the step.
    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let h = self.to.t - self.from.t;
        let x = (t - self.from.t) / h;
        let (q, v) = y.split_at_mut(self.from.q().len());
        for i in 0..v.len() {
            v[i] = hermite(x, 0.0, self.delta[i], h * self.from.v()[i], h * self.to.v()[i]);
        }
        self.system.retract(self.from.q(), v, q);
        for i in 0..v.len() {
            let (a0, a1) = (self.from.vdot()[i], self.to.vdot()[i]);
            v[i] = hermite(x, self.from.v()[i], self.to.v()[i], h * a0, h * a1);
        }
    }

    fn span(&self) -> (f64, f64) {
        (self.from.t, self.to.t)
    }

    fn end(&self) -> &[f64] {
        &self.to.state
    }

    fn algebraic(&self) -> &[f64] {
        &self.to.algebraic
    }

    fn just_after(&mut self, y: &mut [f64]) -> Result<f64, OdeError> {
        let short = 1e-3 * self.h_next;
        let (q, v) = y.split_at_mut(self.to.q().len());
        for i in 0..v.len() {
            v[i] = short * self.to.v()[i];
        }
        self.system.retract(self.to.q(), v, q);
        for i in 0..v.len() {
            v[i] = self.to.v()[i] + short * self.to.vdot()[i];
        }
        Ok(self.to.t + short)
    }

    fn event_count(&self) -> usize {
        self.system.event_count()
    }

    fn events(&mut self, t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        let (q, v) = y.split_at(self.to.q().len());
        self.system.events(t, q, v, g)
    }

    fn on_event(&mut self, index: usize, direction: Crossing) -> Result<EventAction, OdeError> {
        let t = self.to.t;
        let (q, v) = self.to.q_v_mut();
        self.system.on_event(index, direction, t, q, v)
    }

    fn resume(&mut self, restart: bool) -> Result<(), OdeError> {
        if restart {
            return self.fresh_start();
        }
        self.grid = FixedGrid::new(self.to.t, self.options.h);
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            rhs_evaluations: self.equations.evaluations,
            factorisations: self.tangent.factorisations,
            ..self.statistics
        }
    }

    fn next_h(&self) -> f64 {
        self.h_next
    }
}

/// Cubic with values `p0`, `p1` and slopes `m0`, `m1` at 0 and 1.
fn hermite(x: f64, p0: f64, p1: f64, m0: f64, m1: f64) -> f64 {
    let delta = p1 - p0;
    p0 + x * (delta + (1.0 - x) * ((m0 - delta) + x * (2.0 * delta - m0 - m1)))
}
