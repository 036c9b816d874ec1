//! Lengths in another unit than metres.

use crate::anatomy::Anatomy;
use crate::{Fault, Finding, Severity, median};
use wolff_formats::trial::{LengthUnit, MarkerTrial};

/// Plausible sizes of a set of markers on a person or a part of a person \[m\].
const PLAUSIBLE: std::ops::Range<f64> = 0.15..3.5;
/// Range of sizes \[m\] that a suggested unit must give.
const LIKELY: std::ops::Range<f64> = 0.3..2.5;
/// The most usual size \[m\].
const USUAL: f64 = 1.6;

/// Distance between the middle of the markers of the feet and that of the trunk, of persons in any posture \[m\]; a
/// child that walks has 0.3 m.
const TRUNK: std::ops::Range<f64> = 0.25..2.0;
/// The same distance over the height of the person.
const TRUNK_OF_HEIGHT: std::ops::Range<f64> = 0.25..0.95;

/// The diagonal of the box around all markers, and the distance of trunk and feet, must be those of a person.
pub(super) fn lengths(trial: &MarkerTrial, anatomy: &Anatomy, height: Option<f64>) -> Option<Finding> {
    let size = median((0..trial.times().len()).filter_map(|frame| diagonal(trial, frame)).collect())?;
    let height = height.filter(|h| HEIGHT.contains(h));
    let too_tall = height.is_some_and(|h| size > 3.0 * h);
    let trunk = anatomy.height.filter(|d| {
        let of_height = height.map(|h| d / h);
        !TRUNK.contains(d) || of_height.is_some_and(|r| !TRUNK_OF_HEIGHT.contains(&r))
    });
    let message = match trunk {
        Some(distance) => format!("the trunk is {distance:.4} m from the feet, which is not the size of a person"),
        None if PLAUSIBLE.contains(&size) && !too_tall => return None,
        None => format!("the markers span {size:.4} m, which is not the size of a person"),
    };
    let said = trial.source_unit();
    // the unit with which the size is the most usual one
    let likely = |u: &LengthUnit| LIKELY.contains(&(size * u.metres() / said.metres()));
    let units = [LengthUnit::Metre, LengthUnit::Centimetre, LengthUnit::Millimetre, LengthUnit::Inch];
    let mut explained: Vec<LengthUnit> = units.into_iter().filter(|u| *u != said).filter(likely).collect();
    let away = |u: &LengthUnit| (size * u.metres() / said.metres() / USUAL).ln().abs();
    explained.sort_by(|a, b| away(a).total_cmp(&away(b)));
    let remedy = match explained.first() {
        Some(unit) => format!("the file says {said}, but the numbers are {unit}: read it with --input-unit {unit}"),
        None => "no common unit explains it: check the unit and whether all markers belong to one person".into(),
    };
    Some(Finding { severity: Severity::Error, fault: Fault::Unit, subjects: Vec::new(), span: None, message, remedy })
}

/// Heights of persons \[m\]: from that of a newborn to the tallest on record, 2.72 m (Guinness World Records).
const HEIGHT: std::ops::Range<f64> = 0.4..2.75;

/// A height that no person has.
pub(super) fn height(given: Option<f64>) -> Option<Finding> {
    let height = given.filter(|h| !HEIGHT.contains(h))?;
    let units = [("cm", 0.01), ("mm", 0.001), ("in", 0.0254)];
    let meant = units.into_iter().find(|(_, metres)| HEIGHT.contains(&(height * metres)));
    let remedy = match meant {
        Some((unit, metres)) => format!("perhaps {unit} were meant: give {:.2} m", height * metres),
        None => format!("give the height in m: {} to {} m", HEIGHT.start, HEIGHT.end),
    };
    let message = format!("the height is {height} m, which no person has");
    Some(Finding { severity: Severity::Error, fault: Fault::Unit, subjects: Vec::new(), span: None, message, remedy })
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
