//! Methods, settings and report of the mechanical integrators.

use super::scheme::Scheme;
use crate::error::{OdeError, input_error};
use crate::ode::{Report, check_step_settings};

/// Implicit one-step method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MechanicalMethod {
    /// Newmark's method; β = 1/4, γ = 1/2 is the trapezoidal rule (order 2, no damping).
    Newmark {
        /// Weight of the new acceleration in the displacement.
        beta: f64,
        /// Weight of the new acceleration in the velocity; order 2 only for 1/2.
        gamma: f64,
    },
    /// Generalised-α method of order 2 with the spectral radius `rho_inf` in \[0, 1\] at infinite frequency.
    GeneralizedAlpha {
        /// 1: no numerical damping, 0: the highest frequencies vanish in one step.
        rho_inf: f64,
    },
}

/// The level on which constraints are imposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintLevel {
    /// `φ = 0`: no drift of positions.
    Index3,
    /// `φ̇ = 0`: no drift of velocities, slow drift of positions.
    Index2,
    /// `φ̈ = 0` through the model's accelerations: positions and velocities drift.
    Index1,
}

/// Fixed or controlled step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StepControl {
    /// Every step has the length `h` of the options (the last one may be shorter).
    Fixed,
    /// Steps follow an estimate of the local displacement error, starting with `h`.
    Adaptive {
        /// Allowed local error of every tangent displacement (m, rad, modal unit).
        tolerance: f64,
        /// Smallest step before the run is given up \[s\].
        h_min: f64,
        /// Largest step \[s\].
        h_max: f64,
    },
}

/// Settings of [`integrate_mechanical`](super::integrate_mechanical).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MechanicalOptions {
    /// Method.
    pub method: MechanicalMethod,
    /// Level of the constraints.
    pub level: ConstraintLevel,
    /// Step, or first step \[s\].
    pub h: f64,
    /// Fixed or controlled step.
    pub control: StepControl,
    /// Newton's iteration ends when the velocities are known to this accuracy, relative to `max(1, |v|)`, or to
    /// rounding.
    pub newton_tolerance: f64,
    /// Limit on accepted and rejected steps together.
    pub max_steps: usize,
    /// Events are located to this accuracy \[s\], at best 1e-14 max(1, |t|).
    pub event_tolerance: f64,
}

impl Default for MechanicalOptions {
    fn default() -> Self {
        Self {
            method: MechanicalMethod::GeneralizedAlpha { rho_inf: 0.8 },
            level: ConstraintLevel::Index3,
            h: 1e-3,
            control: StepControl::Fixed,
            newton_tolerance: 1e-10,
            max_steps: 100_000_000,
            event_tolerance: 1e-12,
        }
    }
}

impl MechanicalOptions {
    /// Refuses settings that cannot work; the coefficients of the method.
    pub(super) fn check(&self) -> Result<Scheme, OdeError> {
        let (h_min, h_max) = match self.control {
            StepControl::Fixed => (0.0, f64::INFINITY),
            StepControl::Adaptive { h_min, h_max, .. } => (h_min, h_max),
        };
        check_step_settings(self.h, h_min, h_max, self.event_tolerance)?;
        if let StepControl::Adaptive { tolerance, .. } = self.control
            && !(tolerance > 0.0 && tolerance.is_finite())
        {
            return Err(input_error("displacement tolerance", tolerance, "it must be positive and finite"));
        }
        if !(self.newton_tolerance > 0.0 && self.newton_tolerance.is_finite()) {
            return Err(input_error("Newton tolerance", self.newton_tolerance, "it must be positive and finite"));
        }
        Scheme::new(self.method)
    }
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MechanicalReport {
    /// Work, events and end of the run.
    pub run: Report,
    /// Largest number of constraints found to depend on the others; their forces are shared with least norm.
    pub redundant_constraints: usize,
}
