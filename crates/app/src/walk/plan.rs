//! From parameters to the plan of a walk.

use super::trial::{Measured, OnModel, Request};
use super::values::Values;
use std::ops::Range;
use wolff_anatomy::anthropometry::{Sex, Subject};
use wolff_anatomy::skeleton::AnkleAxes;
use wolff_anatomy::{AnatomyError, LegMuscles, MuscleSet, Skeleton};
use wolff_bone::Side;
use wolff_bone::person::{Forward, GivenBone};
use wolff_fem::material::Material;
use wolff_motion::doctor::{self, BODY_MASS_INDEX, Fault, Patient};
use wolff_movement::MovementError;
use wolff_movement::bones::{BoneName, BoneSettings};
use wolff_movement::model::ground::FloorParameters;
use wolff_movement::reference::ReferenceWalk;
use wolff_movement::reference::rescale::{RescaleSettings, Rescaled, Restoring, rescale_to, restore};
use wolff_movement::simulate::{MovementPlan, PlanMuscles};
use wolff_movement::tracking::MotionAgents;
use wolff_movement::tracking::ReflexGains;
use wolff_movement::tracking::{AgentSettings, ControllerSettings, PassiveRest, ServoSettings};
use wolff_movement::tune::{Tuned, tune_floor};
use wolff_spatial::Vec3;
use wolff_study::document::Study;
use wolff_study::error::StudyError;

/// A plan with its subject.
#[derive(Debug)]
pub(super) struct Planned {
    pub plan: MovementPlan,
    pub subject: Subject,
    /// How the walk was transferred to the subject; `None` where it was measured on the subject.
    pub rescaled: Option<Rescaled>,
    /// Maximum number of simulations for fitting the floor; `None`: the floor is not fitted.
    pub tuning: Option<usize>,
    /// How the floor was fitted.
    pub tuned: Option<Tuned>,
    /// The trial in which the walk was measured; `None` for the embedded walk.
    pub measured: Option<Measured>,
    /// Remarks on the conversion of the model.
    pub remarks: Vec<String>,
}

impl Planned {
    fn new(plan: MovementPlan, subject: Subject, tuning: Option<usize>) -> Self {
        Planned { plan, subject, rescaled: None, tuning, tuned: None, measured: None, remarks: Vec::new() }
    }

    /// Fits the floor to the reference force curve, if requested.
    pub fn tune(&mut self, progress: &mut dyn FnMut(f64) -> bool) -> Result<(), MovementError> {
        if let Some(walks) = self.tuning {
            let tuned = tune_floor(&self.plan, walks, progress)?;
            self.plan.controllers.floor = tuned.floor;
            self.tuned = Some(tuned);
        }
        Ok(())
    }
}

/// Reads the plan of a study.
pub(super) fn plan(study: &Study) -> Result<Planned, StudyError> {
    let mut values = Values { study, mistakes: Vec::new() };
    let subject = subject(&mut values);
    let settings = Settings::read(&mut values);
    let request = Request::read(&mut values);
    if matches!(request, Some(Request::Trial(_))) {
        values.mistakes.extend(settings.against_a_trial());
    }
    if !values.mistakes.is_empty() {
        return Err(study.error(values.mistakes));
    }
    if let Some(mistake) = unlikely_person(&mut values) {
        return Err(study.error([mistake]));
    }
    let refuse = |e: &dyn std::fmt::Display| study.error([("subject".to_string(), e.to_string())]);
    let refuse_files = |e: MovementError| study.error([("trial".to_string(), e.to_string())]);
    match request {
        Some(Request::Trial(trial)) => Ok(settings.of_trial(trial.make().map_err(refuse_files)?)),
        Some(Request::Model(model)) => Ok(settings.of_model(model.make(settings.speed).map_err(refuse_files)?)),
        None => settings.of_person(subject.map_err(|e| refuse(&e))?).map_err(|e| refuse(&e)),
    }
}

/// The parameters of a walk that do not depend on the subject.
struct Settings {
    body: Body,
    speed: Option<f64>,
    muscles: LegMuscles,
    strength: f64,
    cycles: usize,
    step: f64,
    sample: f64,
    bent_reference: bool,
    prescribed: bool,
    controllers: ControllerSettings,
    floor_fit_steps: usize,
    bones: BoneSettings,
    tuning: Option<usize>,
    ankle: Option<AnkleAxes>,
}

/// The skeleton that walks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Walking,
    FullBody,
    LowerBody,
    Model,
}

const BODIES: [(&str, Body); 4] = [
    ("walking", Body::Walking),
    ("full-body", Body::FullBody),
    ("lower-body", Body::LowerBody),
    ("model", Body::Model),
];

