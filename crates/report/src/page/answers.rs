//! Results of the run, comparisons with references, tables with published results.

use super::html::{Column, Table as HtmlTable, escape};
use crate::digits::{number, plain, size};
use crate::outcome::{Comparison, Outcome, RowKind, Table};
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Results that are single values, then one table per result that is a list.
pub(super) fn results(outcome: &Outcome) -> String {
    let mut html = String::new();
    let single: Vec<_> = outcome.results.iter().filter(|(_, value)| objects(value).is_none()).collect();
    if !single.is_empty() {
        let header = [("result", Column::Words), ("value", Column::Numbers), ("unit", Column::Words)];
        let mut table = HtmlTable::new("Results of the run", &header);
        for (name, value) in single {
            let unit = unit_of(name).unwrap_or_default();
            table.row("", &[name.clone(), plain(value), unit.into()]);
        }
        html += &table.finish();
    }
    let lists = outcome.results.iter().filter_map(|(name, value)| Some((name, objects(value)?)));
    lists.filter(|(_, items)| !items.is_empty()).for_each(|(name, items)| html += &list(name, &items));
    html
}

/// A list such as impacts; the keys of the first item are the columns.
fn list(name: &str, items: &[&Map<String, Value>]) -> String {
    let keys: Vec<&String> = items.first().into_iter().flat_map(|first| first.keys()).collect();
    let header: Vec<_> =
        std::iter::once("number").chain(keys.iter().map(|key| key.as_str())).map(|k| (k, Column::Numbers)).collect();
    let mut table = HtmlTable::new(name, &header);
    for (i, item) in items.iter().enumerate() {
        let cells = keys.iter().map(|key| item.get(*key).map(plain).unwrap_or_default());
        table.row("", &std::iter::once((i + 1).to_string()).chain(cells).collect::<Vec<_>>());
    }
    table.finish()
}

/// The items of a list of objects.
fn objects(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    value.as_array()?.iter().map(Value::as_object).collect()
}

/// Endings of names and their units, longer endings first.
const UNITS: [(&str, &str); 28] = [
    ("_microstrain_rate_per_s", "µε/s"),
    ("_m_per_s", "m/s"),
    ("_deg_max", "°"),
    ("_bw_height", "BW height"),
    ("_bw", "BW"),
    ("_nm", "N m"),
    ("_microstrain_s", "µε/s"),
    ("_microstrain", "µε"),
    ("_percent", "%"),
    ("_rad_s2", "rad/s²"),
    ("_rad_s", "rad/s"),
    ("_deg_s", "°/s"),
    ("_m_s2", "m/s²"),
    ("_m_s", "m/s"),
    ("_mpa", "MPa"),
    ("_gpa", "GPa"),
    ("_deg", "°"),
    ("_rad", "rad"),
    ("_mm", "mm"),
    ("_pa", "Pa"),
    ("_kg", "kg"),
    ("_hz", "Hz"),
    ("_ms", "ms"),
    ("_kn", "kN"),
    ("_m", "m"),
    ("_s", "s"),
    ("_n", "N"),
    ("_j", "J"),
];

/// The unit at the end of the name of a result.
fn unit_of(name: &str) -> Option<&'static str> {
    UNITS.iter().find(|(end, _)| name.ends_with(end)).map(|(_, unit)| *unit)
}

/// Results next to their references, each with a verdict.
pub(super) fn comparisons(comparisons: &[Comparison]) -> String {
    if comparisons.is_empty() {
        return String::new();
    }
    let header = [
        ("quantity", Column::Words),
        ("value", Column::Numbers),
        ("reference", Column::Numbers),
        ("difference", Column::Numbers),
        ("tolerance", Column::Numbers),
        ("verdict", Column::Words),
        ("source", Column::Words),
    ];
    let mut table = HtmlTable::new("Results and references", &header);
    for c in comparisons {
        let (class, verdict) = if c.pass() { ("pass", "✓ pass") } else { ("fail", "✗ FAIL") };
        let numbers = [number(c.value), number(c.reference), size(c.value - c.reference), size(c.tolerance)];
        let cells = [vec![c.quantity.clone()], numbers.to_vec(), vec![verdict.into(), c.source.clone()]].concat();
        table.row(class, &cells);
    }
    table.finish()
}

/// Tables of results next to published ones.
pub(super) fn tables(tables: &[Table]) -> String {
    tables.iter().map(published).collect()
}

fn published(table: &Table) -> String {
    let layout = table.layout();
    let column = |is_number: bool| if is_number { Column::Numbers } else { Column::Words };
    let header: Vec<_> = layout.header.iter().map(|(title, number)| (title.as_str(), column(*number))).collect();
    let mut html = HtmlTable::new(&table.title, &header);
    layout.lines.iter().for_each(|(kind, cells)| html.row(kind.map_or("", RowKind::word), cells));
    let mut html = html.finish();
    if !layout.notes.is_empty() {
        let _ = writeln!(html, "<p class=\"note\">{}</p>", escape(&layout.notes.join("; ")));
    }
    html
}
