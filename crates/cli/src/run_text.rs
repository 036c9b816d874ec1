//! The outcome of a run as text for the terminal.

use crate::table::{self, Align, table};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use wolff_report::digits::{compared, plain, short, size};
use wolff_report::json::Timing;
use wolff_report::naming;
use wolff_report::outcome::{Cell, Comparison, Headline, Judged, Outcome, Table};
use wolff_report::published::Notes;

/// All results, comparisons and tables, then the most important numbers and the judged quantities, which remain in
/// sight when the command ends.
pub fn text(outcome: &Outcome, timing: &Timing) -> String {
    let (tables, separate) = timed(outcome, timing);
    let parts = [results(outcome), lists(outcome), comparisons(&outcome.comparisons)];
    let last = [headline(&outcome.headline), judged(&outcome.judgement.judged), separate];
    let mut text = String::new();
    for part in parts.into_iter().chain(tables.iter().map(published)).chain(last) {
        if !part.is_empty() {
            let _ = write!(text, "\n{part}");
        }
    }
    text
}

/// The tables, that of a comparison with the processor time of each run; of other outcomes a table of the parts that
/// were timed separately. Files have times in `summary.json` only, so that the same run gives the same bytes.
fn timed(outcome: &Outcome, timing: &Timing) -> (Vec<Table>, String) {
    let mut tables = outcome.tables.clone();
    let Some(table) = tables.first_mut().filter(|_| !outcome.runs.is_empty()) else {
        return (tables, parts_of(timing));
    };
    table.columns.push("CPU [s]".into());
    for row in &mut table.rows {
        let seconds = timing.parts_cpu_s.iter().find(|(label, _)| *label == row.label);
        row.cells.push(seconds.map_or(Cell::Empty, |(_, seconds)| Cell::Number(*seconds)));
    }
    (tables, String::new())
}

/// Time of parts that were timed separately.
fn parts_of(timing: &Timing) -> String {
    let row = |(name, seconds): &(String, f64)| vec![name.clone(), format!("{seconds:.3}")];
    let rows: Vec<_> = timing.parts_cpu_s.iter().map(row).collect();
    table(&[("part", Align::Left), ("CPU [s]", Align::Right)], &rows)
}

/// Results with one value each.
fn results(outcome: &Outcome) -> String {
    let single = outcome.results.iter().filter(|(_, value)| objects(value).is_none());
    let rows: Vec<_> = single.map(|(name, value)| vec![name.clone(), plain(value), naming::unit(name)]).collect();
    table(&[("result", Align::Left), ("value", Align::Left), ("unit", Align::Left)], &rows)
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
        let titles: Vec<String> = std::iter::once(name).chain(keys()).map(|key| naming::label(key)).collect();
        let header: Vec<_> = titles.iter().map(|title| (title.as_str(), Align::Right)).collect();
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
    let notes = Notes::new(comparisons.iter().map(|c| c.source.as_str()));
    let row = |c: &Comparison| {
        vec![
            notes.referred(&c.quantity, &c.source),
            compared(c.value, c.tolerance),
            compared(c.reference, c.tolerance),
            size(c.value - c.reference),
            size(c.tolerance),
            if c.pass() { "pass" } else { "FAIL" }.into(),
        ]
    };
    let header = [
        ("quantity", Align::Left),
        ("value", Align::Right),
        ("reference", Align::Right),
        ("difference", Align::Right),
        ("tolerance", Align::Right),
        ("verdict", Align::Left),
    ];
    table(&header, &comparisons.iter().map(row).collect::<Vec<_>>()) + &table::notes(&notes.texts())
}

/// The most important numbers with the ranges to compare them with.
fn headline(headline: &[Headline]) -> String {
    let notes = Notes::new(headline.iter().map(|h| h.source.as_str()));
    let row = |h: &Headline| {
        let range = h.range.map(|[low, high]| format!("{} to {}", short(low), short(high))).unwrap_or_default();
        let quantity = notes.referred(&h.quantity, &h.source);
        vec![quantity, short(h.value), h.unit.clone(), range, h.verdict.word().into()]
    };
    let header = [
        ("headline", Align::Left),
        ("value", Align::Right),
        ("unit", Align::Left),
        ("range", Align::Left),
        ("verdict", Align::Left),
    ];
    table(&header, &headline.iter().map(row).collect::<Vec<_>>()) + &table::notes(&notes.texts())
}

/// Quantities of the result and their limits.
pub fn judged(judged: &[Judged]) -> String {
    let notes = Notes::new(judged.iter().map(|j| j.source.as_str()));
    let row = |j: &Judged| {
        let bound = if j.at_least { "at least" } else { "at most" };
        let expected = format!("{bound} {}", short(j.limit));
        vec![
            notes.referred(&j.quantity, &j.source),
            short(j.value),
            expected,
            j.unit.clone(),
            if j.verdict == wolff_report::outcome::Verdict::Failed { "FAILED" } else { j.verdict.word() }.into(),
        ]
    };
    let header = [
        ("judged", Align::Left),
        ("value", Align::Right),
        ("expected", Align::Left),
        ("unit", Align::Left),
        ("verdict", Align::Left),
    ];
    table(&header, &judged.iter().map(row).collect::<Vec<_>>()) + &table::notes(&notes.texts())
}

/// Results compared with published ones, with the title of the table.
fn published(compared: &Table) -> String {
    let layout = compared.layout();
    let align = |is_number: bool| if is_number { Align::Right } else { Align::Left };
    let header: Vec<_> = layout.header.iter().map(|(title, number)| (title.as_str(), align(*number))).collect();
    let lines: Vec<_> = layout.lines.into_iter().map(|(_, cells)| cells).collect();
    format!("{}{}{}", table::text(&compared.title, 0), table(&header, &lines), table::notes(&layout.notes))
}
