//! Second-order mechanical systems with constraints, integrated implicitly on their manifold.
//!
//! ```text
//! M(q) a + Gᵀ(t, q) λ = f(t, q, v),   φ(t, q) = 0,   q̇ ≅ v
//! ```
//!
//! A model implements [`MechanicalSystem`]; [`integrate_mechanical`] advances it by Newmark's method or the
//! generalised-α method with the constraint imposed on position, velocity or acceleration level. Events, dense output
//! and observers work as in [`crate::ode`], on the state `[q | v]`.

mod equations;
mod linear;
mod options;
mod scheme;
mod start;
mod stepper;
mod system;

pub use options::{ConstraintLevel, MechanicalMethod, MechanicalOptions, MechanicalReport, StepControl};
pub use system::MechanicalSystem;

use crate::error::{OdeError, input_error, require_finite};
use crate::ode::{DriveSettings, Observer, check_interval, drive};
use stepper::ImplicitStepper;

/// Advances `(q, v)` from `t0` to `t_end`, in place.
///
/// The start must be consistent: `φ = 0` and `G v + φ_t = 0` up to the accuracy wanted. On failure `q` and `v` are
/// unchanged, and the error names the worst coordinate or constraint.
pub fn integrate_mechanical(
    system: &mut dyn MechanicalSystem,
    options: &MechanicalOptions,
    t0: f64,
    q: &mut [f64],
    v: &mut [f64],
    t_end: f64,
    observer: &mut dyn Observer,
) -> Result<MechanicalReport, OdeError> {
    let scheme = options.check()?;
    check_start(system, q, v)?;
    check_interval(t0, t_end)?;
    let mut state = [&*q, &*v].concat();
    let mut stepper = ImplicitStepper::new(system, options, scheme);
    let settings = DriveSettings { max_steps: options.max_steps, event_tolerance: options.event_tolerance };
    let run = drive(&mut stepper, &settings, t0, &mut state, t_end, observer)?;
    let redundant_constraints = stepper.redundant_constraints();
    let (q_end, v_end) = state.split_at(q.len());
    q.copy_from_slice(q_end);
    v.copy_from_slice(v_end);
    Ok(MechanicalReport { run, redundant_constraints })
}

fn check_start(system: &dyn MechanicalSystem, q: &[f64], v: &[f64]) -> Result<(), OdeError> {
    if q.len() != system.nq() || v.len() != system.nv() {
        return Err(input_error(
            "initial state",
            format!("{} positions and {} velocities", q.len(), v.len()),
            "their numbers must equal nq and nv of the system",
        ));
    }
    require_finite("initial positions", q)?;
    require_finite("initial velocities", v)
}
