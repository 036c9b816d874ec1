//! A study of any kind: run, stopped and resumed, and repeated with changed parameters.

use crate::session::Session;
use crate::walk::{self, SavedWalk};
use std::path::{Path, PathBuf};
use std::time::Duration;
use wolff_report::json::{Stopwatch, Timing};
use wolff_report::outcome::{Outcome, Table};
use wolff_study::document::{Study, StudyDocument, StudyKind};
pub use wolff_study::run::RunError;
use wolff_study::run::{run_study, sensitivity};

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

/// Receives the progress of a run, and may stop it.
pub trait Monitor {
    /// A part of the work begins; its duration is not known.
    fn part(&mut self, name: &str);
    /// The fraction of the main run that is done; the return value `false` requests a stop.
    fn progress(&mut self, fraction: f64) -> bool;
}

impl Request<'_> {
    /// Runs the study and the additional runs that are requested.
    pub fn run(self, monitor: &mut dyn Monitor) -> Result<(Outcome, Timing), RunError> {
        let Request { document, set, from, checkpoint, cache, further } = self;
        let stopwatch = Stopwatch::start();
        let study = document.evaluate()?;
        let mut progress = |fraction: f64| monitor.progress(fraction);
        let keep = checkpoint.map(|path| (path, CHECKPOINT_INTERVAL));
        let mut session = Session { progress: &mut progress, from, keep, cache: cache.clone() };
        let mut outcome = run_evaluated(&study, set, &mut session)?;
        let mut parts_cpu_s = Vec::new();
        if outcome.resume.is_none() {
            let cache = cache.as_deref();
            if further.own_sensitivity {
                add_sensitivity(document, &mut outcome, monitor)?;
            }
            add_variations(document, further, &mut outcome, cache, monitor)?;
            if further.ways {
                parts_cpu_s = add_ways(document, &mut outcome, cache, monitor)?;
            }
        }
        let timing = stopwatch.stop(outcome.simulated_s);
        Ok((outcome, Timing { parts_cpu_s, ..timing }))
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
    let mut document = StudyDocument::parse_in(file, text, base_dir)?;
    document.apply_overrides(overrides)?;
    run_evaluated(&document.evaluate()?, overrides, session)
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
            run_study(&study, &mut |fraction| _ = (session.progress)(fraction))
        }
    }
}

/// Adds the table of sensitivities, if the study defines one.
fn add_sensitivity(document: &StudyDocument, outcome: &mut Outcome, monitor: &mut dyn Monitor) -> Result<(), RunError> {
    monitor.part("sensitivity");
    if let Some(rows) = sensitivity(document, outcome)? {
        outcome.results.insert("sensitivity".into(), rows);
    }
    Ok(())
}

/// Repeats a study with changed parameters; `None` for studies that are not of walking.
type Variation = fn(&StudyDocument, &Outcome, Option<&Path>) -> Result<Option<Table>, RunError>;

/// Adds the requested tables of runs with changed parameters.
fn add_variations(
    document: &StudyDocument,
    further: Further,
    outcome: &mut Outcome,
    cache: Option<&Path>,
    monitor: &mut dyn Monitor,
) -> Result<(), RunError> {
    let all = [
        (further.convergence, "convergence", walk::convergence as Variation),
        (further.variants, "variants", walk::variants as Variation),
        (further.choices, "sensitivity", walk::choices as Variation),
    ];
    for (_, name, vary) in all.into_iter().filter(|(asked, _, _)| *asked) {
        monitor.part(name);
        match vary(document, outcome, cache)? {
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
    cache: Option<&Path>,
    monitor: &mut dyn Monitor,
) -> Result<Vec<(String, f64)>, RunError> {
    monitor.part("ways");
    let Some(ways) = walk::ways(document, cache)? else {
        outcome.warnings.push(only_for_walks("ways", outcome));
        return Ok(Vec::new());
    };
    outcome.tables.push(ways.table);
    outcome.plots.push(ways.plot);
    Ok(ways.cpu_s)
}

fn only_for_walks(option: &str, outcome: &Outcome) -> String {
    format!(
        "--{option} has no effect: it applies to studies of walking only, and `{}` is another kind of study",
        outcome.study
    )
}
