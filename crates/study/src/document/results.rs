//! `[results]`, `[[reference]]` and `[[plot]]`: what is made of the time series.

use super::expression::{Expression, ExpressionError, Scope, Term, TermKind};
use super::fields::Fields;
use super::node::{Entry, Node, Value};
use super::parameters::{Parameter, ParameterValue, entries_of};
use super::quantity::{Dimension, Quantity};
use super::reader::{Kind, Reader, Want};
use super::suggest::suggest;

/// Functions that make one number of a whole column.
const REDUCTIONS: [&str; 6] = ["initial", "final", "min", "max", "mean", "at"];

/// What is known about each impact, beside `before.<measure>` and `after.<measure>`.
pub const IMPACT_FIELDS: [&str; 8] = [
    "t_s",
    "t_end_s",
    "duration_s",
    "approach_m_s",
    "separation_m_s",
    "restitution",
    "delta_max_m",
    "force_max_n",
];

/// The key of `[results]` that holds formulas for each impact.
const IMPACTS: &str = "impacts";

/// A named number and how it is computed.
#[derive(Clone, Debug)]
pub struct ResultSpec {
    /// Name with unit.
    pub name: String,
    /// Formula, see [`evaluate_result`].
    pub formula: Expression,
}

/// A number to compare with.
#[derive(Clone, Debug)]
pub struct Reference {
    /// What is compared, for display.
    pub quantity: String,
    /// Its formula; names of results may be used.
    pub formula: Expression,
    /// Time at which measures in the formula are taken [s]; none: the formula is that of a result.
    pub at: Option<f64>,
    /// The number.
    pub value: f64,
    /// Largest acceptable difference.
    pub tolerance: f64,
    /// Where the number comes from.
    pub source: String,
}

/// A picture of some measures.
#[derive(Clone, Debug)]
pub struct PlotSpec {
    /// File stem.
    pub name: String,
    /// Title.
    pub title: String,
    /// `time` or a measure.
    pub x: String,
    /// Measures.
    pub y: Vec<String>,
    /// Label of the vertical axis.
    pub y_label: String,
    /// Logarithmic vertical axis.
    pub log_y: bool,
}

/// What a simulation has recorded.
pub trait Record {
    /// Times of the rows [s].
    fn times(&self) -> &[f64];
    /// Values of a measure, one a row, in the unit of its name.
    fn column(&self, name: &str) -> Option<&[f64]>;
    /// Single numbers: parameters, `impacts` (their number), `impact.<n>.<field>`, results found so far.
    fn value(&self, name: &str) -> Option<f64>;
}

/// Value of a result.
///
/// Names of measures stand inside one of the functions `initial`, `final`, `min`, `max`, `mean` (of one argument) or
/// `at(formula, time)`, which evaluate their argument row by row: `max(abs(energy_j - energy_0_j))`.
pub fn evaluate_result(formula: &Expression, record: &dyn Record) -> Result<f64, ExpressionError> {
    Ok(formula.evaluate(&Whole(record))?.value)
}

impl Reference {
    /// The value to compare, as the simulation gives it.
    pub fn evaluate(&self, record: &dyn Record) -> Result<f64, ExpressionError> {
        match self.at {
            None => evaluate_result(&self.formula, record),
            Some(time) => at_time(self.formula.root(), record, time),
        }
    }
}

fn bare(value: f64) -> Quantity {
    Quantity { value, dimension: None }
}

/// The whole record: single numbers, and columns inside reductions.
struct Whole<'a>(&'a dyn Record);

impl Scope for Whole<'_> {
    fn get(&self, name: &str) -> Option<Quantity> {
        self.0.value(name).map(bare)
    }

    fn call(&self, name: &str, arguments: &[Term]) -> Option<Result<Quantity, ExpressionError>> {
        match (name, arguments) {
            ("at", [term, time]) => {
                Some(time.evaluate(self).and_then(|t| at_time(term, self.0, t.value)).map(bare))
            }
            (_, [term]) if REDUCTIONS.contains(&name) && name != "at" => {
                Some(reduce(name, term, self.0).map(bare))
            }
            _ => None,
        }
    }
}

/// One row of the record.
struct Row<'a> {
    record: &'a dyn Record,
    index: usize,
}

impl Scope for Row<'_> {
    fn get(&self, name: &str) -> Option<Quantity> {
        let column = if name == "time" { Some(self.record.times()) } else { self.record.column(name) };
        match column {
            Some(column) => column.get(self.index).copied().map(bare),
            None => self.record.value(name).map(bare),
        }
    }

    /// First and last values may be compared with: `max(abs(energy_j - initial(energy_j)))`.
    fn call(&self, name: &str, arguments: &[Term]) -> Option<Result<Quantity, ExpressionError>> {
        match (name, arguments) {
            ("initial" | "final", [term]) => Some(reduce(name, term, self.record).map(bare)),
            _ => None,
        }
    }
}

fn row(term: &Term, record: &dyn Record, index: usize) -> Result<f64, ExpressionError> {
    Ok(term.evaluate(&Row { record, index })?.value)
}

