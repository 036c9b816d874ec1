//! Frames that are missing although times advance evenly, and frames that are there twice.
//!
//! A program that writes times by counting frames hides both: the body then seems to jump, or to stop for a frame. Of a
//! person who moves, a change of the step from frame to frame is bounded by the acceleration: |s₁ - s₀| = |a| T², with
//! the step s \[m\], the acceleration a \[m/s²\] and the time T of a frame \[s\].

use crate::{Fault, Finding, Severity, at, distance, median};
use wolff_formats::trial::{Marker, MarkerTrial};

/// Acceleration of the median marker of a person \[m/s²\]; chosen here: six times gravity, more than that of a trunk in
/// the landing of a jump.
const ACCELERATION: f64 = 60.0;
/// Change of the step of the median marker that is due to noise \[m\]; chosen here.
const NOISE: f64 = 0.01;
/// Markers that must be seen for a statement about the whole body.
const MARKERS: usize = 5;
/// Step of the median marker from which the body moves \[m\]; chosen here: above the noise of cameras.
const MOVES: f64 = 5e-4;
/// Fraction of frames that are there twice from which the recording is refused.
const SHARE: f64 = 0.01;

/// One finding for all places where frames are missing, and one for all frames that are there twice.
pub(super) fn frames(trial: &MarkerTrial) -> Vec<Finding> {
    lost(trial).into_iter().chain(doubled(trial)).collect()
}

/// Frames in which all markers jump at once.
fn lost(trial: &MarkerTrial) -> Option<Finding> {
    let limit = NOISE + ACCELERATION / trial.rate().powi(2);
    let usual = 1.0 / trial.rate();
    // a hole between times is told as such
    let is_even = |frame: &usize| match trial.times().get(frame - 1..=*frame) {
        Some([a, b]) => (0.5..1.5).contains(&((b - a) / usual)),
        _ => false,
    };
    let jump = |frame: usize| Some((frame, leap(trial, frame)?)).filter(|(_, [change, _])| *change > limit);
    let found: Vec<(usize, [f64; 2])> =
        (2..trial.times().len().saturating_sub(1)).filter(is_even).filter_map(jump).collect();
    let (frame, [_, length]) = *found.first()?;
    let time = *trial.times().get(frame)?;
    let times = if found.len() == 1 { String::new() } else { format!("{} times, first ", found.len()) };
    Some(Finding {
        severity: Severity::Error,
        fault: Fault::Rate,
        subjects: Vec::new(),
        span: Some([time, time]),
        message: format!(
            "all markers jump at once {times}at {}, by {length:.3} m (median) in one frame: the body would be \
             accelerated by more than {ACCELERATION} m/s²",
            at(time)
        ),
        remedy:
            "frames are missing there, though the times do not show it: export the trial again, or use one side of \
                 the jump (--time)"
                .into(),
    })
}

/// How much the step to a frame differs from that before and that after it, and its length: the median of the markers
/// \[m\].
fn leap(trial: &MarkerTrial, frame: usize) -> Option<[f64; 2]> {
    let of = |m: &Marker| {
        let [a, b, c, d] = [frame - 2, frame - 1, frame, frame + 1].map(|f| m.points.get(f).copied().flatten());
        let (a, b, c, d) = (a?, b?, c?, d?);
        let step = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|i| q[i] - p[i]);
        let (before, here, after) = (step(a, b), step(b, c), step(c, d));
        Some((distance(here, before).min(distance(here, after)), distance(b, c)))
    };
    let (changes, lengths): (Vec<f64>, Vec<f64>) = trial.markers().iter().filter_map(of).unzip();
    let enough = changes.len() >= MARKERS && 2 * changes.len() >= trial.markers().len();
    enough.then(|| Some([median(changes)?, median(lengths)?])).flatten()
}

/// Frames that repeat the frame before to the last digit while the body moves.
fn doubled(trial: &MarkerTrial) -> Option<Finding> {
    let is_twice = |frame: &usize| {
        step(trial, *frame).is_some_and(|(length, all_equal)| length == 0.0 && all_equal)
            && [frame - 1, frame + 1].into_iter().any(|f| step(trial, f).is_some_and(|(length, _)| length > MOVES))
    };
    let twice: Vec<usize> = (1..trial.times().len()).filter(is_twice).collect();
    let time = |frame: Option<&usize>| frame.and_then(|f| trial.times().get(*f)).copied();
    let (first, last) = (time(twice.first())?, time(twice.last())?);
    let frames = trial.times().len();
    let is_often = twice.len() as f64 > SHARE * frames as f64;
    Some(Finding {
        severity: if is_often { Severity::Error } else { Severity::Warning },
        fault: Fault::Rate,
        subjects: Vec::new(),
        span: Some([first, last]),
        message: format!(
            "{} of {frames} frames repeat the frame before to the last digit while the body moves, first at {}",
            twice.len(),
            at(first)
        ),
        remedy:
            "frames were written twice, or the trial was resampled without interpolation: export it again with its \
                 own rate"
                .into(),
    })
}

/// The step to a frame: the median of the markers \[m\], and whether all of them are at the same place.
fn step(trial: &MarkerTrial, frame: usize) -> Option<(f64, bool)> {
    let of = |m: &Marker| {
        let before = m.points.get(frame.checked_sub(1)?).copied().flatten()?;
        Some(distance(before, m.points.get(frame).copied().flatten()?))
    };
    let steps: Vec<f64> = trial.markers().iter().filter_map(of).collect();
    let all_equal = steps.iter().all(|s| *s == 0.0);
    (steps.len() >= MARKERS).then(|| Some((median(steps)?, all_equal))).flatten()
}
