//! From parameters to the plan of a walk.

use super::settings::{self, GivenParameter};
use super::trial::{Measured, OnModel, Request};
use super::values::Values;
use std::ops::Range;
use std::sync::Arc;
use wolff_anatomy::anthropometry::{Sex, Subject};
use wolff_anatomy::skeleton::AnkleAxes;
use wolff_anatomy::{AnatomyError, LegMuscles, MuscleSet, SegmentName, Side, Skeleton};
use wolff_doctor::{self as doctor, BODY_MASS_INDEX, Fault, Patient};
use wolff_movement::MovementError;
use wolff_movement::bones::{BoneName, BoneSettings};
use wolff_movement::reference::ReferenceWalk;
use wolff_movement::reference::rescale::{RescaleSettings, Rescaled, Restoring, rescale_to, restore};
use wolff_movement::simulate::{MovementPlan, MovementResult, PlanMuscles};
use wolff_movement::tracking::ControllerSettings;
use wolff_movement::tune::{Tuned, tune_floor};
use wolff_report::outcome::Finding;
use wolff_scan::ScanError;
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
    /// Fraction of the strain energy of each bone that the modes chosen by it have; `None`: they are chosen otherwise.
    pub strain_energy: Option<f64>,
    /// The trial in which the walk was measured; `None` for the embedded walk.
    pub measured: Option<Measured>,
    /// Findings about the model.
    pub findings: Vec<Finding>,
    /// Files of bones that are still to be made.
    pub given: Vec<GivenParameter>,
}

impl Planned {
    /// Time of a complete simulation \[s\].
    pub fn duration(&self, result: &MovementResult) -> f64 {
        self.plan.cycles as f64 * result.walk.constants.cycle_time
    }

    /// Makes the bones that are given; `progress` receives the stage, and stops the work by returning false.
    pub fn make_given(&mut self, progress: &mut dyn FnMut(&str, f64) -> bool) -> Result<(), (&'static str, ScanError)> {
        for file in std::mem::take(&mut self.given) {
            let bone = file.make(progress).map_err(|e| (file.name, e))?;
            let (name, bones) = (BoneName::of(&bone), &mut self.plan.bones);
            if !bones.bones.contains(&name) {
                bones.bones.push(name);
            }
            bones.given.push(Arc::new(bone));
        }
        Ok(())
    }

    fn new(plan: MovementPlan, subject: Subject, tuning: Option<usize>) -> Self {
        Planned {
            plan,
            subject,
            rescaled: None,
            tuning,
            tuned: None,
            strain_energy: None,
            measured: None,
            findings: Vec::new(),
            given: Vec::new(),
        }
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

/// Reads the plan of a study; with `force` a recording with errors is not refused.
pub(super) fn plan(study: &Study, force: bool) -> Result<Planned, StudyError> {
    let mut values = Values { study, mistakes: Vec::new() };
    let subject = subject(&mut values);
    let settings = Settings::read(&mut values);
    let request = Request::read(&mut values);
    let given = settings::given(&mut values, force);
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
    let refuse_files = |e: MovementError| match e {
        MovementError::Refused(errors) => study.error(errors.iter().map(refused)),
        other => study.error([("trial".to_string(), other.to_string())]),
    };
    let strain_energy = settings.strain_energy;
    let planned = match request {
        Some(Request::Trial(trial)) => settings.of_trial(trial.make(force).map_err(refuse_files)?),
        Some(Request::Model(model)) => settings.of_model(model.make(settings.speed).map_err(refuse_files)?),
        None => settings.of_person(subject.map_err(|e| refuse(&e))?).map_err(|e| refuse(&e))?,
    };
    Ok(Planned { given, strain_energy, ..planned })
}

/// An error of a recording as an error of the study.
fn refused(finding: &Finding) -> (String, String) {
    ("trial".to_string(), format!("{}; add --force to use the recording all the same", finding.text()))
}

/// The parameters of a walk that do not depend on the subject.
struct Settings {
    body: Body,
    speed: Option<f64>,
    /// Whether a person walks at the measured speed, where there is one.
    own_speed: bool,
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
    strain_energy: Option<f64>,
    /// Mass of one shoe \[kg\].
    shoe: f64,
    tuning: Option<usize>,
    ankle: Option<AnkleAxes>,
}

/// What determines the speed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// The person, where measured; else as `Similar`.
    Own,
    /// Dynamic similarity.
    Similar,
    /// A parameter.
    Given,
}

/// The skeleton that walks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Walking,
    Full,
    Lower,
    Model,
}