impl Settings {
    fn read(values: &mut Values<'_>) -> Self {
        let given_speed = values.choice("pace", [("similar", false), ("given", true)]);
        let tunes = values.choice("tune_floor", [("no", false), ("yes", true)]);
        Settings {
            body: values.choice("skeleton", BODIES),
            speed: given_speed.then(|| values.number("speed")),
            muscles: values.choice(
                "muscles",
                [("all", LegMuscles::All), ("walking", LegMuscles::Walking), ("thesis", LegMuscles::Thesis)],
            ),
            strength: values.number("strength"),
            cycles: values.whole("cycles"),
            step: values.number("step"),
            sample: values.number("sample"),
            bent_reference: values.choice("reference_bones", [("bent", true), ("rigid", false)]),
            prescribed: values.choice("servo", SERVOS) == Servo::Prescribed,
            controllers: controllers(values),
            floor_fit_steps: values.whole("floor_fit_steps"),
            bones: bones(values),
            tuning: tunes.then(|| values.whole("tune_walks")),
            ankle: ankle_axes(values),
        }
    }

    /// Parameters that are incompatible with a measured walk.
    fn against_a_trial(&self) -> Vec<(String, String)> {
        let mut mistakes = Vec::new();
        if !matches!(self.body, Body::Walking | Body::Model) {
            let rule = "a measured walk is transferred to the skeleton `walking` or simulated with the `model`; \
                        set one of these";
            mistakes.push(("skeleton".into(), rule.into()));
        }
        if self.speed.is_some() {
            let rule = "a measured walk has its own speed; leave `pace` at `similar`";
            mistakes.push(("pace".into(), rule.into()));
        }
        mistakes
    }

    /// The plan of a walk, with the muscles of the model if there is one.
    fn plan(&self, walk: ReferenceWalk, own: Option<MuscleSet>, subject: &Subject) -> MovementPlan {
        MovementPlan {
            walk,
            muscles: own.map_or(PlanMuscles::Legs(self.muscles), PlanMuscles::Given),
            strength: self.strength,
            cycles: self.cycles,
            step: self.step,
            sample: self.sample,
            bent_reference: self.bent_reference,
            prescribed: self.prescribed,
            controllers: self.controllers.clone(),
            floor_fit_steps: self.floor_fit_steps,
            bones: BoneSettings { stature: subject.stature, sex: subject.sex, ..self.bones.clone() },
        }
    }

    fn of_trial(&self, mut measured: Measured) -> Planned {
        let subject = measured.trial.subject.clone();
        let plan = self.plan(measured.trial.walk.clone(), measured.trial.muscles.take(), &subject);
        Planned { measured: Some(measured), ..Planned::new(plan, subject, self.tuning) }
    }

    fn of_model(&self, OnModel { subject, rescaled, person }: OnModel) -> Planned {
        let plan = self.plan(rescaled.walk.clone(), Some(person.muscles), &subject);
        let (rescaled, remarks) = (Some(rescaled), person.remarks);
        Planned { rescaled, remarks, ..Planned::new(plan, subject, self.tuning) }
    }

    fn of_person(&self, subject: Subject) -> Result<Planned, AnatomyError> {
        let reference = ReferenceWalk::embedded()?;
        let rescaled = transferred(&reference, &subject, self.speed, self.body, self.ankle.as_ref())?;
        let walk = rescaled.as_ref().map_or(reference, |r| r.walk.clone());
        let plan = self.plan(walk, None, &subject);
        Ok(Planned { rescaled, ..Planned::new(plan, subject, self.tuning) })
    }
}

/// A given person whose mass is implausible for the stature: the parameter and a suggestion.
fn unlikely_person(values: &mut Values<'_>) -> Option<(String, String)> {
    if values.word("subject") != "given" {
        return None;
    }
    let (mass, height) = (values.number("mass"), values.number("stature"));
    let patient = Patient { mass: Some(mass), height: Some(height), ..Patient::default() };
    let pounds = doctor::examine(&patient).into_iter().find(|f| f.fault == Fault::Mass);
    if let Some(found) = pounds {
        return Some(("mass".into(), format!("{}; {}", found.message, found.remedy)));
    }
    let index = mass / (height * height);
    if BODY_MASS_INDEX.contains(&index) {
        return None;
    }
    let Range { start, end } = BODY_MASS_INDEX;
    let rule = format!(
        "{mass} kg at {height} m is a body mass index of {index:.0} kg/m², but the tables of segments are valid for \
         {start} to {end}; give mass and stature of the same person"
    );
    Some(("mass".into(), rule))
}

