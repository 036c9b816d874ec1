//! The whole performance: a subject, a walk, bones that bend; lesson, drive, strains.

use crate::drive::{DriveRecord, DriveSettings, DriveState, Driver, SavedDrive, drive};
use crate::error::WalkError;
use crate::fidelity::{Fidelity, Scale, fidelity};
use crate::footing::{Footing, settle_feet};
use crate::loads::{LoadHistory, load_history};
use crate::prescribed::prescribe;
use crate::stage::{Cast, StageSettings, attachments, rehearse, set_stage};
use crate::teach::{InverseSimulation, Lesson, inverse_simulation, learn_bent, sample_times};
use std::path::PathBuf;
use wolff_bone::BoneError;
use wolff_bone::gauges::{GaugeHistory, gauge_history, tibia_gauges};
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex, Side};
use wolff_bone::person::{GivenBone, Solid, in_person};
use wolff_bone::segment::{Basis, BoneRecipe, BoneReport, Fibula, WalkingBone};
use wolff_fem::material::Material;
use wolff_human::walk::InverseWalk;
use wolff_human::{LegMuscles, MuscleSet, ReferenceWalk, Skeleton, UpperMuscles};

/// A bone that shall bend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneName {
    /// Right tibia, for the segment `shank_r`.
    TibiaRight,
    /// Left tibia, for the segment `shank_l`.
    TibiaLeft,
    /// Right femur, for the segment `thigh_r`.
    FemurRight,
    /// Left femur, for the segment `thigh_l`.
    FemurLeft,
}

impl BoneName {
    /// The segment whose place it takes.
    pub fn segment(self) -> &'static str {
        match self {
            BoneName::TibiaRight => "shank_r",
            BoneName::TibiaLeft => "shank_l",
            BoneName::FemurRight => "thigh_r",
            BoneName::FemurLeft => "thigh_l",
        }
    }

    /// By name: `tibia_r`, `tibia_l`, `femur_r`, `femur_l`.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "tibia_r" => BoneName::TibiaRight,
            "tibia_l" => BoneName::TibiaLeft,
            "femur_r" => BoneName::FemurRight,
            "femur_l" => BoneName::FemurLeft,
            _ => return None,
        })
    }

    fn side(self) -> Side {
        match self {
            BoneName::TibiaRight | BoneName::FemurRight => Side::Right,
            BoneName::TibiaLeft | BoneName::FemurLeft => Side::Left,
        }
    }

    fn is_tibia(self) -> bool {
        matches!(self, BoneName::TibiaRight | BoneName::TibiaLeft)
    }
}

/// How bones are made.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneSettings {
    /// Which.
    pub bones: Vec<BoneName>,
    /// Stature of the person [m]: length and breadths of the bones follow it.
    pub stature: f64,
    /// Sex of the person, likewise.
    pub sex: Sex,
    /// Factor on the breadths of built-in bones; 1: those of the stature.
    pub breadth: f64,
    /// Divides every element edge.
    pub refinement: usize,
    /// Material of the cortex.
    pub cortical: Material,
    /// Critical damping ratio of every mode.
    pub damping_ratio: f64,
    /// Lowest vibrations kept.
    pub vibrations: usize,
    /// Strain that modes may leave out at a gauge under nominal loads of walking.
    pub gauge_error: f64,
    /// Offset of the shaft at mid-length from the line of joint centres, anterior and lateral [m]; none: that of the built-in bone.
    pub shaft_offset: Option<[f64; 2]>,
    /// Mesh of the right tibia; none: the built-in one.
    pub tibia: Option<GivenBone>,
    /// Whether a fibula carries a share of the force.
    pub fibula: bool,
    /// Folder in which reductions are kept from run to run; none: they are made each time.
    pub cache: Option<PathBuf>,
}

/// Where muscles come from.
#[derive(Clone, Debug)]
pub enum PlanMuscles {
    /// Those of the program on the legs of its own skeletons.
    Legs(LegMuscles),
    /// Those that a person has, such as one from a model.
    Given(MuscleSet),
}

