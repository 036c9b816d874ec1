//! Peaks of strain and strain rate over strides.

use std::ops::Range;

use super::history::GaugeHistory;

/// Time over which strain rates are taken \[s\]: the output step of Al Nazer 2008, section 4.6, with whose table they
/// are compared.
pub const RATE_WINDOW: f64 = 0.02;

/// Peaks of one gauge: means over strides of the extremes of each stride, strains without unit, rates in 1/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrainPeaks {
    /// Maximum of the larger principal strain.
    pub max_principal: f64,
    /// Minimum of the smaller principal strain.
    pub min_principal: f64,
    /// Maximum of the shear strain.
    pub max_shear: f64,
    /// Maximum of the axial strain.
    pub axial_max: f64,
    /// Minimum of the axial strain.
    pub axial_min: f64,
    /// Fastest rise of the larger principal strain, fastest fall of the smaller one, fastest rise of the shear strain,
    /// each a difference over [`RATE_WINDOW`].
    pub rates: [f64; 3],
}

/// Minimum and maximum of a signal in each stride, which is a range of rows, mean over the strides.
pub fn extremes(signal: &[f64], strides: &[Range<usize>]) -> [f64; 2] {
    let mean = |of: &dyn Fn(&Range<usize>) -> f64| strides.iter().map(of).sum::<f64>() / strides.len().max(1) as f64;
    let low = mean(&|rows| signal[rows.clone()].iter().copied().fold(f64::INFINITY, f64::min));
    let high = mean(&|rows| signal[rows.clone()].iter().copied().fold(f64::NEG_INFINITY, f64::max));
    [low, high]
}

impl StrainPeaks {
    /// Peaks of a history with rows at equally spaced `times` \[s\], mean over the strides, which are ranges of rows.
    pub fn new(history: &GaugeHistory, times: &[f64], strides: &[Range<usize>]) -> Self {
        let dt = if times.len() > 1 { times[1] - times[0] } else { RATE_WINDOW };
        let half = ((0.5 * RATE_WINDOW / dt).round() as usize).max(1);
        let mean =
            |of: &dyn Fn(&Range<usize>) -> f64| strides.iter().map(of).sum::<f64>() / strides.len().max(1) as f64;
        let high = |signal: &[f64]| extremes(signal, strides)[1];
        let low = |signal: &[f64]| extremes(signal, strides)[0];
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
            rates: [
                rate(&history.max_principal, 1.0),
                rate(&history.min_principal, -1.0),
                rate(&history.max_shear, 1.0),
            ],
        }
    }

    /// Axial strain of largest magnitude, with its sign.
    pub fn axial(&self) -> f64 {
        if self.axial_max.abs() >= self.axial_min.abs() { self.axial_max } else { self.axial_min }
    }
}
