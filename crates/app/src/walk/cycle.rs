//! Strides of a record, and the peaks of each stride.

use wolff_bone::gauges::{GaugeHistory, StrainPeaks};
use wolff_movement::simulate::MovementResult;

/// Rows of each complete stride. The first stride contains the transient of the start and is omitted, unless it is the
/// only one. If no stride is complete, all rows are returned as one.
pub(super) fn strides(result: &MovementResult) -> Vec<std::ops::Range<usize>> {
    let (times, period) = (&result.record.times, result.walk.constants.cycle_time);
    let Some(end) = times.last() else { return Vec::new() };
    let whole = ((end + 1e-9) / period).floor() as usize;
    let row = |cycle: usize| times.partition_point(|t| *t <= cycle as f64 * period + 1e-9);
    let all: Vec<_> = (0..whole).map(|c| row(c)..row(c + 1)).collect();
    match all.len() {
        0 => std::iter::once(0..times.len()).collect(),
        1 => all,
        _ => all[1..].to_vec(),
    }
}

/// The last complete stride.
pub(super) fn last_stride(result: &MovementResult) -> std::ops::Range<usize> {
    strides(result).last().cloned().unwrap_or(0..result.record.times.len())
}

/// Peaks of a gauge, mean over the strides.
pub(super) fn strain_peaks(result: &MovementResult, history: &GaugeHistory) -> StrainPeaks {
    StrainPeaks::new(history, &result.record.times, &strides(result))
}

/// A maximum, and when it occurs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Largest {
    /// Mean over the strides of the maximum of each stride.
    pub value: f64,
    /// Mean of its instants, as a fraction of the stride from the heel strike of the right foot.
    pub share: f64,
}

/// The largest value of a signal among the rows of each stride that `counts` accepts; `None` where it accepts none.
pub(super) fn largest(
    result: &MovementResult,
    signal: &dyn Fn(usize) -> f64,
    counts: &dyn Fn(usize) -> bool,
) -> Option<Largest> {
    let period = result.walk.constants.cycle_time;
    let of_stride = |rows: std::ops::Range<usize>| {
        let best = rows.filter(|i| counts(*i)).max_by(|a, b| signal(*a).total_cmp(&signal(*b)))?;
        Some((signal(best), (result.record.times[best] / period).fract()))
    };
    let found: Vec<(f64, f64)> = strides(result).into_iter().filter_map(of_stride).collect();
    let (_, first) = *found.first()?;
    let count = found.len() as f64;
    // instants on both sides of the heel strike are neighbours
    let apart = |share: f64| (share - first + 0.5).rem_euclid(1.0) - 0.5;
    Some(Largest {
        value: found.iter().map(|(value, _)| value).sum::<f64>() / count,
        share: (first + found.iter().map(|(_, share)| apart(*share)).sum::<f64>() / count).rem_euclid(1.0),
    })
}
