//! From parameters to the plan of a walk.

use super::trial::{Measured, OnModel, Request};
use std::ops::Range;
use wolff_anatomy::anthropometry::{Sex, Subject};
use wolff_anatomy::skeleton::AnkleAxes;
use wolff_anatomy::{LegMuscles, MuscleSet, Skeleton};
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
use wolff_study::document::{ParameterValue, Study};
use wolff_study::error::StudyError;

/// A plan with the subject it is for.
#[derive(Debug)]
pub(super) struct Planned {
    pub plan: MovementPlan,
    pub subject: Subject,
    /// How the walk was carried over to the subject; none where it is the subject's own.
    pub rescaled: Option<Rescaled>,
    /// Most walks that the floor may be fitted with; none: it stays as given.
    pub tuning: Option<usize>,
    /// How the floor was fitted.
    pub tuned: Option<Tuned>,
    /// The trial that the walk was measured in; none where it is the embedded one.
    pub measured: Option<Measured>,
    /// What became of the model that walks.
    pub remarks: Vec<String>,
}

/// Reads the parameters of a study by name; what is missing or unknown is a mistake in the file.
pub(super) struct Values<'a> {
    pub study: &'a Study,
    pub mistakes: Vec<(String, String)>,
}

impl Values<'_> {
    fn number(&mut self, name: &str) -> f64 {
        match self.study.parameter(name).map(|p| &p.value) {
            Some(ParameterValue::Number(x)) => *x,
            _ => self.missing(name, "a number", f64::NAN),
        }
    }

    fn whole(&mut self, name: &str) -> usize {
        // the file asks for whole numbers within limits
        self.number(name).max(0.0) as usize
    }

    pub fn word(&mut self, name: &str) -> String {
        match self.study.parameter(name).map(|p| p.value.clone()) {
            Some(ParameterValue::Word(word)) => word,
            _ => self.missing(name, "a word", String::new()),
        }
    }

    fn missing<T>(&mut self, name: &str, what: &str, value: T) -> T {
        let rule = format!("a walk needs {what} of this name; copy its declaration from `wolff new walk`");
        self.mistakes.push((name.into(), rule));
        value
    }
}

impl Planned {
    /// Fits the floor to the wanted force curve if that is asked for.
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
    let speed = (values.word("pace") == "given").then(|| values.number("speed"));
    let body = values.word("skeleton");
    let (cycles, step, sample) = (values.whole("cycles"), values.number("step"), values.number("sample"));
    let muscles = PlanMuscles::Legs(match values.word("muscles").as_str() {
        "all" => LegMuscles::All,
        "thesis" => LegMuscles::Thesis,
        _ => LegMuscles::Walking,
    });
    let strength = values.number("strength");
    let bent_reference = values.word("lesson") == "bent";
    let prescribed = values.word("servo") == "prescribed";
    let controllers = controllers(&mut values);
    let floor_fit_steps = values.whole("footing_steps");
    let bones = bones(&mut values);
    let tuning = (values.word("tune_floor") == "yes").then(|| values.whole("tune_walks"));
    let axes = ankle_axes(&mut values);
    let request = Request::read(&mut values);
    let measured = matches!(request, Some(Request::Trial(_)));
    if measured && !["walking", "model"].contains(&body.as_str()) {
        let rule =
            "a measured walk is carried over to the skeleton `walking`, or performed by the `model`; name one of these";
        values.mistakes.push(("skeleton".into(), rule.into()));
    }
    if measured && speed.is_some() {
        let rule = "a measured walk has its own speed; leave `pace` at `similar`";
        values.mistakes.push(("pace".into(), rule.into()));
    }
    if !values.mistakes.is_empty() {
        return Err(study.error(values.mistakes));
    }
    if let Some(mistake) = unlikely_person(&mut values) {
        return Err(study.error([mistake]));
    }
    let refuse = |e: &dyn std::fmt::Display| study.error([("subject".to_string(), e.to_string())]);
    let put = |walk, own: Option<MuscleSet>, subject: &Subject| MovementPlan {
        walk,
        muscles: own.map_or(muscles, PlanMuscles::Given),
        strength,
        cycles,
        step,
        sample,
        bent_reference,
        prescribed,
        controllers,
        floor_fit_steps,
        bones: BoneSettings { stature: subject.stature, sex: subject.sex, ..bones },
    };
    let refuse_files = |e: MovementError| study.error([("trial".to_string(), e.to_string())]);
    match request {
        Some(Request::Trial(trial)) => {
            let mut measured = trial.make().map_err(refuse_files)?;
            let (walk, subject) = (measured.trial.walk.clone(), measured.trial.subject.clone());
            let plan = put(walk, measured.trial.muscles.take(), &subject);
            Ok(Planned {
                plan,
                subject,
                rescaled: None,
                tuning,
                tuned: None,
                measured: Some(measured),
                remarks: vec![],
            })
        }
        Some(Request::Model(model)) => {
            let OnModel { subject, rescaled, person } = model.make(speed).map_err(refuse_files)?;
            let plan = put(rescaled.walk.clone(), Some(person.muscles), &subject);
            let (rescaled, remarks) = (Some(rescaled), person.remarks);
            Ok(Planned { plan, subject, rescaled, tuning, tuned: None, measured: None, remarks })
        }
        None => {
            let subject = subject.map_err(|e| refuse(&e))?;
            let reference = ReferenceWalk::embedded().map_err(|e| refuse(&e))?;
            let rescaled = carried_over(&reference, &subject, speed, &body, axes.as_ref()).map_err(|e| refuse(&e))?;
            let walk = rescaled.as_ref().map_or(reference, |r| r.walk.clone());
            let plan = put(walk, None, &subject);
            Ok(Planned { plan, subject, rescaled, tuning, tuned: None, measured: None, remarks: vec![] })
        }
    }
}

