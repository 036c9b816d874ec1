//! Numbers that are not finite make an outcome fail, wherever they arise.

use crate::outcome::{Cell, Outcome, Plot, Series, Status, Table};
use serde_json::Value;

/// Result with the runs with changed parameters: a run that fails is a row without a number there.
const SENSITIVITY: &str = "sensitivity";

/// The message about values that are not finite.
pub fn message(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().collect();
    format!(
        "not a finite number: {}; check the formula for divisions by zero, and the parameters for extreme values",
        names.join(", ")
    )
}

impl Outcome {
    /// An outcome with NaN or infinity in its results, tables, comparisons, series or plots has failed, and the
    /// quantities are named in a warning. Numbers of results are JSON, in which NaN and infinity are null.
    pub fn require_finite(&mut self) {
        let mut names = Vec::new();
        for (name, value) in self.results.iter().filter(|(name, _)| *name != SENSITIVITY) {
            nulls(name, value, &mut names);
        }
        names.extend(self.tables.iter().flat_map(cells));
        let bad = self.comparisons.iter().filter(|c| !c.value.is_finite());
        names.extend(bad.map(|c| format!("comparison `{}`", c.quantity)));
        names.extend(self.series.iter().flat_map(columns));
        names.extend(self.plots.iter().flat_map(curves));
        names.dedup();
        if names.is_empty() {
            return;
        }
        // a run that ended early lacks values that need its end
        if self.status != Status::Partial {
            self.status = Status::Failed;
        }
        let message = message(names);
        if !self.warnings.contains(&message) {
            let first = if self.status == Status::Partial { self.warnings.len() } else { 0 };
            self.warnings.insert(first, message);
        }
    }
}

/// Results inside a value that are null: `peaks.1` is the first of a list.
fn nulls(name: &str, value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Null => names.push(format!("result `{name}`")),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| nulls(&format!("{name}.{}", i + 1), item, names));
        }
        Value::Object(items) => items.iter().for_each(|(key, item)| nulls(&format!("{name}.{key}"), item, names)),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn cells(table: &Table) -> impl Iterator<Item = String> {
    let is_bad = |cell: &Cell| matches!(cell, Cell::Number(x) if !x.is_finite());
    let rows = table.rows.iter().filter(move |row| row.cells.iter().any(is_bad));
    rows.map(|row| format!("row `{}` of table `{}`", row.label, table.name))
}

/// Columns with such values, each with the time of the first.
fn columns(series: &Series) -> impl Iterator<Item = String> {
    series.columns.iter().enumerate().filter_map(|(i, name)| {
        let bad = series.rows.iter().find(|row| row.get(i).is_some_and(|x| !x.is_finite()))?;
        let t = bad.first().copied().unwrap_or(f64::NAN);
        Some(format!("column `{name}` of series `{}` from t = {t} s on", series.name))
    })
}

fn curves(plot: &Plot) -> impl Iterator<Item = String> {
    let bad = |points: &[(f64, f64)]| points.iter().any(|(x, y)| !(x.is_finite() && y.is_finite()));
    let found = plot.curves.iter().filter(move |(_, points)| bad(points));
    found.map(|(name, _)| format!("curve `{name}` of plot `{}`", plot.name))
}
