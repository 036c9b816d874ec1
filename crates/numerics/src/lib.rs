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
//!
//! How long does a stone fall from 20 m? The event of reaching the ground stops it:
//!
//! ```
//! use wolff_numerics::{Crossing, EventAction, Method, OdeError, OdeSystem, Options, integrate};
//!
//! struct Stone;
//!
//! impl OdeSystem for Stone {
//!     fn dim(&self) -> usize { 2 }
//!     fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
//!         dy.copy_from_slice(&[y[1], -9.81]);
//!         Ok(())
//!     }
//!     fn event_count(&self) -> usize { 1 }
//!     fn events(&mut self, _t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
//!         g[0] = y[0];
//!         Ok(())
//!     }
//!     fn on_event(&mut self, _: usize, _: Crossing, _: f64, _: &mut [f64]) -> Result<EventAction, OdeError> {
//!         Ok(EventAction::Stop)
//!     }
//! }
//!
//! let mut y = [20.0, 0.0]; // height [m], velocity [m/s]
//! let report = integrate(&mut Stone, Method::DormandPrince5, &Options::default(), 0.0, &mut y, 10.0, &mut ())?;
//! assert!((report.t - (2.0_f64 * 20.0 / 9.81).sqrt()).abs() < 1e-12);
//! # Ok::<(), OdeError>(())
//! ```

pub mod correlation;
pub mod dense;
pub mod error;
pub mod filter;
pub mod function;
pub mod local_slopes;
pub mod mechanical;
pub mod newton;
pub mod ode;
pub mod root;
pub mod spline;

pub use error::{NumericsError, OdeError, Pace};
pub use function::{Derivatives, TimeFunction};
pub use local_slopes::LocalSlopes;
pub use mechanical::{
    ConstraintLevel, MechanicalMethod, MechanicalOptions, MechanicalReport, MechanicalSystem, StepControl,
    integrate_mechanical,
};
pub use ode::{
    Crossing, DenseStep, EventAction, EventRecord, Method, Observer, OdeSystem, Options, Report, Sampler, Statistics,
    Tolerance, integrate,
};
pub use spline::{CubicSpline, EndCondition};
