//! Forward simulation: muscles follow their reference, the floor answers, bones bend.

mod prescribed;
pub mod saved;

pub(crate) use prescribed::prescribe;
pub use saved::SavedDrive;

use crate::error::WalkError;
use crate::model::{DriveRecord, DriveState, Track};
use crate::tracking::{DrivenMuscle, Driver, HillLaw};
use wolff_multibody::Model;
use wolff_multibody::stiff::ImplicitStep;

/// A person whose pelvis has come down to this share of its wanted height has fallen.
const FALLEN: f64 = 0.7;

/// How to drive.
#[derive(Clone, Debug)]
pub struct DriveSettings {
    /// Step [s].
    pub step: f64,
    /// Steps from the start to the end.
    pub steps: usize,
    /// A sample is kept every so many steps.
    pub every: usize,
    /// Coordinate that tells a fall, with its wanted value.
    pub height: Option<(usize, Track)>,
}

impl DriveSettings {
    /// Times of the samples [s].
    pub(crate) fn sample_times(&self) -> Vec<f64> {
        (1..=self.steps / self.every).map(|i| (i * self.every) as f64 * self.step).collect()
    }
}

/// Drives a model from a state; `watch` sees state and record after each step and may end the run by answering false. A run that was
/// ended goes on from the same state and record as if nothing had been.
pub fn drive(
    model: &Model,
    driver: &mut Driver,
    state: &mut DriveState,
    settings: &DriveSettings,
    record: &mut DriveRecord,
    watch: &mut dyn FnMut(&DriveState, &DriveRecord) -> bool,
) -> Result<(), WalkError> {
    let mut step = ImplicitStep::new(model);
    let h = settings.step;
    driver.begin(h, &state.memory);
    while state.step < settings.steps {
        let t = state.step as f64 * h;
        let solutions = step.advance(driver, t, h, &mut state.q, &mut state.v);
        record.solutions += solutions.map_err(|reason| WalkError::Step { time: t, reason })?;
        record.steps += 1;
        driver.settle(&step);
        driver.remember(&mut state.memory);
        state.step += 1;
        if state.step.is_multiple_of(settings.every) {
            sample(driver, &step, state, h, record);
            check_height(settings, state, h)?;
        }
        if !watch(state, record) {
            break;
        }
    }
    Ok(())
}

fn sample(driver: &Driver, step: &ImplicitStep<'_>, state: &DriveState, h: f64, record: &mut DriveRecord) {
    let applied = step.applied();
    record.times.push(state.step as f64 * h);
    record.q.push(state.q.clone());
    record.v.push(state.v.clone());
    record.a.push(step.speed_change().iter().map(|dv| dv / h).collect());
    record.predicted.push(step.predicted().to_vec());
    record.start.push(state.v.iter().zip(step.speed_change()).map(|(v, dv)| v - dv).collect());
    record.joints.push(applied[driver.joint_rows()].to_vec());
    record.ground.push(driver.floor.reactions(applied));
    record.pads.push(applied[..driver.floor.row_count()].to_vec());
    record.tensions.push(applied[driver.muscle_rows()].iter().map(|f| -f).collect());
    let fibre =
        |m: &HillLaw| [m.excitation, m.activation, m.fibre_length / m.muscle().parameters().optimal_fibre_length];
    record.fibres.push(driver.muscles.iter().filter_map(DrivenMuscle::hill).flat_map(fibre).collect());
    record.agent.push(applied[driver.agent_rows()].to_vec());
}

fn check_height(settings: &DriveSettings, state: &DriveState, h: f64) -> Result<(), WalkError> {
    let Some((index, wanted)) = &settings.height else { return Ok(()) };
    let time = state.step as f64 * h;
    let (height, wanted) = (state.q[*index], wanted.value(time));
    if height >= FALLEN * wanted {
        return Ok(());
    }
    let remedy = "use feed-forward of the muscle forces, a stiffer agent, or a shorter step";
    Err(WalkError::Fell { time, height, wanted, remedy })
}
