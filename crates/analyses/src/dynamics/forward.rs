//! Forward simulation of a model under given controls.

use super::figures::{self, Panel};
use super::id::headline_text;
use super::inputs::{Loaded, Request, add_actuators, of_file, read_model, shown};
use super::samples::sample_tables;
use super::setups::{FromSetup, setup_of};
use super::{Analysis, Tables, outcome, ranges, ranges_text};
use serde_json::json;
use std::path::{Path, PathBuf};
use wolff_control::{ForwardOptions, Plant, Schedule, simulate_controls};
use wolff_formats::sto::Storage;
use wolff_motion::recording::{ending, read_storage};
use wolff_motion::{Accelerations, CoordinateHistory, MotionError, Motors, Subject};
use wolff_opensim::schedule;
use wolff_opensim::setup::{ForwardTool, Setup};
use wolff_verdict::{Finding, Judgement};

/// Activation of a muscle without a given state; OpenSim's default.
const ACTIVATION: f64 = 0.05;

/// What the user chose; the rest is taken from the set-up.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// A set-up of OpenSim's ForwardTool.
    pub setup: Option<PathBuf>,
    /// The model.
    pub model: Option<PathBuf>,
    /// States at the start.
    pub states: Option<PathBuf>,
    /// Controls over time.
    pub controls: Option<PathBuf>,
    /// External loads.
    pub loads: Option<PathBuf>,
    /// Force sets with further actuators.
    pub actuators: Vec<PathBuf>,
    /// Start and end \[s\].
    pub time: Option<[f64; 2]>,
    /// Whether fibres are brought to equilibrium first.
    pub equilibrium: bool,
    /// Local error of the integrator.
    pub accuracy: Option<f64>,
    /// Time between samples \[s\].
    pub sampling: Option<f64>,
}

/// A simulation that is ready to run.
pub struct Plan {
    motors: Motors,
    start: Vec<f64>,
    schedule: Schedule,
    range: [f64; 2],
    /// Settings.
    pub options: ForwardOptions,
}

/// Reads model, states, controls and loads.
pub fn load(choice: &Choice) -> Result<(Loaded, Plan), MotionError> {
    let mut judgement = Judgement::default();
    let tool = choice.setup.as_deref().map(|path| tool_of(path, &mut judgement)).transpose()?;
    let of = |own: &Option<PathBuf>, pick: fn(&ForwardTool) -> Option<PathBuf>| {
        own.clone().or(tool.as_deref().and_then(pick))
    };
    let missing = || MotionError::input("there is no model", "give --model MODEL.osim, or a set-up that names one");
    let model_file = of(&choice.model, |t| t.model_file.clone()).ok_or_else(missing)?;
    let mut subject = read_model(&model_file, &mut judgement)?;
    let sets = tool.as_ref().map(|t| t.force_set_files.clone()).unwrap_or_default();
    let request = Request {
        actuators: if choice.actuators.is_empty() { sets } else { choice.actuators.clone() },
        ..Request::default()
    };
    add_actuators(&request, &Default::default(), &mut subject, &mut judgement)?;
    let range = choice.time.or(tool.as_ref().map(|t| t.time_range)).unwrap_or([0.0, 1.0]);
    if !(range[0].is_finite() && range[1].is_finite() && range[1] > range[0]) {
        let reason = format!("{} to {} s; give --time START:END with finite numbers", range[0], range[1]);
        return Err(MotionError::input("range of time", reason));
    }
    let history = held(&subject, range)?;
    let loads_file = of(&choice.loads, |t| t.external_loads_file.clone());
    let loads = match &loads_file {
        Some(path) => super::loads::read_loads(path, None, (&subject, &history), &mut judgement)?.0,
        None => Vec::new(),
    };
    for load in &loads {
        subject.model.add_force(Box::new(load.clone()))?;
    }
    let motors = subject.motors()?;
    let states = of(&choice.states, |t| t.states_file.clone());
    let settle = choice.equilibrium || tool.as_ref().is_some_and(|t| t.solve_for_equilibrium);
    let start = start(&subject, &motors, states.as_deref(), (range[0], settle))?;
    let controls = of(&choice.controls, |t| t.controls_file.clone());
    let schedule = controls_of(&motors, controls.as_deref(), &mut judgement)?;
    let usual = ForwardOptions::default();
    let options = ForwardOptions {
        accuracy: choice.accuracy.unwrap_or(usual.accuracy),
        sampling: choice.sampling.unwrap_or(usual.sampling),
        ..usual
    };
    let stature = super::legs::stature(&subject);
    let title = model_file.file_stem().map_or("model".into(), |stem| stem.to_string_lossy().into_owned());
    let loaded = Loaded {
        title,
        motion_file: states.unwrap_or_else(|| model_file.clone()),
        model_file,
        loads_file,
        subject,
        loads,
        contacts: Vec::new(),
        history,
        times: vec![range[0], range[1]],
        from_setup: FromSetup { forward: tool, ..FromSetup::default() },
        judgement,
        cutoff: None,
        accelerations: Accelerations::SecondDerivative,
        stature,
        stature_given: false,
        residuals: None,
    };
    Ok((loaded, Plan { motors, start, schedule, range, options }))
}

