//! `[[reference]]`: reference values to compare with.

use super::fields::Fields;
use super::node::{Entry, Node, Value};
use super::parameters::{Parameter, ParameterValue, entries_of};
use super::reader::{Expected, Reader};
use super::record::{Record, at_time, evaluate_result};
use super::results::{FormulaPlace, ResultSpec, read_formula};
use std::ops::Range;
use wolff_formula::expression::{Expression, ExpressionError};
use wolff_formula::quantity::Dimension;
use wolff_formula::suggest::suggest;

/// A reference value.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The quantity compared, for display.
    pub quantity: String,
    /// Its formula; it may use names of results.
    pub formula: Expression,
    /// Time at which the measures in the formula are evaluated \[s\]; `None`: the formula is that of a result.
    pub at: Option<f64>,
    /// The reference value.
    pub value: f64,
    /// Maximum acceptable difference.
    pub tolerance: f64,
    /// Source of the reference value.
    pub source: String,
    /// Place in the study text \[bytes\].
    pub place: Range<usize>,
}

impl Reference {
    /// The simulated value of the quantity.
    pub fn evaluate(&self, record: &dyn Record) -> Result<f64, ExpressionError> {
        match self.at {
            None => evaluate_result(&self.formula, record),
            Some(time) => at_time(self.formula.root(), record, time),
        }
    }
}

/// Reads one `[[reference]]`; it gives no values if the parameters differ from those that it applies to.
pub(crate) fn read_reference(
    reader: &mut Reader<'_>,
    node: &Node,
    parameters: &[Parameter],
    results: &[ResultSpec],
    duration: Option<f64>,
) -> Option<Vec<Reference>> {
    let mut fields = Fields::new(reader, node, "reference")?;
    let at = fields.maybe_number(reader, "at", Expected::of(Dimension::TIME).not_negative());
    let default = read_tolerance(reader, &mut fields);
    let source = fields.text(reader, "source");
    let applies = read_when(reader, fields.maybe("when"), parameters);
    let values = fields.must(reader, "values");
    let mut references = Vec::new();
    for entry in entries_of(reader, values, "values") {
        if let Some((formula, value, tolerance)) = read_value(reader, entry, at, default, results) {
            let text = formula.text();
            let quantity = at.map_or(text.to_string(), |t| format!("{text} at {t} s"));
            let source = source.unwrap_or_default().to_string();
            let place = entry.key_span.clone();
            references.push(Reference { quantity, formula, at, value, tolerance, source, place });
        }
    }
    fields.finish(reader);
    let in_time = at.is_none_or(|t| duration.is_none_or(|d| t <= d * (1.0 + 1e-12)));
    (applies? && in_time).then_some(references)
}

/// Tolerances: absolute, or relative to the reference value.
#[derive(Clone, Copy)]
struct Tolerance {
    absolute: Option<f64>,
    relative: Option<f64>,
}

fn read_tolerance(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Tolerance {
    Tolerance {
        absolute: fields.maybe_number(reader, "tolerance", Expected::ANY.positive()),
        relative: fields.maybe_number(reader, "relative", Expected::ANY.positive()),
    }
}

/// One `quantity = value`, or `quantity = { value = ..., tolerance = ... }`.
fn read_value(
    reader: &mut Reader<'_>,
    entry: &Entry,
    at: Option<f64>,
    default: Tolerance,
    results: &[ResultSpec],
) -> Option<(Expression, f64, f64)> {
    let label = format!("reference `{}`", entry.key);
    let place = if at.is_some() { FormulaPlace::Row } else { FormulaPlace::Whole };
    let key = Node { value: Value::Text(entry.key.clone()), span: entry.key_span.clone() };
    let formula = read_formula(reader, &key, &label, place, results);
    let (value, tolerance) = match entry.node.value {
        Value::Table(_) => {
            let mut fields = Fields::new(reader, &entry.node, label.as_str())?;
            let value = fields.number(reader, "value", Expected::ANY);
            let own = read_tolerance(reader, &mut fields);
            fields.finish(reader);
            let given = own.absolute.is_some() || own.relative.is_some();
            (value?, if given { own } else { default })
        }
        _ => (reader.number(&entry.node, &label, Expected::ANY)?, default),
    };
    match tolerance.absolute.or(tolerance.relative.map(|r| r * value.abs())) {
        Some(tolerance) => Some((formula?, value, tolerance)),
        None => reader.wrong(&entry.key_span, format!("{label} requires a `tolerance` or `relative`"), None),
    }
}

/// Whether the parameters named by `when` have the given values and all others their defaults; `"always"` has no
/// condition.
pub(super) fn read_when(reader: &mut Reader<'_>, node: Option<&Node>, parameters: &[Parameter]) -> Option<bool> {
    if let Some(Value::Text(text)) = node.map(|n| &n.value)
        && text == "always"
    {
        return Some(true);
    }
    let mut conditions: Vec<(&Parameter, ParameterValue)> = Vec::new();
    for entry in entries_of(reader, node, "when") {
        let Some(parameter) = parameters.iter().find(|p| p.name == entry.key) else {
            let help = suggest(&entry.key, parameters.iter().map(|p| p.name.as_str()));
            return reader.wrong(&entry.key_span, format!("there is no parameter `{}`", entry.key), help);
        };
        conditions.push((parameter, parameter.read_value(reader, &entry.node)?));
    }
    let matches = |p: &Parameter| match conditions.iter().find(|(w, _)| w.name == p.name) {
        Some((_, value)) => p.value == *value,
        None => p.is_default() && !reader.not_default.contains(&p.name),
    };
    Some(parameters.iter().all(matches))
}
