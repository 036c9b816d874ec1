//! A complete simulation: person, reference motion, flexible bones; tracking, forward simulation, strains.

use crate::bones::{BoneResult, BoneSettings, make_bones, place_bones, read_gauges};
use crate::compare::fidelity::{Fidelity, Scale, fidelity};
use crate::error::MovementError;
use crate::forward::{Checkpoint, ForwardSettings, prescribe, simulate_forward};
use crate::loads::{LoadHistory, load_history};
use crate::model::{MovementRecord, MovementState, MuscledModel};
use crate::reference::ReferenceWalk;
use crate::reference::floor_fit::{FittedWalk, fit_to_floor};
use crate::reference::walk::InverseWalk;
use crate::tracking::{ControllerSettings, Controllers, InverseSimulation, TrackingReference};
use crate::tracking::{bent_reference, inverse_simulation, sample_times, set_up_controllers, walk_reference};
use wolff_anatomy::{Axis, CoordinateRole, LegMuscles, MuscleSet, Skeleton, UpperMuscles};
use wolff_bone::segment::WalkingBone;

/// Source of the muscles.
#[derive(Clone, Debug)]
pub enum PlanMuscles {
    /// The built-in muscles, on the legs of built-in skeletons.
    Legs(LegMuscles),
    /// Given muscles, such as those of an imported model.
    Given(MuscleSet),
}

/// What to simulate.
#[derive(Clone, Debug)]
pub struct MovementPlan {
    /// The reference walk and its person.
    pub walk: ReferenceWalk,
    /// Muscles of the person.
    pub muscles: PlanMuscles,
    /// Factor on the strength of all muscles.
    pub strength: f64,
    /// Number of cycles.
    pub cycles: usize,
    /// Step \[s\].
    pub step: f64,
    /// Time between samples \[s\].
    pub sample: f64,
    /// Whether the reference lengths of muscles are computed on bent bones; otherwise on rigid ones.
    pub bent_reference: bool,
    /// Whether the reference motion is prescribed, with the muscle forces of static optimisation, instead of a forward
    /// simulation.
    pub prescribed: bool,
    /// Settings of floor, servos and tracking agent.
    pub controllers: ControllerSettings,
    /// Maximum number of least-squares steps that fit the walk to the floor; 0: the walk is used without fitting.
    pub floor_fit_steps: usize,
    /// Flexible bones.
    pub bones: BoneSettings,
}

/// Result of a movement.
#[derive(Debug)]
pub struct MovementResult {
    /// The reference walk fitted to the floor; `None` where it was used without fitting.
    pub floor_fit: Option<FittedWalk>,
    /// The reference walk.
    pub walk: ReferenceWalk,
    /// Muscles.
    pub muscles: MuscleSet,
    /// Inverse simulation by motion agents; `None` where muscle lengths are those of the reference motion.
    pub inverse: Option<InverseSimulation>,
    /// Reference trajectories that were tracked.
    pub reference: TrackingReference,
    /// The model that was simulated.
    pub muscled: MuscledModel,
    /// Its controllers at the end.
    pub controllers: Controllers,
    /// Record of the movement.
    pub record: MovementRecord,
    /// State at the end.
    pub state: MovementState,
    /// How well it follows its reference.
    pub fidelity: Fidelity,
    /// Bones.
    pub bones: Vec<BoneResult>,
    /// Loads of joints and bones.
    pub loads: LoadHistory,
    /// Loads of the reference motion, for comparison; `None` where it was prescribed.
    pub reference_loads: Option<ReferenceLoads>,
    /// Why it ended early, if it did.
    pub ended: Option<MovementError>,
}

/// One cycle of the reference motion with the tensions of static optimisation, and its loads.
#[derive(Debug)]
pub struct ReferenceLoads {
    /// The cycle.
    pub record: MovementRecord,
    /// Loads of joints, bones and sections.
    pub loads: LoadHistory,
}

/// Simulates a plan; `progress` receives the current phase and its fraction done, and stops the simulation by returning
/// false.
pub fn simulate_movement(
    plan: &MovementPlan,
    progress: &mut dyn FnMut(&str, f64) -> bool,
) -> Result<MovementResult, MovementError> {
    simulate_movement_from(plan, None, &mut Monitor { progress, keep: &mut |_, _| () })
}

