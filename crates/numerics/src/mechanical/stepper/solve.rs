//! The Newton iteration of one implicit step.

use super::super::equations::check_finite;
use super::super::options::ConstraintLevel;
use super::{ImplicitStepper, Outcome};
use crate::error::OdeError;

/// Newton iterations with a new tangent, and with a kept one that will not need more.
const NEW_ITERATIONS: usize = 12;
const KEPT_ITERATIONS: usize = 8;
/// Corrections may grow by this at first with a new tangent; with a kept one they must shrink.
const NEW_RATE: f64 = 2.0;
/// Damped iterations, and the smallest part of a correction that is tried.
const DAMPED_ITERATIONS: usize = 50;
const SHORTEST: f64 = 1e-4;

/// Whether a tangent belongs to this step.
#[derive(Clone, Copy, PartialEq)]
enum TangentAge {
    New,
    Kept,
}

impl ImplicitStepper<'_> {
    /// Solves the step from `from` to `t1`; nothing but `to` changes.
    pub(super) fn attempt(&mut self, t1: f64) -> Result<Outcome, OdeError> {
        let h = t1 - self.from.t;
        self.adapt_start(h)?;
        self.to.t = t1;
        self.predict(h);
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

    /// Adapts the algorithmic acceleration at the start, which belongs to a step of `h_a`, to a step of `h`:
    /// `a = a_base + (α_m - α_f) (h - h_a) v̈`.
    fn adapt_start(&mut self, h: f64) -> Result<(), OdeError> {
        let shift = self.equations.scheme.shift() * (h - self.h_a);
        for i in 0..self.jerk.len() {
            self.from.a[i] = self.a_base[i] + shift * self.jerk[i];
        }
        let without_history = self.h_a == 0.0;
        if without_history && self.options.level == ConstraintLevel::Index3 { self.shift_velocity(h) } else { Ok(()) }
    }

    /// With positions imposed, the local error `C h³ v̈` of the first displacement would have to be paid by a
    /// constraint force of first order. A velocity off the constraint by `-C h² P v̈` (P projects on the forbidden
    /// directions) pays instead, which is the state the method settles to anyway.
    ///
    /// Source: Arnold, Brüls and Cardona, Numer Math 129, 2015, section 4.
    /// Limits: needs an invertible mass matrix, without it the start stays as it is; commutators of rotations are left
    /// out.
    fn shift_velocity(&mut self, h: f64) -> Result<(), OdeError> {
        let (t, q) = (self.from.t, self.from.q());
        match self.normal.apply(self.system, t, q, &self.jerk, &mut self.normal_jerk) {
            Err(OdeError::Singular { .. }) => self.normal_jerk.fill(0.0),
            verdict => verdict?,
        }
        let factor = -self.equations.scheme.error_constant() * h * h;
        let (_, v) = self.from.q_v_mut();
        for i in 0..v.len() {
            v[i] = self.v_base[i] + factor * self.normal_jerk[i];
        }
        Ok(())
    }

    /// First guess: accelerations and multipliers extrapolated.
    fn predict(&mut self, h: f64) {
        let rates = self.jerk.iter().chain(&self.lambda_rate);
        for ((x, old), rate) in self.to.algebraic.iter_mut().zip(&self.from.algebraic).zip(rates) {
            *x = old + h * rate;
        }
    }

    /// Modified Newton: the kept tangent as long as it converges fast, a new one otherwise.
    fn newton(&mut self, h: f64) -> Result<Outcome, OdeError> {
        if self.tangent.usable(h) {
            match self.iterate(h, TangentAge::Kept)? {
                Outcome::Converged => return Ok(Outcome::Converged),
                Outcome::Slow(_) => {}
                // the kept tangent led astray: from the start again
                Outcome::Failed(_) => self.to.algebraic.copy_from_slice(&self.from.algebraic),
            }
        }
        let mut outcome = Outcome::Failed(f64::INFINITY);
        for _ in 0..2 {
            self.equations.evaluate(self.system, &self.from, &mut self.to)?;
            self.statistics.jacobian_evaluations += 1;
            self.tangent.renew(self.system, &mut self.equations, &self.from, &mut self.to)?;
            outcome = self.iterate(h, TangentAge::New)?;
            if let Outcome::Converged = outcome {
                return Ok(outcome);
            }
        }
        match self.damped(h)? {
            Outcome::Converged => Ok(Outcome::Converged),
            _ => Ok(outcome),
        }
    }

    /// Newton's method with a new tangent in every iteration, its corrections shortened until the next one would be
    /// smaller: where contacts open and close within a step, the tangent at one guess says little about the next.
    ///
    /// Source: the natural monotonicity test of Deuflhard, Newton Methods for Nonlinear Problems, Springer 2004.
    fn damped(&mut self, h: f64) -> Result<Outcome, OdeError> {
        self.to.algebraic.copy_from_slice(&self.from.algebraic);
        let (mut part, mut size) = (1.0_f64, f64::INFINITY);
        for _ in 0..DAMPED_ITERATIONS {
            self.equations.evaluate(self.system, &self.from, &mut self.to)?;
            self.statistics.jacobian_evaluations += 1;
            self.tangent.renew(self.system, &mut self.equations, &self.from, &mut self.to)?;
            self.correction.copy_from_slice(&self.equations.r);
            self.tangent.solve(&mut self.correction);
            self.direction.copy_from_slice(&self.correction);
            self.anchor.copy_from_slice(&self.to.algebraic);
            size = self.scaled_correction(h).1;
            part = (2.0 * part).min(1.0);
            while self.corrected(h, part) > (1.0 - 0.25 * part) * size.max(1.0) {
                part *= 0.5;
                if part < SHORTEST {
                    return Ok(Outcome::Failed(size));
                }
            }
            if size <= 1.0 {
                return Ok(Outcome::Converged);
            }
        }
        Ok(Outcome::Slow(size))
    }

    /// Takes a part of the correction `direction` from `anchor` on, and hands back the size of the next one with the
    /// same tangent; infinity where the equations have no value.
    fn corrected(&mut self, h: f64, part: f64) -> f64 {
        for ((x, start), d) in self.to.algebraic.iter_mut().zip(&self.anchor).zip(&self.direction) {
            *x = start - part * d;
        }
        if self.equations.evaluate(self.system, &self.from, &mut self.to).is_err() {
            return f64::INFINITY;
        }
        self.correction.copy_from_slice(&self.equations.r);
        self.tangent.solve(&mut self.correction);
        self.scaled_correction(h).1
    }

    /// Iterates until the correction is within tolerance, or until convergence within the budget is out of reach.
    fn iterate(&mut self, h: f64, tangent: TangentAge) -> Result<Outcome, OdeError> {
        let (budget, worst_rate) = match tangent {
            TangentAge::New => (NEW_ITERATIONS, NEW_RATE),
            TangentAge::Kept => (KEPT_ITERATIONS, 1.0),
        };
        let mut previous: Option<f64> = None;
        for k in 1..=budget {
            self.equations.evaluate(self.system, &self.from, &mut self.to)?;
            self.correction.copy_from_slice(&self.equations.r);
            self.tangent.solve(&mut self.correction);
            for (x, d) in self.to.algebraic.iter_mut().zip(&self.correction) {
                *x -= d;
            }
            let size = self.scaled_correction(h).1;
            if size <= 1.0 {
                return Ok(Outcome::Converged);
            }
            let rate = previous.map_or(0.0, |old: f64| size / old);
            if !size.is_finite() || rate > worst_rate {
                return Ok(Outcome::Failed(size));
            }
            let forecast = size * rate.powi((budget - k) as i32);
            if tangent == TangentAge::Kept && forecast > 1.0 {
                return Ok(Outcome::Slow(size));
            }
            previous = Some(size);
        }
        Ok(Outcome::Slow(previous.unwrap_or(f64::INFINITY)))
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
    pub(super) fn newton_failure(&self, h: f64, residual: f64) -> OdeError {
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
}