fn reduce(name: &str, term: &Term, record: &dyn Record) -> Result<f64, ExpressionError> {
    let count = record.times().len();
    if count == 0 {
        return Err(ExpressionError::new(&term.at, "the simulation recorded nothing"));
    }
    match name {
        "initial" => return row(term, record, 0),
        "final" => return row(term, record, count - 1),
        _ => {}
    }
    let values = (0..count).map(|index| row(term, record, index)).collect::<Result<Vec<_>, _>>()?;
    // NaN must win: it means that something is wrong
    let pick = |better: fn(f64, f64) -> bool| {
        values.iter().copied().reduce(|a, b| if better(b, a) || b.is_nan() { b } else { a }).unwrap_or(f64::NAN)
    };
    Ok(match name {
        "min" => pick(|a, b| a < b),
        "max" => pick(|a, b| a > b),
        _ => values.iter().sum::<f64>() / count as f64,
    })
}

/// Value in the row of this time; rows are not interpolated.
fn at_time(term: &Term, record: &dyn Record, time: f64) -> Result<f64, ExpressionError> {
    let times = record.times();
    let after = times.partition_point(|t| *t < time);
    let nearest = [after.saturating_sub(1), after].into_iter().filter(|k| *k < times.len());
    let nearest = nearest.min_by(|a, b| f64::total_cmp(&(times[*a] - time).abs(), &(times[*b] - time).abs()));
    match nearest {
        Some(k) if (times[k] - time).abs() <= 1e-9 * time.abs().max(1e-6) => row(term, record, k),
        _ => Err(ExpressionError::new(
            &term.at,
            format!("nothing was recorded at {time} s; choose an `interval` that divides it"),
        )),
    }
}

/// Results of a whole run, and of each impact.
pub(crate) fn read_results(reader: &mut Reader<'_>, node: Option<&Node>) -> (Vec<ResultSpec>, Vec<ResultSpec>) {
    let mut results = Vec::new();
    let mut impacts = Vec::new();
    for entry in entries_of(reader, node, "results") {
        if entry.key == IMPACTS {
            let rows = entries_of(reader, Some(&entry.node), "results.impacts");
            impacts.extend(rows.iter().filter_map(|e| read_result(reader, e, FormulaPlace::Impact, &results)));
        } else if let Some(result) = read_result(reader, entry, FormulaPlace::Whole, &results) {
            results.push(result);
        }
    }
    (results, impacts)
}

fn read_result(
    reader: &mut Reader<'_>,
    entry: &Entry,
    place: FormulaPlace,
    earlier: &[ResultSpec],
) -> Option<ResultSpec> {
    let label = format!("result `{}`", entry.key);
    let formula = read_formula(reader, &entry.node, &label, place, earlier)?;
    Some(ResultSpec { name: entry.key.clone(), formula })
}

/// Where a formula stands; decides which names it may use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormulaPlace {
    /// One number for the run: measures only inside reductions.
    Whole,
    /// One number for each impact.
    Impact,
    /// One number for each row: measures anywhere.
    Row,
}

fn read_formula(
    reader: &mut Reader<'_>,
    node: &Node,
    label: &str,
    place: FormulaPlace,
    results: &[ResultSpec],
) -> Option<Expression> {
    let text = reader.text(node, label)?;
    match Expression::parse(text) {
        Err(error) => reader.wrong_formula(node, text, label, &error),
        Ok(formula) => {
            let names: Vec<&str> = results.iter().map(|r| r.name.as_str()).collect();
            check_names(reader, node, label, &formula, place, &names);
            Some(formula)
        }
    }
}

/// Reports names in a formula that nothing has.
pub(crate) fn check_names(
    reader: &mut Reader<'_>,
    node: &Node,
    label: &str,
    formula: &Expression,
    place: FormulaPlace,
    results: &[&str],
) {
    // names inside reductions see single rows
    let mut reduced = Vec::new();
    formula.root().visit(&mut |term| {
        if let TermKind::Call(name, arguments) = &term.kind
            && REDUCTIONS.contains(&name.as_str())
            && (arguments.len() == 1 || name == "at")
        {
            reduced.push(term.at.clone());
        }
    });
    let mut unknown = Vec::new();
    formula.root().visit(&mut |term| {
        if let TermKind::Name(name) = &term.kind {
            let inside = reduced.iter().any(|r| r.start <= term.at.start && term.at.end <= r.end);
            let place = if inside { FormulaPlace::Row } else { place };
            if !is_known(reader, name, place, results) {
                unknown.push((name.clone(), term.at.clone()));
            }
        }
    });
    for (name, at) in unknown {
        let is_measure = reader.defined.contains_key(&(Kind::Measure, name.clone()));
        let message = format!("nothing is called `{name}`");
        let error = match is_measure {
            true => ExpressionError::new(&at, format!("`{name}` has many values; write final({name}) or max({name})")),
            false => ExpressionError { unknown: Some(name.clone()), ..ExpressionError::new(&at, message) },
        };
        reader.wrong_formula::<()>(node, formula.text(), label, &error);
    }
}