/// The walk transferred to a subject; `None` where it is the unchanged embedded walk.
fn transferred(
    reference: &ReferenceWalk,
    subject: &Subject,
    speed: Option<f64>,
    body: Body,
    axes: Option<&AnkleAxes>,
) -> Result<Option<Rescaled>, AnatomyError> {
    let own = &reference.constants;
    let same_speed = speed.is_none_or(|v| v == own.speed);
    let same_body = body == Body::Walking;
    if same_body && subject.mass == own.mass && subject.stature == own.stature && subject.sex == Sex::Male && same_speed
    {
        let Some(axes) = axes else { return Ok(None) };
        let walk = reference.with_skeleton(reference.skeleton.with_ankle_axes(axes))?;
        return restore(walk, &Restoring { moments: Some(MOMENT_SCALES), ..Restoring::default() }).map(Some);
    }
    let skeleton = match body {
        Body::FullBody => Skeleton::full_body(subject)?,
        Body::LowerBody => Skeleton::lower_body(subject)?,
        // a model has its own skeleton, so this is reached for the built-in skeleton only
        Body::Walking | Body::Model => Skeleton::walking(subject)?,
    };
    let skeleton = axes.map_or(skeleton.clone(), |axes| skeleton.with_ankle_axes(axes));
    let settings = RescaleSettings { speed, ..RescaleSettings::default() };
    rescale_to(reference, skeleton, subject.stature, &settings).map(Some)
}

/// Scale of the changes of joint moments [N m/kg] (regularisation) where only the axes of the ankles change. Chosen
/// here: small compared with the peak moments of walking (of order 1 N m/kg).
const MOMENT_SCALES: [f64; 2] = [0.02, 0.02];

/// The axes of the ankles; `None` where they are straight.
pub(super) fn ankle_axes(values: &mut Values<'_>) -> Option<AnkleAxes> {
    let axes = AnkleAxes {
        flexion_tilt: values.number("ankle_tilt"),
        flexion_turn: values.number("ankle_turn"),
        subtalar_rise: values.number("subtalar_rise"),
        subtalar_turn: values.number("subtalar_turn"),
    };
    values.choice("ankle_axes", [("oblique", true), ("straight", false)]).then_some(axes)
}

fn subject(values: &mut Values<'_>) -> Result<Subject, AnatomyError> {
    let (mass, stature) = (values.number("mass"), values.number("stature"));
    let sex = values.sex();
    match values.word("subject").as_str() {
        "given" => Subject::new("given", mass, stature, sex, None),
        name => Subject::preset(name),
    }
}

/// How the muscles are controlled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Servo {
    FeedForward,
    Pd,
    Pid,
    Hill,
    Prescribed,
}

const SERVOS: [(&str, Servo); 5] = [
    ("feed-forward", Servo::FeedForward),
    ("pd", Servo::Pd),
    ("pid", Servo::Pid),
    ("hill", Servo::Hill),
    ("prescribed", Servo::Prescribed),
];

fn controllers(values: &mut Values<'_>) -> ControllerSettings {
    let servo = values.choice("servo", SERVOS);
    let radii = Vec3::new(values.number("pad_length"), values.number("pad_height"), values.number("pad_width"));
    ControllerSettings {
        floor: floor(values),
        pad_radii: radii,
        servo: ServoSettings {
            feed_forward: matches!(servo, Servo::FeedForward | Servo::Hill),
            error: values.number("servo_error"),
            derivative_time: values.number("servo_time"),
            integral_time: (servo == Servo::Pid).then(|| values.number("integral_time")),
        },
        hill: Some(reflex(values)).filter(|_| servo == Servo::Hill),
        fibres: values.choice("sharing", [("strength", false), ("fibres", true)]),
        agent: AgentSettings {
            turn_stiffness: values.number("agent_turn_stiffness"),
            turn_damping: values.number("agent_turn_damping"),
            stiffness: values.number("agent_stiffness"),
            damping: values.number("agent_damping"),
            side_stiffness: values.number("agent_side_stiffness"),
            side_damping: values.number("agent_side_damping"),
        },
        passive: values.choice(
            "passive",
            [("reference", PassiveRest::Reference), ("standing", PassiveRest::Standing), ("none", PassiveRest::None)],
        ),
        inversion_stiffness: values.number("inversion_stiffness"),
        motion_agents: motion_agents(values),
        upper_muscles: values.choice("upper_muscles", [("thesis", true), ("none", false)])
            && values.choice("skeleton", BODIES) == Body::FullBody,
        samples: values.whole("samples"),
        reserve: values.number("reserve"),
    }
}

