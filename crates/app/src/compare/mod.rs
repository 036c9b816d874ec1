//! Comparison: runs of one study that differ in the values of some parameters, in one table and in common figures.
//!
//! Runs are independent and are made on all cores; walks, and studies with flexible bodies, whose reduction uses all
//! cores itself, are made one after the other. Of a run that is done only results, warnings and curves are kept, with
//! no more points than a figure can show.

mod figures;
mod remarks;
mod table;
mod thin;

use crate::parallel::{cores, in_parallel};
use crate::run::{Monitor, Overrides, run_evaluated};
use crate::session::Session;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;
use wolff_files::input::{self, Recorder};
use wolff_report::json::{Stopwatch, Timing, thread_cpu_s};
use wolff_report::outcome::{ComparedRun, Outcome, Status};
use wolff_study::document::{CompareSpec, Parameter, Study, StudyDocument, StudyKind, parse_quantity};
use wolff_study::{Budget, RunError};

/// Name of the work, as a [`Monitor`] is told it.
pub const COMPARING: &str = "comparing";

/// A comparison to be made.
#[derive(Debug)]
pub struct ComparisonRequest<'a> {
    /// The study, with the overrides applied that all runs share.
    pub document: &'a StudyDocument,
    /// These overrides.
    pub set: &'a Overrides,
    /// The values in which the runs differ.
    pub spec: &'a CompareSpec,
    /// Results for the table, as `force_max_n` or `impacts.1.duration_s`; empty: those of the comparison or the study.
    pub results: &'a [String],
    /// Folder with reduced bones.
    pub cache: Option<PathBuf>,
    /// Whether a recording with errors is used all the same.
    pub force: bool,
    /// Limits of each simulation.
    pub budget: Budget,
}

/// A run before it begins.
struct Planned {
    label: String,
    /// The values in which it differs from the others, in the order of what is varied.
    values: Vec<(String, String)>,
    /// Numbers of the varied parameters, where they are numbers.
    numbers: Vec<Option<f64>>,
    study: Mutex<Option<Study>>,
}

/// How a run ended.
enum Ending {
    Done(Box<Outcome>),
    Failed(String),
    /// The user has stopped it, or it was not begun for that reason.
    Stopped,
}

/// A run after its end.
struct Ended {
    label: String,
    values: Vec<(String, String)>,
    /// Numbers of the varied parameters, where they are numbers.
    numbers: Vec<Option<f64>>,
    ending: Ending,
    cpu_s: f64,
}

impl Ended {
    fn outcome(&self) -> Option<&Outcome> {
        match &self.ending {
            Ending::Done(outcome) => Some(outcome),
            Ending::Failed(_) | Ending::Stopped => None,
        }
    }
}

