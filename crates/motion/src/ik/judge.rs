//! Limits of marker errors.

use super::summary::IkSummary;
use wolff_verdict::{Finding, Judgement, Limit, grouped};

/// Source of the limits of marker errors.
const GUIDE: &str = "OpenSim, Getting Started with Inverse Kinematics: RMS below 20 mm, maximum below 20 to 40 mm";

/// Root mean square marker error over all frames and markers \[mm\].
///
/// Above 100 mm the pose has failed: on a segment of 0.4 m this is an angle of 14 deg, half of the range of an ankle in
/// walking.
pub fn rms_limit_mm() -> Limit {
    Limit::at_most(20.0, 100.0).because(GUIDE)
}

/// Largest marker error \[mm\]. It alone cannot make a trial fail, since it may be that of a single point.
pub fn max_limit_mm() -> Limit {
    Limit::at_most(40.0, f64::INFINITY).because(GUIDE)
}

/// Root mean square error of one marker \[mm\]. Beyond the last number it is not on the body that the model says, and
/// the joints beside it are wrong by tens of degrees; chosen here: half of the length of a shank.
fn marker_limit_mm() -> Limit {
    Limit::at_most(40.0, 200.0).because(GUIDE)
}

/// Part of the coordinates that may be without markers \[%\]; chosen here: markers of legs and pelvis leave arms and
/// back of a model of the whole body, which are less than half of its coordinates.
const UNDETERMINED: f64 = 50.0;

/// What to do about large marker errors.
const REMEDY: &str = "look at the worst markers: check their names and positions on the model, scale the model, remove \
                      wrong points, or lower their weights";

/// Fraction of frames without convergence that is tolerated: none of them is needed, all have a pose.
const ROUGH: f64 = 0.01;

impl IkSummary {
    /// Judges the fit of a trial: marker errors, convergence, coordinates at the ends of
    /// their ranges or without markers, ignored gaps.
    pub fn judge(&self, judgement: &mut Judgement) {
        judgement.judge("marker error RMS", "mm", 1e3 * self.rms(), &rms_limit_mm(), REMEDY);
        let (max, at) =
            self.worst().map_or((0.0, String::new()), |(d, name, t)| (d, format!(", of `{name}` at {t:.3} s")));
        judgement.judge(&format!("largest marker error{at}"), "mm", 1e3 * max, &max_limit_mm(), REMEDY);
        if let Some(marker) = self.by_marker().first() {
            let what = format!("RMS error of the worst marker, `{}`", marker.name);
            judgement.judge(&what, "mm", 1e3 * marker.rms, &marker_limit_mm(), REMEDY);
        }
        let rough = self.rough as f64 / self.frames.max(1) as f64;
        let limit = Limit::at_most(100.0 * ROUGH, 50.0).because("poses should be minima of the marker errors");
        judgement.judge("frames that did not converge", "%", 100.0 * rough, &limit, "check markers and weights there");
        let names: Vec<&str> = self.out_of_range.keys().map(String::as_str).collect();
        if let Some(most) = self.out_of_range.values().max() {
            judgement.found([Finding::warning(
                format!(
                    "{} at the end of their range in the model, in up to {most} of {} frames: {}",
                    coordinates_are(names.len()),
                    self.frames,
                    grouped(&names)
                ),
                "check markers of these joints, or change the ranges in the model",
            )]);
        }
        if !self.undetermined.is_empty() {
            let names: Vec<&str> = self.undetermined.iter().map(String::as_str).collect();
            let remedy = "they are not a result; track markers on both sides of these joints, or lock the coordinates";
            judgement.found([Finding::warning(
                format!("{} not determined by the tracked markers: {}", coordinates_are(names.len()), grouped(&names)),
                remedy,
            )]);
            let percent = 100.0 * names.len() as f64 / self.coordinates.max(1) as f64;
            let limit = Limit::at_most(UNDETERMINED, 100.0).because("most coordinates should be results");
            judgement.judge("coordinates that no marker determines", "%", percent, &limit, remedy);
        }
        if self.ignored() > 0 {
            let of: usize = self.frames * self.matched.markers.len();
            let message = format!("{} of {of} points of tracked markers are missing", self.ignored());
            judgement.found([Finding::note(message, "they were ignored in their frames; no gap was filled")]);
        }
    }
}

fn coordinates_are(count: usize) -> String {
    if count == 1 { "1 coordinate is".into() } else { format!("{count} coordinates are") }
}
