//! Numerical methods of the simulator: time integration, nonlinear and linear solves, and signals.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`ode`] | `y' = f(t, y)`: explicit Runge-Kutta, Adams, BDF; dense output and events |
//! | [`mechanical`] | `M a + Gᵀ λ = f`, `φ = 0`: Newmark and generalised-α on manifolds |
//! | [`dense`] | factorisations and solves in place, without allocation |
//! | [`newton`], [`root`] | systems of equations, scalar roots |
//! | [`function`], [`spline`] | functions of time with two derivatives, cubic interpolation |
//! | [`filter`], [`correlation`] | zero-phase Butterworth filters, similarity of two signals |
//!
//! All quantities are SI where they carry a unit. Every failure is a [`NumericsError`].

pub mod correlation;
pub mod dense;
pub mod error;
pub mod filter;
pub mod function;
pub mod mechanical;
pub mod newton;
pub mod ode;
pub mod root;
pub mod spline;

pub use error::{NumericsError, OdeError};
pub use function::{Derivatives, TimeFunction};
pub use mechanical::{
    ConstraintLevel, MechanicalMethod, MechanicalOptions, MechanicalReport, MechanicalSystem, StepControl,
    integrate_mechanical,
};
pub use ode::{
    Crossing, DenseStep, EventAction, EventRecord, Method, Observer, OdeSystem, Options, Report, Sampler, Tolerance,
    integrate,
};
pub use spline::{CubicSpline, EndCondition};
