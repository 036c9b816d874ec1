//! The function `column`: a spline through one column of the table that a parameter names, or another function where
//! the parameter is empty.

use super::data_file::{DataFile, Refusal};
use super::fields::Fields;
use super::function::read_function;
use super::reader::{Expected, Reader};
use std::collections::btree_map::Entry;
use std::ops::Range;
use wolff_formula::quantity::{Dimension, parse_unit};
use wolff_formula::suggest::suggest;
use wolff_numerics::filter::Butterworth;
use wolff_numerics::{CubicSpline, EndCondition, TimeFunction};

/// Endings of labels that state the unit.
const UNITS: [&str; 5] = ["deg", "rad", "m", "mm", "cm"];

/// Order of the low-pass filter.
const FILTER_ORDER: usize = 2;

/// Maximum relative deviation of a sampling interval from the mean interval that still counts as equal \[-\].
const UNEVENNESS: f64 = 0.01;

/// Maximum extent of the simulation beyond a table, as a fraction of the duration: rounding only \[-\].
const OVERHANG: f64 = 1e-9;

/// The time range that all functions of a table cover, in simulated time \[s\].
#[derive(Clone, Debug)]
pub(crate) struct Coverage {
    file: String,
    first: f64,
    last: f64,
    /// Place of the first function that uses this table.
    span: Range<usize>,
}

/// A column requested by a study.
struct ColumnRequest<'n> {
    column: &'n str,
    angle: bool,
    /// Cutoff frequency of the filter \[Hz\]; 0: no filter.
    cutoff: f64,
    /// Time in the table at which the simulation begins \[s\].
    start: f64,
}