/// What to perform.
#[derive(Clone, Debug)]
pub struct WalkPlan {
    /// The walk with the person who walks.
    pub walk: ReferenceWalk,
    /// Which muscles the person has.
    pub muscles: PlanMuscles,
    /// All muscles are so many times stronger.
    pub strength: f64,
    /// Cycles.
    pub cycles: usize,
    /// Step [s].
    pub step: f64,
    /// Time between samples [s].
    pub sample: f64,
    /// Whether muscles learn their lengths on bones as they bend, or on rigid ones.
    pub bent_lesson: bool,
    /// Whether the wanted motion is prescribed, with the muscle forces of static optimisation, instead of driven.
    pub prescribed: bool,
    /// Floor, servos, agent.
    pub stage: StageSettings,
    /// Most steps of the least squares that lets feet sink into the floor; 0: the walk is taken as it is.
    pub footing_steps: usize,
    /// Bones that bend.
    pub bones: BoneSettings,
}

/// A bone and what its gauges read.
#[derive(Clone, Debug)]
pub struct BoneResult {
    /// Which.
    pub name: BoneName,
    /// The bone.
    pub bone: WalkingBone,
    /// Readings of every gauge.
    pub gauges: Vec<GaugeHistory>,
    /// Modal coordinates at every sample.
    pub modes: Vec<Vec<f64>>,
}

impl BoneResult {
    /// How it was made.
    pub fn report(&self) -> &BoneReport {
        &self.bone.report
    }

    /// Readings of a gauge.
    pub fn gauge(&self, name: &str) -> Option<&GaugeHistory> {
        self.gauges.iter().find(|g| g.gauge == name)
    }
}

/// What came of it.
#[derive(Debug)]
pub struct Performance {
    /// The walk that was wanted, feet in the floor.
    pub footing: Option<Footing>,
    /// The walk that was wanted.
    pub walk: ReferenceWalk,
    /// Muscles.
    pub muscles: MuscleSet,
    /// How motion agents taught them; none where lengths are those of the wanted motion.
    pub inverse: Option<InverseSimulation>,
    /// What they learnt.
    pub lesson: Lesson,
    /// The model that was driven.
    pub cast: Cast,
    /// What drove it, as it was at the end.
    pub driver: Driver,
    /// What happened.
    pub record: DriveRecord,
    /// Where it stands.
    pub state: DriveState,
    /// How well.
    pub fidelity: Fidelity,
    /// Bones.
    pub bones: Vec<BoneResult>,
    /// What joints and bones carried.
    pub loads: LoadHistory,
    /// What the wanted motion asks for, to compare with; none where it was prescribed.
    pub wanted: Option<WantedLoads>,
    /// Why it ended early, if it did.
    pub ended: Option<WalkError>,
}

/// One cycle of the wanted motion with the tensions of static optimisation, and its loads.
#[derive(Debug)]
pub struct WantedLoads {
    /// The cycle.
    pub record: DriveRecord,
    /// Loads of joints, bones and sections.
    pub loads: LoadHistory,
}

/// Performs a plan; `progress` hears what is being done and the share of it, and may end the drive by answering false.
pub fn perform(plan: &WalkPlan, progress: &mut dyn FnMut(&str, f64) -> bool) -> Result<Performance, WalkError> {
    perform_from(plan, None, &mut Audience { progress, keep: &mut |_, _| () })
}

/// Who watches a performance.
pub struct Audience<'a> {
    /// Hears what is being done and the share of it; the answer false asks to stop.
    pub progress: &'a mut dyn FnMut(&str, f64) -> bool,
    /// Sees where the drive stands and what has happened, now and then.
    pub keep: &'a mut dyn FnMut(&DriveState, &DriveRecord),
}

impl Audience<'_> {
    /// Tells of a part before the drive; stops where that is wished.
    fn hear(&mut self, phase: &str, end: f64) -> Result<(), WalkError> {
        if (self.progress)(phase, 0.0) { Ok(()) } else { Err(WalkError::Stopped { time: 0.0, end }) }
    }
}

/// Steps between two looks of the audience.
const LOOK: usize = 256;

/// Samples of the wanted cycle whose loads are compared with the driven ones.
const WANTED_SAMPLES: usize = 200;

/// Samples without which there is nothing to tell of a drive.
const FEWEST: usize = 8;

