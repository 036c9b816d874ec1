//! Fit of a whole trial, accumulated frame by frame.

use super::report::{MarkerFit, MarkerStatistics};
use super::solver::FrameFit;
use super::tasks::Matched;
use crate::Subject;
use std::collections::BTreeMap;

/// Ranges of coordinates by name \[rad or m\].
pub type Ranges = BTreeMap<String, [f64; 2]>;

/// Statistics of a trial; its memory grows only with omitted frames.
#[derive(Clone, Debug)]
pub struct IkSummary {
    /// Markers and tasks that match, and those that do not.
    pub matched: Matched,
    /// Frames with a pose.
    pub frames: usize,
    /// Frames that did not converge to the tolerance.
    pub rough: usize,
    /// Times of frames omitted because no marker is visible \[s\].
    pub left_out: Vec<f64>,
    /// Frames in which a coordinate is at or beyond the end of its range, by name.
    pub out_of_range: BTreeMap<String, usize>,
    /// Coordinates that no marker determines: they keep the value from which the search starts.
    pub undetermined: Vec<String>,
    /// Coordinates of the model that are free.
    pub coordinates: usize,
    markers: Vec<Tally>,
    total_squared: f64,
    worst: Option<(f64, usize, f64)>,
}

/// One marker.
#[derive(Clone, Copy, Debug)]
struct Tally {
    frames: usize,
    squares: f64,
    max: f64,
    at: f64,
}

impl IkSummary {
    /// Statistics without any frame.
    pub(super) fn new(matched: Matched) -> Self {
        let none = Tally { frames: 0, squares: 0.0, max: 0.0, at: f64::NAN };
        let markers = vec![none; matched.markers.len()];
        Self {
            matched,
            frames: 0,
            rough: 0,
            left_out: Vec::new(),
            out_of_range: Default::default(),
            undetermined: Vec::new(),
            coordinates: 0,
            markers,
            total_squared: 0.0,
            worst: None,
        }
    }

    /// Counts the frame at time `t` \[s\].
    pub(super) fn count(&mut self, t: f64, fit: &FrameFit, markers: &MarkerFit) {
        self.frames += 1;
        self.rough += usize::from(!fit.converged);
        self.total_squared += markers.total_squared;
        if self.worst.is_none_or(|(max, ..)| markers.max >= max) {
            self.worst = Some((markers.max, markers.worst, t));
        }
        for (tally, &distance) in self.markers.iter_mut().zip(&markers.distances) {
            if !distance.is_finite() {
                continue;
            }
            tally.frames += 1;
            tally.squares += distance * distance;
            if distance > tally.max {
                (tally.max, tally.at) = (distance, t);
            }
        }
    }

    /// Counts the coordinates that are outside of their range.
    pub(super) fn count_ranges(&mut self, subject: &Subject, ranges: &Ranges, q: &[f64]) {
        for c in &subject.coordinates {
            // a coordinate that is kept in its range is at its end, others are beyond by a degree or a centimetre
            let beyond = if c.is_angle() { 1f64.to_radians() } else { 0.01 };
            let margin = if c.range.is_some() { -1e-9 } else { beyond };
            let outside = |[low, high]: &[f64; 2]| {
                let fixed = high - low <= 2.0 * margin.abs();
                !fixed && (q[c.position] < low - margin || q[c.position] > high + margin)
            };
            if ranges.get(&c.name).is_some_and(outside) {
                *self.out_of_range.entry(c.name.clone()).or_default() += 1;
            }
        }
    }

    /// Gaps: frames in which a tracked marker was not seen and was ignored, over all tracked markers.
    pub fn ignored(&self) -> usize {
        self.markers.iter().map(|m| self.frames - m.frames.min(self.frames)).sum()
    }

    /// Root mean square marker distance over all frames and markers seen \[m\].
    pub fn rms(&self) -> f64 {
        let seen: usize = self.markers.iter().map(|m| m.frames).sum();
        (self.total_squared / seen.max(1) as f64).sqrt()
    }

    /// The largest distance \[m\], its marker and its time \[s\].
    pub fn worst(&self) -> Option<(f64, &str, f64)> {
        let (distance, marker, t) = self.worst?;
        Some((distance, self.matched.markers.get(marker)?.name.as_str(), t))
    }

    /// Each marker over the whole trial, the worst first.
    pub fn by_marker(&self) -> Vec<MarkerStatistics> {
        let one = |(tally, marker): (&Tally, &super::tasks::MatchedMarker)| {
            let Tally { frames, squares, max, at } = *tally;
            let rms = (squares / frames.max(1) as f64).sqrt();
            MarkerStatistics { name: marker.name.clone(), frames, rms, max, at }
        };
        let mut all: Vec<_> = self.markers.iter().zip(&self.matched.markers).map(one).collect();
        all.sort_by(|a, b| b.rms.total_cmp(&a.rms));
        all
    }
}