/// Gains of the stretch reflex.
fn reflex(values: &mut Values<'_>) -> ReflexGains {
    let length = values.number("reflex_gain");
    ReflexGains { length, speed: length * values.number("reflex_time") }
}

/// Motion agents, where the reference lengths come from an inverse simulation with them.
fn motion_agents(values: &mut Values<'_>) -> Option<MotionAgents> {
    let agents = MotionAgents {
        stiffness: values.number("motion_agent_stiffness"),
        turn_stiffness: values.number("motion_agent_turn_stiffness"),
        damping_time: values.number("motion_agent_damping_time"),
    };
    values.choice("reference_source", [("motion", false), ("agents", true)]).then_some(agents)
}

fn floor(values: &mut Values<'_>) -> FloorParameters {
    let given = FloorParameters {
        stiffness: values.number("floor_stiffness"),
        heel_factor: values.number("heel_factor"),
        damping: values.number("floor_damping"),
        exponent: values.number("floor_exponent"),
        reference_depth: values.number("floor_depth"),
        heel_give: values.number("heel_give"),
        sole_give: values.number("sole_give"),
        full_damping_depth: values.number("full_damping_depth"),
        static_friction: values.number("static_friction"),
        dynamic_friction: values.number("dynamic_friction"),
        stiction_velocity: values.number("stiction_velocity"),
        friction_velocity: values.number("friction_velocity"),
    };
    match values.choice("floor", [("given", None), ("first", Some("first")), ("second", Some("second"))]) {
        Some(name) => FloorParameters::published(name).unwrap_or(given),
        None => given,
    }
}

/// Directions of a mesh by name; `None`: determined from the shape.
const FORWARD: [(&str, Option<[f64; 3]>); 7] = [
    ("auto", None),
    ("+x", Some([1.0, 0.0, 0.0])),
    ("-x", Some([-1.0, 0.0, 0.0])),
    ("+y", Some([0.0, 1.0, 0.0])),
    ("-y", Some([0.0, -1.0, 0.0])),
    ("+z", Some([0.0, 0.0, 1.0])),
    ("-z", Some([0.0, 0.0, -1.0])),
];

/// The mesh of the right tibia, if a file is given. The distance of its joint faces must be that of a tibia in one of
/// the units, and its forward direction must be given or determined.
fn given_tibia(values: &mut Values<'_>) -> Option<GivenBone> {
    let forward = values.choice("tibia_forward", FORWARD);
    let scale = ["tibia_scale_along", "tibia_scale_anterior", "tibia_scale_lateral"].map(|name| values.number(name));
    let mesh = values.study.meshes.get("tibia_mesh")?.clone();
    let forward = forward.map_or(Forward::Auto, |direction| Forward::Given(direction.into()));
    let bone = GivenBone { mesh, forward, scale };
    let wrong = |name: &str, error: wolff_bone::BoneError| (name.to_string(), error.to_string());
    let found = bone.unit().map_err(|e| wrong("tibia_mesh", e));
    match found.and_then(|_| bone.found_forward(Side::Right).map_err(|e| wrong("tibia_forward", e))) {
        Ok(_) => Some(bone),
        Err(mistake) => {
            values.mistakes.push(mistake);
            None
        }
    }
}

fn bones(values: &mut Values<'_>) -> BoneSettings {
    const LEGS: [BoneName; 4] = [BoneName::TibiaRight, BoneName::TibiaLeft, BoneName::FemurRight, BoneName::FemurLeft];
    let bones =
        values.choice("bones", [("tibia_r", &LEGS[..1]), ("tibias", &LEGS[..2]), ("legs", &LEGS[..]), ("none", &[])]);
    let cortical: fn() -> Material = values.choice(
        "cortical",
        [
            ("cortical", Material::cortical_bone as fn() -> Material),
            ("cortical-printed", Material::cortical_bone_as_printed),
            ("reilly-burstein", Material::cortical_reilly_burstein),
            ("ashman", Material::cortical_ashman),
            ("rho", Material::cortical_rho),
        ],
    );
    let shaft = [values.number("shaft_anterior"), values.number("shaft_lateral")];
    BoneSettings {
        bones: bones.to_vec(),
        stature: values.number("stature"),
        sex: values.sex(),
        breadth: values.number("bone_breadth"),
        refinement: values.whole("refinement"),
        cortical: cortical(),
        damping_ratio: values.number("damping_ratio"),
        vibrations: values.whole("vibrations"),
        gauge_error: values.number("gauge_error"),
        shaft_offset: values.choice("shaft", [("built-in", false), ("given", true)]).then_some(shaft),
        tibia: given_tibia(values),
        fibula: values.choice("fibula", [("no", false), ("yes", true)]),
        cache: None,
    }
}
