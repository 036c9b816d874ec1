//! How far a course over time is from a recorded one.

use crate::row::ValidationRow;
use wolff_formats::Table;
use wolff_motion::MotionError;

/// Difference of one course from its record.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Of what.
    pub name: String,
    /// Unit of all numbers.
    pub unit: &'static str,
    /// Root mean square over the instants.
    pub rms: f64,
    /// Largest.
    pub worst: f64,
    /// Largest recorded value, regardless of sign.
    pub largest: f64,
}

impl Difference {
    /// Of values at the same instants; NaN where there are none or they are not as many.
    pub fn new(name: &str, unit: &'static str, found: &[f64], recorded: &[f64]) -> Self {
        let off = || found.iter().zip(recorded).map(|(x, y)| x - y);
        let known = found.len() == recorded.len() && !found.is_empty();
        let or_nan = |x: f64| if known { x } else { f64::NAN };
        Difference {
            name: name.into(),
            unit,
            rms: or_nan((off().map(|d| d * d).sum::<f64>() / found.len() as f64).sqrt()),
            worst: or_nan(off().fold(0.0, larger)),
            largest: recorded.iter().copied().fold(0.0, larger),
        }
    }
}

/// The larger of two sizes, regardless of sign; NaN where one is, for [`Iterator::fold`] to keep.
pub(crate) fn larger(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { x.abs().max(y.abs()) }
}

/// Differences of all columns of a record but its first, the time.
pub fn of_tables(
    found: &Table,
    record: &Table,
    unit: impl Fn(&str) -> &'static str,
) -> Result<Vec<Difference>, MotionError> {
    let mut differences = Vec::new();
    for label in record.labels().iter().skip(1) {
        let (Some(x), Some(y)) = (found.column(label), record.column(label)) else {
            return Err(MotionError::input(label, "is a column of the record that our result does not have"));
        };
        differences.push(Difference::new(label, unit(label), &x, &y));
    }
    Ok(differences)
}

/// The unit of a column of generalised forces.
pub fn moment_or_force(label: &str) -> &'static str {
    if label.ends_with("_force") { "N" } else { "N m" }
}

/// What differences of one unit are held against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// The unit.
    pub unit: &'static str,
    /// For the root mean square of every course.
    pub limit: f64,
    /// Where that comes from.
    pub source: &'static str,
    /// Bounds of root mean square and largest difference.
    pub bounds: [f64; 2],
}

/// Two rows: the largest root mean square difference and the largest difference of the courses in the goal's unit.
/// Limits are for root mean squares, as in OpenSim's own tests.
pub(crate) fn rows(trial: &str, quantity: &str, differences: &[Difference], goal: Goal) -> Vec<ValidationRow> {
    let of = |key: fn(&Difference) -> f64| {
        let rank = |d: &Difference| if key(d).is_nan() { f64::INFINITY } else { key(d) };
        differences.iter().filter(|d| d.unit == goal.unit).max_by(|a, b| rank(a).total_cmp(&rank(b)))
    };
    let (Some(rms), Some(worst)) = (of(|d| d.rms), of(|d| d.worst)) else { return Vec::new() };
    vec![
        ValidationRow::measured(trial, &format!("{quantity}, RMS"), rms.rms, goal.unit)
            .limited(goal.limit, goal.source)
            .bounded(goal.bounds[0])
            .noted(&rms.name),
        ValidationRow::measured(trial, &format!("{quantity}, worst"), worst.worst, goal.unit)
            .bounded(goal.bounds[1])
            .noted(&worst.name),
    ]
}
