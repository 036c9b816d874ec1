//! The floor fitted to a force curve: stiffness, heel and damping within bounds.

use crate::error::MovementError;
use crate::model::ground::FloorParameters;
use crate::simulate::{MovementPlan, simulate_movement};

/// What may change: the stiffness of a pad [N/m], the heel's factor, the damping [N s/m].
const BOUNDS: [[f64; 2]; 3] = [[1e4, 4e5], [0.5, 6.0], [30.0, 5e3]];
/// First and last change of a number, as powers of two.
const STEPS: [f64; 2] = [1.0, 0.2];

/// A floor that was fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The floor.
    pub floor: FloorParameters,
    /// Rms error of the vertical ground force over body weight, before and after.
    pub error: [f64; 2],
    /// Walks that were tried.
    pub walks: usize,
}

/// Changes stiffness, heel factor and damping of the plan's floor, one after the other and each within bounds, while the vertical ground
/// force comes nearer to the reference one; at most `walks` walks of one stride with rigid bones.
///
/// A compass search: numbers are doubled or halved, by less and less where that does not help. A walk that ends early is no better than none.
/// `progress` hears the share of walks done.
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
    let (mut best, mut step, mut done) = (first, STEPS[0], 1);
    'search: while step >= STEPS[1] {
        let before = best;
        for (number, sign) in (0..BOUNDS.len()).flat_map(|k| [(k, 1.0), (k, -1.0)]) {
            let candidate = changed(&floor, number, (sign * step).exp2());
            if candidate == floor {
                continue;
            }
            if done >= walks || !progress(done as f64 / walks as f64) {
                break 'search;
            }
            done += 1;
            // a floor on which nobody can walk is only a worse one
            let found = error(&candidate).unwrap_or(f64::INFINITY);
            if found < best {
                (floor, best) = (candidate, found);
            }
        }
        step = if best < before { step } else { 0.5 * step };
    }
    Ok(Tuned { floor, error: [first, best], walks: done })
}

/// The floor with one of its numbers times a factor, kept within its bounds.
fn changed(floor: &FloorParameters, number: usize, factor: f64) -> FloorParameters {
    let mut floor = *floor;
    let place = match number {
        0 => &mut floor.stiffness,
        1 => &mut floor.heel_factor,
        _ => &mut floor.damping,
    };
    let [low, high] = BOUNDS[number];
    // a number that was given beyond the bounds may only come nearer
    *place = (*place * factor).clamp(low.min(*place), high.max(*place));
    floor
}
