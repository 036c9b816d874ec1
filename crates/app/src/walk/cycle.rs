//! Strides of a record, and what is taken from each.

use wolff_bone::gauges::{GaugeHistory, StrainPeaks};
use wolff_movement::simulate::MovementResult;

/// Rows of whole strides after the first, in which the start dies away; of the first where there is no other, and all where none is whole.
pub(super) fn strides(performance: &MovementResult) -> Vec<std::ops::Range<usize>> {
    let (times, period) = (&performance.record.times, performance.walk.constants.cycle_time);
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

/// The last whole stride.
pub(super) fn last_stride(performance: &MovementResult) -> std::ops::Range<usize> {
    strides(performance).last().cloned().unwrap_or(0..performance.record.times.len())
}

/// Peaks of a gauge, mean over the strides.
pub(super) fn strain_peaks(performance: &MovementResult, history: &GaugeHistory) -> StrainPeaks {
    StrainPeaks::new(history, &performance.record.times, &strides(performance))
}