pub(super) const BODIES: [(&str, Body); 4] =
    [("walking", Body::Walking), ("full-body", Body::Full), ("lower-body", Body::Lower), ("model", Body::Model)];

impl Settings {
    fn read(values: &mut Values<'_>) -> Self {
        let pace = values.choice("pace", [("own", Pace::Own), ("similar", Pace::Similar), ("given", Pace::Given)]);
        let tunes = values.choice("tune_floor", [("no", false), ("yes", true)]);
        Settings {
            body: values.choice("skeleton", BODIES),
            speed: (pace == Pace::Given).then(|| values.number("speed")),
            own_speed: pace == Pace::Own,
            muscles: values.choice(
                "muscles",
                [("all", LegMuscles::All), ("walking", LegMuscles::Walking), ("thesis", LegMuscles::Thesis)],
            ),
            strength: values.number("strength"),
            cycles: values.whole("cycles"),
            step: values.number("step"),
            sample: values.number("sample"),
            bent_reference: values.choice("reference_bones", [("bent", true), ("rigid", false)]),
            prescribed: values.choice("servo", settings::SERVOS) == settings::Servo::Prescribed,
            controllers: settings::controllers(values),
            floor_fit_steps: settings::floor_fit_steps(values),
            bones: settings::bones(values),
            strain_energy: (values.choice("modes", settings::MODES) == settings::Modes::StrainEnergy)
                .then(|| values.number("strain_energy")),
            shoe: values.number("shoe_mass"),
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
        if self.shoe > 0.0 {
            let rule = "the mass of a recorded person or of a model includes the shoes; leave `shoe_mass` at 0";
            mistakes.push(("shoe_mass".into(), rule.into()));
        }
        if self.speed.is_some() {
            let rule = "a measured walk has its own speed; leave `pace` at `own`";
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
        let (rescaled, findings) = (Some(rescaled), person.findings);
        Planned { rescaled, findings, ..Planned::new(plan, subject, self.tuning) }
    }

    fn of_person(&self, subject: Subject) -> Result<Planned, AnatomyError> {
        let reference = ReferenceWalk::embedded()?;
        let speed = self.speed.or(subject.speed.filter(|_| self.own_speed));
        let rescaled = transferred(&reference, &subject, speed, self)?;
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
    settings: &Settings,
) -> Result<Option<Rescaled>, AnatomyError> {
    let Settings { body, shoe, .. } = *settings;
    let (own, axes) = (&reference.constants, settings.ankle.as_ref());
    let same_speed = speed.is_none_or(|v| v == own.speed);
    let same_body = body == Body::Walking && shoe == 0.0;
    if same_body && subject.mass == own.mass && subject.stature == own.stature && subject.sex == Sex::Male && same_speed
    {
        let Some(axes) = axes else { return Ok(None) };
        let walk = reference.with_skeleton(reference.skeleton.with_ankle_axes(axes))?;
        return restore(walk, &Restoring { moments: Some(MOMENT_SCALES), ..Restoring::default() }).map(Some);
    }
    let skeleton = match body {
        Body::Full => Skeleton::full_body(subject)?,
        Body::Lower => Skeleton::lower_body(subject)?,
        // a model has its own skeleton, so this is reached for the built-in skeleton only
        Body::Walking | Body::Model => Skeleton::walking(subject)?,
    };
    let skeleton = axes.map_or(skeleton.clone(), |axes| skeleton.with_ankle_axes(axes));
    let skeleton = with_shoes(skeleton, shoe);
    let settings = RescaleSettings { speed, ..RescaleSettings::default() };
    rescale_to(reference, skeleton, subject.stature, &settings).map(Some)
}

/// The skeleton with a shoe of this mass \[kg\] on each foot, distributed like the mass of the foot.
fn with_shoes(mut skeleton: Skeleton, shoe: f64) -> Skeleton {
    let feet = [Side::Right, Side::Left].map(|side| SegmentName::Foot(side).name());
    for segment in skeleton.segments.iter_mut().filter(|segment| feet.contains(&segment.name.as_str())) {
        let factor = 1.0 + shoe / segment.mass.mass;
        segment.mass.mass *= factor;
        segment.mass.inertia *= factor;
    }
    skeleton
}

/// Scale of the changes of joint moments \[N m/kg\] (regularisation) where only the axes of the ankles change. Chosen
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
