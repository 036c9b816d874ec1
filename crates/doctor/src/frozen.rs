//! Markers that stay at exactly the same place while the body moves.

use crate::gaps::FILLABLE;
use crate::{Fault, Finding, Severity, at, distance, median};
use std::ops::Range;
use wolff_formats::trial::{Marker, MarkerTrial};

/// Movement of the other markers \[m\] from which a marker of the subject cannot stand still; chosen here: more than
/// the sway of a person who stands.
const MOVED: f64 = 0.05;
/// Time for which no marker on a person who moves is at the same place to the last digit \[s\]: longer than a stance
/// phase of walking, in which a marker of the foot may seem to be in a file with few digits.
const STANCE: f64 = 1.0;
/// Frames of a run in which the other markers are looked at.
const LOOKS: usize = 16;

/// One finding for each marker that does not move for a while.
pub(super) fn frozen(trial: &MarkerTrial) -> Vec<Finding> {
    trial.markers().iter().filter_map(|m| marker_frozen(trial, m)).collect()
}

/// The longest run of equal points.
fn marker_frozen(trial: &MarkerTrial, marker: &Marker) -> Option<Finding> {
    let longest = runs(&marker.points).max_by_key(ExactSizeIterator::len)?;
    let time = |frame: usize| trial.times().get(frame).copied();
    let (start, end) = (time(longest.start)?, time(longest.end - 1)?);
    let seconds = (longest.len() - 1) as f64 / trial.rate();
    let moved = others_move(trial, &marker.name, &longest).filter(|d| seconds > FILLABLE && *d > MOVED)?;
    // a marker that never moves may be one of the laboratory
    let is_fixed = marker.points.iter().flatten().count() == longest.len();
    Some(Finding {
        severity: if seconds >= STANCE && !is_fixed { Severity::Error } else { Severity::Warning },
        fault: Fault::Frozen,
        subjects: vec![marker.name.clone()],
        span: Some([start, end]),
        message: format!(
            "marker `{}` is at exactly the same place for {seconds:.3} s from {} on, while the other markers move by \
             {moved:.2} m",
            marker.name,
            at(start)
        ),
        remedy: "a gap was filled with a constant, or the marker is not on the subject: delete these points, so that \
                 they are a gap, or remove the marker"
            .into(),
    })
}

/// Frames with equal points; at least two each.
fn runs(points: &[Option<[f64; 3]>]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut first = 0;
    points
        .chunk_by(|a, b| a.is_some() && a == b)
        .map(move |run| {
            let range = first..first + run.len();
            first = range.end;
            range
        })
        .filter(|range| range.len() > 1)
}

/// How far the other markers are from where they were at the start of a run \[m\]: their median in the frame in which
/// it is largest.
fn others_move(trial: &MarkerTrial, name: &str, run: &Range<usize>) -> Option<f64> {
    let step = (run.len() / LOOKS).max(1);
    let moved = |frame: usize| {
        let away = |m: &Marker| {
            Some(distance(m.points.get(run.start).copied().flatten()?, m.points.get(frame).copied().flatten()?))
        };
        median(trial.markers().iter().filter(|m| m.name != name).filter_map(away).collect())
    };
    run.clone().step_by(step).filter_map(moved).max_by(f64::total_cmp)
}