/// A given person whose mass does not go with the stature: the parameter and what may have been meant.
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
        "{mass} kg at {height} m is a body mass index of {index:.0} kg/m², and the tables of segments are for {start} to {end}; give mass and stature of one person"
    );
    Some(("mass".into(), rule))
}

/// The walk of a subject; none where it is the embedded one as it stands.
fn carried_over(
    reference: &ReferenceWalk,
    subject: &Subject,
    speed: Option<f64>,
    body: &str,
    axes: Option<&AnkleAxes>,
) -> Result<Option<Rescaled>, wolff_anatomy::AnatomyError> {
    let own = &reference.constants;
    let same_speed = speed.is_none_or(|v| v == own.speed);
    let same_body = body == "walking";
    if same_body && subject.mass == own.mass && subject.stature == own.stature && subject.sex == Sex::Male && same_speed
    {
        let Some(axes) = axes else { return Ok(None) };
        let walk = reference.with_skeleton(reference.skeleton.with_ankle_axes(axes))?;
        return restore(walk, &Restoring { moments: Some(KEPT_MOMENTS), ..Restoring::default() }).map(Some);
    }
    let skeleton = match body {
        "full-body" => Skeleton::full_body(subject)?,
        "lower-body" => Skeleton::lower_body(subject)?,
        _ => Skeleton::walking(subject)?,
    };
    let skeleton = axes.map_or(skeleton.clone(), |axes| skeleton.with_ankle_axes(axes));
    let settings = RescaleSettings { speed, ..RescaleSettings::default() };
    rescale_to(reference, skeleton, subject.stature, &settings).map(Some)
}

/// Change of a joint moment [N m/kg] that costs as much as one fault where only the axes of the ankles change; own choice.
const KEPT_MOMENTS: [f64; 2] = [0.02, 0.02];

/// The axes of the ankles; none where they are straight.
pub(super) fn ankle_axes(values: &mut Values<'_>) -> Option<AnkleAxes> {
    let axes = AnkleAxes {
        flexion_tilt: values.number("ankle_tilt"),
        flexion_turn: values.number("ankle_turn"),
        subtalar_rise: values.number("subtalar_rise"),
        subtalar_turn: values.number("subtalar_turn"),
    };
    (values.word("ankle_axes") == "oblique").then_some(axes)
}

fn subject(values: &mut Values<'_>) -> Result<Subject, wolff_anatomy::AnatomyError> {
    let (mass, stature) = (values.number("mass"), values.number("stature"));
    let sex = if values.word("sex") == "female" { Sex::Female } else { Sex::Male };
    match values.word("subject").as_str() {
        "given" => Subject::new("given", mass, stature, sex, None),
        name => Subject::preset(name),
    }
}

