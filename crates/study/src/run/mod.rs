//! Running a study: text and overrides in, [`Outcome`] out. A pure function of its arguments.

mod answers;
mod budget;
mod compare;
mod contact_results;
mod drawing;
mod elastic;
mod gauge;
mod integrator;
mod judge;
mod limits;
mod method;
mod modal;
mod plots;
mod pressure;
mod probe;
mod published;
mod record;

use crate::build::{Built, build};
pub use answers::answer;
pub use budget::{Budget, Clock};
use drawing::DrawingRecord;
use elastic::ElasticRecord;
use judge::EnergyRecord;
use modal::ModalRecord;
use pressure::PressureRecord;
use probe::Probe;
use record::{RunRecord, Watch};
use serde_json::{Map, Value, json};
use std::path::Path;
use thiserror::Error;
use wolff_document::error::StudyError;
use wolff_document::{
    FoundationSpec, IntegratorSettings, Study, StudyDocument, StudyKind, evaluate_result, frequency_name, mass_name,
};
use wolff_multibody::simulation::{RunReport, SimulationError, analyse_kinematics, simulate};
use wolff_multibody::{DynamicsError, Model, System};
use wolff_report::digits::short;
use wolff_report::outcome::{InputFile, Outcome, Series, Status};

/// Why a study has no outcome.
#[derive(Debug, Error)]
pub enum RunError {
    /// The study, or a value set in addition to it, is invalid.
    #[error(transparent)]
    Input(#[from] StudyError),
    /// There is no built-in study of this name.
    #[error("there is no built-in study `{0}`")]
    UnknownStudy(String),
    /// The simulation could not be carried to any result.
    #[error("{0}")]
    Simulation(String),
    /// The checkpoint cannot be resumed.
    #[error("{0}")]
    Resume(String),
    /// The run was stopped before there was any result.
    #[error("stopped before there was any result")]
    Stopped,
}

/// Runs a study of a model given as TOML text. `file` is its name for messages. Files that the study names are looked
/// up in `base_dir`, those that `overrides` name in the current folder. `overrides` set parameters by name and settings
/// by path. `progress` is called with the completed fraction.
pub fn run(
    file: &str,
    text: &str,
    base_dir: &Path,
    overrides: &[(String, String)],
    progress: &mut dyn FnMut(f64),
) -> Result<Outcome, RunError> {
    let mut document = StudyDocument::parse_in(file, text, base_dir)?;
    document.apply_overrides(overrides)?;
    run_study(&document.evaluate()?, Budget::default(), &mut |_, fraction| progress(fraction))
}

/// The stage in which the model is built: it takes no time but for flexible bodies with fine meshes.
pub const BUILDING: &str = "building the model";

/// Receives the name of the present stage and the fraction of the run that is done.
pub type Progress<'a> = dyn FnMut(&str, f64) + 'a;

/// Runs an evaluated study; twice where modes are selected by the strain energy of the run itself. A run beyond its
/// budget gives a partial outcome.
///
/// # Errors
/// [`RunError::Stopped`] if the user has stopped it.
pub fn run_study(study: &Study, budget: Budget, progress: &mut Progress<'_>) -> Result<Outcome, RunError> {
    if study.kind == StudyKind::Walk {
        let rule = "a walking study has no model of its own; run it with the walking simulation of the program";
        return Err(RunError::Input(study.error([(study.name.clone(), rule.to_string())])));
    }
    progress(BUILDING, 0.0);
    let built = build(study)?;
    if !study.flexible.iter().any(|body| modal::energy_fraction(body).is_some()) {
        return run_built(study, &built, budget, &mut |x| progress("simulating", x)).map(|(outcome, _)| outcome);
    }
    let (whole, states) = run_built(study, &built, budget, &mut |x| progress("simulating with all modes", 0.5 * x))?;
    if whole.status != Status::Ok {
        let why = whole.warnings.join("; ");
        return Err(RunError::Simulation(format!(
            "the first run with all modes, by which modes are selected, failed: {why}"
        )));
    }
    let (chosen, choices) = modal::choose(study, &built, &states)?;
    let built = build(&chosen)?;
    let (mut outcome, _) = run_built(&chosen, &built, budget, &mut |x| progress("simulating", 0.5 + 0.5 * x))?;
    outcome.results.extend(choices.iter().map(|choice| (choice.name(), choice.table())));
    Ok(outcome)
}

/// Runs a study whose model is built; also returns the modal coordinates during the run.
fn run_built(
    study: &Study,
    built: &Built,
    budget: Budget,
    progress: &mut dyn FnMut(f64),
) -> Result<(Outcome, ModalRecord), RunError> {
    let expanded = &with_bodies(built);
    let model = &built.model;
    let probe = Probe::new(expanded, built);
    let settings = integrator::settings(&expanded.integrator);
    let (mut record, mut elastic) = (RunRecord::new(expanded), ElasticRecord::new(built));
    let (mut modal, mut pressure) = (ModalRecord::new(model), PressureRecord::new(built));
    let (mut energy, mut drawing) = (EnergyRecord::new(expanded), DrawingRecord::new(expanded));
    let times = record.sample_times(expanded);
    let duration = expanded.integrator.duration;
    let clock = Clock::start(budget, duration, expanded.integrator.until_rest.is_some());
    let mut watch = Watch {
        probe: &probe,
        record: &mut record,
        elastic: &mut elastic,
        modal: &mut modal,
        pressure: &mut pressure,
        energy: &mut energy,
        drawing: &mut drawing,
        progress,
        duration,
        clock: clock.clone(),
    };
    let q0 = settled_start(study, model)?;
    let report = match &settings {
        Some(settings) => simulate(model, settings, &q0, &model.v0, &times, &mut watch),
        None => analyse_kinematics(model, (0.0, duration), &q0, &times, &mut watch),
    };
    let strained = elastic.fill(expanded, &probe, &mut record);
    let mut outcome = match &report {
        Err(_) if clock.stopped() => return Err(RunError::Stopped),
        Err(SimulationError::Start(error)) => return Err(RunError::Input(start_error(study, model, error))),
        Ok(report) => {
            strained.map_err(|e| RunError::Simulation(e.to_string()))?;
            record.add_impacts(&probe, model, &report.impacts);
            outcome(expanded, &mut record, Some(report), Status::Ok, Vec::new())
        }
        // the data recorded before the failure are valid
        Err(SimulationError::Integration(error)) if record.rows() > 1 => {
            let warnings = std::iter::once(error.to_string()).chain(strained.err().map(|e| e.to_string()));
            outcome(expanded, &mut record, None, Status::Partial, warnings.collect())
        }
        Err(error) => return Err(RunError::Simulation(error.to_string())),
    };
    outcome.results.extend(contact_results::tables(built));
    judge::judge(expanded, &energy, report.as_ref().ok(), &mut outcome);
    limits::judge_flexible(model, &modal, &mut outcome.judgement);
    judge_foundations(expanded, &pressure, &mut outcome);
    outcome.fields = modal.fields(expanded, built);
    outcome.mechanisms = drawing.mechanisms(expanded, built);
    outcome.maps = pressure.maps();
    limits::judge_layers(expanded, &outcome.maps, &mut outcome.judgement);
    Ok((outcome, modal))
}

/// Foundations that were pressed too deep, or never.
fn judge_foundations(study: &Study, pressure: &PressureRecord<'_>, outcome: &mut Outcome) {
    if let Some((first, at_end)) = pressure.too_deep() {
        // until rest, only the final state is a result
        let passing = study.integrator.until_rest.is_some() && !at_end && outcome.status == Status::Ok;
        let what = if passing {
            "this occurred only before rest was reached"
        } else {
            "results after this time are not valid"
        };
        outcome.warnings.insert(0, format!("{first}; {what}"));
        outcome.status = if passing { outcome.status } else { Status::Failed };
    }
    outcome.warnings.extend(pressure.untouched().map(|name| {
        format!(
            "foundation `{name}`: there was no contact during the run; check the initial positions of the bodies, \
             and the axes and units of surfaces from files"
        )
    }));
}

/// The initial coordinates, moved to the initial equilibrium if the study requests it.
fn settled_start(study: &Study, model: &Model) -> Result<Vec<f64>, RunError> {
    let (mut q, mut v) = (model.q0.clone(), model.v0.clone());
    let Some(tolerance) = study.integrator.settle else { return Ok(q) };
    let mut system = System::new(model);
    let mut lambda = vec![0.0; model.nc()];
    let settled =
        system.assemble(0.0, &mut q, &mut v).and_then(|_| system.equilibrium(0.0, &mut q, &mut lambda, tolerance));
    match settled {
        Ok(_) => Ok(q),
        Err(error) => Err(RunError::Input(start_error(study, model, &error))),
    }
}

/// The study with the data of its flexible bodies that are known once they are built.
fn with_bodies(built: &Built) -> Study {
    let (mut study, model) = (built.study.clone(), &built.model);
    for (i, body) in model.bodies().iter().enumerate() {
        let Some(flexible) = model.flexible(i) else { continue };
        study.numbers.insert(mass_name(&body.name), flexible.data.inertia.mass);
        if flexible.modes() == 0 {
            continue;
        }
        for (k, hertz) in flexible.data.frequencies().into_iter().enumerate() {
            study.numbers.insert(frequency_name(&body.name, k + 1), hertz);
        }
    }
    study
}

/// Inconsistent initial conditions are an error in the study; it is shown at the constraint or coordinate concerned.
fn start_error(study: &Study, model: &Model, error: &DynamicsError) -> StudyError {
    let object = match error {
        DynamicsError::Assembly { constraint, .. } | DynamicsError::Contradiction { constraint, .. } => {
            let named = model.constraints().iter().find(|c| constraint.starts_with(&c.name));
            named.map_or(constraint.clone(), |c| c.name.clone())
        }
        DynamicsError::NoInertia { coordinate, .. } => {
            let index = model.coordinate_index(coordinate);
            let moves = |i: &usize| model.bodies().iter().position(|b| b.v_range().contains(i));
            index.as_ref().and_then(moves).map_or(coordinate.clone(), |b| model.bodies()[b].joint_name.clone())
        }
        _ => study.name.clone(),
    };
    study.error([(object, error.to_string())])
}

fn outcome(
    study: &Study,
    record: &mut RunRecord,
    report: Option<&RunReport>,
    status: Status,
    mut warnings: Vec<String>,
) -> Outcome {
    let mut results = Map::new();
    for spec in &study.results {
        match evaluate_result(&spec.formula, record) {
            Ok(value) => {
                record.add_result(&spec.name, value);
                results.insert(spec.name.clone(), json!(value));
            }
            Err(error) => {
                let why = record.missing_of_impact(&error).unwrap_or(error.message);
                warnings.push(format!("result {} could not be computed: {why}", spec.name));
            }
        }
    }
    add_frequencies(study, &mut results);
    results.extend(contact_results::stiffness(study));
    if !study.contacts.is_empty() {
        results.insert("impacts".into(), record.impact_table(&study.impact_results, &mut warnings));
    }
    let comparisons = compare::compare(study, record, status, &mut warnings);
    warnings.extend(remarks(study));
    if let Some(report) = report {
        add_report(report, &study.integrator, &mut results, &mut warnings);
    }
    warnings.extend(record.full_since.map(|t| {
        format!("there are too many rows of closed contacts; from t = {t} s on only the regular rows are recorded")
    }));
    let plots = plots::plots(study, record, &mut warnings);
    let mut outcome = Outcome {
        study: study.name.clone(),
        status,
        tables: published::table(study, &results).into_iter().collect(),
        results,
        comparisons,
        warnings,
        method: method::method(study, record.last_time()),
        series: series(study, record),
        plots,
        inputs: study.inputs.clone(),
        simulated_s: record.last_time(),
        ..Outcome::default()
    };
    outcome.require_finite();
    outcome
}

/// The natural frequencies of the modes beyond those that the results name, where they name the first.
fn add_frequencies(study: &Study, results: &mut Map<String, Value>) {
    let bodies = study.numbers.keys().filter_map(|name| name.strip_suffix(".frequency1_hz"));
    for body in bodies.filter(|_| results.contains_key("frequency1_hz")).collect::<Vec<_>>() {
        for mode in 1.. {
            let known = study.numbers.get(&frequency_name(body, mode));
            let Some(hertz) = known.filter(|hertz| hertz.is_finite()) else { break };
            results.entry(format!("frequency{mode}_hz")).or_insert(json!(hertz));
        }
    }
}

/// Remarks on the surfaces and files used, and on values without effect, for the reader of the report.
fn remarks(study: &Study) -> Vec<String> {
    let of_foundation = |f: &FoundationSpec| {
        f.remarks.iter().map(|remark| format!("foundation `{}`: {remark}", f.name)).collect::<Vec<_>>()
    };
    let of_file = |f: &InputFile| f.remarks.iter().map(|remark| format!("{}: {remark}", f.name)).collect::<Vec<_>>();
    let surfaces = study.foundations.iter().flat_map(of_foundation);
    surfaces.chain(study.inputs.iter().flat_map(of_file)).chain(study.without_effect()).collect()
}

/// Results of every run: drift of the constraints, redundant rows, steps.
fn add_report(
    report: &RunReport,
    settings: &IntegratorSettings,
    results: &mut Map<String, Value>,
    warnings: &mut Vec<String>,
) {
    if report.assembled && !settings.assemble {
        let off = report.start_violation;
        warnings.push(format!("the initial state violated the constraints by {off:.3e} (norm) and was corrected"));
    }
    let drift = &report.drift;
    if drift.max_velocity > 0.0 || drift.max_position > 0.0 {
        let pairs = [
            ("drift_max_norm", drift.max_position),
            ("drift_final_norm", drift.final_position),
            ("drift_rate_max_norm", drift.max_velocity),
            ("drift_rate_final_norm", drift.final_velocity),
        ];
        for (name, value) in pairs {
            results.entry(name).or_insert(json!(value));
        }
    }
    results.entry("steps").or_insert(json!(report.integration.statistics.steps));
    if !report.assembly.redundant.is_empty() {
        let names = report.assembly.redundant.join(", ");
        warnings.push(format!("redundant constraint rows (they follow from the others): {names}"));
    }
    match (settings.until_rest, report.integration.stopped_early) {
        (Some(_), true) => _ = results.entry("rest_s").or_insert(json!(report.integration.t)),
        (Some(limit), false) => warnings.push(format!(
            "no rest (all accelerations below {limit}) was reached within {} s; give a longer `duration`",
            settings.duration
        )),
        (None, true) => warnings.push(format!("stopped early at t = {} s", short(report.integration.t))),
        (None, false) => {}
    }
}

/// The regular rows, and where there are contacts the dense rows recorded while they are closed.
fn series(study: &Study, record: &RunRecord) -> Vec<Series> {
    let columns: Vec<String> =
        std::iter::once("time".into()).chain(study.measures.iter().map(|m| m.name.clone())).collect();
    let mut series = vec![Series { name: study.name.clone(), columns: columns.clone(), rows: record.grid_rows() }];
    let rows = record.contact_rows();
    if !rows.is_empty() {
        series.push(Series { name: format!("{}-contacts", study.name), columns, rows });
    }
    series
}
