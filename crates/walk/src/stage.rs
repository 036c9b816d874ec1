//! The stage: a person with muscles and bones, put together as the model that is driven.

use crate::drive::{DriveState, DrivenMuscle, Driver, HillLaw, JointServo, Law, ReflexGains, ServoLaw};
use crate::error::WalkError;
use crate::ground::{Floor, FloorParameters, Pad};
use crate::teach::{
    HillPupil, Lesson, MotionAgents, OnFloor, Pupil, TeachSettings, Timing, Tissue, Wanted, teach, track_excitation,
};
use crate::track::Track;
use wolff_bone::person::Ends;
use wolff_bone::segment::{Attachment, WalkingBone};
use wolff_human::muscles::Fibre;
use wolff_human::skeleton::FootPoint;
use wolff_human::walk::{InverseWalk, ReferenceWalk};
use wolff_human::{HumanMuscle, MuscleSet, Skeleton};
use wolff_multibody::Model;
use wolff_multibody::spec::{FrameSpec, ModelSpec};
use wolff_muscle::hill::{Activation, Curves, HillMuscle, HillParameters, MillardCurves, MillardShape};
use wolff_muscle::passive_defaults::{JointMotion, PassiveDefault, passive_default};
use wolff_muscle::path::PlaceSpec;
use wolff_muscle::{Path, PathSpec, ServoGains};
use wolff_spatial::Vec3;

/// How muscles follow their lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServoSettings {
    /// Whether the tensions of static optimisation are added.
    pub feed_forward: bool,
    /// Error of the length that calls for the greatest force [m].
    pub error: f64,
    /// Derivative time [s].
    pub derivative_time: f64,
    /// Integral time [s]; none: no integral.
    pub integral_time: Option<f64>,
}

impl Default for ServoSettings {
    /// Servos with feed-forward: the feed-forward decides, the servo only has to make up for disturbances (own trials).
    fn default() -> Self {
        ServoSettings { feed_forward: true, error: 0.008, derivative_time: 0.0125, integral_time: None }
    }
}

/// Springs and dampers of the tracking agent at the first body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentSettings {
    /// Against turning [N m/rad].
    pub turn_stiffness: f64,
    /// Against turning [N m s/rad].
    pub turn_damping: f64,
    /// Forward [N/m].
    pub stiffness: f64,
    /// Forward [N s/m].
    pub damping: f64,
    /// Sideways [N/m].
    pub side_stiffness: f64,
    /// Sideways [N s/m].
    pub side_damping: f64,
}

impl Default for AgentSettings {
    fn default() -> Self {
        AgentSettings {
            turn_stiffness: 1200.0,
            turn_damping: 120.0,
            stiffness: 500.0,
            damping: 100.0,
            side_stiffness: 1000.0,
            side_damping: 200.0,
        }
    }
}

/// Where the passive tissues of the joints are at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassiveRest {
    /// There are none.
    None,
    /// Along the wanted motion: they only resist errors.
    #[default]
    Wanted,
    /// In standing: they carry a part of the moments.
    Standing,
}

/// All that may be chosen about a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct StageSettings {
    /// The floor.
    pub floor: FloorParameters,
    /// Half axes of the pads under the feet [m].
    pub pad_radii: Vec3,
    /// The muscles' servos.
    pub servo: ServoSettings,
    /// Reflexes of Hill muscles, which take the place of servos where fibres are known; none: all are servos.
    pub hill: Option<ReflexGains>,
    /// Whether static optimisation asks of servo muscles no more than their fibres can do at their length and speed, where fibres are known.
    pub fibres: bool,
    /// The agent.
    pub agent: AgentSettings,
    /// Passive joints, with the values of [`passive_default`].
    pub passive: PassiveRest,
    /// Passive stiffness of ankle inversion [N m/rad]: the published one (573) was tuned for another purpose; about the wanted angle it would be
    /// a servo, about standing it overloads muscles.
    pub inversion_stiffness: f64,
    /// Agents that draw the person through the wanted motion while muscles note their lengths; none: lengths of the wanted motion itself.
    pub teacher: Option<MotionAgents>,
    /// Whether muscles carry the joints of the upper body, which the skeleton [`Skeleton::full_body`] must then be; else servos hold them.
    pub upper_muscles: bool,
    /// Samples of a cycle in the lesson.
    pub samples: usize,
    /// Strength of the reserves in static optimisation [N m].
    pub reserve: f64,
}

impl Default for StageSettings {
    fn default() -> Self {
        StageSettings {
            floor: FloorParameters::default(),
            pad_radii: Vec3::new(0.03, 0.03, 0.03),
            servo: ServoSettings::default(),
            hill: None,
            fibres: false,
            agent: AgentSettings::default(),
            passive: PassiveRest::default(),
            inversion_stiffness: 30.0,
            teacher: None,
            upper_muscles: false,
            samples: 416,
            reserve: 1.0,
        }
    }
}