/// Callbacks of a running simulation.
pub struct Monitor<'a> {
    /// Receives the current phase and its fraction done; the return value false stops the simulation.
    pub progress: &'a mut dyn FnMut(&str, f64) -> bool,
    /// Receives state and record every few steps, for checkpoints.
    pub keep: &'a mut dyn FnMut(&MovementState, &MovementRecord),
}

impl Monitor<'_> {
    /// Announces a phase; an error if the user asks to stop.
    fn announce(&mut self, phase: &str, end: f64) -> Result<(), MovementError> {
        if (self.progress)(phase, 0.0) { Ok(()) } else { Err(MovementError::Stopped { time: 0.0, end }) }
    }
}

/// Steps between two calls of the monitor.
const MONITOR_STEPS: usize = 256;

/// Samples of the reference cycle whose loads are compared with the simulated ones.
const REFERENCE_SAMPLES: usize = 200;

/// Minimum number of samples from which results can be computed.
const FEWEST_SAMPLES: usize = 8;

/// Simulates a plan, or resumes it from a checkpoint: the result is the same to the last bit.
///
/// A simulation that was asked to stop keeps its results so far, with [`MovementError::Stopped`] as
/// [`MovementResult::ended`]; one that was stopped before it began is an error.
pub fn simulate_movement_from(
    plan: &MovementPlan,
    from: Option<Checkpoint>,
    monitor: &mut Monitor<'_>,
) -> Result<MovementResult, MovementError> {
    check(plan)?;
    let end = plan.cycles as f64 * plan.walk.constants.cycle_time;
    monitor.announce("feet on the floor", end)?;
    let floor_fit = fitted_to_floor(plan)?;
    let walk = floor_fit.as_ref().map_or(&plan.walk, |f| &f.walk).clone();
    let mut muscles = muscles_of(plan, &walk.skeleton)?;
    let placed = place_bones(&walk.skeleton, &mut muscles, &plan.bones)?;
    monitor.announce("muscle references", end)?;
    let rigid = MuscledModel::rigid(&walk.skeleton, &muscles)?;
    let (reference, inverse) = make_reference(plan, &walk, &rigid, &muscles)?;
    monitor.announce("bones", end)?;
    let bones = make_bones(&walk.skeleton, &muscles, &placed, &plan.bones)?;
    let made: Vec<&WalkingBone> = bones.iter().map(|(_, bone)| bone).collect();
    let muscled = MuscledModel::with_bones(&walk.skeleton, &muscles, &made)?;
    let mut motion = InverseWalk::new(&walk, &rigid.model)?;
    let models = Models { rigid: &rigid, muscled: &muscled, bones: &made };
    let (reference, mut controllers, start) = set_up(plan, &walk, &muscles, &models, reference, &mut motion)?;
    let settings = forward_settings(plan, &muscled, &reference);
    let (mut state, mut record) = match from {
        Some(saved) => continued(saved, &start, &settings)?,
        None => (start, MovementRecord::default()),
    };
    monitor.announce("walking", end)?;
    let mut ended = if plan.prescribed {
        record = prescribe(&mut motion, &reference, &muscled, &controllers, &made, settings.sample_times())?;
        None
    } else {
        run_forward(&muscled, &mut controllers, &settings, &mut state, &mut record, monitor)?
    };
    (monitor.progress)("strains", 1.0);
    let scale = Scale { weight: walk.constants.weight(), stature: walk.constants.stature };
    // a record too short to be compared is one that ended early, for a reason of its own
    let fidelity = fidelity(&muscled.model, &controllers, &record, &reference, &mut motion, scale)
        .map_err(|e| ended.take().unwrap_or(e))?;
    let loads = load_history(&muscled, &controllers, &record, &made)?;
    let reference_loads = reference_loads(plan, &models, &reference, &controllers, &mut motion)?;
    let bones = bones.into_iter().map(|(name, bone)| read_gauges(name, bone, &muscled, &record, &loads));
    let bones = bones.collect::<Result<_, MovementError>>()?;
    Ok(MovementResult {
        floor_fit,
        walk,
        muscles,
        inverse,
        reference,
        muscled,
        controllers,
        record,
        state,
        fidelity,
        bones,
        loads,
        reference_loads,
        ended,
    })
}

