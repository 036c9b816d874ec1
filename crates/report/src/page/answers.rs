//! Results of the run, comparisons with references, tables with published results.

use super::html::{Column, Table as HtmlTable, escape};
use crate::digits::{compared, plain, short, size};
use crate::naming;
use crate::outcome::{Comparison, Judged, Outcome, RowKind, Table, Verdict};
use crate::published::Notes;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Results that are single values, then one table per result that is a list.
pub(super) fn results(outcome: &Outcome) -> String {
    let mut html = String::new();
    let single: Vec<_> = outcome.results.iter().filter(|(_, value)| objects(value).is_none()).collect();
    if !single.is_empty() {
        let header = [("result", Column::Words), ("value", Column::Numbers), ("unit", Column::Words)];
        let mut table = HtmlTable::new("Results of the run, each with its name in summary.json", &header);
        for (name, value) in single {
            let (words, unit) = naming::parts(name);
            table.keyed_row("", name, &[words, plain(value), unit]);
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
    let labels: Vec<String> = keys.iter().map(|key| naming::label(key)).collect();
    let header: Vec<_> =
        std::iter::once("number").chain(labels.iter().map(String::as_str)).map(|k| (k, Column::Numbers)).collect();
    let mut table = HtmlTable::new(&naming::label(name), &header);
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
        ("unit", Column::Words),
        ("verdict", Column::Words),
    ];
    let notes = Notes::new(comparisons.iter().map(|c| c.source.as_str()));
    let mut table = HtmlTable::new("Results and references", &header);
    for c in comparisons {
        let (class, verdict) = if c.pass() { ("pass", "✓ pass") } else { ("fail", "✗ FAIL") };
        let (words, unit) = naming::parts(&c.quantity);
        let numbers = [compared(c.value, c.tolerance), compared(c.reference, c.tolerance)];
        let sizes = [size(c.value - c.reference), size(c.tolerance)];
        let words = notes.referred(&words, &c.source);
        let cells = [vec![words], numbers.to_vec(), sizes.to_vec(), vec![unit, verdict.into()]].concat();
        table.keyed_row(class, &c.quantity, &cells);
    }
    table.finish() + &noted(&notes.texts())
}

/// Quantities of the result that were compared with limits, each with a verdict.
pub(super) fn judged(judged: &[Judged]) -> String {
    if judged.is_empty() {
        return String::new();
    }
    let header = [
        ("quantity", Column::Words),
        ("value", Column::Numbers),
        ("expected", Column::Words),
        ("unit", Column::Words),
        ("verdict", Column::Words),
    ];
    let notes = Notes::new(judged.iter().map(|j| j.source.as_str()));
    let mut table = HtmlTable::new("Quantities of this result and their limits", &header);
    for j in judged {
        let (class, mark) = verdict(j.verdict);
        let bound = if j.at_least { "at least" } else { "at most" };
        let expected = format!("{bound} {}", short(j.limit));
        let cells = [notes.referred(&j.quantity, &j.source), short(j.value), expected, j.unit.clone(), mark.into()];
        table.row(class, &cells);
    }
    table.finish() + &noted(&notes.texts())
}

/// Class and words of a verdict.
pub(super) fn verdict(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Ok => ("pass", "✓ ok"),
        Verdict::Doubtful => ("doubt", "? doubtful"),
        Verdict::Failed => ("fail", "✗ FAILED"),
    }
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
    html.finish() + &noted(&layout.notes)
}

/// Numbered sources below a table.
fn noted(notes: &[String]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let mut html = String::from("<ul class=\"note\">");
    notes.iter().for_each(|note| {
        let _ = write!(html, "<li>{}</li>", escape(note));
    });
    html + "</ul>\n"
}
