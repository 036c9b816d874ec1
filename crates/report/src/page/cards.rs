//! The most important numbers as cards on the first screen, each with its verdict and the range to compare it with.

use super::answers::verdict;
use super::html::escape;
use crate::digits::short;
use crate::naming;
use crate::outcome::{Cell, Comparison, Headline, Judged, Outcome, RowKind, Table, TableRow, Verdict};
use serde_json::Value;
use std::fmt::Write as _;

/// Number of cards of an outcome that does not choose its own.
const CHOSEN: usize = 6;

/// One number.
struct Card {
    quantity: String,
    value: f64,
    unit: String,
    range: Option<[f64; 2]>,
    /// What the value is compared with, in words; may be empty.
    beside: String,
    /// `None` of a number that was not compared with anything.
    verdict: Option<Verdict>,
}

/// The cards of the outcome: those it names, or else judged quantities beyond their limits, results with published
/// values, comparisons, other judged quantities and results, in this order.
pub(super) fn cards(outcome: &Outcome) -> String {
    let mut cards: Vec<Card> = outcome.headline.iter().map(of_headline).collect();
    if cards.is_empty() {
        let (good, bad): (Vec<&Judged>, Vec<&Judged>) =
            outcome.judgement.judged.iter().partition(|j| j.verdict == Verdict::Ok);
        let published = outcome.tables.iter().flat_map(of_table);
        let compared = outcome.comparisons.iter().map(of_comparison);
        // a count without a unit is no result of the study
        let good = good.into_iter().filter(|j| !j.unit.is_empty()).map(of_judged);
        let all = bad.into_iter().map(of_judged).chain(published).chain(compared).chain(good);
        for card in all.chain(of_results(outcome)) {
            if cards.len() < CHOSEN && cards.iter().all(|c| c.quantity != card.quantity) {
                cards.push(card);
            }
        }
    }
    if cards.is_empty() {
        return String::new();
    }
    format!("<ul class=\"cards\">\n{}</ul>\n", cards.iter().map(html).collect::<String>())
}

fn of_headline(h: &Headline) -> Card {
    let words = h.range.map(|[low, high]| format!("{} to {}", short(low), short(high))).unwrap_or_default();
    let beside = [words, h.source.clone()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ");
    let (quantity, unit) = (h.quantity.clone(), naming::heading(&h.unit));
    Card { quantity, value: h.value, unit, range: h.range, beside, verdict: Some(h.verdict) }
}

fn of_judged(j: &Judged) -> Card {
    let bound = if j.at_least { "at least" } else { "at most" };
    Card {
        quantity: j.quantity.clone(),
        value: j.value,
        unit: j.unit.clone(),
        range: None,
        beside: format!("expected {bound} {} {}", short(j.limit), j.unit).trim_end().into(),
        verdict: Some(j.verdict),
    }
}

fn of_comparison(c: &Comparison) -> Card {
    let (quantity, unit) = naming::parts(&c.quantity);
    Card {
        quantity,
        value: c.value,
        beside: format!("reference {} {unit}", short(c.reference)).trim_end().into(),
        unit,
        range: None,
        verdict: Some(if c.pass() { Verdict::Ok } else { Verdict::Doubtful }),
    }
}

/// Numbers of this run that have published ones beside them. They are of other persons or specimens, so there is no
/// verdict.
fn of_table(table: &Table) -> Vec<Card> {
    let number = |row: &TableRow, i: usize| match row.cells.get(i) {
        Some(Cell::Number(x)) => Some(*x),
        _ => None,
    };
    let card = |(i, column): (usize, &String)| {
        let value = table.rows.iter().filter(|row| row.kind == RowKind::Own).find_map(|row| number(row, i))?;
        let others = || table.rows.iter().filter(|row| row.kind != RowKind::Own).filter_map(|row| number(row, i));
        let (low, high) = (others().reduce(f64::min)?, others().reduce(f64::max)?);
        let (quantity, unit) = match naming::heading(column).strip_suffix(']').and_then(|text| text.rsplit_once(" [")) {
            Some((words, unit)) => (words.to_string(), unit.to_string()),
            None => naming::parts(column),
        };
        let range = if low < high { format!("{} to {}", short(low), short(high)) } else { short(low) };
        let beside = format!("published: {range} {unit}").trim_end().to_string();
        Some(Card { quantity, value, unit, range: (low < high).then_some([low, high]), beside, verdict: None })
    };
    table.columns.iter().enumerate().filter_map(card).collect()
}

/// Results that are measured numbers; counts such as `steps` come last.
fn of_results(outcome: &Outcome) -> Vec<Card> {
    let number = |(name, value): (&String, &Value)| {
        let value = value.as_f64()?;
        let (quantity, unit) = naming::parts(name);
        Some(Card { quantity, value, unit, range: None, beside: String::new(), verdict: None })
    };
    let (with_unit, without): (Vec<Card>, Vec<Card>) =
        outcome.results.iter().filter_map(number).partition(|card| !card.unit.is_empty());
    with_unit.into_iter().chain(without).collect()
}

fn html(card: &Card) -> String {
    let (class, mark) = card.verdict.map_or(("", ""), verdict);
    let mut html = format!("<li class=\"card {class}\"><span class=\"what\">{}</span>", escape(&card.quantity));
    let value = if card.value.is_finite() { short(card.value) } else { "not finite".into() };
    let _ = write!(html, "<span class=\"value\">{} <small>{}</small></span>", escape(&value), escape(&card.unit));
    if let Some(bar) = card.range.and_then(|range| bar(card.value, range)) {
        html += &bar;
    }
    if !card.beside.is_empty() {
        let _ = write!(html, "<span class=\"beside\">{}</span>", escape(&card.beside));
    }
    if !mark.is_empty() {
        let _ = write!(html, "<span class=\"mark\">{mark}</span>");
    }
    html + "</li>\n"
}

/// The range as a bar with the value as a mark on it; only of numbers that can be drawn.
fn bar(value: f64, [low, high]: [f64; 2]) -> Option<String> {
    /// Room beside the outermost of range and value, as a part of their distance.
    const ROOM: f64 = 0.12;
    let (first, last) = (low.min(value), high.max(value));
    let length = last - first;
    if !(length > 0.0 && length.is_finite() && high >= low) {
        return None;
    }
    let place = |x: f64| 100.0 * (ROOM + (x - first) / length) / (1.0 + 2.0 * ROOM);
    let (start, width, mark) = (place(low), place(high) - place(low), place(value));
    Some(format!(
        "<span class=\"bar\" aria-hidden=\"true\"><i style=\"left:{start:.1}%;width:{width:.1}%\"></i>\
         <b style=\"left:{mark:.1}%\"></b></span>"
    ))
}
