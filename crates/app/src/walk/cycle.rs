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
