//! Model, motion and loads from options and set-up files, with everything that was found about them.

use super::loads::{contacts_text, read_loads};
use super::residuals::Residuals;
use super::setups::{FromSetup, read_setup, setup_of};
use std::path::{Path, PathBuf};
use wolff_formats::sto::Storage;
use wolff_formats::trial::Axes;
use wolff_motion::recording::read_storage;
use wolff_motion::signal::{FootCycles, foot_cycles};
use wolff_motion::{Accelerations, CoordinateHistory, ExternalLoad, Lowpass, MotionError, Motors, Subject};
use wolff_opensim::setup::Setup;
use wolff_opensim::{OpensimSubject, with_plain_labels};
use wolff_plausibility::plates::Contact;
use wolff_plausibility::{
    examine_activations, examine_bodies, examine_loads, examine_missing_loads, examine_motion, examine_muscles,
    examine_paths,
};
use wolff_verdict::{Finding, Judgement};

/// What a command was asked for; values that are not given are taken from the set-up file.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A set-up file of OpenSim.
    pub setup: Option<PathBuf>,
    /// The model.
    pub model: Option<PathBuf>,
    /// Coordinates over time.
    pub motion: Option<PathBuf>,
    /// Ground forces: an ExternalLoads file, or forces themselves.
    pub loads: Option<PathBuf>,
    /// Axes of the laboratory of the forces.
    pub axes: Option<Axes>,
    /// Cutoff frequency of the low-pass filter of the coordinates \[Hz\].
    pub cutoff: Option<f64>,
    /// First and last instant \[s\].
    pub time: Option<[f64; 2]>,
    /// Every n-th row is used.
    pub every: Option<usize>,
    /// Force sets with further actuators.
    pub actuators: Vec<PathBuf>,
    /// Stature of the subject \[m\].
    pub stature: Option<f64>,
    /// Whether the forces of muscles are given, so that those of the set-up are not looked for.
    pub has_forces: bool,
    /// Whether the motion is tracked forward in time, so that it is filtered as OpenSim's muscle control filters it.
    pub tracks: bool,
}

impl Request {
    /// Elements of a set-up that options replace.
    fn given(&self) -> Vec<&'static str> {
        let motion: &[&str] = &["coordinates_file", "states_file", "desired_kinematics_file"];
        let all: [(bool, &[&'static str]); 5] = [
            (self.model.is_some(), &["model_file"]),
            (self.motion.is_some(), motion),
            (self.loads.is_some(), &["external_loads_file"]),
            (!self.actuators.is_empty(), &["force_set_files"]),
            (self.has_forces, &["forces_file"]),
        ];
        all.into_iter().filter(|(given, _)| *given).flat_map(|(_, names)| names.iter().copied()).collect()
    }
}

/// A model with its motion and external loads.
pub struct Loaded {
    /// Name of the model's file.
    pub title: String,
    /// The model.
    pub model_file: PathBuf,
    /// The motion.
    pub motion_file: PathBuf,
    /// The forces.
    pub loads_file: Option<PathBuf>,
    /// The subject; the loads are forces of its model.
    pub subject: Subject,
    /// The loads.
    pub loads: Vec<ExternalLoad>,
    /// Contacts of feet with plates, where forces were given without bodies.
    pub contacts: Vec<Contact>,
    /// Coordinates over time.
    pub history: CoordinateHistory,
    /// Instants that are analysed \[s\].
    pub times: Vec<f64>,
    /// The set-up.
    pub from_setup: FromSetup,
    /// Findings about the input.
    pub judgement: Judgement,
    /// Cutoff frequency \[Hz\].
    pub cutoff: Option<f64>,
    /// Method for accelerations.
    pub accelerations: Accelerations,
    /// Stature \[m\], given or estimated from the legs of the model.
    pub stature: Option<f64>,
    /// Whether the stature was given.
    pub stature_given: bool,
    /// Residuals of the motion, where a command has computed them before its forces.
    pub residuals: Option<Residuals>,
}

impl Loaded {
    /// Weight of the subject \[N\].
    pub fn weight(&self) -> f64 {
        self.subject.mass() * self.subject.model.gravity.norm()
    }