/// The model that is driven, and where its muscles run.
#[derive(Debug)]
pub struct Cast {
    /// The model.
    pub model: Model,
    /// Path of each muscle.
    pub paths: Vec<Path>,
}

impl Cast {
    /// Builds a model and resolves paths on it.
    pub fn new(spec: &ModelSpec, paths: &[PathSpec]) -> Result<Self, WalkError> {
        let model = Model::build(spec)?;
        let paths = paths.iter().map(|p| Path::new(p, &model)).collect::<Result<_, _>>()?;
        Ok(Cast { model, paths })
    }

    /// A person some of whose segments are bones that bend.
    pub fn with_bones(skeleton: &Skeleton, muscles: &MuscleSet, bones: &[&WalkingBone]) -> Result<Self, WalkError> {
        let mut paths: Vec<PathSpec> = muscles.muscles.iter().map(|m| m.path.clone()).collect();
        let mut spec = skeleton.spec()?;
        for bone in bones {
            bone.replace_in(&mut spec)?;
            paths = paths.iter().map(|path| bone.carry(path)).collect::<Result<_, _>>()?;
        }
        Cast::new(&spec, &paths)
    }

    /// A rigid person.
    pub fn rigid(skeleton: &Skeleton, muscles: &MuscleSet) -> Result<Self, WalkError> {
        Cast::with_bones(skeleton, muscles, &[])
    }
}

/// Points of muscle paths on a segment, as attachments of its bone: `<muscle>_<number>`.
///
/// Soleus is spread over the soleal line where `sets` has it, other points over patches or the nearest joint's spider.
pub fn attachments(muscles: &MuscleSet, segment: &str, ends: &Ends, sets: &[&str]) -> Vec<Attachment> {
    let mut all = Vec::new();
    for muscle in &muscles.muscles {
        for (k, point) in muscle.path.points.iter().enumerate() {
            let PlaceSpec::Fixed(p) = &point.place else { continue };
            if point.body != segment {
                continue;
            }
            let name = attachment_name(&muscle.path, k);
            let soleus = muscle.name.starts_with("soleus") && sets.contains(&"soleal_line");
            all.push(if soleus {
                Attachment::on_set(&name, *p, "soleal_line")
            } else {
                Attachment::at(&name, *p, ends)
            });
        }
    }
    all
}

fn attachment_name(path: &PathSpec, point: usize) -> String {
    format!("{}_{point}", path.name)
}

/// What a coordinate does, told by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    /// Height of the first body: nothing holds it.
    Height,
    /// Forward place of the first body.
    Forward,
    /// Sideways place of the first body.
    Sideways,
    /// Turn of the first body.
    Turn,
    /// Carried by muscles, with passive tissues.
    Muscles(Option<&'static PassiveDefault>),
    /// Held by a servo, stiffness and damping, with the moment that the motion takes beside the muscles.
    Servo(f64, f64),
}

impl Role {
    /// `upper`: whether muscles carry the joints of the upper body too.
    fn of(name: &str, upper: bool) -> Role {
        let carried = |joint, motion| Role::Muscles(passive_default(joint, motion));
        let stem = name.trim_end_matches("_r").trim_end_matches("_l");
        match stem {
            "pelvis_ty" => Role::Height,
            "pelvis_tx" => Role::Forward,
            "pelvis_tz" => Role::Sideways,
            "hip_flexion" => carried("hip", JointMotion::Flexion),
            "hip_adduction" => carried("hip", JointMotion::Abduction),
            "hip_rotation" => carried("hip", JointMotion::Rotation),
            "knee_flexion" => carried("knee", JointMotion::Flexion),
            "ankle_flexion" => carried("ankle", JointMotion::Flexion),
            "ankle_inversion" => carried("ankle", JointMotion::Abduction),
            "lumbar_flexion" if upper => carried("lumbar", JointMotion::Flexion),
            "thorax_flexion" if upper => carried("thoracic", JointMotion::Flexion),
            "neck_flexion" if upper => carried("lower neck", JointMotion::Flexion),
            "shoulder_flexion" if upper => carried("shoulder", JointMotion::Flexion),
            "shoulder_adduction" if upper => carried("shoulder", JointMotion::Abduction),
            "elbow_flexion" if upper => carried("elbow", JointMotion::Flexion),
            "wrist_flexion" if upper => carried("wrist", JointMotion::Flexion),
            "toe_flexion" => Role::Servo(30.0, 0.5),
            _ if stem.starts_with("pelvis") => Role::Turn,
            _ if stem.starts_with("lumbar") || stem.starts_with("thorax") => Role::Servo(1000.0, 100.0),
            _ => Role::Servo(60.0, 6.0),
        }
    }
}

