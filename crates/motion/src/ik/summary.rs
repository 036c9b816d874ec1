//! Fit of a whole trial, accumulated frame by frame.

use super::report::{MarkerFit, MarkerStatistics};
use super::solver::FrameFit;
use super::tasks::Matched;

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
        Self { matched, frames: 0, rough: 0, left_out: Vec::new(), markers, total_squared: 0.0, worst: None }
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
