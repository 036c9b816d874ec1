//! Lengths in another unit than metres.

use super::{Fault, Finding, Severity, median};
use wolff_formats::trial::{LengthUnit, MarkerTrial};

/// Plausible sizes of a set of markers on a person or a part of a person \[m\].
const PLAUSIBLE: std::ops::Range<f64> = 0.15..3.5;
/// Range of sizes \[m\] that a suggested unit must give.
const LIKELY: std::ops::Range<f64> = 0.3..2.5;

/// The diagonal of the box around all markers must be that of a person.
pub(super) fn lengths(trial: &MarkerTrial, height: Option<f64>) -> Option<Finding> {
    let size = median((0..trial.times().len()).filter_map(|frame| diagonal(trial, frame)).collect())?;
    let too_tall = height.is_some_and(|h| h > 0.0 && size > 3.0 * h);
    if PLAUSIBLE.contains(&size) && !too_tall {
        return None;
    }
    // numbers that were read as metres, or metres that were converted again
    let taken = [LengthUnit::Millimetre, LengthUnit::Centimetre, LengthUnit::Inch];
    let unit = taken.into_iter().find(|u| LIKELY.contains(&(size * u.metres())));
    let divided = taken.into_iter().find(|u| LIKELY.contains(&(size / u.metres())));
    let remedy = match (unit, divided) {
        (Some(unit), _) => format!("the numbers are {unit}: read the file with that unit"),
        (_, Some(unit)) => format!("metres were read as {unit}: read the file in m"),
        _ => "no common unit explains it: check the unit and whether all markers belong to one person".into(),
    };
    Some(Finding {
        severity: Severity::Error,
        fault: Fault::Unit,
        subjects: Vec::new(),
        span: None,
        message: format!("the markers span {size:.4} m, which is not the size of a person"),
        remedy,
    })
}

/// Diagonal of the box around the markers of a frame; `None` where fewer than half are seen.
fn diagonal(trial: &MarkerTrial, frame: usize) -> Option<f64> {
    let (mut low, mut high, mut seen) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3], 0);
    for p in trial.markers().iter().filter_map(|m| m.points.get(frame).copied().flatten()) {
        low = [0, 1, 2].map(|i| p[i].min(low[i]));
        high = [0, 1, 2].map(|i| p[i].max(high[i]));
        seen += 1;
    }
    (seen >= 2 && 2 * seen >= trial.markers().len()).then(|| super::distance(low, high))
}