fn is_known(reader: &Reader<'_>, name: &str, place: FormulaPlace, results: &[&str]) -> bool {
    let is_measure = |name: &str| reader.defined.contains_key(&(Kind::Measure, name.into()));
    let is_field = |name: &str| {
        let measure = name.strip_prefix("before.").or(name.strip_prefix("after."));
        IMPACT_FIELDS.contains(&name) || measure.is_some_and(is_measure)
    };
    let numbered = || {
        let (number, field) = name.strip_prefix("impact.")?.split_once('.')?;
        Some(number.parse::<usize>().is_ok_and(|n| n > 0) && is_field(field))
    };
    let common = reader.names.numbers.contains_key(name) || results.contains(&name) || name == "pi";
    common
        || match place {
            FormulaPlace::Whole => name == IMPACTS || numbered().unwrap_or(false),
            FormulaPlace::Impact => is_field(name),
            FormulaPlace::Row => name == "time" || is_measure(name),
        }
}

/// Reads one `[[reference]]`; none of its values if the parameters are not those it is for.
pub(crate) fn read_reference(
    reader: &mut Reader<'_>,
    node: &Node,
    parameters: &[Parameter],
    results: &[ResultSpec],
    duration: Option<f64>,
) -> Option<Vec<Reference>> {
    let mut fields = Fields::new(reader, node, "reference")?;
    let at = fields.maybe_number(reader, "at", Want::of(Dimension::TIME).not_negative());
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
            references.push(Reference { quantity, formula, at, value, tolerance, source });
        }
    }
    fields.finish(reader);
    let in_time = at.is_none_or(|t| duration.is_none_or(|d| t <= d * (1.0 + 1e-12)));
    (applies? && in_time).then_some(references)
}

/// Tolerances: absolute, or relative to the value.
#[derive(Clone, Copy)]
struct Tolerance {
    absolute: Option<f64>,
    relative: Option<f64>,
}

fn read_tolerance(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Tolerance {
    Tolerance {
        absolute: fields.maybe_number(reader, "tolerance", Want::ANY.positive()),
        relative: fields.maybe_number(reader, "relative", Want::ANY.positive()),
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
            let value = fields.number(reader, "value", Want::ANY);
            let own = read_tolerance(reader, &mut fields);
            fields.finish(reader);
            let given = own.absolute.is_some() || own.relative.is_some();
            (value?, if given { own } else { default })
        }
        _ => (reader.number(&entry.node, &label, Want::ANY)?, default),
    };
    match tolerance.absolute.or(tolerance.relative.map(|r| r * value.abs())) {
        Some(tolerance) => Some((formula?, value, tolerance)),
        None => reader.wrong(&entry.key_span, format!("{label} needs a `tolerance` or `relative`"), None),
    }
}

/// Whether the parameters named by `when` have these values and all others their defaults; `"always"` asks for nothing.
fn read_when(reader: &mut Reader<'_>, node: Option<&Node>, parameters: &[Parameter]) -> Option<bool> {
    if let Some(Value::Text(text)) = node.map(|n| &n.value)
        && text == "always"
    {
        return Some(true);
    }
    let mut wanted: Vec<(&Parameter, ParameterValue)> = Vec::new();
    for entry in entries_of(reader, node, "when") {
        let Some(parameter) = parameters.iter().find(|p| p.name == entry.key) else {
            let help = suggest(&entry.key, parameters.iter().map(|p| p.name.as_str()));
            return reader.wrong(&entry.key_span, format!("there is no parameter `{}`", entry.key), help);
        };
        wanted.push((parameter, parameter.read_value(reader, &entry.node)?));
    }
    let as_wanted = |p: &Parameter| match wanted.iter().find(|(w, _)| w.name == p.name) {
        Some((_, value)) => p.value == *value,
        None => p.is_default(),
    };
    Some(parameters.iter().all(as_wanted))
}

/// Reads one `[[plot]]`.
pub(crate) fn read_plot(reader: &mut Reader<'_>, node: &Node) -> Option<PlotSpec> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Plot)?;
    let title = fields.text(reader, "title");
    let x = match fields.maybe("x") {
        Some(node) => reader.name(node, "`x` of a plot"),
        None => Some("time".into()),
    };
    let y = fields.names_or_none(reader, "y");
    let y_label = fields.text_or_empty(reader, "y_label");
    let log_y = fields.flag(reader, "log_y");
    let (x_span, y_span) = (fields.span_of("x"), fields.span_of("y"));
    fields.finish(reader);
    let (x, y) = (x?, y?);
    if x != "time" {
        reader.mention(Kind::Measure, &x, &x_span);
    }
    y.iter().for_each(|name| reader.mention(Kind::Measure, name, &y_span));
    if y.is_empty() {
        return reader.wrong(&node.span, format!("plot `{name}` has no `y`: name the measures to draw"), None);
    }
    let y_label = match y_label? {
        "" => y.join(", "),
        label => label.into(),
    };
    Some(PlotSpec { name, title: title?.into(), x, y, y_label, log_y: log_y? })
}
