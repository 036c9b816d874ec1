//! Reads a model and its motion from options and set-up files.

use super::args::Inputs;
use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use wolff_formats::osim;
use wolff_formats::sto::{self, Storage};
use wolff_motion::signal::{FootCycles, foot_cycles};
use wolff_motion::{Accelerations, CoordinateHistory, ExternalLoad, MotionError, Subject};
use wolff_multibody::Model;
use wolff_opensim::setup::{self, AnalyzeTool, InverseDynamicsTool, ResidualReductionTool, Setup, SetupFile};
use wolff_opensim::{Unconverted, external_loads, with_plain_labels};

/// The content of a set-up file of any of the tools.
#[derive(Default)]
pub struct FromSetup {
    pub analyze: Option<AnalyzeTool>,
    inverse: Option<InverseDynamicsTool>,
    pub reduction: Option<ResidualReductionTool>,
}

impl FromSetup {
    /// Reads the common settings from the set-up of a tool.
    fn one<T>(
        &self,
        analyze: fn(&AnalyzeTool) -> Option<T>,
        inverse: fn(&InverseDynamicsTool) -> Option<T>,
        reduction: fn(&ResidualReductionTool) -> Option<T>,
    ) -> Option<T> {
        let (a, i, r) = (self.analyze.as_ref(), self.inverse.as_ref(), self.reduction.as_ref());
        a.and_then(analyze).or(i.and_then(inverse)).or(r.and_then(reduction))
    }

    fn model_file(&self) -> Option<PathBuf> {
        self.one(|t| t.model_file.clone(), |t| t.model_file.clone(), |t| t.model_file.clone())
    }

    fn motion_file(&self) -> Option<PathBuf> {
        self.one(
            |t| t.coordinates_file.clone().or(t.states_file.clone()),
            |t| t.coordinates_file.clone(),
            |t| t.kinematics_file.clone(),
        )
    }

    fn loads_file(&self) -> Option<PathBuf> {
        self.one(
            |t| t.external_loads_file.clone(),
            |t| t.external_loads_file.clone(),
            |t| t.external_loads_file.clone(),
        )
    }

    fn cutoff(&self) -> Option<f64> {
        self.one(|t| t.cutoff, |t| t.cutoff, |t| t.cutoff)
    }

    fn time_range(&self) -> Option<[f64; 2]> {
        self.one(|t| Some(t.time_range), |t| t.time_range, |t| Some(t.time_range))
    }
}

/// A model with its motion and external loads.
pub struct Loaded {
    pub title: String,
    pub model_file: PathBuf,
    pub subject: Subject,
    pub loads: Vec<ExternalLoad>,
    pub history: CoordinateHistory,
    pub times: Vec<f64>,
    pub from_setup: FromSetup,
    pub remarks: Vec<String>,
}

impl Loaded {
    /// Gait cycles within this range of time [s].
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
}

/// Reads the inputs that are common to these commands.
pub fn load(inputs: &Inputs, actuators: &[PathBuf], accelerations: Accelerations) -> Result<Loaded, Failure> {
    let mut remarks = Vec::new();
    let from_setup =
        inputs.setup.as_deref().map(|path| read_setup(path, &mut remarks)).transpose()?.unwrap_or_default();
    let model_file = inputs.model.clone().or(from_setup.model_file()).ok_or_else(|| {
        Failure::usage("there is no model", "give --model MODEL.osim, or a set-up file that names one")
    })?;
    let motion = inputs.motion.clone().or(from_setup.motion_file()).ok_or_else(|| {
        Failure::usage("there is no motion", "give --motion MOTION.mot, or a set-up file that names one")
    })?;
    let mut subject = read_model(&model_file, &mut remarks)?;
    let setup_actuators = from_setup.analyze.as_ref().map(|t| t.force_set_files.clone()).unwrap_or_default();
    for path in if actuators.is_empty() { &setup_actuators } else { actuators } {
        match setup_of(path)?.setup {
            Setup::Actuators(set) => subject.actuators.extend(wolff_opensim::actuators(&set)),
            _ => {
                return Err(Failure::usage(format!("`{}` is not a force set", path.display()), "give a ForceSet file"));
            }
        }
    }
    let mut storage = read_storage(&motion)?;
    storage.in_degrees |= from_setup.inverse.as_ref().and_then(|t| t.in_degrees).unwrap_or(false);
    let cutoff = inputs.cutoff.or(from_setup.cutoff());
    let history = CoordinateHistory::from_storage(&with_plain_labels(&storage)?, &subject, cutoff, accelerations)?;
    let loads_file = inputs.loads.clone().or(from_setup.loads_file());
    let loads = loads_file.map(|path| read_loads(&path, &subject.model)).transpose()?.unwrap_or_default();
    for load in &loads {
        subject.model.add_force(Box::new(load.clone())).map_err(MotionError::from)?;
    }
    let times = chosen_times(inputs, &from_setup, &history)?;
    let title = model_file.file_stem().map_or("model".into(), |stem| stem.to_string_lossy().into_owned());
    Ok(Loaded { title, model_file, subject, loads, history, times, from_setup, remarks })
}

