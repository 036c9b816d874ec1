//! State, start and dense output of the implicit mechanical methods.

mod control;
mod solve;

use super::equations::{Equations, Point, check_finite};
use super::linear::Tangent;
use super::options::{MechanicalOptions, StepControl};
use super::scheme::Scheme;
use super::start::NormalProjection;
use super::system::MechanicalSystem;
use crate::error::OdeError;
use crate::ode::{Crossing, EventAction, FixedGrid, Statistics, Stepper};

/// State of an implicit mechanical integration.
pub(super) struct ImplicitStepper<'a> {
    system: &'a mut dyn MechanicalSystem,
    options: &'a MechanicalOptions,
    equations: Equations,
    tangent: Tangent,
    normal: NormalProjection,
    from: Point,
    to: Point,
    /// Algorithmic acceleration at `from` for a step of `h_a`, and its rate, to adapt it to other steps.
    a_base: Vec<f64>,
    h_a: f64,
    jerk: Vec<f64>,
    /// Rate of the multipliers, for the first guess of the next ones.
    lambda_rate: Vec<f64>,
    /// Velocity at `from` as it was found, and the forbidden part of the jerk there.
    v_base: Vec<f64>,
    normal_jerk: Vec<f64>,
    /// Steps since the length last changed.
    equal_steps: usize,
    correction: Vec<f64>,
    /// Of a damped iteration: where it starts, and its whole correction.
    anchor: Vec<f64>,
    direction: Vec<f64>,
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
    /// Converging, but too slowly; the scaled correction left.
    Slow(f64),
    /// Diverging; the scaled correction left.
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
            normal: NormalProjection::new(nv, nc),
            correction: vec![0.0; nv + equations.imposed()],
            anchor: vec![0.0; nv + nc],
            direction: vec![0.0; nv + equations.imposed()],
            equations,
            from: Point::new(nq, nv, nc),
            to: Point::new(nq, nv, nc),
            a_base: zeros(),
            h_a: 0.0,
            jerk: zeros(),
            lambda_rate: vec![0.0; nc],
            v_base: zeros(),
            normal_jerk: zeros(),
            equal_steps: 0,
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
        self.limit_jerk();
        self.lambda_rate.fill(0.0);
        self.h_a = 0.0;
        self.h_next = self.options.h;
        self.equal_steps = 0;
        self.grid = FixedGrid::new(self.to.t, self.options.h);
        self.from.copy_from(&self.to);
        self.tangent.forget();
        Ok(())
    }

    /// Where the step does not resolve the motion (stiff modes) its rate of acceleration says nothing about the next
    /// step: keeps the change over one step below the acceleration itself.
    fn limit_jerk(&mut self) {
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let (change, acceleration) = (self.options.h * largest(&self.jerk), largest(self.to.vdot()));
        if change > acceleration {
            let factor = acceleration / change;
            self.jerk.iter_mut().for_each(|j| *j *= factor);
        }
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
            for (rate, (new, old)) in self.lambda_rate.iter_mut().zip(self.to.lambda().iter().zip(self.from.lambda())) {
                *rate = (new - old) / h;
            }
            self.h_a = h;
        }
        self.from.copy_from(&self.to);
        self.a_base.copy_from_slice(&self.to.a);
        self.v_base.copy_from_slice(self.to.v());
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
            Outcome::Slow(residual) | Outcome::Failed(residual) => Err(self.newton_failure(t - self.from.t, residual)),
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
        let action = self.system.on_event(index, direction, t, q, v)?;
        if q.iter().any(|x| !x.is_finite()) {
            return Err(OdeError::System { t, cause: format!("event {index} left positions that are not finite") });
        }
        check_finite(self.system, t, 0.0, self.to.v())?;
        Ok(action)
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

    fn limiting_component(&self) -> Option<String> {
        match self.options.control {
            StepControl::Fixed => None,
            StepControl::Adaptive { tolerance, .. } => {
                let (i, _) = self.local_error(self.to.t - self.from.t, tolerance);
                Some(format!("`{}`", self.system.coordinate_name(i)))
            }
        }
    }

    fn event_name(&self, index: usize) -> String {
        self.system.event_name(index)
    }
}

/// Cubic with values `p0`, `p1` and slopes `m0`, `m1` at 0 and 1.
fn hermite(x: f64, p0: f64, p1: f64, m0: f64, m1: f64) -> f64 {
    let delta = p1 - p0;
    p0 + x * (delta + (1.0 - x) * ((m0 - delta) + x * (2.0 * delta - m0 - m1)))
}