impl ComparisonRequest<'_> {
    /// Makes the runs and puts them side by side.
    ///
    /// # Errors
    /// If a value is not valid, before any run; if no run has a result.
    pub fn run(&self, monitor: &mut dyn Monitor) -> Result<(Outcome, Timing), RunError> {
        let stopwatch = Stopwatch::start();
        let recorder = Recorder::start();
        monitor.part(COMPARING);
        let (planned, first) = self.plan()?;
        let alone = first.kind == StudyKind::Walk || !first.flexible.is_empty();
        let ended = self.run_all(planned, alone, monitor);
        if ended.iter().all(|run| run.outcome().is_none()) {
            return Err(without_results(&ended));
        }
        let mut outcome = self.together(&first, &ended);
        outcome.require_finite();
        outcome.add_inputs(recorder.finish());
        outcome.add_inputs(input::so_far());
        let timing = stopwatch.stop(outcome.simulated_s);
        let parts_cpu_s = ended.iter().filter(|run| run.outcome().is_some()).map(|run| (run.label.clone(), run.cpu_s));
        Ok((outcome, Timing { parts_cpu_s: parts_cpu_s.collect(), ..timing }))
    }

    /// All runs with their studies evaluated, so that errors are told before the first run; and the first study.
    fn plan(&self) -> Result<(Vec<Planned>, Study), RunError> {
        let runs = self.spec.runs();
        let evaluated = in_parallel(
            runs.len(),
            cores(),
            |i| {
                let mut document = self.document.clone();
                document.apply_overrides(&runs[i])?;
                document.evaluate()
            },
            None,
        );
        let mut planned = Vec::with_capacity(runs.len());
        let mut first = None;
        for (values, study) in runs.into_iter().zip(evaluated) {
            let differs = |(k, _): &(usize, &(String, String))| self.spec.varied[*k].values.len() > 1;
            let label = label(self.document, values.iter().enumerate().filter(differs).map(|(_, value)| value));
            let study = study.map_err(|mut error| {
                error.file = format!("{} with {label}", error.file);
                error
            })?;
            let number = |(key, text): &(String, String)| match study.numbers.get(key) {
                Some(x) => Some(*x),
                None if study.parameter(key).is_some() => None,
                None => parse_quantity(text).map(|q| q.value),
            };
            let numbers = values.iter().map(number).collect();
            first.get_or_insert_with(|| study.clone());
            planned.push(Planned { label, values, numbers, study: Mutex::new(Some(study)) });
        }
        let first = first.ok_or_else(|| RunError::Simulation("the comparison has no runs".into()))?;
        Ok((planned, first))
    }

    /// Makes the runs, one after the other or on all cores.
    fn run_all(&self, planned: Vec<Planned>, alone: bool, monitor: &mut dyn Monitor) -> Vec<Ended> {
        let stop = AtomicBool::new(false);
        let stopping = || stop.load(Ordering::Relaxed) || (self.budget.stop)();
        let done: Vec<AtomicU64> = planned.iter().map(|_| AtomicU64::new(0)).collect();
        let job = |i: usize| {
            let progress = |fraction: f64| done[i].store(fraction.clamp(0.0, 1.0).to_bits(), Ordering::Relaxed);
            let ended = self.run_one(&planned[i], alone, &stopping, &progress);
            progress(1.0);
            ended
        };
        let mut watch = || {
            let sum: f64 = done.iter().map(|x| f64::from_bits(x.load(Ordering::Relaxed))).sum();
            if !monitor.progress(sum / done.len() as f64) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let threads = if alone { 1 } else { cores() };
        let endings = in_parallel(planned.len(), threads, job, Some(&mut watch));
        let ended = |(plan, (ending, cpu_s)): (Planned, (Ending, f64))| {
            let Planned { label, values, numbers, .. } = plan;
            Ended { label, values, numbers, ending, cpu_s }
        };
        planned.into_iter().zip(endings).map(ended).collect()
    }

    /// Makes one run; also returns its processor time \[s\]: of the process for a run that is alone, of its thread
    /// otherwise.
    fn run_one(
        &self,
        planned: &Planned,
        alone: bool,
        stopping: &dyn Fn() -> bool,
        progress: &dyn Fn(f64),
    ) -> (Ending, f64) {
        let study = planned.study.lock().ok().and_then(|mut study| study.take());
        let Some(study) = study.filter(|_| !stopping()) else { return (Ending::Stopped, 0.0) };
        let (begin, watch, thread) = (Instant::now(), Stopwatch::start(), thread_cpu_s());
        let in_time = || self.budget.max_time.is_none_or(|limit| begin.elapsed() < limit);
        let mut told = |fraction: f64| {
            progress(fraction);
            !stopping() && in_time()
        };
        let mut session = Session::new(&mut told);
        session.cache.clone_from(&self.cache);
        (session.force, session.budget) = (self.force, self.budget);
        let set: Vec<(String, String)> = self.set.iter().chain(&planned.values).cloned().collect();
        let ending = match run_evaluated(&study, &set, &mut session) {
            Ok(outcome) if outcome.resume.is_some() && stopping() => Ending::Stopped,
            Ok(outcome) => Ending::Done(Box::new(slim(outcome))),
            Err(RunError::Stopped) if stopping() => Ending::Stopped,
            Err(error) => Ending::Failed(crate::run::out_of_time(error, in_time()).to_string()),
        };
        let used = thread.zip(thread_cpu_s()).map(|(start, end)| end - start);
        // the system counts the time of a thread in ticks; a run within one took at most its wall-clock time
        let used = used.map(|used| if used > 0.0 { used } else { begin.elapsed().as_secs_f64() });
        let cpu_s = used.filter(|_| !alone).unwrap_or_else(|| watch.stop(0.0).cpu_s);
        (ending, cpu_s)
    }

    /// One outcome of all runs.
    fn together(&self, first: &Study, ended: &[Ended]) -> Outcome {
        let mut warnings = remarks::endings(ended);
        warnings.extend(remarks::without_effect(self.spec, ended));
        warnings.extend(remarks::common_warnings(ended));
        let columns = table::columns(self, first, ended, &mut warnings);
        let mut tables = vec![table::comparison(self.spec, &columns, ended)];
        tables.extend(table::published(ended));
        let outcomes = || ended.iter().filter_map(Ended::outcome);
        let completed = outcomes().count();
        let mut results = Map::new();
        results.insert("runs".into(), json!(ended.len()));
        results.insert("completed".into(), json!(completed));
        let mut plots = figures::over_numbers(self, &columns, ended);
        let (overlaid, remark) = figures::overlaid(ended);
        plots.extend(overlaid);
        let method = std::iter::once(description(self, ended.len()));
        let of_first = outcomes().next().map(|outcome| outcome.method.clone()).unwrap_or_default();
        let inputs = outcomes().next().map(|outcome| outcome.inputs.clone()).unwrap_or_default();
        Outcome {
            study: first.name.clone(),
            status: status(ended),
            results,
            runs: ended.iter().map(compared).collect(),
            comparisons: table::failed_references(ended),
            tables,
            warnings,
            method: method.chain(remark).chain(of_first).collect(),
            plots,
            inputs,
            simulated_s: outcomes().map(|outcome| outcome.simulated_s).sum(),
            ..Outcome::default()
        }
    }
}