fn chosen_times(inputs: &Inputs, from_setup: &FromSetup, history: &CoordinateHistory) -> Result<Vec<f64>, Failure> {
    let analysis = from_setup.analyze.as_ref().and_then(|t| t.analyses.first());
    let [start, end] = from_setup.time_range().unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    let step = inputs.every.map(|n| n as usize).or(analysis.map(|a| a.step_interval)).unwrap_or(1);
    let times = history.times_within([inputs.start.unwrap_or(start), inputs.end.unwrap_or(end)], step);
    if times.is_empty() {
        return Err(Failure::usage("no row of the motion is in that range of time", "widen --start and --end"));
    }
    Ok(times)
}

fn read_setup(path: &Path, remarks: &mut Vec<String>) -> Result<FromSetup, Failure> {
    let file = setup_of(path)?;
    remarks.extend(file.unknown.iter().map(|u| format!("{} (line {}) is unknown and ignored", u.element, u.line)));
    match file.setup {
        Setup::Analyze(tool) => Ok(FromSetup { analyze: Some(tool), ..FromSetup::default() }),
        Setup::InverseDynamics(tool) => Ok(FromSetup { inverse: Some(tool), ..FromSetup::default() }),
        Setup::ResidualReduction(tool) => Ok(FromSetup { reduction: Some(tool), ..FromSetup::default() }),
        _ => {
            let help = "give the set-up of an InverseDynamicsTool, an RRATool or an AnalyzeTool";
            Err(Failure::usage(format!("`{}` is the set-up of another tool", path.display()), help))
        }
    }
}

fn read_model(path: &Path, remarks: &mut Vec<String>) -> Result<Subject, Failure> {
    let model = osim::read(&read(path)?)?;
    let opensim = wolff_opensim::convert(&model).map_err(|e| refused(path, e.iter().map(ToString::to_string)))?;
    let listed = |l: &Unconverted| format!("{} `{}`: {}", l.class, l.name, l.reason);
    remarks.extend(opensim.unconverted.iter().map(|l| format!("omitted: {}", listed(l))));
    remarks.extend(opensim.approximate.iter().map(|l| format!("approximate: {}", listed(l))));
    opensim.subject().map_err(|e| match e {
        MotionError::Model { reasons, .. } => refused(path, reasons.into_iter()),
        other => other.into(),
    })
}

fn read_loads(path: &Path, model: &Model) -> Result<Vec<ExternalLoad>, Failure> {
    let Setup::ExternalLoads(loads) = setup_of(path)?.setup else {
        return Err(Failure::usage(
            format!("`{}` is not an ExternalLoads file", path.display()),
            "give an ExternalLoads file with --loads",
        ));
    };
    let data = loads
        .data_file
        .as_deref()
        .ok_or_else(|| Failure::usage(format!("`{}` has no data file", path.display()), "add <datafile> to it"))?;
    Ok(external_loads(&loads, &read_storage(data)?, model)?)
}

fn setup_of(path: &Path) -> Result<SetupFile, Failure> {
    if !path.exists() {
        read(path)?;
    }
    Ok(setup::read_file(path)?)
}

/// Reads a storage file.
pub fn read_storage(path: &Path) -> Result<Storage, Failure> {
    Ok(sto::read(&read(path)?)?)
}

/// The content of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|cause| Failure::Unreadable { path: path.into(), cause })
}

fn refused(path: &Path, reasons: impl Iterator<Item = String>) -> Failure {
    let reasons: Vec<String> = reasons.collect();
    let message = format!("model `{}`: {}", path.display(), reasons.join("; "));
    Failure::usage(message, "correct the model, or save it with OpenSim 4")
}
