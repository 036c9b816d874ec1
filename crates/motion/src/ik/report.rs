//! Fit of the markers.

/// Fit of the markers of one frame; missing markers are ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkerFit {
    /// Distance of each matched marker \[m\]; NaN where it is missing.
    pub distances: Vec<f64>,
    /// Sum of squared distances \[m²\].
    pub total_squared: f64,
    /// Root mean square distance \[m\].
    pub rms: f64,
    /// Largest distance \[m\].
    pub max: f64,
    /// Index of the marker that it belongs to.
    pub worst: usize,
}

impl MarkerFit {
    /// From the distances \[m\] of the markers, NaN for those not seen.
    pub fn new(distances: Vec<f64>) -> Self {
        let seen = || distances.iter().copied().enumerate().filter(|(_, d)| d.is_finite());
        let total_squared: f64 = seen().map(|(_, d)| d * d).sum();
        let count = seen().count().max(1) as f64;
        let (worst, max) = seen().fold((0, 0.0), |best, (i, d)| if d > best.1 { (i, d) } else { best });
        Self { total_squared, rms: (total_squared / count).sqrt(), max, worst, distances }
    }
}

/// Fit of one marker over a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerStatistics {
    /// Its name.
    pub name: String,
    /// Frames in which it was seen.
    pub frames: usize,
    /// Root mean square distance over those frames \[m\].
    pub rms: f64,
    /// Largest distance \[m\].
    pub max: f64,
    /// Time of the largest distance \[s\].
    pub at: f64,
}