/// Reads the keys of a `column`.
pub(super) fn read_column(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<TimeFunction> {
    let parameter = fields.text(reader, "table");
    let column = fields.text(reader, "column");
    let angle = fields.flag_or(reader, "angle", false);
    let cutoff = fields.number_or(reader, "cutoff", Expected::of(Dimension::RATE).not_negative(), 0.0);
    let start = fields.number_or(reader, "start", Expected::of(Dimension::TIME), 0.0);
    let what = format!("`otherwise` of {}", fields.what);
    let otherwise = fields.maybe("otherwise").map(|node| read_function(reader, node, &what));

    let parameter = parameter?;
    let Some(file) = reader.given.tables.get(parameter).cloned() else {
        if reader.broken.contains(parameter) {
            return None;
        }
        let help = suggest(parameter, reader.given.tables.keys().map(String::as_str))
            .unwrap_or_else(|| format!("declare {parameter} = {{ value = \"\", file = true, about = ... }}"));
        let message = format!("`{parameter}` is not a parameter that names a file");
        return reader.wrong(&fields.span_of("table"), message, Some(help));
    };
    let request = ColumnRequest { column: column?, angle: angle?, cutoff: cutoff?, start: start? };
    match (file, otherwise) {
        (Some(file), _) => {
            note_coverage(reader, parameter, &file, request.start, &fields.node.span);
            match spline(&file, &request) {
                Ok(function) => Some(function),
                Err((message, help)) => {
                    let message = format!("{}: `{}`: {message}", fields.what, file.input.name);
                    reader.wrong(&fields.span_of("column"), message, help)
                }
            }
        }
        (None, Some(otherwise)) => otherwise,
        (None, None) => {
            let help = Some(format!("set `{parameter}` to a file, or give the function to use `otherwise`"));
            reader.wrong(&fields.node.span, format!("{} has no table: `{parameter}` is empty", fields.what), help)
        }
    }
}

/// The not-a-knot cubic spline through the column in SI units; the column is filtered first if a cutoff is given.
///
/// Limits: for samples at intervals `h` the error of the spline of a smooth motion is of order `h⁴`, that of its second
/// derivative (and therefore of every driving force) of order `h²`. Noise of the samples is amplified by `h⁻²` in the
/// second derivative; the filter is there to remove it.
fn spline(file: &DataFile, request: &ColumnRequest<'_>) -> Result<TimeFunction, Refusal> {
    let (index, unit) = find(file, request)?;
    let label = &file.table.labels()[index];
    let mut values: Vec<f64> = file.table.rows().iter().map(|row| unit * row[index]).collect();
    if let Some(k) = values.iter().position(|x| !x.is_finite()) {
        let message = format!("column `{label}` has the value {} in data row {}; it must be finite", values[k], k + 1);
        return Err((message, Some("fill the gaps of the measurement first".into())));
    }
    if request.cutoff > 0.0 {
        values = filtered(file, &values, request.cutoff)?;
    }
    let knots: Vec<f64> = file.times.iter().map(|t| t - request.start).collect();
    let spline = CubicSpline::new(&knots, &values, EndCondition::NotAKnot);
    spline.map(TimeFunction::from).map_err(|e| (format!("column `{label}`: {e}"), None))
}

/// Index of the column and the size of its unit; the label may end with the unit.
fn find(file: &DataFile, request: &ColumnRequest<'_>) -> Result<(usize, f64), Refusal> {
    let labels = file.table.labels();
    let unit_of = |label: &str| match label.strip_prefix(request.column)?.strip_prefix('_') {
        Some(unit) => UNITS.contains(&unit).then(|| unit.to_string()),
        None => (label == request.column).then(String::new),
    };
    let found: Vec<(usize, String)> =
        labels.iter().enumerate().filter_map(|(k, label)| Some((k, unit_of(label)?))).collect();
    let (index, unit) = match &found[..] {
        [one] => one,
        [] => {
            let all = labels.join(", ");
            // the message lists all labels; a suggestion is added only if one is close
            let near = suggest(request.column, labels.iter().map(|label| without_unit(label)));
            let help = near.filter(|help| help.starts_with("did you mean"));
            return Err((format!("there is no column `{}`; the columns are {all}", request.column), help));
        }
        [(a, _), (b, _), ..] => {
            let message = format!("the columns `{}` and `{}` both match `{}`", labels[*a], labels[*b], request.column);
            return Err((message, Some("remove one of them from the table".into())));
        }
    };
    let (size, dimension) = match unit.as_str() {
        "" if request.angle && file.in_degrees => return Ok((*index, 1f64.to_radians())),
        "" => return Ok((*index, 1.0)),
        unit => parse_unit(unit).unwrap_or((1.0, Dimension::ONE)),
    };
    let fits = dimension.equals(if request.angle { Dimension::ANGLE } else { Dimension::LENGTH });
    if fits { Ok((*index, size)) } else { Err(wrong_unit(&labels[*index], request.angle)) }
}

/// The label without the ending that states its unit.
fn without_unit(label: &str) -> &str {
    match label.rsplit_once('_') {
        Some((name, unit)) if UNITS.contains(&unit) => name,
        _ => label,
    }
}

fn wrong_unit(label: &str, angle: bool) -> Refusal {
    let (is, help) = match angle {
        true => ("a length; an angle is required", "labels of angles end with `_deg` or `_rad`"),
        false => (
            "an angle; a length is required",
            "labels of lengths end with `_m`, `_cm` or `_mm`; set `angle = true` for an angle",
        ),
    };
    (format!("column `{label}` is {is}"), Some(help.into()))
}

/// Low-pass filter without phase shift: second-order Butterworth, forward and backward; the gain of both passes
/// together is 1/√2 at the cutoff.
///
/// Source: Winter, Biomechanics and Motor Control of Human Movement, 4th ed., section 3.4.4.2. Limits: equidistant
/// samples.
fn filtered(file: &DataFile, values: &[f64], cutoff: f64) -> Result<Vec<f64>, Refusal> {
    let times = &file.times;
    let mean = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
    let uneven = |w: &[f64]| (w[1] - w[0] - mean).abs() > UNEVENNESS * mean;
    if let Some(k) = times.windows(2).position(uneven) {
        let (h, t) = (times[k + 1] - times[k], times[k]);
        let message =
            format!("the interval after {t} s is {h} s, the mean is {mean} s; a filter requires equal intervals");
        return Err((message, Some("resample the table, or set the cutoff to 0 (no filter)".into())));
    }
    Butterworth::low_pass_dual_pass(FILTER_ORDER, cutoff, 1.0 / mean)
        .and_then(|filter| filter.zero_phase(values, None))
        .map_err(|e| (format!("filter: {e}"), Some("a cutoff of 0 means no filter".into())))
}

/// Records the time range that the functions of a table cover.
fn note_coverage(reader: &mut Reader<'_>, parameter: &str, file: &DataFile, start: f64, span: &Range<usize>) {
    let (first, last) = (file.times[0] - start, file.times[file.times.len() - 1] - start);
    match reader.coverage.entry(parameter.into()) {
        Entry::Occupied(mut known) => {
            let known = known.get_mut();
            (known.first, known.last) = (known.first.max(first), known.last.min(last));
        }
        Entry::Vacant(place) => {
            place.insert(Coverage { file: file.input.name.clone(), first, last, span: span.clone() });
        }
    }
}

/// Reports tables that end before the simulation ends or begin after it begins.
pub(super) fn check_coverage(reader: &mut Reader<'_>, duration: f64) {
    for (parameter, c) in std::mem::take(&mut reader.coverage) {
        let slack = OVERHANG * duration;
        if c.first <= slack && c.last >= duration - slack {
            continue;
        }
        let message = format!(
            "{parameter}: `{}` covers {} s to {} s of simulated time, but the simulation runs from 0 to {duration} s",
            c.file, c.first, c.last
        );
        let help = "shorten the duration, or set `start`, the time in the table at which the simulation begins";
        reader.wrong::<()>(&c.span, message, Some(help.into()));
    }
}