/// Performs a plan, or goes on with the drive of one that was put aside: the end is the same to the last bit.
///
/// A drive that was asked to stop keeps what it has, with [`WalkError::Stopped`] as [`Performance::ended`]; one that has not begun is an
/// error.
pub fn perform_from(
    plan: &WalkPlan,
    from: Option<SavedDrive>,
    audience: &mut Audience<'_>,
) -> Result<Performance, WalkError> {
    check(plan)?;
    let end = plan.cycles as f64 * plan.walk.constants.cycle_time;
    audience.hear("feet on the floor", end)?;
    let footing = match plan.footing_steps {
        _ if plan.prescribed => None,
        0 => None,
        steps => Some(settle_feet(&plan.walk, &plan.stage, steps)?),
    };
    let walk = footing.as_ref().map_or(&plan.walk, |f| &f.walk).clone();
    let muscles = muscles_of(plan, &walk.skeleton)?;
    audience.hear("muscles learn", end)?;
    let rigid = Cast::rigid(&walk.skeleton, &muscles)?;
    let (mut lesson, inverse) = learn(plan, &walk, &rigid, &muscles)?;
    audience.hear("bones", end)?;
    let bones = make_bones(&walk, &muscles, &plan.bones)?;
    let made: Vec<&WalkingBone> = bones.iter().map(|(_, bone)| bone).collect();
    let cast = Cast::with_bones(&walk.skeleton, &muscles, &made)?;
    let mut rehearsal = InverseWalk::new(&walk, &rigid.model)?;
    let stage = |lesson: &Lesson| set_stage(&cast, &walk.skeleton.contacts, &muscles, lesson, &plan.stage);
    let (mut driver, mut start) = stage(&lesson)?;
    if plan.bent_lesson && !made.is_empty() && !plan.prescribed {
        let times = sample_times(&lesson, plan.stage.samples);
        let bent = prescribe(&mut rehearsal, &lesson, &cast, &driver, &made, times)?;
        lesson = learn_bent(&mut rehearsal, &lesson, &rigid, &cast, &bent)?;
        (driver, start) = stage(&lesson)?;
        bend(&cast, &bent, &mut start);
    }

    let settings = drive_settings(plan, &cast, &lesson);
    let (mut state, mut record) = match from {
        Some(saved) => continued(saved, &start, &settings)?,
        None => (start, DriveRecord::default()),
    };
    audience.hear("walking", end)?;
    let ended = if plan.prescribed {
        record = prescribe(&mut rehearsal, &lesson, &cast, &driver, &made, settings.sample_times())?;
        None
    } else {
        drive_on(&cast, &mut driver, &settings, &mut state, &mut record, audience)?
    };
    (audience.progress)("strains", 1.0);
    let scale = Scale { weight: walk.constants.weight(), stature: walk.constants.stature };
    let fidelity = fidelity(&cast.model, &driver, &record, &lesson, &mut rehearsal, scale)?;
    let loads = load_history(&cast, &driver, &record, &made)?;
    let wanted = match plan.prescribed {
        true => None,
        false => {
            let period = walk.constants.cycle_time;
            let times = (0..WANTED_SAMPLES).map(|i| period * i as f64 / WANTED_SAMPLES as f64).collect();
            let record = prescribe(&mut rehearsal, &lesson, &cast, &driver, &made, times)?;
            Some(WantedLoads { loads: load_history(&cast, &driver, &record, &made)?, record })
        }
    };
    let bones = bones.into_iter().map(|(name, bone)| read_gauges(name, bone, &cast, &record));
    let bones = bones.collect::<Result<_, WalkError>>()?;
    Ok(Performance {
        footing,
        walk,
        muscles,
        inverse,
        lesson,
        cast,
        driver,
        record,
        state,
        fidelity,
        bones,
        loads,
        wanted,
        ended,
    })
}

/// Muscles of the legs, and those of the upper body that can move something.
fn muscles_of(plan: &WalkPlan, skeleton: &Skeleton) -> Result<MuscleSet, WalkError> {
    let mut muscles = match &plan.muscles {
        PlanMuscles::Legs(choice) => MuscleSet::new(skeleton, *choice)?,
        PlanMuscles::Given(muscles) => muscles.clone(),
    };
    if plan.stage.upper_muscles {
        muscles = muscles.joined(MuscleSet::upper_body(skeleton, UpperMuscles::Thesis)?.working(skeleton));
    }
    for muscle in &mut muscles.muscles {
        muscle.max_force *= plan.strength;
    }
    Ok(muscles)
}

