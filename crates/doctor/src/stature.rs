//! The height of the subject beside that of the markers.

use crate::anatomy::{Anatomy, dot, feet, named};
use crate::{Fault, Finding, Severity, median};
use wolff_formats::trial::{Marker, MarkerTrial};

/// Markers and their height above the lowest marker of the feet over the height of a person who stands (Drillis and
/// Contini 1966 for the shoulder, the others chosen here from recordings; markers of the feet are 0.02 above the
/// floor).
const LEVELS: [(&[&str], f64); 4] =
    [(&["c7"], 0.84), (&["acrom", "shoulder", "sho"], 0.80), (&["asi"], 0.55), (&["psi"], 0.56)];
/// The height that is found over the given one; beyond these it is told, and beyond the last it cannot be right, since
/// nobody is taller than when standing upright. Chosen here: estimates differ from true heights by up to 8 %, and a
/// person who is crouched or sits seems to be smaller.
const TOLD: std::ops::RangeInclusive<f64> = 0.8..=1.12;
const TALLER: f64 = 1.25;
/// Part of the frames in which the subject is at least as upright as assumed.
const UPRIGHT: f64 = 0.9;

/// A height that does not fit the markers of shoulders and pelvis.
pub(super) fn stature(trial: &MarkerTrial, anatomy: &Anatomy, given: Option<f64>) -> Option<Finding> {
    let (given, up) = (given?, anatomy.up?);
    let estimates: Vec<f64> = LEVELS.iter().filter_map(|(names, part)| Some(level(trial, names, up)? / part)).collect();
    let found = median(estimates)?;
    let ratio = found / given;
    if TOLD.contains(&ratio) {
        return None;
    }
    let (severity, crouched) = match ratio {
        r if r > TALLER => (Severity::Error, ""),
        r if r > 1.0 => (Severity::Warning, ""),
        _ => (Severity::Warning, ", unless the subject is crouched or sits in the whole trial"),
    };
    Some(Finding {
        severity,
        fault: Fault::Stature,
        subjects: Vec::new(),
        span: None,
        message: format!(
            "the height is {given:.2} m, but shoulders and pelvis are as high above the feet as those of a person of \
             {found:.2} m"
        ),
        remedy: format!("give the height of this subject (--stature), or check the unit of the markers{crouched}"),
    })
}

/// Height of the markers with these names above the lowest marker of the feet, in upright frames \[m\].
fn level(trial: &MarkerTrial, names: &[&str], up: [f64; 3]) -> Option<f64> {
    let (tops, feet) = (named(trial, names), feet(trial));
    let heights = |markers: &[&Marker], frame: usize| -> Vec<f64> {
        markers.iter().filter_map(|m| m.points.get(frame).copied().flatten()).map(|p| dot(p, up)).collect()
    };
    let above = |frame: usize| {
        let lowest = heights(&feet, frame).into_iter().min_by(f64::total_cmp)?;
        Some(median(heights(&tops, frame))? - lowest)
    };
    let mut all: Vec<f64> = (0..trial.times().len()).filter_map(above).collect();
    all.sort_by(f64::total_cmp);
    all.get((UPRIGHT * all.len().checked_sub(1)? as f64) as usize).copied()
}