/// The name of a run: the values in which it differs from the others. Words stand for themselves.
fn label<'v>(document: &StudyDocument, values: impl IntoIterator<Item = &'v (String, String)>) -> String {
    let shown = |(key, value): &(String, String)| {
        if parse_quantity(value).is_none() && !value.contains(['.', '_']) {
            return value.clone();
        }
        let unit = document.parameter(key).map(Parameter::unit).filter(|_| value.parse::<f64>().is_ok());
        format!("{key} = {value} {}", unit.unwrap_or_default()).trim_end().to_string()
    };
    values.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// What is needed of a run after its end.
fn slim(outcome: Outcome) -> Outcome {
    let mut plots = outcome.plots;
    for (_, points) in plots.iter_mut().flat_map(|plot| &mut plot.curves) {
        *points = thin::thinned(points);
    }
    Outcome {
        plots,
        study: outcome.study,
        status: outcome.status,
        results: outcome.results,
        comparisons: outcome.comparisons,
        tables: outcome.tables,
        warnings: outcome.warnings,
        judgement: outcome.judgement,
        method: outcome.method,
        inputs: outcome.inputs,
        simulated_s: outcome.simulated_s,
        ..Outcome::default()
    }
}

/// A run that failed does not take the others with it: the comparison is partial then.
fn status(ended: &[Ended]) -> Status {
    let status = |run: &Ended| run.outcome().map_or(Status::Failed, Outcome::judged_status);
    let worst = ended.iter().map(status).max().unwrap_or_default();
    let all_failed = ended.iter().all(|run| status(run) == Status::Failed);
    if worst == Status::Failed && !all_failed { Status::Partial } else { worst }
}

/// No run has a result.
fn without_results(ended: &[Ended]) -> RunError {
    let why = |run: &Ended| match &run.ending {
        Ending::Failed(why) => Some(format!("{}: {why}", run.label)),
        Ending::Done(_) | Ending::Stopped => None,
    };
    let failed: Vec<String> = ended.iter().filter_map(why).collect();
    if failed.is_empty() {
        RunError::Stopped
    } else {
        RunError::Simulation(format!("no run of the comparison has a result\n{}", failed.join("\n")))
    }
}

fn compared(run: &Ended) -> ComparedRun {
    let values = run.values.iter().map(|(key, value)| {
        let value = value.parse::<f64>().map_or_else(|_| json!(value), |x| json!(x));
        (key.clone(), value)
    });
    let (error, results) = match &run.ending {
        Ending::Done(outcome) => (None, outcome.results.clone()),
        Ending::Failed(why) => (Some(why.clone()), Map::new()),
        Ending::Stopped => (Some("stopped before its end".into()), Map::new()),
    };
    let status = run.outcome().map(Outcome::judged_status);
    let status = status.or(matches!(run.ending, Ending::Failed(_)).then_some(Status::Failed));
    ComparedRun { label: run.label.clone(), values: values.collect::<Map<String, Value>>(), status, error, results }
}

/// What was compared, in a sentence.
fn description(request: &ComparisonRequest<'_>, runs: usize) -> String {
    let varied = request.spec.varied.iter().map(|one| format!("{}: {}", one.key, one.values.join(", ")));
    let title = match request.spec.title.as_str() {
        "" => String::new(),
        title => format!("{title}. "),
    };
    format!(
        "{title}Comparison of {runs} runs of the study `{}`, which differ in {}. Everything else is the same in all \
         runs; what follows describes the first of them.",
        request.document.name,
        varied.collect::<Vec<_>>().join("; ")
    )
}
