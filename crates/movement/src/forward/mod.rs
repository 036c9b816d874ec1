//! Forward simulation: muscles track their reference, the floor reacts, bones bend.

pub mod checkpoint;
mod prescribed;

pub use checkpoint::Checkpoint;
pub(crate) use prescribed::prescribe;

use crate::error::MovementError;
use crate::model::{MovementRecord, MovementState, Track};
use crate::tracking::{ControlledMuscle, Controllers, HillLaw};
use wolff_multibody::Model;
use wolff_multibody::stiff::ImplicitStep;

/// A person whose pelvis has come down to this fraction of its reference height has fallen.
const FALLEN: f64 = 0.7;

/// Settings of a forward simulation.
#[derive(Clone, Debug)]
pub struct ForwardSettings {
    /// Step \[s\].
    pub step: f64,
    /// Steps from the start to the end.
    pub steps: usize,
    /// Number of steps between two recorded samples.
    pub every: usize,
    /// Coordinate of the root's height, with its reference value, by which a fall is detected.
    pub height: Option<(usize, Track)>,
}

impl ForwardSettings {
    /// Times of the samples \[s\].
    pub(crate) fn sample_times(&self) -> Vec<f64> {
        (1..=self.steps / self.every).map(|i| (i * self.every) as f64 * self.step).collect()
    }
}

/// Simulates a model from a state; `watch` receives state and record after each step and ends the run by returning
/// false. A run that was ended can be resumed from the same state and record with the same result.
pub fn simulate_forward(
    model: &Model,
    controllers: &mut Controllers,
    state: &mut MovementState,
    settings: &ForwardSettings,
    record: &mut MovementRecord,
    watch: &mut dyn FnMut(&MovementState, &MovementRecord) -> bool,
) -> Result<(), MovementError> {
    let mut step = ImplicitStep::new(model);
    let h = settings.step;
    controllers.begin(h, &state.memory);
    while state.step < settings.steps {
        let t = state.step as f64 * h;
        let solutions = step.advance(controllers, t, h, &mut state.q, &mut state.v);
        record.solutions += solutions.map_err(|reason| MovementError::Step { time: t, reason })?;
        record.steps += 1;
        controllers.settle(&step);
        controllers.remember(&mut state.memory);
        state.step += 1;
        if state.step.is_multiple_of(settings.every) {
            sample(controllers, &step, state, h, record);
            check_height(settings, state, h)?;
        }
        if !watch(state, record) {
            break;
        }
    }
    Ok(())
}

fn sample(
    controllers: &Controllers,
    step: &ImplicitStep<'_>,
    state: &MovementState,
    h: f64,
    record: &mut MovementRecord,
) {
    let applied = step.applied();
    record.times.push(state.step as f64 * h);
    record.q.push(state.q.clone());
    record.v.push(state.v.clone());
    record.a.push(step.speed_change().iter().map(|dv| dv / h).collect());
    record.predicted.push(step.predicted().to_vec());
    record.start.push(state.v.iter().zip(step.speed_change()).map(|(v, dv)| v - dv).collect());
    record.joints.push(applied[controllers.joint_rows()].to_vec());
    record.ground.push(controllers.floor.reactions(applied));
    record.pads.push(applied[..controllers.floor.row_count()].to_vec());
    record.tensions.push(applied[controllers.muscle_rows()].iter().map(|f| -f).collect());
    let fibre =
        |m: &HillLaw| [m.excitation, m.activation, m.fibre_length / m.muscle().parameters().optimal_fibre_length];
    record.fibres.push(controllers.muscles.iter().filter_map(ControlledMuscle::hill).flat_map(fibre).collect());
    record.agent.push(applied[controllers.agent_rows()].to_vec());
}

fn check_height(settings: &ForwardSettings, state: &MovementState, h: f64) -> Result<(), MovementError> {
    let Some((index, reference)) = &settings.height else { return Ok(()) };
    let time = state.step as f64 * h;
    let (height, reference) = (state.q[*index], reference.value(time));
    if height >= FALLEN * reference {
        return Ok(());
    }
    Err(MovementError::Fell { time, height, reference })
}
