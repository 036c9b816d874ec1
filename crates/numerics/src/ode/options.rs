//! Methods, settings and the report of a run.

use super::system::EventRecord;
use crate::error::{OdeError, input_error, require_finite};

/// How to integrate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Explicit Euler, order 1, fixed step.
    Euler,
    /// Classical Runge-Kutta, order 4, fixed step.
    Rk4,
    /// Adams-Bashforth-Moulton (predict, evaluate, correct, evaluate), order 4, fixed step, started by RK4.
    AdamsBashforthMoulton4,
    /// Adams methods of order 1 to 12 (predict, evaluate, correct, evaluate), adaptive in step and order.
    Adams,
    /// Dormand-Prince 5(4), adaptive, dense output of order 4.
    DormandPrince5,
    /// Dormand-Prince 8(5,3), adaptive, dense output of order 7.
    Dop853,
    /// Numerical differentiation formulas of order 1 to 5, adaptive, for stiff systems.
    Bdf,
}

/// Absolute tolerance.
#[derive(Debug, Clone, PartialEq)]
pub enum Tolerance {
    /// The same for every component.
    Scalar(f64),
    /// One per component.
    PerComponent(Vec<f64>),
}

impl Tolerance {
    /// Tolerance of component `i`.
    pub fn get(&self, i: usize) -> f64 {
        match self {
            Self::Scalar(a) => *a,
            Self::PerComponent(a) => a[i],
        }
    }

    fn values(&self) -> &[f64] {
        match self {
            Self::Scalar(a) => std::slice::from_ref(a),
            Self::PerComponent(a) => a,
        }
    }

    fn check(&self, dim: usize) -> Result<(), OdeError> {
        require_finite("absolute tolerance", self.values())?;
        if let Self::PerComponent(a) = self
            && a.len() != dim
        {
            return Err(input_error("number of absolute tolerances", a.len(), "give one per component, or a scalar"));
        }
        match self.values().iter().find(|&&a| a < 0.0) {
            Some(a) => Err(input_error("absolute tolerance", a, "it must not be negative")),
            None => Ok(()),
        }
    }
}

/// Settings of [`integrate`](super::integrate); times in s.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Relative tolerance of the local error (adaptive methods).
    pub rtol: f64,
    /// Absolute tolerance of the local error (adaptive methods).
    pub atol: Tolerance,
    /// First step; estimated if absent (adaptive methods).
    pub h_init: Option<f64>,
    /// Largest step (adaptive methods).
    pub h_max: f64,
    /// Smallest step before the run is given up (adaptive methods); rounding sets a floor.
    pub h_min: f64,
    /// Step of the fixed-step methods; the last one is shortened to end exactly.
    pub h: f64,
    /// Highest order of the methods of variable order ([`Method::Adams`] up to 12, [`Method::Bdf`] up to 5).
    pub max_order: usize,
    /// Limit on accepted and rejected steps together.
    pub max_steps: usize,
    /// Events are located to this accuracy, at best 1e-14 max(1, |t|).
    pub event_tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rtol: 1e-6,
            atol: Tolerance::Scalar(1e-9),
            h_init: None,
            h_max: f64::INFINITY,
            h_min: 0.0,
            h: 1e-3,
            max_order: 12,
            max_steps: 100_000_000,
            event_tolerance: 1e-12,
        }
    }
}

impl Options {
    /// Adaptive methods with these tolerances, everything else by default.
    pub fn tolerances(rtol: f64, atol: f64) -> Self {
        Self { rtol, atol: Tolerance::Scalar(atol), ..Self::default() }
    }

    /// Fixed-step methods with step `h` \[s\], everything else by default.
    pub fn fixed_step(h: f64) -> Self {
        Self { h, ..Self::default() }
    }

    pub(super) fn check(&self, dim: usize) -> Result<(), OdeError> {
        check_step_settings(self.h, self.h_min, self.h_max, self.event_tolerance)?;
        self.atol.check(dim)?;
        if !(self.rtol.is_finite() && self.rtol >= 0.0) {
            return Err(input_error("relative tolerance", self.rtol, "it must be finite and not negative"));
        }
        if self.rtol == 0.0 && self.atol.values().contains(&0.0) {
            return Err(input_error("tolerance", 0.0, "relative and absolute tolerance must not both be zero"));
        }
        if !(1..=12).contains(&self.max_order) {
            return Err(input_error("highest order", self.max_order, "it must be from 1 to 12"));
        }
        match self.h_init {
            Some(h) if !(h > 0.0 && h.is_finite()) => {
                Err(input_error("first step", h, "it must be positive; leave it out to have it estimated"))
            }
            _ => Ok(()),
        }
    }
}

/// Rules shared by the first-order and the mechanical integrators.
pub(crate) fn check_step_settings(h: f64, h_min: f64, h_max: f64, event_tolerance: f64) -> Result<(), OdeError> {
    if !(h > 0.0 && h.is_finite()) {
        return Err(input_error("fixed step", h, "it must be positive and finite"));
    }
    if !(h_min >= 0.0 && h_min.is_finite() && h_max > h_min) {
        return Err(input_error("step limits", format!("[{h_min}, {h_max}]"), "0 <= h_min < h_max must hold"));
    }
    if !(event_tolerance >= 0.0 && event_tolerance.is_finite()) {
        return Err(input_error("event tolerance", event_tolerance, "it must be finite and not negative"));
    }
    Ok(())
}

/// Work counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Rejected steps (error or Newton).
    pub rejected: usize,
    /// Evaluations of the right side or residual.
    pub rhs_evaluations: usize,
    /// Evaluations of the Jacobian or tangent.
    pub jacobian_evaluations: usize,
    /// Matrix factorisations.
    pub factorisations: usize,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Work counters.
    pub statistics: Statistics,
    /// Located events in order of time.
    pub events: Vec<EventRecord>,
    /// Time reached \[s\].
    pub t: f64,
    /// Step the method would take next \[s\].
    pub final_h: f64,
    /// Whether an event ended the run before `t_end`.
    pub stopped_early: bool,
}
