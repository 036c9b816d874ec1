//! Feet that stand on the floor while no plate carries them.

use crate::anatomy::{Foot, feet_by_side};
use crate::plates::{LOADED, REACH, nearest};
use crate::{Fault, Finding, Severity, at, distance};
use wolff_anatomy::Side;
use wolff_formats::trial::{ForcePlateTrial, Marker, MarkerTrial};

/// Speed below which the slowest marker of a foot is at rest \[m/s\], and height of the lowest marker above its lowest
/// place in the trial \[m\] below which the foot is on the floor; chosen here.
const AT_REST: f64 = 0.2;
const LOW: f64 = 0.03;
/// Half of the time over which speeds are differences of positions \[s\].
const HALF: f64 = 0.03;
/// Shortest stance that is told \[s\].
const STANCE: f64 = 0.3;

/// A foot that no plate carries in the whole trial, although it stands on the floor and the other foot has forces.
pub(super) fn without_force(markers: &MarkerTrial, forces: &ForcePlateTrial) -> Vec<Finding> {
    let Some(feet) = feet_by_side(markers) else { return Vec::new() };
    let loaded = feet.each_ref().map(|foot| is_ever_loaded(markers, forces, foot, &feet));
    let check = |side: Side| {
        let (own, other) = (loaded[side.index()], loaded[side.opposite().index()]);
        let [start, end] = longest_stance(markers, forces, &feet[side.index()]).filter(|_| !own && other)?;
        let word = side.word();
        Some(Finding {
            severity: Severity::Warning,
            fault: Fault::PartialContact,
            subjects: Vec::new(),
            span: Some([start, end]),
            message: format!(
                "the {word} foot stands on the floor from {} to {}, but no force acts on it in the whole trial",
                at(start),
                at(end)
            ),
            remedy: "add the force of its plate; if it stood beside the plates, leave out this time (--time)".into(),
        })
    };
    Side::BOTH.into_iter().filter_map(check).collect()
}

/// Whether a foot is ever the nearest to the centre of pressure of a loaded plate.
fn is_ever_loaded(markers: &MarkerTrial, forces: &ForcePlateTrial, foot: &Foot<'_>, feet: &[Foot<'_>; 2]) -> bool {
    let up = [0.0, 1.0, 0.0];
    let at_frame = |frame: usize| {
        let Some(&time) = markers.times().get(frame) else { return false };
        let sample = forces.times().partition_point(|t| *t < time);
        let samples = forces.plates().iter().filter_map(|p| p.samples.get(sample).copied().flatten());
        samples.filter(|s| s.force[1] > LOADED).filter_map(|s| s.point).any(|point| {
            let of = |foot: &Foot<'_>| nearest(&foot.markers, frame, point, up);
            let least = feet.iter().filter_map(of).min_by(f64::total_cmp);
            of(foot).is_some_and(|d| d < REACH && Some(d) == least)
        })
    };
    (0..markers.times().len()).any(at_frame)
}

/// The longest time in which a foot is at rest on the floor within the recorded forces \[s\]; `None` if it is short.
fn longest_stance(markers: &MarkerTrial, forces: &ForcePlateTrial, foot: &Foot<'_>) -> Option<[f64; 2]> {
    let lowest = |frame: usize| {
        foot.markers.iter().filter_map(|m| m.points.get(frame).copied().flatten()).map(|p| p[1]).min_by(f64::total_cmp)
    };
    let frames = markers.times().len();
    let floor = (0..frames).filter_map(lowest).min_by(f64::total_cmp)?;
    let step = (HALF * markers.rate()).ceil().max(1.0) as usize;
    let speed = |m: &&Marker, frame: usize| {
        let (before, after) = (frame.checked_sub(step)?, frame + step);
        let (a, b) = (m.points.get(before).copied().flatten()?, m.points.get(after).copied().flatten()?);
        Some(distance(a, b) * markers.rate() / (2 * step) as f64)
    };
    let (first, last) = (*forces.times().first()?, *forces.times().last()?);
    let stands = |frame: usize| {
        let slowest = foot.markers.iter().filter_map(|m| speed(m, frame)).min_by(f64::total_cmp);
        let inside = markers.times().get(frame).is_some_and(|t| (first..=last).contains(t));
        inside && slowest.is_some_and(|v| v < AT_REST) && lowest(frame).is_some_and(|y| y < floor + LOW)
    };
    let all: Vec<usize> = (0..frames).filter(|f| stands(*f)).collect();
    let longest = all.chunk_by(|a, b| a + 1 == *b).max_by_key(|run| run.len())?;
    let time = |frame: Option<&usize>| frame.and_then(|f| markers.times().get(*f)).copied();
    let span = [time(longest.first())?, time(longest.last())?];
    (span[1] - span[0] > STANCE).then_some(span)
}
