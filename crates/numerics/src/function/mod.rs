//! Prescribed functions of time, with two derivatives.
//!
//! Drivers, agents and loads are written as a [`TimeFunction`]. Constructors refuse what cannot be evaluated, so
//! evaluation never fails.

mod fourier;
mod polynomial;
mod pulse;
mod run_up;
mod step;
mod table;

pub use fourier::{Fourier, FourierTerm};
pub use polynomial::Polynomial;
pub use pulse::Pulse;
pub use run_up::RunUp;
pub use step::Step;
pub use table::PiecewiseLinear;

use crate::error::{NumericsError, require_finite};
use crate::spline::CubicSpline;

/// A value with its first and second derivative, in units of the value over s and s².
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Derivatives {
    /// Value.
    pub value: f64,
    /// First derivative.
    pub d1: f64,
    /// Second derivative.
    pub d2: f64,
}

/// A function of time t \[s\].
#[derive(Debug, Clone, PartialEq)]
pub enum TimeFunction {
    /// The same value always (build with [`TimeFunction::constant`]).
    Constant(f64),
    /// `Σ c_k (t - t_ref)^k`.
    Polynomial(Polynomial),
    /// Mean, linear trend and harmonics.
    Fourier(Fourier),
    /// Smooth cubic step.
    Step(Step),
    /// Smooth run-up to a constant speed.
    RunUp(RunUp),
    /// Decaying sine.
    Pulse(Pulse),
    /// Cubic spline through a table.
    Spline(CubicSpline),
    /// Straight lines through a table.
    PiecewiseLinear(PiecewiseLinear),
}

impl TimeFunction {
    /// The same finite value at all times.
    pub fn constant(value: f64) -> Result<Self, NumericsError> {
        require_finite("constant function", &[value])?;
        Ok(Self::Constant(value))
    }

    /// Value and both derivatives at time t \[s\].
    pub fn evaluate(&self, t: f64) -> Derivatives {
        match self {
            Self::Constant(value) => Derivatives { value: *value, d1: 0.0, d2: 0.0 },
            Self::Polynomial(f) => f.evaluate(t),
            Self::Fourier(f) => f.evaluate(t),
            Self::Step(f) => f.evaluate(t),
            Self::RunUp(f) => f.evaluate(t),
            Self::Pulse(f) => f.evaluate(t),
            Self::Spline(f) => f.evaluate(t),
            Self::PiecewiseLinear(f) => f.evaluate(t),
        }
    }

    /// Value at time t \[s\].
    pub fn value(&self, t: f64) -> f64 {
        self.evaluate(t).value
    }
}

impl From<Polynomial> for TimeFunction {
    fn from(f: Polynomial) -> Self {
        Self::Polynomial(f)
    }
}

impl From<Fourier> for TimeFunction {
    fn from(f: Fourier) -> Self {
        Self::Fourier(f)
    }
}

impl From<Step> for TimeFunction {
    fn from(f: Step) -> Self {
        Self::Step(f)
    }
}

impl From<RunUp> for TimeFunction {
    fn from(f: RunUp) -> Self {
        Self::RunUp(f)
    }
}

impl From<Pulse> for TimeFunction {
    fn from(f: Pulse) -> Self {
        Self::Pulse(f)
    }
}

impl From<CubicSpline> for TimeFunction {
    fn from(f: CubicSpline) -> Self {
        Self::Spline(f)
    }
}

impl From<PiecewiseLinear> for TimeFunction {
    fn from(f: PiecewiseLinear) -> Self {
        Self::PiecewiseLinear(f)
    }
}