/// The models of one person and the bones of the second.
struct Models<'a> {
    /// With rigid bones.
    rigid: &'a MuscledModel,
    /// With flexible bones.
    muscled: &'a MuscledModel,
    bones: &'a [&'a WalkingBone],
}

/// The walk fitted to the floor, where this is requested; a prescribed motion does not depend on the floor.
fn fitted_to_floor(plan: &MovementPlan) -> Result<Option<FittedWalk>, MovementError> {
    if plan.prescribed || plan.floor_fit_steps == 0 {
        return Ok(None);
    }
    fit_to_floor(&plan.walk, &plan.controllers.floor_fit(plan.floor_fit_steps)).map(Some)
}

/// The controllers at the start of the reference, which is first corrected for the bending of bones where this is
/// requested.
fn set_up(
    plan: &MovementPlan,
    walk: &ReferenceWalk,
    muscles: &MuscleSet,
    models: &Models<'_>,
    reference: TrackingReference,
    motion: &mut InverseWalk<'_>,
) -> Result<(TrackingReference, Controllers, MovementState), MovementError> {
    let Models { rigid, muscled, bones } = models;
    let controllers_for = |reference: &TrackingReference| {
        set_up_controllers(muscled, &walk.skeleton.contacts, muscles, reference, &plan.controllers)
    };
    let (controllers, start) = controllers_for(&reference)?;
    if !plan.bent_reference || bones.is_empty() || plan.prescribed {
        return Ok((reference, controllers, start));
    }
    let times = sample_times(&reference, plan.controllers.samples);
    let bent = prescribe(motion, &reference, muscled, &controllers, bones, times)?;
    let reference = bent_reference(motion, &reference, rigid, muscled, &bent)?;
    let (controllers, mut start) = controllers_for(&reference)?;
    bend(muscled, &bent, &mut start);
    Ok((reference, controllers, start))
}

/// Loads of one cycle of the reference motion; `None` where the motion is prescribed, because its loads are the result
/// itself.
fn reference_loads(
    plan: &MovementPlan,
    models: &Models<'_>,
    reference: &TrackingReference,
    controllers: &Controllers,
    motion: &mut InverseWalk<'_>,
) -> Result<Option<ReferenceLoads>, MovementError> {
    if plan.prescribed {
        return Ok(None);
    }
    let period = motion.walk().constants.cycle_time;
    let times = (0..REFERENCE_SAMPLES).map(|i| period * i as f64 / REFERENCE_SAMPLES as f64).collect();
    let record = prescribe(motion, reference, models.muscled, controllers, models.bones, times)?;
    Ok(Some(ReferenceLoads { loads: load_history(models.muscled, controllers, &record, models.bones)?, record }))
}

/// Muscles of the legs, and those of the upper body that cross a joint of the skeleton.
fn muscles_of(plan: &MovementPlan, skeleton: &Skeleton) -> Result<MuscleSet, MovementError> {
    let mut muscles = match &plan.muscles {
        PlanMuscles::Legs(choice) => MuscleSet::new(skeleton, *choice)?,
        PlanMuscles::Given(muscles) => muscles.clone(),
    };
    if plan.controllers.upper_muscles {
        muscles = muscles.joined(MuscleSet::upper_body(skeleton, UpperMuscles::Thesis)?.working(skeleton));
    }
    for muscle in &mut muscles.muscles {
        muscle.max_force *= plan.strength;
    }
    Ok(muscles)
}

/// The reference of a walk, and the inverse simulation where motion agents determine the muscle lengths.
fn make_reference(
    plan: &MovementPlan,
    walk: &ReferenceWalk,
    rigid: &MuscledModel,
    muscles: &MuscleSet,
) -> Result<(TrackingReference, Option<InverseSimulation>), MovementError> {
    let mut reference = walk_reference(walk, rigid, muscles, &plan.controllers)?;
    let Some(agents) = plan.controllers.motion_agents else { return Ok((reference, None)) };
    let (motion, times) = (InverseWalk::new(walk, &rigid.model)?, (plan.controllers.samples, plan.step));
    let inverse = inverse_simulation(motion, &rigid.model, &rigid.paths, &mut reference, agents, times)?;
    Ok((reference, Some(inverse)))
}

