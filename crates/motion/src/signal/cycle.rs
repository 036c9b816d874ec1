//! Gait cycles: cut, normalised, repeated.

use super::events::{EventKind, GaitEvent};
use crate::MotionError;
use wolff_formats::Table;
use wolff_numerics::{CubicSpline, Derivatives, EndCondition};

/// Starts and ends of the cycles between successive heel strikes of one foot \[s\].
pub fn cut_cycles(events: &[GaitEvent]) -> Vec<[f64; 2]> {
    let strikes: Vec<f64> = events.iter().filter(|e| e.kind == EventKind::HeelStrike).map(|e| e.time).collect();
    strikes.windows(2).map(|w| [w[0], w[1]]).collect()
}

/// One cycle of a table (first column `time`) at `points` instants evenly spread over 0 to 100 %, by cubic splines.
///
/// The first column of the result is `percent`. A cycle that the table does not cover is an error.
pub fn normalise(table: &Table, cycle: [f64; 2], points: usize) -> Result<Table, MotionError> {
    let splines = splines_within(table, cycle)?;
    if points < 2 {
        return Err(MotionError::input("normalised cycle", format!("{points} points; give at least 2")));
    }
    let row = |i: usize| {
        let fraction = i as f64 / (points - 1) as f64;
        let t = cycle[0] + fraction * (cycle[1] - cycle[0]);
        std::iter::once(100.0 * fraction).chain(splines.iter().map(|s| s.evaluate(t).value)).collect()
    };
    let labels = std::iter::once("percent".to_string()).chain(table.labels().iter().skip(1).cloned()).collect();
    Ok(Table::new(labels, (0..points).map(row).collect())?)
}

/// Splines of all columns except time; the table must cover the cycle.
fn splines_within(table: &Table, cycle: [f64; 2]) -> Result<Vec<CubicSpline>, MotionError> {
    let times = times(table);
    check_covered(&times, cycle)?;
    (1..table.labels().len()).map(|column| spline(table, &times, column)).collect()
}

/// The first column.
pub(super) fn times(table: &Table) -> Vec<f64> {
    table.rows().iter().filter_map(|r| r.first().copied()).collect()
}

/// A cycle that the instants \[s\] do not cover is an error.
pub(super) fn check_covered(times: &[f64], [start, end]: [f64; 2]) -> Result<(), MotionError> {
    let refuse = |reason: String| MotionError::input(format!("cycle {start} to {end} s"), reason);
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return Err(refuse("the table is empty".into()));
    };
    let slack = 1e-9 * (last - first).abs();
    if !(start < end && start >= first - slack && end <= last + slack) {
        return Err(refuse(format!("the table covers {first} to {last} s; choose a cycle inside")));
    }
    Ok(())
}

/// A spline through a column.
pub(super) fn spline(table: &Table, times: &[f64], column: usize) -> Result<CubicSpline, MotionError> {
    let values: Vec<f64> = table.rows().iter().filter_map(|r| r.get(column).copied()).collect();
    CubicSpline::new(times, &values, EndCondition::NotAKnot).map_err(|cause| {
        let label = table.labels().get(column).map_or("", String::as_str);
        MotionError::Numerics { object: format!("column `{label}`"), cause }
    })
}

/// Continuation of a column after the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// It is periodic: the difference between end and start is removed linearly over the cycle.
    Returns,
    /// It advances by the same amount in every cycle, like the position of a walking person.
    Advances,
}

/// One cycle continued periodically, with continuous value, slope and curvature.
///
/// ```text
/// x(t) = p(t mod T) + a ⌊t/T⌋ + a (t mod T)/T      p periodic cubic spline,  a advance per cycle
/// ```
///
/// Time starts at zero with the cycle; T is its duration \[s\].
#[derive(Clone, Debug)]
pub struct Cycle {
    labels: Vec<String>,
    period: f64,
    splines: Vec<CubicSpline>,
    advance: Vec<f64>,
    mismatch: Vec<f64>,
}

impl Cycle {
    /// The cycle \[start, end\] of a table (first column `time`), sampled at `points` instants; `closing` is the
    /// continuation of each column except time.
    pub fn new(
        table: &Table,
        cycle: [f64; 2],
        points: usize,
        closing: impl Fn(&str) -> Closing,
    ) -> Result<Self, MotionError> {
        let normal = normalise(table, cycle, points)?;
        let period = cycle[1] - cycle[0];
        let times: Vec<f64> = normal.rows().iter().filter_map(|r| r.first()).map(|p| 0.01 * p * period).collect();
        let labels: Vec<String> = normal.labels().iter().skip(1).cloned().collect();
        let mut out = Self { labels: Vec::new(), period, splines: vec![], advance: vec![], mismatch: vec![] };
        for (i, label) in labels.iter().enumerate() {
            let x: Vec<f64> = normal.rows().iter().filter_map(|r| r.get(i + 1).copied()).collect();
            let (first, last) = (x[0], x[x.len() - 1]);
            let mut periodic: Vec<f64> = x.iter().zip(&times).map(|(x, t)| x - (last - first) * t / period).collect();
            // equal except for rounding
            periodic[x.len() - 1] = periodic[0];
            let spline = CubicSpline::new(&times, &periodic, EndCondition::Periodic)
                .map_err(|cause| MotionError::Numerics { object: format!("column `{label}`"), cause })?;
            let advances = closing(label) == Closing::Advances;
            out.splines.push(spline);
            out.advance.push(if advances { last - first } else { 0.0 });
            out.mismatch.push(if advances { 0.0 } else { last - first });
        }
        out.labels = labels;
        Ok(out)
    }

    /// Names of the columns.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Duration \[s\].
    pub fn period(&self) -> f64 {
        self.period
    }

    /// Difference that was removed from each periodic column, in its own unit.
    pub fn mismatch(&self) -> &[f64] {
        &self.mismatch
    }

    /// Value and derivatives of a column at any time \[s\]; `None` for a column that is not there.
    pub fn evaluate(&self, column: usize, t: f64) -> Option<Derivatives> {
        let (spline, advance) = (self.splines.get(column)?, *self.advance.get(column)?);
        let f = spline.evaluate(t);
        let rate = advance / self.period;
        Some(Derivatives { value: f.value + rate * t, d1: f.d1 + rate, d2: f.d2 })
    }

    /// `count` cycles in a row, `points` intervals each.
    pub fn repeat(&self, count: usize, points: usize) -> Result<Table, MotionError> {
        if count == 0 || points == 0 {
            return Err(MotionError::input(
                "repeated cycle",
                format!("{count} cycles of {points} intervals; give at least one of each"),
            ));
        }
        let row = |i: usize| {
            let t = i as f64 * self.period / points as f64;
            let values = (0..self.labels.len()).filter_map(|c| self.evaluate(c, t)).map(|f| f.value);
            std::iter::once(t).chain(values).collect()
        };
        let labels = std::iter::once("time".to_string()).chain(self.labels.iter().cloned()).collect();
        Ok(Table::new(labels, (0..=count * points).map(row).collect())?)
    }
}
