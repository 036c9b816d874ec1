//! Functions in a study: a number, or a table with a `kind`.

use super::column::read_column;
use super::fields::Fields;
use super::node::{Node, Value};
use super::reader::{Expected, Reader};
use wolff_formula::quantity::Dimension;
use wolff_numerics::function::{Fourier, FourierTerm, PiecewiseLinear, Polynomial, Pulse, RunUp, Step};
use wolff_numerics::{CubicSpline, EndCondition, NumericsError, TimeFunction};

/// The kinds of functions of time.
const KINDS: [&str; 9] = ["constant", "polynomial", "fourier", "step", "run-up", "pulse", "spline", "linear", "column"];

/// The kinds of functions of a coordinate.
const SHAPES: [&str; 6] = ["constant", "polynomial", "fourier", "step", "spline", "linear"];

/// Reads a function of time; a single number or formula is a constant.
pub(crate) fn read_function(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<TimeFunction> {
    read_kind(reader, node, what, &KINDS)
}

/// Reads a function of a coordinate; a single number or formula is a constant.
pub(crate) fn read_shape(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<TimeFunction> {
    read_kind(reader, node, what, &SHAPES)
}

fn read_kind(reader: &mut Reader<'_>, node: &Node, what: &str, kinds: &[&str]) -> Option<TimeFunction> {
    if !matches!(node.value, Value::Table(_)) {
        let value = reader.number(node, what, Expected::ANY)?;
        return Some(TimeFunction::Constant(value));
    }
    let mut fields = Fields::new(reader, node, what)?;
    let kind = fields.choice(reader, "kind", kinds)?;
    let function = match kind.as_str() {
        "constant" => fields.number(reader, "value", Expected::ANY).map(TimeFunction::constant),
        "polynomial" => polynomial(reader, &mut fields),
        "fourier" => fourier(reader, &mut fields),
        "step" => step(reader, &mut fields),
        "run-up" => run_up(reader, &mut fields),
        "pulse" => pulse(reader, &mut fields),
        "column" => read_column(reader, &mut fields).map(Ok),
        "spline" => table(reader, &mut fields)
            .map(|(t, y)| CubicSpline::new(&t, &y, EndCondition::NotAKnot).map(TimeFunction::from)),
        _ => table(reader, &mut fields).map(|(t, y)| PiecewiseLinear::new(&t, &y).map(TimeFunction::from)),
    };
    fields.finish(reader);
    match function? {
        Ok(function) => Some(function),
        Err(error) => reader.wrong(&node.span, format!("{what}: {error}"), None),
    }
}

/// Result of a constructor of a function.
type Made = Result<TimeFunction, NumericsError>;

/// `Σ coefficients[k] (t - origin)^k`.
fn polynomial(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Made> {
    let origin = fields.number_or(reader, "origin", Expected::of(Dimension::TIME), 0.0);
    let coefficients = fields.numbers_or_none(reader, "coefficients", Expected::ANY)?;
    Some(Polynomial::new(origin?, &coefficients).map(TimeFunction::from))
}

/// `mean + trend t + Σ sin[k] sin(k omega t) + cos[k] cos(k omega t)`, k from 1.
fn fourier(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Made> {
    let omega = fields.number(reader, "omega", Expected::of(Dimension::ANGULAR_SPEED).positive());
    let mean = fields.number_or(reader, "mean", Expected::ANY, 0.0);
    let trend = fields.number_or(reader, "trend", Expected::ANY, 0.0);
    let sin = fields.numbers_or_none(reader, "sin", Expected::ANY);
    let cos = fields.numbers_or_none(reader, "cos", Expected::ANY);
    let (sin, cos) = (sin?, cos?);
    let term =
        |k: usize| FourierTerm { sin: sin.get(k).copied().unwrap_or(0.0), cos: cos.get(k).copied().unwrap_or(0.0) };
    let terms: Vec<_> = (0..sin.len().max(cos.len())).map(term).collect();
    Some(Fourier::new(omega?, mean?, trend?, &terms).map(TimeFunction::from))
}

/// Smooth step from `from` at `start` to `to` at `end`.
fn step(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Made> {
    let start = fields.number(reader, "start", Expected::ANY);
    let end = fields.number(reader, "end", Expected::ANY);
    let from = fields.number(reader, "from", Expected::ANY);
    let to = fields.number(reader, "to", Expected::ANY);
    Some(Step::new(start?, from?, end?, to?).map(TimeFunction::from))
}

/// From rest to `speed` in `time`, smoothly.
fn run_up(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Made> {
    let speed = fields.number(reader, "speed", Expected::ANY);
    let time = fields.number(reader, "time", Expected::of(Dimension::TIME).positive());
    Some(RunUp::new(speed?, time?).map(TimeFunction::from))
}

/// `amplitude exp(-decay (t/time)²) sin(π t/time)`.
fn pulse(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Made> {
    let amplitude = fields.number(reader, "amplitude", Expected::ANY);
    let time = fields.number(reader, "time", Expected::of(Dimension::TIME).positive());
    let decay = fields.number_or(reader, "decay", Expected::of(Dimension::ONE).not_negative(), 4.73);
    Some(Pulse::new(amplitude?, time?, decay?).map(TimeFunction::from))
}

/// Points (time_scale t, offset + scale y).
fn table(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<(Vec<f64>, Vec<f64>)> {
    let times = fields.numbers_or_none(reader, "times", Expected::ANY);
    let values = fields.numbers_or_none(reader, "values", Expected::ANY);
    let time_scale = fields.number_or(reader, "time_scale", Expected::ANY.positive(), 1.0);
    let scale = fields.number_or(reader, "scale", Expected::ANY, 1.0);
    let offset = fields.number_or(reader, "offset", Expected::ANY, 0.0);
    let (time_scale, scale, offset) = (time_scale?, scale?, offset?);
    let times = times?.into_iter().map(|t| t * time_scale).collect();
    Some((times, values?.into_iter().map(|y| offset + scale * y).collect()))
}