/// Teaches a walk to the muscles of a rigid person; of Hill muscles no more is asked than fibres and activation dynamics allow, of others no more than
/// their fibres do where [`StageSettings::fibres`] asks for it.
pub fn rehearse(
    walk: &ReferenceWalk,
    rigid: &Cast,
    muscles: &MuscleSet,
    settings: &StageSettings,
) -> Result<Lesson, WalkError> {
    let floor = floor_of(&rigid.model, &walk.skeleton.contacts, settings)?;
    let mut inverse = OnFloor::new(InverseWalk::new(walk, &rigid.model)?, floor);
    let names = rigid.model.coordinate_names();
    let is_carried = |name: &&String| matches!(Role::of(name, settings.upper_muscles), Role::Muscles(_));
    let timing = Timing::Cycle { period: walk.constants.cycle_time, advance: walk.constants.stride() };
    let tissues = match settings.passive {
        PassiveRest::Standing => tissues(names, settings),
        PassiveRest::None | PassiveRest::Wanted => vec![],
    };
    let teaching = TeachSettings {
        timing,
        samples: settings.samples,
        balanced: names.iter().filter(is_carried).cloned().collect(),
        reserve: settings.reserve,
        tissues,
    };
    let pupil = |(path, m): (&Path, &HumanMuscle)| {
        let fibre = m.fibre.as_ref().filter(|_| settings.hill.is_some() || settings.fibres);
        let fibre = fibre.map(|f| {
            let (muscle, rigid_length) = (hill_muscle(m, f)?, f.rigid_length);
            // servos follow at once, Hill muscles as their activation does
            let dynamics = settings.hill.map(|_| DYNAMICS);
            Ok::<_, WalkError>(HillPupil { muscle, dynamics, rigid_length })
        });
        Ok(Pupil { path: path.clone(), max_force: m.max_force, fibre: fibre.transpose()? })
    };
    let pupils: Vec<Pupil> = rigid.paths.iter().zip(&muscles.muscles).map(pupil).collect::<Result<_, WalkError>>()?;
    teach(&mut inverse, &pupils, &teaching)
}

/// Tissues of the joints that muscles carry, by speed.
fn tissues(names: &[String], settings: &StageSettings) -> Vec<Tissue> {
    let tissue = |(speed, name): (usize, &String)| match Role::of(name, settings.upper_muscles) {
        Role::Muscles(Some(d)) => {
            let (stiffness, damping) = passive_values(name, d, settings);
            Some(Tissue { speed, stiffness, damping })
        }
        _ => None,
    };
    names.iter().enumerate().filter_map(tissue).collect()
}

/// Stiffness and damping of a coordinate that muscles carry.
fn passive_values(name: &str, d: &PassiveDefault, settings: &StageSettings) -> (f64, f64) {
    if name.starts_with("ankle_inversion") {
        return (settings.inversion_stiffness, 0.1 * settings.inversion_stiffness);
    }
    (d.stiffness, d.damping)
}

/// Puts muscles, joints, agent and floor on a model, ready at the beginning of the lesson.
pub fn set_stage(
    cast: &Cast,
    feet: &[FootPoint],
    muscles: &MuscleSet,
    lesson: &Lesson,
    settings: &StageSettings,
) -> Result<(Driver, DriveState), WalkError> {
    let model = &cast.model;
    let mut driver = Driver { floor: floor_of(model, feet, settings)?, ..Driver::default() };
    for (m, path) in cast.paths.iter().enumerate() {
        driver.muscles.push(driven_muscle(path, &muscles.muscles[m], m, lesson, settings)?);
    }
    let mut state = DriveState { step: 0, q: model.q0.clone(), v: model.v0.clone(), memory: vec![] };
    driver.remember(&mut state.memory);
    for (k, (name, wanted)) in lesson.coordinates.iter().enumerate() {
        let missing = || WalkError::Missing { what: "coordinate", name: name.clone(), purpose: "the wanted motion" };
        let speed = model.coordinate_index(name).ok_or_else(missing)?;
        let (q, v) = wanted.at(0.0);
        state.q[model.position_of_speed(speed).ok_or_else(missing)?] = q;
        state.v[speed] = v;
        let servo = |stiffness, damping| JointServo {
            name: name.clone(),
            speed,
            wanted: Some(wanted.clone()),
            stiffness,
            damping,
            feed_forward: None,
        };
        let agent = &settings.agent;
        match Role::of(name, settings.upper_muscles) {
            Role::Height => (),
            Role::Forward => driver.agent.push(servo(agent.stiffness, agent.damping)),
            Role::Sideways => driver.agent.push(servo(agent.side_stiffness, agent.side_damping)),
            Role::Turn => driver.agent.push(servo(agent.turn_stiffness, agent.turn_damping)),
            Role::Servo(k_p, k_d) => {
                driver.joints.push(JointServo { feed_forward: Some(held(lesson, k)?), ..servo(k_p, k_d) });
            }
            Role::Muscles(None) => (),
            Role::Muscles(Some(d)) => {
                let (stiffness, damping) = passive_values(name, d, settings);
                match settings.passive {
                    PassiveRest::None => (),
                    PassiveRest::Wanted => driver.joints.push(servo(stiffness, damping)),
                    PassiveRest::Standing => {
                        driver.joints.push(JointServo { wanted: None, ..servo(stiffness, damping) });
                    }
                }
            }
        }
    }
    Ok((driver, state))
}

