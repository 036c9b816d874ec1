//! Lists of values as on a command line: `hertz,flores`, `50 N,150 N`, `0.1..1.0:5`.

use super::parameters::ParameterValue;
use super::reader::Reader;
use std::ops::Range;
use wolff_formula::quantity::number_length;

/// Maximum number of values of a range.
const MOST_VALUES: usize = 1000;

/// One item of a list and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// A value.
    One(String, Range<usize>),
    /// Several values in equal steps: `FROM..TO:NUMBER`.
    Range(String, Range<usize>),
}

/// The items of a list; commas inside parentheses and brackets belong to a value.
pub(crate) fn split(text: &str, span: Range<usize>) -> Vec<Listed> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    let mut close = |start: usize, end: usize| {
        let item = text[start..end].trim().to_string();
        let place = (span.start + start).min(span.end)..(span.start + end).min(span.end);
        items.push(if item.contains("..") { Listed::Range(item, place) } else { Listed::One(item, place) });
    };
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth <= 0 => {
                close(start, at);
                start = at + 1;
            }
            _ => {}
        }
    }
    close(start, text.len());
    items
}

/// The values of `FROM..TO:NUMBER`, equally spaced, ends included; an end without a unit has that of the other end.
pub(crate) fn range(reader: &mut Reader<'_>, text: &str, span: &Range<usize>) -> Option<Vec<String>> {
    let help = || Some("write FROM..TO:NUMBER, for example 0.1..1.0:5 or 50 N..150 N:3".to_string());
    let parts = text.split_once("..").and_then(|(from, rest)| {
        let (to, count) = rest.rsplit_once(':')?;
        Some((end(from)?, end(to)?, count.trim().parse::<usize>().ok()?))
    });
    let Some(((from, from_unit), (to, to_unit), count)) = parts else {
        return reader.wrong(span, format!("`{text}` is not a range of values"), help());
    };
    if !(2..=MOST_VALUES).contains(&count) {
        let message = format!("the range `{text}` has {count} values; it must have 2 to {MOST_VALUES}");
        return reader.wrong(span, message, help());
    }
    let unit = if from_unit.is_empty() { to_unit } else { from_unit };
    if !to_unit.is_empty() && to_unit != unit {
        return reader.wrong(span, format!("the ends of `{text}` have different units"), help());
    }
    let value = |i: usize| {
        let part = i as f64 / (count - 1) as f64;
        let x = twelve_digits(from * (1.0 - part) + to * part);
        format!("{} {unit}", ParameterValue::Number(x)).trim_end().to_string()
    };
    Some((0..count).map(value).collect())
}

/// A number and its unit.
fn end(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let (number, unit) = text.split_at(number_length(text));
    let x: f64 = number.trim().parse().ok()?;
    x.is_finite().then_some((x, unit.trim()))
}

/// Rounded so that 0.1 + 0.2 is 0.3.
fn twelve_digits(x: f64) -> f64 {
    format!("{x:.11e}").parse().unwrap_or(x)
}
