//! `wolff run`: one study, its table, its folder.

use crate::args::Run;
use crate::failure::Failure;
use crate::output::{self, Align, number, plain, size, table};
use crate::source::{self, Source};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wolff_study::RunError;
use wolff_study::document::StudyDocument;
use wolff_study::folder::{Provenance, check_run_folder, write_run_folder};
use wolff_study::json::{self, Stopwatch, Timing};
use wolff_study::outcome::{Comparison, Outcome, Status, Table};

/// Runs the command.
pub fn run(args: &Run) -> Result<ExitCode, Failure> {
    let source = source::find(&args.study)?;
    let name = StudyDocument::parse_in(&source.file, &source.text, &source.base_dir)?.name;
    let folder = args.out.clone().or_else(|| (!args.json).then(|| default_folder(&name)));
    if let Some(folder) = &folder {
        check_run_folder(folder)?;
    }
    let (outcome, timing) = compute(args, &source)?;
    if let Some(folder) = &folder {
        let provenance = Provenance::new(&source.file, &source.text, &args.set);
        write_run_folder(folder, &outcome, &provenance, &timing)?;
    }
    report(args, &outcome, &timing, folder.as_deref())?;
    Ok(if outcome.status == Status::Ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn compute(args: &Run, source: &Source) -> Result<(Outcome, Timing), Failure> {
    let bar = output::progress_bar(&args.study, args.quiet);
    let stopwatch = Stopwatch::start();
    let result = wolff_study::run(&source.file, &source.text, &source.base_dir, &args.set, &mut |fraction| {
        output::advance(&bar, fraction);
    });
    bar.finish_and_clear();
    let result = result.and_then(|outcome| with_sensitivity(args, source, outcome));
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(RunError::Input(error)) => return Err(error.into()),
        Err(RunError::Simulation(message)) => return Err(Failure::Simulation(message)),
    };
    let timing = stopwatch.stop(outcome.simulated_s);
    Ok((outcome, timing))
}

/// Adds the table of sensitivities, if the study asks for it.
fn with_sensitivity(args: &Run, source: &Source, mut outcome: Outcome) -> Result<Outcome, RunError> {
    if args.no_sensitivity {
        return Ok(outcome);
    }
    let mut document = StudyDocument::parse_in(&source.file, &source.text, &source.base_dir)?;
    document.apply_overrides(&args.set)?;
    let bar = output::spinner("sensitivity", args.quiet);
    let found = wolff_study::sensitivity(&document, &outcome);
    bar.finish_and_clear();
    if let Some(rows) = found? {
        outcome.results.insert("sensitivity".into(), rows);
    }
    Ok(outcome)
}

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
    let Timing { cpu_s, wall_s, simulated_s } = timing;
    let _ = writeln!(text, "\nsimulated {} s in {cpu_s:.3} s CPU, {wall_s:.3} s wall", number(*simulated_s));
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