/// What muscles learn of a walk, and how motion agents taught them if they did.
fn learn(
    plan: &WalkPlan,
    walk: &ReferenceWalk,
    rigid: &Cast,
    muscles: &MuscleSet,
) -> Result<(Lesson, Option<InverseSimulation>), WalkError> {
    let mut lesson = rehearse(walk, rigid, muscles, &plan.stage)?;
    let Some(agents) = plan.stage.teacher else { return Ok((lesson, None)) };
    let (wanted, times) = (InverseWalk::new(walk, &rigid.model)?, (plan.stage.samples, plan.step));
    let inverse = inverse_simulation(wanted, &rigid.model, &rigid.paths, &mut lesson, agents, times)?;
    Ok((lesson, Some(inverse)))
}

/// Lets bones begin as bent as they will be.
fn bend(cast: &Cast, bent: &DriveRecord, start: &mut DriveState) {
    let Some(first) = bent.q.first() else { return };
    for modes in cast.model.bodies().iter().map(|body| body.modal_q()) {
        start.q[modes.clone()].copy_from_slice(&first[modes]);
    }
}

/// Drives to the end, or until the audience asks to stop; why it ended early, if it did.
fn drive_on(
    cast: &Cast,
    driver: &mut Driver,
    settings: &DriveSettings,
    state: &mut DriveState,
    record: &mut DriveRecord,
    audience: &mut Audience<'_>,
) -> Result<Option<WalkError>, WalkError> {
    let mut watch = |state: &DriveState, record: &DriveRecord| {
        if !state.step.is_multiple_of(LOOK) || record.times.len() <= FEWEST {
            return true;
        }
        (audience.keep)(state, record);
        (audience.progress)("walking", state.step as f64 / settings.steps as f64)
    };
    match drive(&cast.model, driver, state, settings, record, &mut watch) {
        Ok(()) if state.step >= settings.steps => Ok(None),
        Ok(()) => {
            let [time, end] = [state.step, settings.steps].map(|steps| steps as f64 * settings.step);
            Ok(Some(WalkError::Stopped { time, end }))
        }
        // what was recorded before is right as far as it goes
        Err(error) if record.times.len() > FEWEST => Ok(Some(error)),
        Err(error) => Err(error),
    }
}

/// State and record of a drive that was put aside, if they can be those of this plan.
fn continued(
    saved: SavedDrive,
    start: &DriveState,
    settings: &DriveSettings,
) -> Result<(DriveState, DriveRecord), WalkError> {
    let SavedDrive { state, record } = saved;
    let sizes = |s: &DriveState| [s.q.len(), s.v.len(), s.memory.len()];
    let fits = sizes(&state) == sizes(start)
        && state.step <= settings.steps
        && record.times.len() == state.step / settings.every
        && state.q.iter().chain(&state.v).all(|x| x.is_finite());
    if fits {
        return Ok((state, record));
    }
    let rule = format!(
        "{} coordinates after {} steps are not those of this walk, which has {} coordinates and {} steps; start it anew",
        state.q.len(),
        state.step,
        start.q.len(),
        settings.steps
    );
    Err(WalkError::rule("a drive that was put aside", rule))
}

fn check(plan: &WalkPlan) -> Result<(), WalkError> {
    let positive = |what: &str, value: f64| {
        let rule = format!("{what} is {value}, must be finite and above zero");
        if value > 0.0 && value.is_finite() { Ok(()) } else { Err(WalkError::rule("walk", rule)) }
    };
    positive("step [s]", plan.step)?;
    positive("time between samples [s]", plan.sample)?;
    positive("strength of the muscles", plan.strength)?;
    if plan.cycles == 0 {
        return Err(WalkError::rule("walk", "no cycle is asked for; give one or more"));
    }
    Ok(())
}

