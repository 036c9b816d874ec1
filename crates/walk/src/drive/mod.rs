//! The drive: muscles follow what they learnt, the floor answers, bones bend.

mod forces;
mod hill;
mod muscle;
pub mod saved;
mod servo;

pub use forces::{Driver, JointServo};
pub use hill::{HillLaw, ReflexGains};
pub use muscle::{DrivenMuscle, Law, Seen};
pub use saved::SavedDrive;
pub use servo::ServoLaw;

use crate::error::WalkError;
use crate::ground::Reaction;
use crate::track::Track;
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

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveState {
    /// Steps done.
    pub step: usize,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
    /// What muscles remember, one after the other: of a servo its integral [m s], of a Hill muscle activation and fibre length [m].
    pub memory: Vec<f64>,
}

/// What happened, a row a sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DriveRecord {
    /// Times [s].
    pub times: Vec<f64>,
    /// Coordinates.
    pub q: Vec<Vec<f64>>,
    /// Speeds.
    pub v: Vec<Vec<f64>>,
    /// Accelerations over the step before.
    pub a: Vec<Vec<f64>>,
    /// Reactions of the ground on right and left foot.
    pub ground: Vec<[Reaction; 2]>,
    /// Forces of the floor on the pads, three each: up, forward, sideways [N].
    pub pads: Vec<Vec<f64>>,
    /// Tensions of the muscles [N].
    pub tensions: Vec<Vec<f64>>,
    /// Excitation, activation and fibre length over the optimal one of every Hill muscle.
    pub fibres: Vec<Vec<f64>>,
    /// Forces and moments of the agent [N, N m].
    pub agent: Vec<Vec<f64>>,
    /// Forces and moments of the joints' servos and tissues, in the order of [`Driver::joints`] [N, N m].
    pub joints: Vec<Vec<f64>>,
    /// Predicted coordinates `q*` at which the equations of the step before were set up.
    pub predicted: Vec<Vec<f64>>,
    /// Speeds at the start of that step: with `q*`, [`DriveRecord::a`] and the forces applied the equations of motion close to rounding.
    pub start: Vec<Vec<f64>>,
    /// Solutions of the equations in all steps.
    pub solutions: usize,
    /// Steps done.
    pub steps: usize,
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
