//! Strides of a record, and what is taken from each.

use wolff_bone::gauges::GaugeHistory;
use wolff_movement::simulate::MovementResult;

/// Time over which strain rates are taken [s]: the output step of Al Nazer 2008, section 4.6, whose table they stand beside.
pub(super) const RATE_WINDOW: f64 = 0.02;

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

/// Peaks of one gauge: means over strides of the extremes of each, strains without unit, rates in 1/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StrainPeaks {
    pub max_principal: f64,
    pub min_principal: f64,
    pub max_shear: f64,
    pub axial_max: f64,
    pub axial_min: f64,
    /// Of the larger principal strain upwards, of the smaller downwards, of shear upwards, over [`RATE_WINDOW`].
    pub rates: [f64; 3],
}

impl StrainPeaks {
    /// Axial strain of largest size, with its sign.
    pub fn axial(&self) -> f64 {
        if self.axial_max.abs() >= self.axial_min.abs() { self.axial_max } else { self.axial_min }
    }
}

/// Peaks of a gauge, mean over the strides.
pub(super) fn strain_peaks(performance: &MovementResult, history: &GaugeHistory) -> StrainPeaks {
    let strides = strides(performance);
    let times = &performance.record.times;
    let dt = if times.len() > 1 { times[1] - times[0] } else { RATE_WINDOW };
    let half = ((0.5 * RATE_WINDOW / dt).round() as usize).max(1);
    let mean =
        |of: &dyn Fn(&std::ops::Range<usize>) -> f64| strides.iter().map(of).sum::<f64>() / strides.len().max(1) as f64;
    let high = |signal: &[f64]| mean(&|rows| signal[rows.clone()].iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let low = |signal: &[f64]| mean(&|rows| signal[rows.clone()].iter().copied().fold(f64::INFINITY, f64::min));
    let rate = |signal: &[f64], sign: f64| {
        let at = |i: usize| {
            let (a, b) = (i.saturating_sub(half), (i + half).min(signal.len() - 1));
            sign * (signal[b] - signal[a]) / ((b - a).max(1) as f64 * dt)
        };
        sign * mean(&|rows| rows.clone().map(at).fold(0.0, f64::max))
    };
    StrainPeaks {
        max_principal: high(&history.max_principal),
        min_principal: low(&history.min_principal),
        max_shear: high(&history.max_shear),
        axial_max: high(&history.axial),
        axial_min: low(&history.axial),
        rates: [rate(&history.max_principal, 1.0), rate(&history.min_principal, -1.0), rate(&history.max_shear, 1.0)],
    }
}