    /// Muscles and actuators of the model; errors name its file.
    pub fn motors(&self) -> Result<Motors, MotionError> {
        self.subject.motors().map_err(|e| self.in_model(e))
    }

    /// The error with the file of the model.
    pub(super) fn in_model(&self, error: MotionError) -> MotionError {
        in_file(&self.model_file, error)
    }

    /// Refuses a model without muscles, and muscles whose strength or lengths have other units.
    pub fn examine_muscles(&mut self) {
        if self.subject.muscles.is_empty() {
            let message = format!("{} has no muscles, so there are no muscle forces", shown(&self.model_file));
            let remedy = "give a model with muscles; `wolff id` computes the moments of joints without them";
            self.judgement.found([Finding::error(message, remedy)]);
        }
        let found = examine_muscles(&self.subject).into_iter().chain(examine_paths(&self.subject));
        self.judgement.found(found.map(|f| of_file(f, &self.model_file)));
    }

    /// Refuses a person without ground forces.
    pub fn examine_missing_loads(&mut self) {
        self.judgement.found(examine_missing_loads(&self.subject, &self.loads));
    }

    /// Refuses a table of activations that are none, or that are of another time.
    pub fn examine_activations(&mut self, path: Option<&Path>) -> Result<(), MotionError> {
        let Some(path) = path else { return Ok(()) };
        let found = examine_activations(&read_table(path)?.table, &self.subject, &self.times);
        self.judgement.found(found.into_iter().map(|f| of_file(f, path)));
        Ok(())
    }

    /// Gait cycles within this range of time \[s\].
    pub fn feet(&self, times: &[f64]) -> Vec<FootCycles> {
        let (mut v, mut a) = (vec![0.0; self.subject.model.nv()], vec![0.0; self.subject.model.nv()]);
        let mut pose = |t: &f64| {
            let mut q = vec![0.0; self.subject.model.nq()];
            self.history.evaluate(*t, &mut q, &mut v, &mut a);
            (*t, q)
        };
        let poses: Vec<(f64, Vec<f64>)> = times.iter().map(&mut pose).collect();
        foot_cycles(&self.subject.model, &poses, &self.loads)
    }

    /// What was read and how, in sentences.
    pub fn method(&self) -> Vec<String> {
        let name = |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let (first, last) = (self.times.first().copied(), self.times.last().copied());
        let mut text = format!(
            "Model `{}` ({} coordinates, {} muscles, {:.1} kg) follows the motion `{}` at {} instants from {:.3} to \
             {:.3} s.",
            name(&self.model_file),
            self.subject.coordinates.len(),
            self.subject.muscles.len(),
            self.subject.mass(),
            name(&self.motion_file),
            self.times.len(),
            first.unwrap_or(f64::NAN),
            last.unwrap_or(f64::NAN),
        );
        text += &match self.cutoff {
            Some(hertz) => format!(" The coordinates are low-pass filtered at {hertz} Hz"),
            None => " The coordinates are not filtered".into(),
        };
        text += match self.accelerations {
            Accelerations::SecondDerivative => {
                " and differentiated twice by natural quintic splines, as OpenSim's inverse dynamics tool does."
            }
            Accelerations::OfSpeeds => {
                "; speeds are derivatives of natural quintic splines, accelerations those of splines through the \
                 speeds, as in OpenSim's analyses."
            }
        };
        let loads = match (&self.loads_file, self.contacts.is_empty()) {
            (None, _) => "No external loads act on the model.".to_string(),
            (Some(file), true) => format!("External loads are those of `{}`: {}.", name(file), self.applied()),
            (Some(file), false) => format!(
                "Ground forces are those of `{}`; each contact with a plate acts on the foot nearest to its centre of \
                 pressure: {}.",
                name(file),
                contacts_text(&self.contacts)
            ),
        };
        vec![text, loads]
    }