fn tool_of(path: &Path, judgement: &mut Judgement) -> Result<Box<ForwardTool>, MotionError> {
    match setup_of(path, judgement)? {
        Setup::Forward(tool) if tool.replace_force_set => {
            let reason = "replaces the model's forces, which is not supported; take them out of the model instead";
            Err(MotionError::input(shown(path), reason))
        }
        Setup::Forward(tool) => Ok(tool),
        _ => Err(MotionError::input(shown(path), "is the set-up of another tool; give that of a ForwardTool")),
    }
}

/// The default pose over a range of time.
fn held(subject: &Subject, [start, end]: [f64; 2]) -> Result<CoordinateHistory, MotionError> {
    /// Number of instants, enough for a spline.
    const COUNT: usize = 8;
    let times: Vec<f64> = (0..COUNT).map(|k| start + (end - start) * k as f64 / (COUNT - 1) as f64).collect();
    let of = |c: &wolff_motion::Coordinate| (c.name.clone(), vec![subject.model.q0[c.position]; COUNT]);
    let named: Vec<_> = subject.coordinates.iter().map(of).collect();
    CoordinateHistory::from_samples(&times, &named, &subject.model, Accelerations::SecondDerivative)
}

/// The states at the start: those of the last row of the file that is not later, or the defaults of the model; fibres
/// without a state are in equilibrium.
fn start(
    subject: &Subject,
    motors: &Motors,
    file: Option<&Path>,
    (time, settle): (f64, bool),
) -> Result<Vec<f64>, MotionError> {
    let model = &subject.model;
    let (nq, nv, nm) = (model.nq(), model.nv(), motors.muscles.len());
    let mut y = vec![0.0; nq + nv + 2 * nm];
    y[..nq].copy_from_slice(&model.q0);
    y[nq..nq + nv].copy_from_slice(&model.v0);
    y[nq + nv..nq + nv + nm].fill(ACTIVATION);
    let given = file.map(read_storage).transpose()?;
    let mut lengths = vec![None; nm];
    if let Some(storage) = &given {
        let value = |name: &str, ends: [&str; 2]| state_of(storage, time, name, ends);
        for c in &subject.coordinates {
            let unit = if storage.in_degrees && c.is_angle() { std::f64::consts::PI / 180.0 } else { 1.0 };
            y[c.position] = value(&c.name, ["", "/value"]).map_or(y[c.position], |x| x * unit);
            y[nq + c.speed] = value(&c.name, ["_u", "/speed"]).map_or(y[nq + c.speed], |x| x * unit);
        }
        for k in 0..nm {
            let name = &motors.names[k];
            y[nq + nv + k] = value(name, [".activation", "/activation"]).unwrap_or(ACTIVATION);
            lengths[k] = value(name, [".fiber_length", "/fiber_length"]).filter(|_| !settle);
        }
    }
    let mut plant = Plant::new(subject, motors)?;
    let mut paths = vec![0.0; nm];
    plant.lengths(time, &y[..nq], &y[nq..nq + nv], |k, length, _| paths[k] = length);
    for (k, fibre) in plant.fibres.iter().enumerate() {
        let at_rest = || fibre.at_rest(y[nq + nv + k], paths[k])[1];
        y[nq + nv + nm + k] = lengths[k].unwrap_or_else(at_rest);
    }
    match y.iter().all(|x| x.is_finite()) {
        true => Ok(y),
        false => {
            let name = file.map_or("the default states".into(), shown);
            Err(MotionError::input(name, "a state is not a finite number; correct it"))
        }
    }
}