fn controllers(values: &mut Values<'_>) -> ControllerSettings {
    let servo = values.word("servo");
    let radii = Vec3::new(values.number("pad_length"), values.number("pad_height"), values.number("pad_width"));
    ControllerSettings {
        floor: floor(values),
        pad_radii: radii,
        servo: ServoSettings {
            feed_forward: servo == "feed-forward" || servo == "hill",
            error: values.number("servo_error"),
            derivative_time: values.number("servo_time"),
            integral_time: (servo == "pid").then(|| values.number("integral_time")),
        },
        hill: Some(reflex(values)).filter(|_| servo == "hill"),
        fibres: values.word("sharing") == "fibres",
        agent: AgentSettings {
            turn_stiffness: values.number("agent_turn_stiffness"),
            turn_damping: values.number("agent_turn_damping"),
            stiffness: values.number("agent_stiffness"),
            damping: values.number("agent_damping"),
            side_stiffness: values.number("agent_side_stiffness"),
            side_damping: values.number("agent_side_damping"),
        },
        passive: match values.word("passive").as_str() {
            "standing" => PassiveRest::Standing,
            "none" => PassiveRest::None,
            _ => PassiveRest::Reference,
        },
        inversion_stiffness: values.number("inversion_stiffness"),
        motion_agents: teacher(values),
        upper_muscles: values.word("upper_muscles") == "thesis" && values.word("skeleton") == "full-body",
        samples: values.whole("samples"),
        reserve: values.number("reserve"),
    }
}

/// Gains of the stretch reflex.
fn reflex(values: &mut Values<'_>) -> ReflexGains {
    let length = values.number("reflex_gain");
    ReflexGains { length, speed: length * values.number("reflex_time") }
}

/// Motion agents, if they are to teach.
fn teacher(values: &mut Values<'_>) -> Option<MotionAgents> {
    let agents = MotionAgents {
        stiffness: values.number("teacher_stiffness"),
        turn_stiffness: values.number("teacher_turn_stiffness"),
        damping_time: values.number("teacher_damping_time"),
    };
    (values.word("teacher") == "agents").then_some(agents)
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
    FloorParameters::published(&values.word("floor")).unwrap_or(given)
}

/// The mesh of the right tibia, if there is a file of one; its joint faces must make a bone of it in some unit, and it must be known which way it looks.
fn given_tibia(values: &mut Values<'_>) -> Option<GivenBone> {
    let word = values.word("tibia_forward");
    let scale = ["tibia_scale_along", "tibia_scale_anterior", "tibia_scale_lateral"].map(|name| values.number(name));
    let mesh = values.study.meshes.get("tibia_mesh")?.clone();
    let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
    let axis = ["x", "y", "z"].iter().position(|axis| word.ends_with(axis)).unwrap_or(0);
    let forward = match word.as_str() {
        "auto" => Forward::Auto,
        _ => Forward::Given(Vec3::from_fn(|k, _| if k == axis { sign } else { 0.0 })),
    };
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
    let bones = match values.word("bones").as_str() {
        "none" => vec![],
        "tibias" => vec![BoneName::TibiaRight, BoneName::TibiaLeft],
        "legs" => vec![BoneName::TibiaRight, BoneName::TibiaLeft, BoneName::FemurRight, BoneName::FemurLeft],
        _ => vec![BoneName::TibiaRight],
    };
    let shaft = [values.number("shaft_anterior"), values.number("shaft_lateral")];
    BoneSettings {
        bones,
        stature: values.number("stature"),
        sex: if values.word("sex") == "female" { Sex::Female } else { Sex::Male },
        breadth: values.number("bone_breadth"),
        refinement: values.whole("refinement"),
        cortical: match values.word("cortical").as_str() {
            "cortical-printed" => Material::cortical_bone_as_printed(),
            "reilly-burstein" => Material::cortical_reilly_burstein(),
            "ashman" => Material::cortical_ashman(),
            "rho" => Material::cortical_rho(),
            _ => Material::cortical_bone(),
        },
        damping_ratio: values.number("damping_ratio"),
        vibrations: values.whole("vibrations"),
        gauge_error: values.number("gauge_error"),
        shaft_offset: (values.word("shaft") == "given").then_some(shaft),
        tibia: given_tibia(values),
        fibula: values.word("fibula") == "yes",
        cache: None,
    }
}