/// Starts the bones with the deformation that they have in the prescribed motion.
fn bend(muscled: &MuscledModel, bent: &MovementRecord, start: &mut MovementState) {
    let Some(first) = bent.q.first() else { return };
    for modes in muscled.model.bodies().iter().map(|body| body.modal_q()) {
        start.q[modes.clone()].copy_from_slice(&first[modes]);
    }
}

/// Simulates to the end, or until the monitor asks to stop; returns why it ended early, if it did.
fn run_forward(
    muscled: &MuscledModel,
    controllers: &mut Controllers,
    settings: &ForwardSettings,
    state: &mut MovementState,
    record: &mut MovementRecord,
    monitor: &mut Monitor<'_>,
) -> Result<Option<MovementError>, MovementError> {
    let mut watch = |state: &MovementState, record: &MovementRecord| {
        if !state.step.is_multiple_of(MONITOR_STEPS) {
            return true;
        }
        if record.times.len() > FEWEST_SAMPLES {
            (monitor.keep)(state, record);
        }
        (monitor.progress)("walking", state.step as f64 / settings.steps as f64)
    };
    let ended = match simulate_forward(&muscled.model, controllers, state, settings, record, &mut watch) {
        Ok(()) if state.step >= settings.steps => return Ok(None),
        Ok(()) => {
            let [time, end] = [state.step, settings.steps].map(|steps| steps as f64 * settings.step);
            MovementError::Stopped { time, end }
        }
        Err(error) => error,
    };
    // the record up to here is valid
    if record.times.len() > FEWEST_SAMPLES { Ok(Some(ended)) } else { Err(ended) }
}

/// State and record of a checkpoint; an error if they do not match this plan.
fn continued(
    saved: Checkpoint,
    start: &MovementState,
    settings: &ForwardSettings,
) -> Result<(MovementState, MovementRecord), MovementError> {
    let Checkpoint { state, record } = saved;
    let sizes = |s: &MovementState| [s.q.len(), s.v.len(), s.memory.len()];
    let fits = sizes(&state) == sizes(start)
        && state.step <= settings.steps
        && record.times.len() == state.step / settings.every
        && state.q.iter().chain(&state.v).all(|x| x.is_finite());
    if fits {
        return Ok((state, record));
    }
    let rule = format!(
        "{} coordinates after {} steps do not match this movement, which has {} coordinates and {} steps; \
         start the simulation from the beginning",
        state.q.len(),
        state.step,
        start.q.len(),
        settings.steps
    );
    Err(MovementError::rule("checkpoint", rule))
}

fn check(plan: &MovementPlan) -> Result<(), MovementError> {
    let positive = |what: &str, value: f64| {
        let rule = format!("{what} is {value}; it must be finite and above zero");
        if value > 0.0 && value.is_finite() { Ok(()) } else { Err(MovementError::rule("walk", rule)) }
    };
    positive("step [s]", plan.step)?;
    positive("time between samples [s]", plan.sample)?;
    positive("strength factor of the muscles", plan.strength)?;
    if plan.cycles == 0 {
        return Err(MovementError::rule("walk", "the number of cycles is 0; it must be 1 or more"));
    }
    Ok(())
}

fn forward_settings(plan: &MovementPlan, muscled: &MuscledModel, reference: &TrackingReference) -> ForwardSettings {
    let end = plan.cycles as f64 * plan.walk.constants.cycle_time;
    let is_height = |role: &CoordinateRole| *role == CoordinateRole::RootTranslation(Axis::Y);
    let height = reference.roles.iter().position(is_height).map(|k| &reference.coordinates[k]);
    let place = |name: &str| muscled.model.coordinate_index(name).and_then(|k| muscled.model.position_of_speed(k));
    ForwardSettings {
        step: plan.step,
        steps: (end / plan.step).round() as usize,
        every: ((plan.sample / plan.step).round() as usize).max(1),
        height: height.and_then(|(name, track)| Some((place(name)?, track.clone()))),
    }
}
