//! Markers of a model and of a recording.

use crate::Subject;
use crate::marker_map::proposed_map;
use wolff_doctor::{distance, median};
use wolff_formats::trial::{LengthUnit, MarkerTrial};
use wolff_verdict::{Finding, grouped};

/// Least number of common markers with which a pose can be found.
const NEEDED: usize = 3;
/// Distance of two markers of a body from which it is compared \[m\]; smaller ones depend on where skin markers are.
const APART: f64 = 0.03;
/// Number of pairs that must be compared.
const PAIRS: usize = 3;
/// Frames that are looked at.
const LOOKS: usize = 20;
/// Recorded over modelled distances of markers on one body. Chosen here: models of adults are used for children of half
/// their size before they are scaled, but not for others.
const RATIO: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// What does not fit between the markers of a model and those of a trial: names and lengths.
///
/// An error where fewer than three markers are common, or where distances differ by more than persons do.
pub fn compare_markers(subject: &Subject, trial: &MarkerTrial) -> Vec<Finding> {
    if subject.markers.is_empty() {
        let remedy = "give a model with markers: `wolff scale` writes those of a marker set into the model";
        return vec![Finding::error(format!("model `{}` has no markers", subject.name), remedy)];
    }
    let far = examine_markers(subject);
    if !far.is_empty() {
        return far;
    }
    let mut findings = names(subject, trial);
    findings.extend(lengths(subject, trial));
    findings
}

/// Farthest place of a marker from the origin of its body \[m\]; chosen here: more than the height of a person.
const FARTHEST: f64 = 3.0;

/// Markers that are not on their bodies: their places have another unit than metres.
pub fn examine_markers(subject: &Subject) -> Vec<Finding> {
    let away: Vec<(&str, f64)> = subject.markers.iter().map(|(n, on)| (n.as_str(), on.pose.p.norm())).collect();
    let far: Vec<&str> = away.iter().filter(|(_, d)| !(*d < FARTHEST)).map(|(n, _)| *n).collect();
    let Some((name, distance)) = away.iter().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|_| !far.is_empty()) else {
        return Vec::new();
    };
    let message = format!(
        "{} of {} markers of the model are more than {FARTHEST} m from the origin of their body, `{name}` is \
         {distance:.1} m away: {}",
        far.len(),
        away.len(),
        grouped(&far)
    );
    vec![Finding::error(message, "places of markers in the model are in m: divide those in mm by 1000")]
}

fn names(subject: &Subject, trial: &MarkerTrial) -> Vec<Finding> {
    let model: Vec<&str> = subject.markers.iter().map(|(n, _)| n.as_str()).collect();
    let recorded: Vec<&str> = trial.markers().iter().map(|m| m.name.as_str()).collect();
    let missing: Vec<&str> = model.iter().copied().filter(|n| !recorded.contains(n)).collect();
    let unused: Vec<&str> = recorded.iter().copied().filter(|n| !model.contains(n)).collect();
    let common = model.len() - missing.len();
    let map = proposed_map(&recorded, &model);
    let proposal = map.map(|map| format!("save this mapping and give it as --marker-map FILE:\n{map}"));
    // a mechanism may have fewer markers than a person
    let needed = NEEDED.min(model.len());
    if common < needed && !recorded.is_empty() {
        let message = format!(
            "the model has {} markers ({}), the trial has {} ({}), and only {common} names are equal; {needed} are needed",
            model.len(),
            grouped(&model),
            recorded.len(),
            grouped(&recorded)
        );
        let by_hand = "no names are similar: write a file with lines `recorded name, name of the model` and give it as \
                       --marker-map FILE, or use --rename RECORDED=MODEL";
        return vec![Finding::error(message, proposal.unwrap_or_else(|| by_hand.into()))];
    }
    let mut findings = Vec::new();
    if !missing.is_empty() {
        let message = format!("{} markers of the model are not in the trial: {}", missing.len(), grouped(&missing));
        findings.push(Finding::note(message, proposal.unwrap_or_default()));
    }
    if !unused.is_empty() {
        let message = format!("{} recorded markers are not on the model: {}", unused.len(), grouped(&unused));
        findings.push(Finding::note(message, "they are ignored"));
    }
    findings
}

/// Distances of markers on the same body must be those of the model, apart from the size of the person.
fn lengths(subject: &Subject, trial: &MarkerTrial) -> Option<Finding> {
    let mut ratios = Vec::new();
    for (i, (a, on)) in subject.markers.iter().enumerate() {
        for (b, other) in subject.markers.iter().skip(i + 1).filter(|(_, other)| other.body == on.body) {
            let modelled = (on.pose.p - other.pose.p).norm();
            if modelled > APART {
                ratios.extend(recorded_distance(trial, a, b).map(|d| d / modelled));
            }
        }
    }
    let ratio = median(ratios.clone()).filter(|r| ratios.len() >= PAIRS && !RATIO.contains(r))?;
    let said = trial.source_unit();
    let units = [LengthUnit::Metre, LengthUnit::Centimetre, LengthUnit::Millimetre, LengthUnit::Inch];
    let explains = |unit: &LengthUnit| (0.7..1.4).contains(&(ratio * unit.metres() / said.metres()));
    let remedy = match units.into_iter().find(explains) {
        Some(unit) => format!("the file says {said}, the numbers are {unit}: read it with --input-unit {unit}"),
        None => "no common unit explains it: check unit and names of the recording, and the scale of the model".into(),
    };
    let message = format!(
        "markers on the same body are {ratio:.3} times as far from each other as on the model (median of {} pairs); \
         persons differ by {} to {}",
        ratios.len(),
        RATIO.start(),
        RATIO.end()
    );
    Some(Finding::error(message, remedy))
}

/// Median distance of two markers \[m\].
fn recorded_distance(trial: &MarkerTrial, a: &str, b: &str) -> Option<f64> {
    let (a, b) = (trial.marker(a)?, trial.marker(b)?);
    let step = (trial.times().len() / LOOKS).max(1);
    let both = a.points.iter().zip(&b.points).step_by(step);
    median(both.filter_map(|(a, b)| Some(distance((*a)?, (*b)?))).collect())
}