fn drive_settings(plan: &WalkPlan, cast: &Cast, lesson: &Lesson) -> DriveSettings {
    let end = plan.cycles as f64 * plan.walk.constants.cycle_time;
    let height = lesson.coordinates.iter().find(|(name, _)| name == "pelvis_ty");
    let place = |name: &str| cast.model.coordinate_index(name).and_then(|k| cast.model.position_of_speed(k));
    DriveSettings {
        step: plan.step,
        steps: (end / plan.step).round() as usize,
        every: ((plan.sample / plan.step).round() as usize).max(1),
        height: height.and_then(|(name, track)| Some((place(name)?, track.clone()))),
    }
}

/// Makes every bone that shall bend.
fn make_bones(
    walk: &ReferenceWalk,
    muscles: &MuscleSet,
    settings: &BoneSettings,
) -> Result<Vec<(BoneName, WalkingBone)>, WalkError> {
    let mut bones = Vec::new();
    for &name in &settings.bones {
        let segment = name.segment();
        let purpose = "a bone that takes its place";
        let missing = || WalkError::Missing { what: "segment", name: segment.into(), purpose };
        let length = walk.skeleton.length(segment).ok_or_else(missing)?;
        let mass = walk.skeleton.segment(segment).ok_or_else(missing)?.mass;
        let (solid, remarks) = solid(name, length, settings)?;
        let mut recipe = BoneRecipe::new(segment, &solid);
        let has_line = name.is_tibia() && solid.mesh.node_set("soleal_line").is_ok();
        let sets: &[&str] = if has_line { &["soleal_line"] } else { &[] };
        recipe.attachments = attachments(muscles, segment, &solid.ends, sets);
        if name.is_tibia() {
            recipe.gauges = tibia_gauges(&solid)?;
        }
        recipe.segment = Some(mass);
        recipe.damping_ratio = settings.damping_ratio;
        recipe.basis = Basis::Gauges { vibrations: settings.vibrations, error: settings.gauge_error };
        recipe.fixed_modes = recipe.fixed_modes.max(settings.vibrations + 3);
        recipe.fibula = (settings.fibula && name.is_tibia()).then(|| Fibula::of_shank(&solid.ends, name.side()));
        recipe.cache = settings.cache.clone();
        let mut bone = recipe.make()?;
        bone.report.remarks = remarks;
        bones.push((name, bone));
    }
    Ok(bones)
}

/// A bone of the person in its segment, and what should be told of it.
fn solid(name: BoneName, length: f64, settings: &BoneSettings) -> Result<(Solid, Vec<String>), WalkError> {
    let kind = if name.is_tibia() { BoneKind::Tibia } else { BoneKind::Femur };
    let density = Density::default_for(kind).refined(settings.refinement.max(1));
    let mut of_person = Bone::of_person(kind, settings.sex, settings.stature).map_err(BoneError::from)?;
    of_person.breadth *= settings.breadth;
    let (solid, remarks) = match settings.tibia.as_ref().filter(|_| name == BoneName::TibiaRight) {
        Some(given) => given.solid(length, of_person.length, name.side(), &settings.cortical)?,
        None => in_person(&Bone { side: name.side(), density, ..of_person }, length, &settings.cortical)?,
    };
    let bowed = match settings.shaft_offset {
        Some([anterior, lateral]) => solid.with_shaft_offset(anterior, lateral)?,
        None => solid,
    };
    Ok((bowed, remarks))
}

fn read_gauges(name: BoneName, bone: WalkingBone, cast: &Cast, record: &DriveRecord) -> Result<BoneResult, WalkError> {
    let segment = name.segment();
    let purpose = "strains";
    let missing = || WalkError::Missing { what: "body", name: segment.into(), purpose };
    let body = &cast.model.bodies()[cast.model.body_index(segment).ok_or_else(missing)?];
    let modes: Vec<Vec<f64>> = record.q.iter().map(|q| q[body.modal_q()].to_vec()).collect();
    let read = |g: &wolff_flexbody::Gauge| gauge_history(&bone.body, &g.name, &modes);
    let gauges = bone.body.gauges.iter().map(read).collect::<Result<_, _>>().map_err(BoneError::from)?;
    Ok(BoneResult { name, bone, gauges, modes })
}
