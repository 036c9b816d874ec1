//! First-order systems `y' = f(t, y)` with dense output, projection and events.
//!
//! A model implements [`OdeSystem`]; [`integrate`] advances it by any [`Method`] and shows every accepted step to an
//! [`Observer`]. After set-up a step allocates nothing (the event log excepted).
//!
//! | method | order | step | use |
//! |---|---|---|---|
//! | [`Method::Euler`] | 1 | fixed | teaching, comparison |
//! | [`Method::Rk4`] | 4 | fixed | smooth, not stiff, reproducible grids |
//! | [`Method::AdamsBashforthMoulton4`] | 4 | fixed | as RK4 with an expensive right side |
//! | [`Method::Adams`] | 1-12 | adaptive | smooth with an expensive right side, tight tolerance |
//! | [`Method::DormandPrince5`] | 5(4) | adaptive | not stiff, moderate tolerance |
//! | [`Method::Dop853`] | 8(5,3) | adaptive | not stiff, tight tolerance |
//! | [`Method::Bdf`] | 1-5 | adaptive | stiff |

mod adams;
mod bdf;
mod driver;
mod events;
mod grid;
mod initial_step;
mod observer;
mod options;
mod problem;
mod runge_kutta;
mod shampine_gordon;
mod stepper;
mod system;

pub use observer::{DenseStep, Observer, Sampler};
pub use options::{Method, Options, Report, Statistics, Tolerance};
pub use system::{Crossing, EventAction, EventRecord, OdeSystem};

pub(crate) use driver::{DriveSettings, drive};
pub(crate) use grid::FixedGrid;
pub(crate) use options::check_step_settings;
pub(crate) use stepper::Stepper;

use crate::error::{OdeError, input_error, require_finite};
use adams::Adams;
use bdf::Bdf;
use problem::Problem;
use runge_kutta::{RungeKutta, tableau};
use shampine_gordon::AdamsVariable;

/// Advances `y` from `t0` to `t_end` (forward in time), in place.
///
/// On success `y` is the state at `t_end`, or at the event that stopped the run. On failure `y` is unchanged and the
/// error names the time, the step and the worst component.
pub fn integrate(
    system: &mut dyn OdeSystem,
    method: Method,
    options: &Options,
    t0: f64,
    y: &mut [f64],
    t_end: f64,
    observer: &mut dyn Observer,
) -> Result<Report, OdeError> {
    options.check(system.dim())?;
    check_start(system.dim(), t0, y, t_end)?;
    let problem = Problem::new(system, options);
    let mut stepper: Box<dyn Stepper + '_> = match method {
        Method::Euler => Box::new(RungeKutta::new(problem, &tableau::EULER)),
        Method::Rk4 => Box::new(RungeKutta::new(problem, &tableau::RK4)),
        Method::DormandPrince5 => Box::new(RungeKutta::new(problem, &tableau::DORMAND_PRINCE_5)),
        Method::Dop853 => Box::new(RungeKutta::new(problem, &tableau::DOP853)),
        Method::AdamsBashforthMoulton4 => Box::new(Adams::new(problem)),
        Method::Adams => Box::new(AdamsVariable::new(problem)),
        Method::Bdf => Box::new(Bdf::new(problem)),
    };
    let settings = DriveSettings { max_steps: options.max_steps, event_tolerance: options.event_tolerance };
    drive(stepper.as_mut(), &settings, t0, y, t_end, observer)
}

fn check_start(dim: usize, t0: f64, y: &[f64], t_end: f64) -> Result<(), OdeError> {
    if y.len() != dim {
        return Err(input_error("length of the initial state", y.len(), "it must equal the dimension of the system"));
    }
    require_finite("initial state", y)?;
    check_interval(t0, t_end)
}

/// Refuses intervals that run backwards or are not finite.
pub(crate) fn check_interval(t0: f64, t_end: f64) -> Result<(), OdeError> {
    require_finite("start and end time", &[t0, t_end])?;
    if t_end < t0 {
        return Err(input_error(
            "time interval",
            format!("[{t0}, {t_end}]"),
            "the end must not lie before the start; substitute t -> -t to go backwards",
        ));
    }
    Ok(())
}
