//! Gaps: frames in which a marker is missing.

use crate::{Fault, Finding, Severity, at};
use wolff_formats::trial::{Gap, MarkerTrial};

/// Longest gap that can be interpolated safely \[s\]; chosen here: about a fifth of a step.
pub(super) const FILLABLE: f64 = 0.2;

/// One finding per marker with gaps; its message describes the longest gap.
pub(super) fn gaps(trial: &MarkerTrial) -> Vec<Finding> {
    let all = trial.gaps();
    all.chunk_by(|a, b| a.marker == b.marker).filter_map(|own| marker_gaps(trial, own)).collect()
}

fn marker_gaps(trial: &MarkerTrial, own: &[Gap]) -> Option<Finding> {
    let longest = own.iter().max_by_key(|g| g.frames)?;
    let name = &trial.markers().get(longest.marker)?.name;
    let time = |frame: usize| trial.times().get(frame).copied();
    let (start, end) = (time(longest.first)?, time(longest.first + longest.frames - 1)?);
    let missing: usize = own.iter().map(|g| g.frames).sum();
    let seconds = longest.frames as f64 / trial.rate();
    let frames = trial.times().len();
    let (severity, message, remedy) = if missing == frames {
        (Severity::Warning, format!("marker `{name}` is missing in all frames"), "remove it from the tasks".to_string())
    } else {
        let message = format!(
            "marker `{name}` is missing in {missing} of {frames} frames; \
             {} gap(s), the longest from {} to {} ({seconds:.3} s)",
            own.len(),
            at(start),
            at(end)
        );
        if seconds > FILLABLE {
            (
                Severity::Warning,
                message,
                "too long to interpolate: fill it from rigid neighbours or ignore the marker there".into(),
            )
        } else {
            (Severity::Note, message, "short enough to fill by a spline".into())
        }
    };
    Some(Finding {
        severity,
        fault: Fault::Gap,
        subjects: vec![name.clone()],
        span: Some([start, end]),
        message,
        remedy,
    })
}

/// Markers exactly at the origin, where a marker is never by chance.
pub(super) fn at_origin(trial: &MarkerTrial) -> Vec<Finding> {
    let find = |m: &wolff_formats::trial::Marker| {
        let at_zero = |p: &Option<[f64; 3]>| *p == Some([0.0; 3]);
        let (first, last) = (m.points.iter().position(at_zero)?, m.points.iter().rposition(at_zero)?);
        let count = m.points.iter().filter(|p| at_zero(p)).count();
        let span = [*trial.times().get(first)?, *trial.times().get(last)?];
        Some(Finding {
            severity: Severity::Error,
            fault: Fault::AtOrigin,
            subjects: vec![m.name.clone()],
            span: Some(span),
            message: format!("marker `{}` is at the origin in {count} frames from {} on", m.name, at(span[0])),
            remedy: "these are gaps written as zeros: export them as empty cells, or remove them".into(),
        })
    };
    trial.markers().iter().filter_map(find).collect()
}
