//! The tables of a comparison: results of each run, references, published values.

use super::{ComparisonRequest, Ended};
use serde_json::Value;
use wolff_report::outcome::{Cell, Comparison, Outcome, RowKind, Status, Table, TableRow};
use wolff_study::document::{CompareSpec, Study, StudyKind};

/// Results of the integration, of interest where its settings are compared.
const OF_INTEGRATION: [&str; 3] = ["steps", "drift_max_norm", "drift_final_norm"];

/// Results that are named where one is not found.
const MOST_NAMED: usize = 12;

/// Names of the results that the table shows; unknown ones are told and left out.
pub(super) fn columns(
    request: &ComparisonRequest<'_>,
    study: &Study,
    ended: &[Ended],
    warnings: &mut Vec<String>,
) -> Vec<String> {
    let outcomes = || ended.iter().filter_map(Ended::outcome);
    let exists = |name: &str| outcomes().any(|outcome| value(outcome, name).is_some());
    let asked = [request.results, request.spec.results.as_slice()].into_iter().find(|names| !names.is_empty());
    if let Some(asked) = asked {
        let (known, unknown): (Vec<&String>, Vec<&String>) = asked.iter().partition(|name| exists(name));
        let keys = outcomes().next().into_iter().flat_map(|o| o.results.keys().map(String::as_str));
        let all: Vec<&str> = keys.take(MOST_NAMED).collect();
        let told = |name: &&String| {
            let all = all.join(", ");
            format!("no run has a result `{name}`, which was asked for; there are {all} and others in summary.json")
        };
        warnings.extend(unknown.iter().map(told));
        if !known.is_empty() {
            return known.into_iter().cloned().collect();
        }
    }
    let mut names: Vec<String> = study.results.iter().map(|spec| spec.name.clone()).collect();
    if names.is_empty() || study.kind == StudyKind::Walk {
        names = outcomes().next().into_iter().flat_map(|outcome| outcome.results.keys().cloned()).collect();
    }
    let of_integration = request.spec.varied.iter().any(|one| one.key.starts_with("integrator."));
    names.extend(OF_INTEGRATION.iter().filter(|_| of_integration).map(|name| (*name).to_string()));
    names.retain(|name| exists(name));
    names
}

/// A result by its path: `force_max_n`, `impacts.1.duration_s` or `impact.1.duration_s`.
pub(super) fn value(outcome: &Outcome, path: &str) -> Option<f64> {
    if let Some(found) = outcome.results.get(path) {
        return found.as_f64();
    }
    let (name, rest) = path.split_once('.')?;
    let named = outcome.results.get(name).or_else(|| outcome.results.get(&format!("{name}s")))?;
    let step = |value: &'_ Value, part: &str| match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?.checked_sub(1)?).cloned(),
        Value::Object(entries) => entries.get(part).cloned(),
        _ => None,
    };
    rest.split('.').try_fold(named.clone(), |value, part| step(&value, part))?.as_f64()
}

/// One row per run; the number of references that it meets, and its status where not all are complete.
pub(super) fn comparison(spec: &CompareSpec, columns: &[String], ended: &[Ended]) -> Table {
    let outcomes = || ended.iter().filter_map(Ended::outcome);
    let with_references = outcomes().any(|outcome| !outcome.comparisons.is_empty());
    let with_status = ended.iter().any(|run| run.outcome().is_none_or(|o| o.judged_status() != Status::Ok));
    let row = |run: &Ended| {
        let cell = |name: &String| run.outcome().and_then(|o| value(o, name)).map_or(Cell::Empty, Cell::Number);
        let mut cells: Vec<Cell> = columns.iter().map(cell).collect();
        if with_references {
            cells.push(run.outcome().filter(|o| !o.comparisons.is_empty()).map_or(Cell::Empty, references_met));
        }
        if with_status {
            let word = run.outcome().map_or("no result", |outcome| outcome.judged_status().word());
            cells.push(Cell::Text(word.into()));
        }
        TableRow { label: run.label.clone(), kind: RowKind::Own, source: String::new(), cells }
    };
    let mut columns = columns.to_vec();
    columns.extend(with_references.then(|| "references met".into()));
    columns.extend(with_status.then(|| "status".into()));
    let varied: Vec<&str> = spec.varied.iter().map(|one| one.key.as_str()).collect();
    let title = match spec.title.as_str() {
        "" => format!("Results for each value of {}", varied.join(" and ")),
        title => title.to_string(),
    };
    Table { name: "comparison".into(), title, columns, rows: ended.iter().map(row).collect() }
}

fn references_met(outcome: &Outcome) -> Cell {
    let met = outcome.comparisons.iter().filter(|c| c.pass()).count();
    Cell::Text(format!("{met} of {}", outcome.comparisons.len()))
}

/// Most references that are listed; beyond this the numbers of those that are met must do.
const MOST_FAILED: usize = 20;

/// The references that are not met, with the run in the name of the quantity; none if there are very many.
pub(super) fn failed_references(ended: &[Ended]) -> Vec<Comparison> {
    let of_run = |run: &Ended| {
        let failed = run.outcome().into_iter().flat_map(|outcome| &outcome.comparisons).filter(|c| !c.pass());
        let named = |c: &Comparison| Comparison { quantity: format!("{}: {}", run.label, c.quantity), ..c.clone() };
        failed.map(named).collect::<Vec<_>>()
    };
    let failed: Vec<Comparison> = ended.iter().flat_map(of_run).collect();
    if failed.len() > MOST_FAILED { Vec::new() } else { failed }
}

/// The tables of the runs: rows of a run with its label, rows that do not depend on the run once.
pub(super) fn published(ended: &[Ended]) -> Vec<Table> {
    let mut all: Vec<Table> = Vec::new();
    for (run, outcome) in ended.iter().filter_map(|run| Some((run, run.outcome()?))) {
        for table in &outcome.tables {
            let of_run = |row: &TableRow| match row.kind {
                RowKind::Own => TableRow { label: format!("{}: {}", run.label, row.label), ..row.clone() },
                RowKind::Measured | RowKind::Model => row.clone(),
            };
            let rows: Vec<TableRow> = table.rows.iter().map(of_run).collect();
            match all.iter_mut().find(|known| known.name == table.name && known.columns == table.columns) {
                Some(known) => {
                    let new: Vec<_> = rows.into_iter().filter(|row| !known.rows.contains(row)).collect();
                    known.rows.extend(new);
                }
                None => all.push(Table { rows, ..table.clone() }),
            }
        }
    }
    all
}