    /// Loads and their bodies.
    fn applied(&self) -> String {
        let body = |l: &ExternalLoad| self.subject.model.bodies().get(l.body()).map_or("", |b| b.name.as_str());
        let all: Vec<String> = self.loads.iter().map(|l| format!("`{}` on `{}`", l.label(), body(l))).collect();
        all.join(", ")
    }
}

/// Reads the inputs that are common to these commands, and examines them.
pub fn load(request: &Request, accelerations: Accelerations) -> Result<Loaded, MotionError> {
    let mut judgement = Judgement::default();
    let from_setup =
        request.setup.as_deref().map(|path| read_setup(path, &request.given(), &mut judgement)).transpose()?;
    let from_setup = from_setup.unwrap_or_default();
    let missing = |what: &str, option: &str| {
        MotionError::input(format!("there is no {what}"), format!("give {option}, or a set-up file that names one"))
    };
    let model_file = request.model.clone().or(from_setup.model_file());
    let model_file = model_file.ok_or_else(|| missing("model", "--model MODEL.osim"))?;
    let motion_file = request.motion.clone().or(from_setup.motion_file());
    let motion_file = motion_file.ok_or_else(|| missing("motion", "--motion MOTION.mot"))?;
    let told = |path: &Path, option: &str| named_by_setup(request, path, option);
    told(&model_file, "--model")?;
    told(&motion_file, "--motion")?;
    let mut subject = read_model(&model_file, &mut judgement)?;
    add_actuators(request, &from_setup, &mut subject, &mut judgement)?;
    let mut storage = read_storage(&motion_file)?;
    storage.in_degrees |= from_setup.inverse.as_ref().and_then(|t| t.in_degrees).unwrap_or(false);
    let storage = with_plain_labels(&storage)?;
    judgement.found(remarks(&storage.remarks, &motion_file, true));
    judgement.found(examine_motion(&storage, &subject).into_iter().map(|f| of_file(f, &motion_file)));
    let cutoff = request.cutoff.or(from_setup.cutoff());
    let filter = cutoff.map(if request.tracks { Lowpass::Sinc } else { Lowpass::Butterworth });
    let history = CoordinateHistory::filtered(&storage, &subject, filter, accelerations)
        .map_err(|e| told_first(&judgement, in_file(&motion_file, e)))?;
    let times = chosen_times(request, &from_setup, &history)?;
    let loads_file = request.loads.clone().or(from_setup.loads_file());
    let (loads, contacts) = match &loads_file {
        Some(path) => read_loads(path, request.axes.as_ref(), (&subject, &history), &mut judgement)?,
        None => Default::default(),
    };
    judgement.found((!contacts.is_empty()).then(|| Finding::note(contacts_text(&contacts), "")));
    // forces do not fit a model with another gravity or other mass centres
    if examine_bodies(&subject).is_empty() {
        judgement.found(examine_loads(&subject, &history, &loads, &times));
    }
    for load in &loads {
        subject.model.add_force(Box::new(load.clone()))?;
    }
    let stature = request.stature.or_else(|| super::legs::stature(&subject));
    Ok(Loaded {
        title: model_file.file_stem().map_or("model".into(), |stem| stem.to_string_lossy().into_owned()),
        model_file,
        motion_file,
        loads_file,
        subject,
        loads,
        contacts,
        history,
        times,
        from_setup,
        judgement,
        cutoff,
        accelerations,
        stature,
        stature_given: request.stature.is_some(),
        residuals: None,
    })
}

/// What was found about the input explains an error that follows from it.
fn told_first(judgement: &Judgement, error: MotionError) -> MotionError {
    match judgement.errors().next() {
        Some(finding) => MotionError::input(finding.message.clone(), finding.remedy.clone()),
        None => error,
    }
}

/// A file that a set-up names must exist.
fn named_by_setup(request: &Request, path: &Path, option: &str) -> Result<(), MotionError> {
    match &request.setup {
        Some(setup) if !path.exists() => {
            let reason = format!(
                "which the set-up `{}` names, does not exist, and no file of this name was found near the set-up; \
                 correct the path in the set-up, or give the file with {option}",
                setup.display()
            );
            Err(MotionError::input(shown(path), reason))
        }
        _ => Ok(()),
    }
}

pub(super) fn add_actuators(
    request: &Request,
    from_setup: &FromSetup,
    subject: &mut Subject,
    judgement: &mut Judgement,
) -> Result<(), MotionError> {
    let of_setup = from_setup.force_set_files();
    for path in if request.actuators.is_empty() { &of_setup } else { &request.actuators } {
        match setup_of(path, judgement)? {
            Setup::Actuators(set) => subject.actuators.extend(wolff_opensim::actuators(&set)),
            _ => return Err(MotionError::input(shown(path), "is not a force set; give a ForceSet file")),
        }
    }
    Ok(())
}

fn chosen_times(
    request: &Request,
    from_setup: &FromSetup,
    history: &CoordinateHistory,
) -> Result<Vec<f64>, MotionError> {
    let analysis = from_setup.analyze.as_ref().and_then(|t| t.analyses.first());
    let range = request.time.or(from_setup.time_range()).unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    let step = request.every.or(analysis.map(|a| a.step_interval)).unwrap_or(1);
    let times = history.times_within(range, step);
    if times.is_empty() {
        let [first, last] = [history.times().first(), history.times().last()].map(|t| t.copied().unwrap_or(f64::NAN));
        let reason = format!("no row of the motion is in it, which has {first} to {last} s; change --time");
        return Err(MotionError::input(format!("range of time {} to {} s", range[0], range[1]), reason));
    }
    Ok(times)
}

pub(super) fn read_model(path: &Path, judgement: &mut Judgement) -> Result<Subject, MotionError> {
    let opensim = OpensimSubject::read(path).map_err(|e| match e {
        MotionError::Model { reasons, .. } => MotionError::Model { model: path.display().to_string(), reasons },
        other => other,
    })?;
    judgement.found(opensim.findings());
    judgement.found(examine_bodies(&opensim.subject).into_iter().map(|f| of_file(f, path)));
    Ok(opensim.subject)
}

/// A table of forces or activations.
pub fn read_table(path: &Path) -> Result<Storage, MotionError> {
    read_storage(path)
}

pub(super) fn shown(path: &Path) -> String {
    format!("`{}`", path.display())
}

/// The error with the file in which it arises.
pub(crate) fn in_file(path: &Path, error: MotionError) -> MotionError {
    let owner = |object: String| format!("{}: {object}", shown(path));
    match error {
        MotionError::Format(cause) => MotionError::File { path: path.into(), cause },
        MotionError::Input { object, reason } => MotionError::Input { object: owner(object), reason },
        MotionError::Unknown { owner: o, what, name } => MotionError::Unknown { owner: owner(o), what, name },
        MotionError::Numerics { object, cause } => MotionError::Numerics { object: owner(object), cause },
        MotionError::Numerical { object, reason } => MotionError::Numerical { object: owner(object), reason },
        MotionError::Instant { time, reason } => {
            MotionError::Instant { time, reason: format!("{}: {reason}", shown(path)) }
        }
        MotionError::Muscle(cause) => MotionError::Input { object: shown(path), reason: cause.to_string() },
        MotionError::Spec(cause) => MotionError::Input { object: shown(path), reason: cause.to_string() },
        other => other,
    }
}

/// What was noticed while a table was read. Times that do not increase are examined with the motion or the load; the
/// unit of rotations matters in motions only.
pub(super) fn remarks(all: &[String], path: &Path, has_angles: bool) -> Vec<Finding> {
    let told = all.iter().filter(|r| !r.starts_with("time ") && (has_angles || !r.contains("rotations are")));
    told.map(|remark| of_file(Finding::note(remark.clone(), ""), path)).collect()
}

pub(super) fn of_file(finding: Finding, path: &Path) -> Finding {
    Finding { message: format!("{}: {}", shown(path), finding.message), ..finding }
}
