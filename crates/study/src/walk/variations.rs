//! A walk run again with something changed: what the result hangs on.

use crate::document::{Study, StudyDocument, StudyKind};
use crate::outcome::Outcome;
use crate::published::{Cell, RowKind, Table, TableRow};
use crate::run::{RunError, Session};
use std::path::Path;

/// A label and the values that are set.
type Change = (&'static str, Vec<(&'static str, String)>);

/// Columns of the table of convergence: results with the greatest change wanted of each change of the numerics.
const PEAKS: [&str; 6] = [
    "max_principal_microstrain",
    "min_principal_microstrain",
    "max_shear_microstrain",
    "max_principal_microstrain_rate_per_s",
    "min_principal_microstrain_rate_per_s",
    "max_shear_microstrain_rate_per_s",
];

/// The walk with half the step, twice the modes and a refined mesh: peak strains and their changes [%].
///
/// None for studies that are no walks. `cache` is the folder of reduced bones.
pub fn convergence(
    document: &StudyDocument,
    outcome: &Outcome,
    cache: Option<&Path>,
) -> Result<Option<Table>, RunError> {
    let study = document.evaluate()?;
    if study.kind != StudyKind::Walk {
        return Ok(None);
    }
    let changes: [Change; 3] = [
        ("half the step (2 % wanted, 3 % of rates)", vec![("step", format!("{} s", 0.5 * number(&study, "step")))]),
        (
            "twice the modes (2 %)",
            vec![
                ("vibrations", format!("{}", 2.0 * number(&study, "vibrations"))),
                ("gauge_error", format!("{}", 0.25 * number(&study, "gauge_error"))),
            ],
        ),
        ("mesh refined (5 %)", vec![("refinement", format!("{}", number(&study, "refinement") + 1.0))]),
    ];
    let mut rows = vec![row("as asked", outcome, None)];
    for (label, values) in changes {
        rows.push(row(label, &again(document, &values, cache)?, Some(outcome)));
    }
    let columns = PEAKS.iter().flat_map(|p| [(*p).to_string(), "change [%]".to_string()]);
    Ok(Some(Table {
        name: "convergence".into(),
        title: "Peak strains and strain rates at the anteromedial mid-shaft with finer numerics".into(),
        columns: columns.chain(["modes".to_string()]).collect(),
        rows,
    }))
}

fn row(label: &str, outcome: &Outcome, base: Option<&Outcome>) -> TableRow {
    let cells = PEAKS.iter().flat_map(|name| {
        let value = result(outcome, name);
        let change = base.and_then(|b| Some(100.0 * (value? / result(b, name)? - 1.0)));
        [value, change].map(|x| x.map_or(Cell::Empty, Cell::Number))
    });
    let modes = result(outcome, "modes_used").map_or(Cell::Empty, Cell::Number);
    TableRow { label: label.into(), kind: RowKind::Own, source: String::new(), cells: cells.chain([modes]).collect() }
}

/// Results by which other ways to drive are judged.
const JUDGED: [(&str, &str); 7] = [
    ("leg_angle_rms_deg", "leg angles, rms [deg]"),
    ("ground_force_correlation", "vertical ground force, correlation"),
    ("ground_force_max_bw", "largest ground force [BW]"),
    ("residual_force_peak_bw", "agent's force [BW]"),
    ("residual_moment_peak_bw_height", "agent's moment [BW height]"),
    ("effort", "effort"),
    ("max_shear_microstrain", "max shear [microstrain]"),
];

/// The walk driven in other ways, for the record: servos without feed-forward, with an integral, Hill muscles, other muscles and floors.
///
/// None for studies that are no walks. `cache` is the folder of reduced bones.
pub fn variants(document: &StudyDocument, outcome: &Outcome, cache: Option<&Path>) -> Result<Option<Table>, RunError> {
    if document.evaluate()?.kind != StudyKind::Walk {
        return Ok(None);
    }
    let set = |pairs: &[(&'static str, &str)]| pairs.iter().map(|(n, v)| (*n, (*v).to_string())).collect();
    let changes: [Change; 6] = [
        ("servo alone, 1 mm", set(&[("servo", "pd"), ("servo_error", "1 mm"), ("servo_time", "10 ms")])),
        (
            "servo with integral, 2 mm, 0.1 s",
            set(&[("servo", "pid"), ("servo_error", "2 mm"), ("servo_time", "10 ms")]),
        ),
        ("Hill muscles", set(&[("servo", "hill")])),
        ("17 muscles a leg", set(&[("muscles", "thesis")])),
        ("floor of the first model", set(&[("floor", "first")])),
        ("feet not settled into the floor", set(&[("footing_steps", "0")])),
    ];
    let judged = |label: &str, outcome: &Result<Outcome, RunError>| {
        let (cells, source) = match outcome {
            Ok(o) => (JUDGED.iter().map(|(n, _)| result(o, n).map_or(Cell::Empty, Cell::Number)).collect(), fell(o)),
            Err(e) => (vec![], e.to_string()),
        };
        TableRow { label: label.into(), kind: RowKind::Own, source, cells }
    };
    let mut rows = vec![judged("as asked", &Ok(outcome.clone()))];
    for (label, values) in changes {
        rows.push(judged(label, &again(document, &values, cache)));
    }
    Ok(Some(Table {
        name: "variants".into(),
        title: "The same walk driven in other ways".into(),
        columns: JUDGED.iter().map(|(_, heading)| (*heading).to_string()).collect(),
        rows,
    }))
}

/// What a run that ended early says.
fn fell(outcome: &Outcome) -> String {
    match outcome.status {
        crate::outcome::Status::Ok => String::new(),
        _ => outcome.warnings.first().cloned().unwrap_or_default(),
    }
}

fn again(
    document: &StudyDocument,
    values: &[(&'static str, String)],
    cache: Option<&Path>,
) -> Result<Outcome, RunError> {
    let mut document = document.clone();
    let overrides: Vec<(String, String)> = values.iter().map(|(n, v)| ((*n).to_string(), v.clone())).collect();
    document.apply_overrides(&overrides)?;
    let mut go_on = |_| true;
    let mut session = Session { cache: cache.map(Path::to_path_buf), ..Session::new(&mut go_on) };
    super::run(&document.evaluate()?, &overrides, &mut session)
}

fn number(study: &Study, name: &str) -> f64 {
    study.numbers.get(name).copied().unwrap_or(f64::NAN)
}

fn result(outcome: &Outcome, name: &str) -> Option<f64> {
    outcome.results.get(name)?.as_f64()
}
