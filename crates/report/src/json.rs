//! The outcome of a study as one JSON object, and the clock for its timing.
//!
//! ```json
//! { "study": "...", "status": "ok", "results": {}, "comparisons": [], "tables": [], "judged": [], "warnings": [],
//!   "notes": [], "inputs": [{ "name": "walk.osim", "sha256": "..." }],
//!   "timing": { "cpu_s": 0.1, "wall_s": 0.1, "simulated_s": 2.0 } }
//! ```
//!
//! A comparison of runs has the key `runs`, an array of `{ "label", "values", "status", "results" }`.
//! Commands have the key `command` instead of `study`. `comparisons`, `tables`, `judged`, `notes` and `inputs` (the
//! files that were read) are omitted if they are empty.
//!
//! JSON has no NaN: a number that is not finite becomes `null`, and a warning names it. In `tables` an empty cell is
//! `null`, too.

use crate::outcome::{Cell, Comparison, Outcome, Series, Table};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fs;
use std::time::Instant;

/// Time that a run took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Processor time of all threads \[s\].
    pub cpu_s: f64,
    /// Wall-clock time \[s\].
    pub wall_s: f64,
    /// Simulated time \[s\].
    pub simulated_s: f64,
    /// Processor time of parts that were timed separately \[s\].
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_object")]
    pub parts_cpu_s: Vec<(String, f64)>,
}

/// Pairs as one object.
fn as_object<S: serde::Serializer>(pairs: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, seconds)| (name, seconds)))
}

/// A clock that runs from [`Stopwatch::start`].
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    wall: Instant,
    cpu_s: Option<f64>,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu_s: process_cpu_s() }
    }

    /// Time since the start; where the processor time is not available, the wall-clock time is used.
    pub fn stop(&self, simulated_s: f64) -> Timing {
        let wall_s = self.wall.elapsed().as_secs_f64();
        let cpu_s = match (self.cpu_s, process_cpu_s()) {
            (Some(start), Some(now)) => (now - start).max(0.0),
            _ => wall_s,
        };
        Timing { cpu_s, wall_s, simulated_s, parts_cpu_s: Vec::new() }
    }
}

/// Processor time of this process so far \[s\], on Linux.
///
/// `stat` counts all threads in ticks of 10 ms, `schedstat` only running threads but in nanoseconds. Neither exceeds
/// the true time, so the larger of the two is used.
fn process_cpu_s() -> Option<f64> {
    let ticks = fs::read_to_string("/proc/self/stat").ok().and_then(|stat| ticks_of(&stat));
    let threads = fs::read_dir("/proc/self/task").ok().map(|tasks| {
        let seconds = tasks
            .flatten()
            .filter_map(|task| fs::read_to_string(task.path().join("schedstat")).ok())
            .filter_map(|text| seconds_of(&text));
        seconds.sum::<f64>()
    });
    [ticks, threads].into_iter().flatten().reduce(f64::max)
}

/// Processor time of the calling thread so far \[s\], on Linux.
pub fn thread_cpu_s() -> Option<f64> {
    seconds_of(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// The processor time in a text of `schedstat` \[s\]: its first number, in nanoseconds.
fn seconds_of(schedstat: &str) -> Option<f64> {
    Some(1e-9 * schedstat.split_whitespace().next()?.parse::<f64>().ok()?)
}

/// User and system time in a line of `/proc/self/stat` \[s\].
fn ticks_of(stat: &str) -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    // the name of the program, in parentheses, may contain spaces; user and system time are fields 14 and 15
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / TICKS_PER_SECOND)
}

/// The outcome as one object.
pub fn report(outcome: &Outcome, timing: &Timing) -> Value {
    let mut object = Map::new();
    object.insert(outcome.kind.key().into(), outcome.study.clone().into());
    object.insert("status".into(), json!(outcome.judged_status()));
    object.insert("results".into(), Value::Object(outcome.results.clone()));
    if !outcome.runs.is_empty() {
        object.insert("runs".into(), json!(outcome.runs));
    }
    if !outcome.comparisons.is_empty() {
        object.insert("comparisons".into(), outcome.comparisons.iter().map(comparison).collect());
    }
    if !outcome.tables.is_empty() {
        object.insert("tables".into(), json!(outcome.tables));
    }
    if !outcome.judgement.judged.is_empty() {
        object.insert("judged".into(), json!(outcome.judgement.judged));
    }
    object.insert("warnings".into(), warnings(outcome).into());
    let notes = outcome.judgement.notes();
    if !notes.is_empty() {
        object.insert("notes".into(), notes.into());
    }
    if !outcome.inputs.is_empty() {
        let inputs = outcome.inputs.iter().map(|file| json!({ "name": file.name, "sha256": file.sha256 }));
        object.insert("inputs".into(), inputs.collect());
    }
    object.insert("timing".into(), json!(timing));
    Value::Object(object)
}

fn comparison(c: &Comparison) -> Value {
    json!({
        "quantity": c.quantity,
        "value": c.value,
        "reference": c.reference,
        "difference": c.value - c.reference,
        "tolerance": c.tolerance,
        "pass": c.pass(),
        "source": c.source,
    })
}

/// The warnings of the judgement, those of the study, then one for every quantity and every column that is not finite.
pub fn warnings(outcome: &Outcome) -> Vec<String> {
    let mut all = outcome.judgement.warnings();
    all.extend(outcome.warnings.iter().cloned());
    for (name, value) in &outcome.results {
        name_nulls(name, value, &mut all);
    }
    for c in &outcome.comparisons {
        let numbers = [("value", c.value), ("reference", c.reference), ("tolerance", c.tolerance)];
        let bad = numbers.iter().filter(|(_, x)| !x.is_finite());
        all.extend(bad.map(|(part, _)| format!("the {part} of `{}` is not a finite number", c.quantity)));
    }
    outcome.tables.iter().for_each(|table| name_bad_cells(table, &mut all));
    for series in &outcome.series {
        name_gaps(series, &mut all);
    }
    all
}

/// `serde_json` converts NaN to null when a value is made, so every null stands for a NaN.
fn name_nulls(path: &str, value: &Value, warnings: &mut Vec<String>) {
    match value {
        Value::Null => warnings.push(format!("the result `{path}` is not a finite number; it is written as null")),
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                name_nulls(&format!("{path}[{i}]"), item, warnings);
            }
        }
        Value::Object(entries) => {
            for (key, item) in entries {
                name_nulls(&format!("{path}.{key}"), item, warnings);
            }
        }
        _ => {}
    }
}

fn name_bad_cells(table: &Table, warnings: &mut Vec<String>) {
    for row in &table.rows {
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            if matches!(cell, Cell::Number(x) if !x.is_finite()) {
                let (table, row) = (&table.name, &row.label);
                warnings.push(format!("table `{table}`: `{column}` of `{row}` is not a finite number"));
            }
        }
    }
}

fn name_gaps(series: &Series, warnings: &mut Vec<String>) {
    for (i, column) in series.columns.iter().enumerate() {
        let gaps = series.rows.iter().filter(|row| row.get(i).is_some_and(|x| !x.is_finite())).count();
        if gaps > 0 {
            let of = series.rows.len();
            warnings.push(format!("series `{}`: {gaps} of {of} values of `{column}` are not finite", series.name));
        }
    }
}
