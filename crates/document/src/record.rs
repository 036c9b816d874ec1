//! Results as formulas over the recorded data of a simulation.

use wolff_formula::expression::{Expression, ExpressionError, Scope, Term};
use wolff_formula::quantity::Quantity;

/// Functions that reduce a whole column to one number.
pub(crate) const REDUCTIONS: [&str; 6] = ["initial", "final", "min", "max", "mean", "at"];

/// The recorded data of a simulation.
pub trait Record {
    /// Times of the rows \[s\].
    fn times(&self) -> &[f64];
    /// Values of a measure, one per row, in the unit of its name.
    fn column(&self, name: &str) -> Option<&[f64]>;
    /// Single numbers: parameters, `impacts` (their number), `impact.<n>.<field>`, and the results computed so far.
    fn value(&self, name: &str) -> Option<f64>;
}

/// Value of a result.
///
/// Names of measures must be inside one of the functions `initial`, `final`, `min`, `max`, `mean` (of one argument) or
/// `at(formula, time)`, which evaluate their argument row by row: `max(abs(energy_j - energy_0_j))`.
pub fn evaluate_result(formula: &Expression, record: &dyn Record) -> Result<f64, ExpressionError> {
    Ok(formula.evaluate(&Whole(record))?.value)
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
            ("at", [term, time]) => Some(time.evaluate(self).and_then(|t| at_time(term, self.0, t.value)).map(bare)),
            (_, [term]) if REDUCTIONS.contains(&name) && name != "at" => Some(reduce(name, term, self.0).map(bare)),
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

    /// First and last values may be used inside: `max(abs(energy_j - initial(energy_j)))`.
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
    // NaN must be propagated: it means that something is wrong
    let pick = |better: fn(f64, f64) -> bool| {
        values.iter().copied().reduce(|a, b| if better(b, a) || b.is_nan() { b } else { a }).unwrap_or(f64::NAN)
    };
    Ok(match name {
        "min" => pick(|a, b| a < b),
        "max" => pick(|a, b| a > b),
        _ => values.iter().sum::<f64>() / count as f64,
    })
}

/// Value in the row at this time; rows are not interpolated.
pub(crate) fn at_time(term: &Term, record: &dyn Record, time: f64) -> Result<f64, ExpressionError> {
    let times = record.times();
    let after = times.partition_point(|t| *t < time);
    let nearest = [after.saturating_sub(1), after].into_iter().filter(|k| *k < times.len());
    let nearest = nearest.min_by(|a, b| f64::total_cmp(&(times[*a] - time).abs(), &(times[*b] - time).abs()));
    match nearest {
        Some(k) if (times[k] - time).abs() <= 1e-9 * time.abs().max(1e-6) => row(term, record, k),
        _ => Err(ExpressionError::new(
            &term.at,
            format!("there is no recorded row at {time} s; choose an `interval` of which it is a multiple"),
        )),
    }
}
