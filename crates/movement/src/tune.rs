//! The floor fitted to a force curve: stiffness, heel and damping within bounds.

use crate::error::MovementError;
use crate::model::ground::FloorParameters;
use crate::simulate::{MovementPlan, simulate_movement};

/// Bounds of the stiffness of a pad \[N/m\]; chosen here: the upper bound is twice the stiffness of the stiffer
/// published floor.
const STIFFNESS_BOUNDS: [f64; 2] = [1e4, 4e5];
/// Bounds of the factor of the heel pad's stiffness; chosen here.
const HEEL_FACTOR_BOUNDS: [f64; 2] = [0.5, 6.0];
/// Bounds of the damping \[N s/m\]; chosen here.
const DAMPING_BOUNDS: [f64; 2] = [30.0, 5e3];
/// First step of the search, as a power of two: a parameter is doubled or halved.
const FIRST_STEP: f64 = 1.0;
/// The search ends with steps below this power of two.
const LAST_STEP: f64 = 0.2;

/// A parameter of the floor that the search changes.
#[derive(Clone, Copy)]
enum Tunable {
    Stiffness,
    HeelFactor,
    Damping,
}

/// All, in the order of the search.
const TUNABLES: [Tunable; 3] = [Tunable::Stiffness, Tunable::HeelFactor, Tunable::Damping];

/// A fitted floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The floor.
    pub floor: FloorParameters,
    /// Rms error of the vertical ground force over body weight, before and after.
    pub error: [f64; 2],
    /// Number of simulations.
    pub walks: usize,
}

/// Changes stiffness, heel factor and damping of the plan's floor, one after the other and each within bounds, while
/// the error of the vertical ground force decreases; at most `walks` simulations of one stride with rigid bones.
///
/// A compass search: parameters are doubled or halved, with smaller steps where that does not reduce the error. A
/// simulation that ends early counts as an infinite error. `progress` receives the fraction of simulations done; its
/// return value false ends the search.
pub fn tune_floor(
    plan: &MovementPlan,
    walks: usize,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Tuned, MovementError> {
    let mut short = plan.clone();
    short.cycles = 1;
    short.bones.bones.clear();
    let mut error = |floor: &FloorParameters| {
        short.controllers.floor = *floor;
        let result = simulate_movement(&short, &mut |_, _| true)?;
        Ok::<f64, MovementError>(if result.ended.is_none() { result.fidelity.ground_rms } else { f64::INFINITY })
    };
    let mut floor = plan.controllers.floor;
    let first = error(&floor)?;
    let (mut best, mut step, mut done) = (first, FIRST_STEP, 1);
    'search: while step >= LAST_STEP {
        let before = best;
        for (parameter, sign) in TUNABLES.into_iter().flat_map(|k| [(k, 1.0), (k, -1.0)]) {
            let candidate = changed(&floor, parameter, (sign * step).exp2());
            if candidate == floor {
                continue;
            }
            if done >= walks || !progress(done as f64 / walks as f64) {
                break 'search;
            }
            done += 1;
            // a floor on which the simulation fails counts as an infinite error
            let found = error(&candidate).unwrap_or(f64::INFINITY);
            if found < best {
                (floor, best) = (candidate, found);
            }
        }
        step = if best < before { step } else { 0.5 * step };
    }
    Ok(Tuned { floor, error: [first, best], walks: done })
}

/// The floor with one of its parameters times a factor, kept within its bounds.
fn changed(floor: &FloorParameters, parameter: Tunable, factor: f64) -> FloorParameters {
    let mut floor = *floor;
    let (value, [low, high]) = match parameter {
        Tunable::Stiffness => (&mut floor.stiffness, STIFFNESS_BOUNDS),
        Tunable::HeelFactor => (&mut floor.heel_factor, HEEL_FACTOR_BOUNDS),
        Tunable::Damping => (&mut floor.damping, DAMPING_BOUNDS),
    };
    // an initial value outside its bounds may only approach them
    *value = (*value * factor).clamp(low.min(*value), high.max(*value));
    floor
}
