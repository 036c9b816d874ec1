//! `[results]` and `[[plot]]`: evaluation of the time series.

use super::fields::Fields;
use super::node::{Entry, Node};
use super::parameters::{Parameter, entries_of};
use super::reader::{Expected, Kind, Reader};
use super::record::REDUCTIONS;
use std::ops::Range;
use wolff_formula::expression::{Expression, ExpressionError, FUNCTIONS, TermKind};
use wolff_formula::quantity::Dimension;
use wolff_formula::suggest::suggest;

/// Known quantities of each impact, in addition to `before.<measure>` and `after.<measure>`.
pub const IMPACT_FIELDS: [&str; 8] =
    ["t_s", "t_end_s", "duration_s", "approach_m_s", "separation_m_s", "restitution", "delta_max_m", "force_max_n"];

/// The key of `[results]` that holds formulas for each impact.
const IMPACTS: &str = "impacts";

/// A named number and its formula.
#[derive(Clone, Debug)]
pub struct ResultSpec {
    /// Name including the unit.
    pub name: String,
    /// Formula, see [`super::evaluate_result`].
    pub formula: Expression,
    /// Place in the study text \[bytes\].
    pub place: Range<usize>,
}

/// A plot of measures.
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
    /// The part of the run that is drawn.
    pub part: PlotPart,
    /// Place in the study text \[bytes\].
    pub place: Range<usize>,
}

/// The part of a run that a plot shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PlotPart {
    /// All of it.
    #[default]
    Whole,
    /// The impact with this number, from its first touch to its end.
    Impact(usize),
    /// From a time to another \[s\].
    Between(f64, f64),
}

/// Most impacts that a plot can choose from.
const MOST_IMPACTS: usize = 1_000_000;

/// Results of the whole run, and of each impact.
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
    Some(ResultSpec { name: entry.key.clone(), formula, place: entry.node.span.clone() })
}

/// Place of a formula, which decides on the names that it may use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormulaPlace {
    /// One number per run: measures only inside reductions.
    Whole,
    /// One number per impact.
    Impact,
    /// One number per row: measures anywhere.
    Row,
}

/// Reads a formula and checks its names.
pub(crate) fn read_formula(
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

/// Reports unknown names in a formula.
pub(crate) fn check_names(
    reader: &mut Reader<'_>,
    node: &Node,
    label: &str,
    formula: &Expression,
    place: FormulaPlace,
    results: &[&str],
) {
    if reader.names_come_later {
        return;
    }
    // names inside reductions refer to single rows
    let mut reduced = Vec::new();
    formula.root().visit(&mut |term| {
        if let TermKind::Call(name, arguments) = &term.kind
            && REDUCTIONS.contains(&name.as_str())
            && (arguments.len() == 1 || name == "at")
        {
            reduced.push(term.at.clone());
        }
    });
    formula.root().visit(&mut |term| {
        if let TermKind::Call(name, _) = &term.kind
            && !REDUCTIONS.contains(&name.as_str())
            && !FUNCTIONS.contains(&name.as_str())
        {
            let known = [&FUNCTIONS[..], &REDUCTIONS[..]].concat().join(" ");
            let message = format!("there is no function `{name}`; the functions are {known}");
            reader.wrong_formula::<()>(node, formula.text(), label, &ExpressionError::new(&term.at, message));
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
        let message = format!("unknown name `{name}`");
        let error = match is_measure {
            true => ExpressionError::new(
                &at,
                format!("`{name}` has one value per row; write for example final({name}) or max({name})"),
            ),
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
    let log_y = fields.flag_or(reader, "log_y", false);
    let part = read_part(reader, &mut fields, node);
    let (x_span, y_span) = (fields.span_of("x"), fields.span_of("y"));
    fields.finish(reader);
    let (x, y) = (x?, y?);
    if !reader.names_come_later {
        if x != "time" {
            reader.mention(Kind::Measure, &x, &x_span);
        }
        y.iter().for_each(|name| reader.mention(Kind::Measure, name, &y_span));
    }
    if y.is_empty() {
        return reader.wrong(
            &node.span,
            format!("plot `{name}` has no `y`; give the names of the measures to draw"),
            None,
        );
    }
    let y_label = match y_label? {
        "" => y.join(", "),
        label => label.into(),
    };
    Some(PlotSpec { name, title: title?.into(), x, y, y_label, log_y: log_y?, part: part?, place: node.span.clone() })
}

/// `impact`, or `from` and `to`, of a plot of a model.
fn read_part(reader: &mut Reader<'_>, fields: &mut Fields<'_>, node: &Node) -> Option<PlotPart> {
    let time = Expected::of(Dimension::TIME).not_negative();
    let [from, to] = [("from", 0.0), ("to", f64::INFINITY)]
        .map(|(key, default)| if node.get(key).is_some() { fields.number(reader, key, time) } else { Some(default) });
    let given = ["impact", "from", "to"].map(|key| node.get(key).is_some());
    let part = match given {
        [true, ..] => PlotPart::Impact(fields.whole_or(reader, "impact", [1, MOST_IMPACTS], 1)?),
        [false, false, false] => return Some(PlotPart::Whole),
        _ => PlotPart::Between(from?, to?),
    };
    match (part, given) {
        _ if reader.names_come_later => {
            let rule = "a plot of a study of walking shows the whole walk; omit `impact`, `from` and `to`";
            reader.wrong(&node.span, rule, None)
        }
        (PlotPart::Impact(_), [_, true, _] | [_, _, true]) => {
            reader.wrong(&node.span, "a plot has either `impact`, or `from` and `to`", None)
        }
        (PlotPart::Between(from, to), _) if from >= to => {
            reader.wrong(&node.span, format!("`from` of a plot is {from} s; it must be below `to`, {to} s"), None)
        }
        _ => Some(part),
    }
}

/// A result and the parameters on which it may depend.
#[derive(Clone, Debug)]
pub struct SensitivitySpec {
    /// Name of the result.
    pub of: String,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Relative change of the numbers \[-\].
    pub change: f64,
}

/// Reads `[sensitivity]`.
pub(crate) fn read_sensitivity(
    reader: &mut Reader<'_>,
    node: &Node,
    results: &[ResultSpec],
    parameters: &[Parameter],
) -> Option<SensitivitySpec> {
    let mut fields = Fields::new(reader, node, "[sensitivity]")?;
    let of = fields.name(reader, "of");
    let names = fields.names_or_none(reader, "parameters");
    let change = fields.number_or(reader, "change", Expected::of(Dimension::ONE).positive(), 0.1);
    let (of_span, names_span) = (fields.span_of("of"), fields.span_of("parameters"));
    fields.finish(reader);
    let (of, names) = (of?, names?);
    if !results.iter().any(|r| r.name == of) {
        let help = suggest(&of, results.iter().map(|r| r.name.as_str()));
        return reader.wrong(&of_span, format!("`of` of [sensitivity]: there is no result `{of}`"), help);
    }
    if let Some(unknown) = names.iter().find(|name| !parameters.iter().any(|p| p.name == **name)) {
        let help = suggest(unknown, parameters.iter().map(|p| p.name.as_str()));
        return reader.wrong(&names_span, format!("[sensitivity]: there is no parameter `{unknown}`"), help);
    }
    Some(SensitivitySpec { of, parameters: names, change: change? })
}
