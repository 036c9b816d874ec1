//! A study of any kind: run, stopped and resumed, and repeated with changed parameters.

use crate::sensitivity::sensitivity;
use crate::session::Session;
use crate::walk::{self, Repetition, SavedWalk};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wolff_files::input::{self, Recorder};
use wolff_report::json::{Stopwatch, Timing};
use wolff_report::outcome::{Outcome, Status, Table};
use wolff_study::document::{Study, StudyDocument, StudyKind};
pub use wolff_study::run::RunError;
use wolff_study::run::{Budget, run_study};

/// Minimum time between two writings of the checkpoint of a run.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(1);

/// Values set for a study: parameters by name, settings by path.
pub type Overrides = [(String, String)];

/// A study to be run, and what is requested in addition to its results.
#[derive(Debug)]
pub struct Request<'a> {
    /// The study, with the overrides applied.
    pub document: &'a StudyDocument,
    /// The overrides.
    pub set: &'a Overrides,
    /// Checkpoint from which to resume.
    pub from: Option<SavedWalk>,
    /// File that holds the checkpoint during the run.
    pub checkpoint: Option<PathBuf>,
    /// Folder with reduced bones.
    pub cache: Option<PathBuf>,
    /// What is computed in addition.
    pub further: Further,
    /// Whether a recording with errors is used all the same; the result is doubtful then.
    pub force: bool,
    /// Limits of each simulation.
    pub budget: Budget,
}

/// Tables that require additional runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Further {
    /// The table of sensitivities that the study itself defines.
    pub own_sensitivity: bool,
    /// Convergence of a walk: step, modes, mesh.
    pub convergence: bool,
    /// A walk with other controllers, muscles and floors.
    pub variants: bool,
    /// A walk with each modelling choice changed on which strains depend.
    pub choices: bool,
    /// Strains of a walk by other methods.
    pub ways: bool,
}

/// Names of the additional runs, as a [`Monitor`] is told them.
pub const FURTHER: [&str; 4] = ["sensitivity", "convergence", "variants", "ways"];

impl Further {
    /// Whether anything would be run for this study.
    fn any_of(&self, study: &Study) -> bool {
        (self.own_sensitivity && study.sensitivity.is_some())
            || self.convergence
            || self.variants
            || self.choices
            || self.ways
    }

    fn any(&self) -> bool {
        self.own_sensitivity || self.convergence || self.variants || self.choices || self.ways
    }
}

/// Additional runs of a run that ended early would end early, too.
const ENDED_EARLY: &str = "sensitivities and other additional runs were not computed: the run ended early";

/// A request to stop ends the additional runs; the results of the main run are complete then, and kept.
const STOPPED_AFTER_MAIN_RUN: &str =
    "the additional runs were stopped: the results are complete, the tables of additional runs are not";

/// Receives the progress of a run, and may stop it.
pub trait Monitor {
    /// A part of the work begins; told again and again while it lasts.
    fn part(&mut self, name: &str);
    /// The fraction of the main run that is done; the return value `false` requests a stop.
    fn progress(&mut self, fraction: f64) -> bool;
}

impl Request<'_> {
    /// Runs the study and the additional runs that are requested.
    pub fn run(self, monitor: &mut dyn Monitor) -> Result<(Outcome, Timing), RunError> {
        let Request { document, set, from, checkpoint, cache, further, budget, force } = self;
        let (stopwatch, begin) = (Stopwatch::start(), Instant::now());
        let recorder = Recorder::start();
        let study = document.evaluate()?;
        let in_time = || budget.max_time.is_none_or(|limit| begin.elapsed() < limit);
        let shown = RefCell::new(&mut *monitor);
        let mut progress = |fraction: f64| shown.borrow_mut().progress(fraction) && in_time();
        let stage = |name: &str| shown.borrow_mut().part(name);
        let keep = checkpoint.map(|path| (path, CHECKPOINT_INTERVAL));
        let mut session =
            Session { progress: &mut progress, stage: &stage, from, keep, cache: cache.clone(), budget, force };
        let mut outcome = run_evaluated(&study, set, &mut session).map_err(|e| out_of_time(e, in_time()))?;
        if let (Some(limit), false, Some(_)) = (budget.max_time, in_time(), &outcome.resume) {
            outcome.warnings.insert(0, time_limit(limit));
        }
        outcome.warnings.extend(document.remarks_on_parameters(&study));
        let mut parts_cpu_s = Vec::new();
        if outcome.resume.is_none() && outcome.status == Status::Partial {
            outcome.warnings.extend(further.any_of(&study).then(|| ENDED_EARLY.into()));
        } else if outcome.resume.is_none() {
            // errors of the input that did not stop the first run do not stop its repetitions
            let force = force || outcome.judgement.errors().next().is_some();
            let how = Repetition { cache, force, budget };
            if further.own_sensitivity {
                add_sensitivity(document, &mut outcome, budget, monitor)?;
            }
            add_variations(document, further, &mut outcome, &how, monitor)?;
            if further.ways {
                parts_cpu_s = add_ways(document, &mut outcome, &how, monitor)?;
            }
            if (budget.stop)() && further.any() {
                outcome.warnings.insert(0, STOPPED_AFTER_MAIN_RUN.into());
            }
        }
        outcome.require_finite();
        outcome.add_inputs(recorder.finish());
        // with the files that were read when the study was checked, where the caller records them
        outcome.add_inputs(input::so_far());
        let timing = stopwatch.stop(outcome.simulated_s);
        Ok((outcome, Timing { parts_cpu_s, ..timing }))
    }
}

