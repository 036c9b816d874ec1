//! Markers that jump away for a frame and come back.

use crate::{Fault, Finding, Severity, at, distance, median};
use wolff_formats::trial::{Marker, MarkerTrial};

/// Distance from the mean of the neighbouring frames \[m\] that counts as a spike, if it is also several times the
/// usual distance.
const AWAY: f64 = 0.03;
const TIMES: f64 = 10.0;

/// Distance from the mean of the neighbouring frames \[m\] that counts as a jump to another place, with that of the
/// largest acceleration of a marker on a person \[m/s²\] added; chosen here: ten times that of a heel strike.
const LEAP: f64 = 0.1;
const ACCELERATION: f64 = 1000.0;

/// One finding for each marker with spikes, or with jumps to another place; those of `exchanged` jump because their
/// names are exchanged.
pub(super) fn spikes(trial: &MarkerTrial, exchanged: &[&str]) -> Vec<Finding> {
    let both = |m: &Marker| {
        let jump = || (!exchanged.contains(&m.name.as_str())).then(|| jumps(trial, m)).flatten();
        marker_spikes(trial, m).or_else(jump)
    };
    trial.markers().iter().filter_map(both).collect()
}

/// A marker that is at another place from one frame to the next.
fn jumps(trial: &MarkerTrial, marker: &Marker) -> Option<Finding> {
    let step = |w: &[Option<[f64; 3]>]| match w {
        [Some(a), Some(b), Some(c)] => {
            Some((distance(*b, [0, 1, 2].map(|i| 0.5 * (a[i] + c[i]))), distance(*a, *b).max(distance(*b, *c))))
        }
        _ => None,
    };
    let all: Vec<Option<(f64, f64)>> = marker.points.windows(3).map(step).collect();
    let usual = median(all.iter().flatten().map(|(away, _)| *away).collect())?;
    let limit = LEAP + TIMES * usual + 0.5 * ACCELERATION / trial.rate().powi(2);
    let frame = all.iter().position(|s| s.is_some_and(|(away, _)| away > limit))?;
    let length = all.get(frame).copied().flatten()?.1;
    let time = *trial.times().get(frame + 1)?;
    Some(Finding {
        severity: Severity::Warning,
        fault: Fault::Jump,
        subjects: vec![marker.name.clone()],
        span: Some([time, time]),
        message: format!("marker `{}` jumps by {length:.2} m between two frames at {}", marker.name, at(time)),
        remedy: "another marker or a reflection got its name: delete the points on one side of the jump".into(),
    })
}

fn marker_spikes(trial: &MarkerTrial, marker: &Marker) -> Option<Finding> {
    // how far a point is from the middle of its neighbours, and how far they are from each other
    let three = |w: &[Option<[f64; 3]>]| match w {
        [Some(a), Some(b), Some(c)] => Some((distance(*b, [0, 1, 2].map(|i| 0.5 * (a[i] + c[i]))), distance(*a, *c))),
        _ => None,
    };
    let all: Vec<Option<(f64, f64)>> = marker.points.windows(3).map(three).collect();
    let usual = median(all.iter().flatten().map(|(away, _)| *away).collect())?;
    let is_spike = |s: &Option<(f64, f64)>| s.is_some_and(|(away, apart)| away > AWAY + TIMES * usual && apart < away);
    let frames: Vec<usize> = all.iter().enumerate().filter(|(_, s)| is_spike(s)).map(|(i, _)| i + 1).collect();
    let time = |frame: Option<&usize>| trial.times().get(*frame?).copied();
    let (first, last) = (time(frames.first())?, time(frames.last())?);
    let worst = all.iter().flatten().map(|(away, _)| *away).fold(0.0, f64::max);
    Some(Finding {
        severity: Severity::Warning,
        fault: Fault::Spike,
        subjects: vec![marker.name.clone()],
        span: Some([first, last]),
        message: format!(
            "marker `{}` jumps away and back in {} frame(s), first at {}, up to {worst:.3} m",
            marker.name,
            frames.len(),
            at(first)
        ),
        remedy: "delete the point and fill the gap".into(),
    })
}
