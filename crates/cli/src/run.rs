//! `wolff run`: runs a study, prints its tables, writes its folder.

use crate::args::Run;
use crate::failure::Failure;
use crate::output::{self, Align, number, plain, size, table};
use crate::{continuing, interrupt, source};
use indicatif::ProgressBar;
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wolff_app::run::{Further, Monitor, Request};
use wolff_report::folder::{Provenance, check_run_folder, write_run_folder};
use wolff_report::json::{self, Timing};
use wolff_report::outcome::{Comparison, Outcome, Status, Table};
use wolff_study::document::{StudyDocument, StudyKind};

/// Runs the command.
pub fn run(args: &Run) -> Result<ExitCode, Failure> {
    let source = source::find(&args.study)?;
    let mut document = StudyDocument::parse_in(&source.file, &source.text, &source.base_dir)?;
    let saved = continuing::saved(args)?;
    let folder = args.out.as_ref().or(args.resume.as_ref()).cloned();
    let folder = folder.or_else(|| (!args.json).then(|| default_folder(&document.name)));
    if let Some(folder) = &folder {
        check_run_folder(folder)?;
    }
    // without --set, a resumed run uses the values of the stopped run
    let set = match &saved {
        Some(saved) if args.set.is_empty() => saved.set().to_vec(),
        _ => args.set.clone(),
    };
    let written = saved.as_ref().map_or_else(|| set.clone(), |saved| saved.set().to_vec());
    document.apply_overrides(&set)?;
    if document.kind() == StudyKind::Walk {
        interrupt::install_handler();
    }
    let request = Request {
        document: &document,
        set: &set,
        from: saved,
        checkpoint: folder.as_deref().map(continuing::checkpoint_file),
        cache: if args.no_cache { None } else { wolff_app::cache::bones() },
        further: further(args),
    };
    let (outcome, timing) = request.run(&mut Bar::new(&args.study, args.quiet))?;
    if let Some(folder) = &folder {
        let provenance = Provenance::new(&source.file, &source.text, &written);
        write_run_folder(folder, &outcome, &provenance, &timing)?;
        continuing::remove_checkpoint(folder);
    }
    report(args, &outcome, &timing, folder.as_deref())?;
    Ok(match outcome.status {
        _ if outcome.resume.is_some() => ExitCode::from(interrupt::STOPPED),
        Status::Ok => ExitCode::SUCCESS,
        Status::Partial | Status::Failed => ExitCode::from(1),
    })
}

fn further(args: &Run) -> Further {
    Further {
        own_sensitivity: !args.no_sensitivity,
        convergence: args.convergence,
        variants: args.variants,
        choices: args.sensitivity,
        ways: args.ways,
    }
}

/// Shows the progress of a run; Ctrl-C stops it.
struct Bar {
    shown: ProgressBar,
    quiet: bool,
}

impl Bar {
    fn new(name: &str, quiet: bool) -> Self {
        Bar { shown: output::progress_bar(name, quiet), quiet }
    }
}

impl Monitor for Bar {
    fn part(&mut self, name: &str) {
        self.shown.finish_and_clear();
        self.shown = output::spinner(name, self.quiet);
    }

    fn progress(&mut self, fraction: f64) -> bool {
        output::advance(&self.shown, fraction);
        !interrupt::stop_requested()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown.finish_and_clear();
    }
}

/// `runs/STUDY`, with characters of the name replaced that are not safe in a path.
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
        Status::Partial => "partial: the run ended early; results are for the simulated part",
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
        let _ = writeln!(text, "stopped; resume with `wolff run {} --resume {}`", outcome.study, folder.display());
    }
    if let Some(folder) = folder {
        let _ = writeln!(text, "files are in {}; report.html shows all results on one page", folder.display());
    }
    text
}

/// Results with one value each.
fn results(outcome: &Outcome) -> String {
    let single = outcome.results.iter().filter(|(_, value)| objects(value).is_none());
    let rows: Vec<_> = single.map(|(name, value)| vec![name.clone(), plain(value)]).collect();
    table(&[("result", Align::Left), ("value", Align::Left)], &rows)
}

/// Results that are lists, such as impacts: one table each.
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

/// Results compared with published ones, with the title of the table.
fn published(compared: &Table) -> String {
    let layout = compared.layout();
    let align = |is_number: bool| if is_number { Align::Right } else { Align::Left };
    let header: Vec<_> = layout.header.iter().map(|(title, number)| (title.as_str(), align(*number))).collect();
    let lines: Vec<_> = layout.lines.into_iter().map(|(_, cells)| cells).collect();
    let notes: String = layout.notes.iter().map(|note| format!("{note}\n")).collect();
    format!("{}\n{}{notes}", compared.title, table(&header, &lines))
}
