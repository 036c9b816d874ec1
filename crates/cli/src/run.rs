//! `wolff run`: one study, its table, its folder.

use crate::args::Run;
use crate::failure::Failure;
use crate::output::{self, Align, number, plain, size, table};
use crate::source::{self, Source};
use crate::{cache, continuing, interrupt};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use wolff_study::document::{StudyDocument, StudyKind};
use wolff_study::folder::{Provenance, check_run_folder, write_run_folder};
use wolff_study::json::{self, Stopwatch, Timing};
use wolff_study::outcome::{Comparison, Outcome, Status, Table};
use wolff_study::{RunError, SavedWalk, Session};

/// Least time between two writings of the file from which a run goes on should its process end.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// Runs the command.
pub fn run(args: &Run) -> Result<ExitCode, Failure> {
    let source = source::find(&args.study)?;
    let document = StudyDocument::parse_in(&source.file, &source.text, &source.base_dir)?;
    let saved = continuing::saved(args)?;
    let folder = args.out.as_ref().or(args.resume.as_ref()).cloned();
    let folder = folder.or_else(|| (!args.json).then(|| default_folder(&document.name)));
    if let Some(folder) = &folder {
        check_run_folder(folder)?;
    }
    // what was set for a run that is continued still holds
    let set = match &saved {
        Some(saved) if args.set.is_empty() => saved.set().to_vec(),
        _ => args.set.clone(),
    };
    let written = saved.as_ref().map_or_else(|| set.clone(), |saved| saved.set().to_vec());
    let keep = folder.as_deref().map(continuing::kept_beside);
    let cache = if args.no_cache { None } else { cache::bones() };
    let job = Job { args, source: &source, set: &set, keep, cache };
    let (outcome, timing) = job.compute(saved)?;
    if let Some(folder) = &folder {
        let provenance = Provenance::new(&source.file, &source.text, &written);
        write_run_folder(folder, &outcome, &provenance, &timing)?;
        continuing::forget(folder);
    }
    report(args, &outcome, &timing, folder.as_deref())?;
    Ok(match outcome.status {
        _ if outcome.resume.is_some() => ExitCode::from(interrupt::STOPPED),
        Status::Ok => ExitCode::SUCCESS,
        Status::Partial | Status::Failed => ExitCode::from(1),
    })
}

/// A study with what was set for it.
struct Job<'a> {
    args: &'a Run,
    source: &'a Source,
    set: &'a [(String, String)],
    /// File that is written while the run goes on.
    keep: Option<PathBuf>,
    /// Folder with bones.
    cache: Option<PathBuf>,
}

impl Job<'_> {
    fn document(&self) -> Result<StudyDocument, RunError> {
        let Source { file, text, base_dir } = self.source;
        let mut document = StudyDocument::parse_in(file, text, base_dir)?;
        document.apply_overrides(self.set)?;
        Ok(document)
    }

    fn compute(&self, from: Option<SavedWalk>) -> Result<(Outcome, Timing), Failure> {
        let bar = output::progress_bar(&self.args.study, self.args.quiet);
        if self.document()?.evaluate().is_ok_and(|study| study.kind == StudyKind::Walk) {
            interrupt::heed();
        }
        let stopwatch = Stopwatch::start();
        let mut progress = |fraction: f64| {
            output::advance(&bar, fraction);
            !interrupt::asked()
        };
        let keep = self.keep.clone().map(|path| (path, KEEP_EVERY));
        let mut session = Session { progress: &mut progress, from, keep, cache: self.cache.clone() };
        let Source { file, text, base_dir } = self.source;
        let result = wolff_study::run_in(file, text, base_dir, self.set, &mut session);
        bar.finish_and_clear();
        let mut outcome = result?;
        let mut parts_cpu_s = Vec::new();
        if outcome.resume.is_none() {
            self.add_sensitivity(&mut outcome)?;
            self.add_variations(&mut outcome)?;
            parts_cpu_s = self.add_ways(&mut outcome)?;
        }
        let timing = stopwatch.stop(outcome.simulated_s);
        Ok((outcome, Timing { parts_cpu_s, ..timing }))
    }

    /// Adds the table of sensitivities, if the study asks for it.
    fn add_sensitivity(&self, outcome: &mut Outcome) -> Result<(), RunError> {
        if self.args.no_sensitivity {
            return Ok(());
        }
        let bar = output::spinner("sensitivity", self.args.quiet);
        let found = wolff_study::sensitivity(&self.document()?, outcome);
        bar.finish_and_clear();
        if let Some(rows) = found? {
            outcome.results.insert("sensitivity".into(), rows);
        }
        Ok(())
    }

    /// Adds the tables of runs with something changed, where they are asked for.
    fn add_variations(&self, outcome: &mut Outcome) -> Result<(), RunError> {
        let asked = [
            (self.args.convergence, "convergence", wolff_study::convergence as Variation),
            (self.args.variants, "variants", wolff_study::variants as Variation),
            (self.args.sensitivity, "sensitivity", wolff_study::choices as Variation),
        ];
        for (_, what, vary) in asked.into_iter().filter(|(wanted, _, _)| *wanted) {
            let bar = output::spinner(what, self.args.quiet);
            let found = vary(&self.document()?, outcome, self.cache.as_deref());
            bar.finish_and_clear();
            match found? {
                Some(table) => outcome.tables.push(table),
                None => outcome.warnings.push(format!("--{what} is for walks; `{}` is none", outcome.study)),
            }
        }
        Ok(())
    }

    /// Adds the table and the picture of the ways to find strains, where they are asked for; gives the processor time of each [s].
    fn add_ways(&self, outcome: &mut Outcome) -> Result<Vec<(String, f64)>, RunError> {
        if !self.args.ways {
            return Ok(Vec::new());
        }
        let bar = output::spinner("ways", self.args.quiet);
        let found = wolff_study::ways(&self.document()?, self.cache.as_deref());
        bar.finish_and_clear();
        let Some(ways) = found? else {
            outcome.warnings.push(format!("--ways is for walks; `{}` is none", outcome.study));
            return Ok(Vec::new());
        };
        outcome.tables.push(ways.table);
        outcome.plots.push(ways.plot);
        Ok(ways.cpu_s)
    }
}