/// What a servo adds to the muscles that cross its joint, so that coordinate `k` moves as wanted.
fn held(lesson: &Lesson, k: usize) -> Result<Track, WalkError> {
    lesson.forces[k].plus(&lesson.muscle_forces[k].scaled(-1.0))
}

fn driven_muscle(
    path: &Path,
    muscle: &HumanMuscle,
    m: usize,
    lesson: &Lesson,
    settings: &StageSettings,
) -> Result<DrivenMuscle, WalkError> {
    let law = match (settings.hill, &muscle.fibre) {
        (Some(gains), Some(fibre)) => {
            Law::Hill(Box::new(hill_law(muscle, fibre, gains, (lesson, m), settings.samples)?))
        }
        _ => Law::Servo(servo_law(muscle.max_force, &lesson.tensions[m], &settings.servo)),
    };
    Ok(DrivenMuscle::new(path.clone(), muscle.max_force, lesson.lengths[m].clone(), law))
}

fn servo_law(max_force: f64, tension: &Track, servo: &ServoSettings) -> ServoLaw {
    let mut gains = ServoGains::from_error(max_force, servo.error, servo.derivative_time);
    gains.integral = servo.integral_time.map_or(0.0, |time| gains.proportional / time);
    ServoLaw::new(servo.feed_forward.then(|| tension.clone()), gains)
}

/// From excitation to activation: Thelen's law with OpenSim's constants.
const DYNAMICS: Activation = Activation::FIRST_ORDER;

/// A Hill muscle with Millard's curves and OpenSim's constants.
fn hill_muscle(muscle: &HumanMuscle, fibre: &Fibre) -> Result<HillMuscle, WalkError> {
    let parameters = HillParameters {
        pennation_angle: fibre.pennation,
        ..HillParameters::new(muscle.max_force, fibre.optimal_length, fibre.slack_length)
    };
    let curves = Curves::Millard(Box::new(MillardCurves::new(&muscle.name, &MillardShape::default())?));
    Ok(HillMuscle::new(&muscle.name, parameters, curves)?)
}

/// A Hill muscle with what it learnt.
fn hill_law(
    muscle: &HumanMuscle,
    fibre: &Fibre,
    gains: ReflexGains,
    (lesson, m): (&Lesson, usize),
    samples: usize,
) -> Result<HillLaw, WalkError> {
    let Timing::Cycle { period, .. } = lesson.timing else {
        return Err(WalkError::rule(
            &muscle.name,
            "a Hill muscle learns a motion that repeats; drive this one by servos",
        ));
    };
    let hill = hill_muscle(muscle, fibre)?;
    let wanted = Wanted { tension: &lesson.tensions[m], length: &lesson.lengths[m], period, samples };
    let learnt = track_excitation(&hill, &DYNAMICS, fibre.rigid_length, wanted)?;
    Ok(HillLaw::new(hill, DYNAMICS, gains, learnt))
}

/// Pads whose lowest points in standing are the points under the feet.
pub fn floor_of(model: &Model, feet: &[FootPoint], settings: &StageSettings) -> Result<Floor, WalkError> {
    let pad = |point: &FootPoint| {
        let give = if point.name.starts_with("heel") { settings.floor.heel_give } else { settings.floor.sole_give };
        let center = point.point + Vec3::new(0.0, settings.pad_radii.y - give, 0.0);
        let missing =
            || WalkError::Missing { what: "body", name: point.segment.clone(), purpose: "a pad under a foot" };
        let frame = model.frame(&FrameSpec::at(&point.segment, center)).ok_or_else(missing)?;
        Pad::new(&point.name, usize::from(point.name.ends_with("_l")), frame, settings.pad_radii, &settings.floor)
    };
    Ok(Floor { pads: feet.iter().map(pad).collect::<Result<_, _>>()? })
}