/// The state whose label is a name with one of the ends, at the last row that is not later than a time \[s\].
fn state_of(storage: &Storage, time: f64, name: &str, ends: [&str; 2]) -> Option<f64> {
    let table = &storage.table;
    let labels = ends.map(|end| format!("{name}{end}"));
    let is = |l: &String| labels.iter().any(|w| l == w || l.strip_suffix(w.as_str()).is_some_and(|r| r.ends_with('/')));
    let column = table.labels().iter().position(is)?;
    let earlier = table.rows().iter().rev().find(|row| row.first().is_some_and(|t| *t <= time + 1e-9));
    earlier.or(table.rows().first())?.get(column).copied()
}

/// Controls from a control set or a table; without a file all are zero.
fn controls_of(motors: &Motors, file: Option<&Path>, judgement: &mut Judgement) -> Result<Schedule, MotionError> {
    let Some(path) = file else {
        if !motors.is_empty() {
            let message =
                format!("no controls are given: those of all {} muscles and actuators are zero", motors.len());
            judgement.found([Finding::note(message, "give --controls CONTROLS.xml or CONTROLS.sto")]);
        }
        return Schedule::new(motors, motors.names.iter().map(|_| (vec![(0.0, 0.0)], false)).collect());
    };
    if ending(path) == "xml" {
        return match setup_of(path, judgement)? {
            Setup::Controls(set) => schedule(motors, &set),
            _ => Err(MotionError::input(shown(path), "is not a control set; give a ControlSet file")),
        };
    }
    let table = read_storage(path)?.table;
    let times = table.column("time").unwrap_or_default();
    let mut lacking = Vec::new();
    let mut curve = |name: &String| {
        let column = table.column(name).or_else(|| table.column(&format!("/forceset/{name}")));
        if column.is_none() {
            lacking.push(name.clone());
        }
        (times.iter().copied().zip(column.unwrap_or_default()).collect(), false)
    };
    let curves: Vec<_> = motors.names.iter().map(&mut curve).collect();
    if let Some(first) = lacking.first() {
        let reason = format!("has no column for {} muscles and actuators, first `{first}`; add them", lacking.len());
        return Err(MotionError::input(shown(path), reason));
    }
    judgement.found(table.rows().is_empty().then(|| of_file(Finding::error("has no rows", "give controls"), path)));
    Schedule::new(motors, curves)
}

/// Runs the simulation.
pub fn run(
    loaded: &Loaded,
    plan: &Plan,
    folder: Option<&Path>,
    stop: fn() -> bool,
    progress: &mut dyn FnMut(f64),
) -> Result<Analysis, MotionError> {
    let mut go_on = |fraction: f64| {
        progress(fraction);
        !stop()
    };
    let Plan { motors, start, schedule, range, options } = plan;
    let samples = simulate_controls(&loaded.subject, motors, start, schedule, *range, options, &mut go_on)
        .map_err(|e| loaded.in_model(e))?;
    let mut all = sample_tables(&loaded.subject, motors, &samples)?;
    // figures and ranges are those of the coordinates
    all.swap(0, 3);
    let tables = Tables::of(folder, &all, stop)?;
    let mut outcome = outcome(loaded, "forward");
    let ends = samples.first().zip(samples.last());
    outcome.results.insert("time_range".into(), json!(ends.map(|(a, b)| [a.t, b.t])));
    outcome.results.insert("instants".into(), json!(samples.len()));
    outcome.method = vec![format!(
        "Forward simulation of `{}` from {} to {} s by the method of Dormand and Prince with local errors of {}: {} \
         muscles with activation and contraction dynamics, {} actuators, {} forces of the model.",
        loaded.title,
        range[0],
        range[1],
        options.accuracy,
        motors.muscles.len(),
        motors.actuators.len(),
        loaded.subject.model.forces().len()
    )];
    outcome.results.insert("range".into(), ranges(&tables));
    if let Some(table) = tables.drawn()? {
        let curves = |turns: bool| -> Vec<_> {
            let kept = loaded.subject.coordinates.iter().filter(|c| c.is_angle() == turns);
            kept.filter_map(|c| Some((None, c.name.clone(), table.column(&c.name)?))).take(8).collect()
        };
        let panel = |(name, y_label, turns): (&str, &str, bool)| Panel {
            name: name.into(),
            title: name.into(),
            y_label: y_label.into(),
            normative: None,
            range: None,
            curves: curves(turns),
        };
        let panels = [("angles", "angle [deg]", true), ("translations", "displacement [m]", false)].map(panel);
        let panels: Vec<Panel> = panels.into_iter().filter(|p| !p.curves.is_empty()).collect();
        figures::add(&mut outcome, loaded, &tables.drawn_times(), &panels)?;
    }
    let text = format!("{}\n{}", ranges_text(&tables), headline_text(&outcome));
    Ok(Analysis { outcome, tables, text })
}