/// Runs a study again with something changed.
type Variation = fn(&StudyDocument, &Outcome, Option<&Path>) -> Result<Option<Table>, RunError>;

/// `runs/STUDY`, whatever characters the study's name has.
fn default_folder(study: &str) -> PathBuf {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    Path::new("runs").join(study.chars().map(safe).collect::<String>())
}

fn report(args: &Run, outcome: &Outcome, timing: &Timing, folder: Option<&Path>) -> Result<(), Failure> {
    if args.json {
        return output::print_json(&json::report(outcome, timing));
    }
    for warning in json::warnings(outcome) {
        output::warn(&warning);
    }
    if args.quiet { Ok(()) } else { output::print(&for_people(outcome, timing, folder)) }
}

fn for_people(outcome: &Outcome, timing: &Timing, folder: Option<&Path>) -> String {
    let status = match outcome.status {
        Status::Ok => "ok",
        Status::Partial => "partial: what follows is right as far as it goes",
        Status::Failed => "failed",
    };
    let mut text = format!("{}: {status}\n", outcome.study);
    let parts = [results(outcome), lists(outcome), comparisons(&outcome.comparisons)];
    for part in parts.into_iter().chain(outcome.tables.iter().map(published)) {
        if !part.is_empty() {
            let _ = write!(text, "\n{part}");
        }
    }
    let Timing { cpu_s, wall_s, simulated_s, parts_cpu_s } = timing;
    if !parts_cpu_s.is_empty() {
        let row = |(name, seconds): &(String, f64)| vec![name.clone(), format!("{seconds:.3}")];
        let rows: Vec<_> = parts_cpu_s.iter().map(row).collect();
        let _ = write!(text, "\n{}", table(&[("part", Align::Left), ("CPU [s]", Align::Right)], &rows));
    }
    let _ = writeln!(text, "\nsimulated {} s in {cpu_s:.3} s CPU, {wall_s:.3} s wall", number(*simulated_s));
    if let (Some(folder), true) = (folder, outcome.resume.is_some()) {
        let _ = writeln!(text, "stopped; `wolff run {} --resume {}` goes on", outcome.study, folder.display());
    }
    if let Some(folder) = folder {
        let _ = writeln!(text, "files in {}, all of it on one page in report.html", folder.display());
    }
    text
}

/// Results that are one value each.
fn results(outcome: &Outcome) -> String {
    let single = outcome.results.iter().filter(|(_, value)| objects(value).is_none());
    let rows: Vec<_> = single.map(|(name, value)| vec![name.clone(), plain(value)]).collect();
    table(&[("result", Align::Left), ("value", Align::Left)], &rows)
}

/// Results that are lists, such as impacts: a table each.
fn lists(outcome: &Outcome) -> String {
    let lists = outcome.results.iter().filter_map(|(name, value)| Some((name, objects(value)?)));
    let tables = lists.filter_map(|(name, items)| {
        let keys = || items.first().into_iter().flat_map(|first| first.keys());
        let number_of = |i: usize| vec![(i + 1).to_string()];
        let cell = |item: &Map<String, Value>, key: &String| item.get(key).map(plain).unwrap_or_default();
        let row = |(i, item): (usize, &&Map<String, Value>)| {
            [number_of(i), keys().map(|key| cell(item, key)).collect()].concat()
        };
        let header: Vec<_> = std::iter::once(name).chain(keys()).map(|key| (key.as_str(), Align::Right)).collect();
        let rows: Vec<_> = items.iter().enumerate().map(row).collect();
        (!rows.is_empty()).then(|| table(&header, &rows))
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// The items of a list of objects.
fn objects(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    value.as_array()?.iter().map(Value::as_object).collect()
}

fn comparisons(comparisons: &[Comparison]) -> String {
    let row = |c: &Comparison| {
        vec![
            c.quantity.clone(),
            number(c.value),
            number(c.reference),
            size(c.value - c.reference),
            size(c.tolerance),
            if c.pass() { "pass" } else { "FAIL" }.into(),
            c.source.clone(),
        ]
    };
    let header = [
        ("quantity", Align::Left),
        ("value", Align::Right),
        ("reference", Align::Right),
        ("difference", Align::Right),
        ("tolerance", Align::Right),
        ("verdict", Align::Left),
        ("source", Align::Left),
    ];
    table(&header, &comparisons.iter().map(row).collect::<Vec<_>>())
}

/// Results beside published ones, under their title.
fn published(compared: &Table) -> String {
    let layout = compared.layout();
    let align = |is_number: bool| if is_number { Align::Right } else { Align::Left };
    let header: Vec<_> = layout.header.iter().map(|(title, number)| (title.as_str(), align(*number))).collect();
    let lines: Vec<_> = layout.lines.into_iter().map(|(_, cells)| cells).collect();
    let notes: String = layout.notes.iter().map(|note| format!("{note}\n")).collect();
    format!("{}\n{}{notes}", compared.title, table(&header, &lines))
}