/// A walk that its time limit has stopped.
fn time_limit(limit: Duration) -> String {
    format!(
        "the walk reached its time limit of {} s; resume it with --resume, or give more time with --max-time SECONDS",
        limit.as_secs_f64()
    )
}

/// A walk that its time limit has stopped before there was any result was not stopped by the user.
pub(crate) fn out_of_time(error: RunError, in_time: bool) -> RunError {
    match error {
        RunError::Stopped if !in_time => RunError::Simulation(
            "the time limit was reached before there was any result; `--max-time SECONDS` allows more".into(),
        ),
        other => other,
    }
}

/// Runs a built-in study with these values set: `run_builtin("walk", &[("mass", "60 kg")])`.
pub fn run_builtin(name: &str, set: &[(&str, &str)]) -> Result<Outcome, RunError> {
    let text = wolff_study::builtin(name).ok_or_else(|| RunError::UnknownStudy(name.into()))?;
    let overrides: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    run(&format!("{name}.toml"), text, Path::new(""), &overrides, &mut |_| {})
}

/// Runs a study given as TOML text; `progress` receives the fraction that is done. See [`run_text`].
pub fn run(
    file: &str,
    text: &str,
    base_dir: &Path,
    overrides: &Overrides,
    progress: &mut dyn FnMut(f64),
) -> Result<Outcome, RunError> {
    let mut report = |fraction: f64| {
        progress(fraction);
        true
    };
    run_text(file, text, base_dir, overrides, &mut Session::new(&mut report))
}

/// Runs a study given as TOML text in a session. `file` is its name in messages. Paths in the study are relative to
/// `base_dir`, paths in `overrides` are relative to the current folder.
pub fn run_text(
    file: &str,
    text: &str,
    base_dir: &Path,
    overrides: &Overrides,
    session: &mut Session<'_>,
) -> Result<Outcome, RunError> {
    let recorder = Recorder::start();
    let mut document = StudyDocument::parse_in(file, text, base_dir)?;
    document.apply_overrides(overrides)?;
    let mut outcome = run_evaluated(&document.evaluate()?, overrides, session)?;
    outcome.add_inputs(recorder.finish());
    Ok(outcome)
}

/// Runs an evaluated study; `set` are the overrides from which it was evaluated.
pub fn run_evaluated(study: &Study, set: &Overrides, session: &mut Session<'_>) -> Result<Outcome, RunError> {
    match study.kind {
        StudyKind::Walk => walk::run(study, set, session),
        StudyKind::Model if session.from.is_some() => Err(RunError::Resume(format!(
            "`{}` is not a study of walking; only studies of walking can be resumed",
            study.name
        ))),
        StudyKind::Model => {
            let mut study = study.clone();
            study.flexible.iter_mut().for_each(|body| body.cache.clone_from(&session.cache));
            run_study(&study, session.budget, &mut |stage, fraction| {
                (session.stage)(stage);
                (session.progress)(fraction);
            })
        }
    }
}

/// Adds the table of sensitivities, if the study defines one.
fn add_sensitivity(
    document: &StudyDocument,
    outcome: &mut Outcome,
    budget: Budget,
    monitor: &mut dyn Monitor,
) -> Result<(), RunError> {
    monitor.part("sensitivity");
    if let Some(rows) = sensitivity(document, outcome, budget)? {
        outcome.results.insert("sensitivity".into(), rows);
    }
    Ok(())
}

/// Repeats a study with changed parameters; `None` for studies that are not of walking.
type Variation = fn(&StudyDocument, &Outcome, &Repetition) -> Result<Option<Table>, RunError>;

/// Adds the requested tables of runs with changed parameters.
fn add_variations(
    document: &StudyDocument,
    further: Further,
    outcome: &mut Outcome,
    how: &Repetition,
    monitor: &mut dyn Monitor,
) -> Result<(), RunError> {
    let all = [
        (further.convergence, "convergence", walk::convergence as Variation),
        (further.variants, "variants", walk::variants as Variation),
        (further.choices, "sensitivity", walk::choices as Variation),
    ];
    for (_, name, vary) in all.into_iter().filter(|(asked, _, _)| *asked) {
        monitor.part(name);
        match vary(document, outcome, how)? {
            Some(table) => outcome.tables.push(table),
            None => outcome.warnings.push(only_for_walks(name, outcome)),
        }
    }
    Ok(())
}

/// Adds the table and the plot of the methods to compute strains; returns the processor time of each \[s\].
fn add_ways(
    document: &StudyDocument,
    outcome: &mut Outcome,
    how: &Repetition,
    monitor: &mut dyn Monitor,
) -> Result<Vec<(String, f64)>, RunError> {
    monitor.part("ways");
    match walk::ways(document, how) {
        Ok(Some(ways)) => {
            outcome.tables.push(ways.table);
            outcome.plots.push(ways.plot);
            return Ok(ways.cpu_s);
        }
        Ok(None) => outcome.warnings.push(only_for_walks("ways", outcome)),
        Err(RunError::Stopped) => (),
        Err(other) => return Err(other),
    }
    Ok(Vec::new())
}

fn only_for_walks(option: &str, outcome: &Outcome) -> String {
    format!(
        "--{option} has no effect: it applies to studies of walking only, and `{}` is another kind of study",
        outcome.study
    )
}
