//! Force plates against feet, floor and gravity.

use super::anatomy::{Anatomy, dot, feet};
use super::{Fault, Finding, Severity, at, distance};
use wolff_formats::trial::{ForcePlate, ForcePlateTrial, GroundWrench, Marker, MarkerTrial};

/// Force above which a plate is surely stepped on \[N\].
const LOADED: f64 = 100.0;
/// Maximum horizontal distance of the centre of pressure from the nearest marker of the foot on it [m]: about a foot's
/// length.
const REACH: f64 = 0.3;
/// Fraction of loaded samples that must be wrong for a finding.
const SHARE: f64 = 0.2;
/// Tolerance of the centre of pressure beyond the edge of a plate, due to noise \[m\].
const EDGE: f64 = 0.05;

fn loaded(plate: &ForcePlate) -> impl Iterator<Item = (usize, &GroundWrench)> {
    let samples = plate.samples.iter().enumerate().filter_map(|(i, s)| s.as_ref().map(|s| (i, s)));
    samples.filter(|(_, s)| distance(s.force, [0.0; 3]) > LOADED)
}

fn finding(plate: &ForcePlate, severity: Severity, fault: Fault, message: String, remedy: &str) -> Finding {
    Finding { severity, fault, subjects: vec![plate.name.clone()], span: None, message, remedy: remedy.into() }
}

/// The ground pushes up, along Y.
pub(super) fn direction(forces: &ForcePlateTrial) -> Vec<Finding> {
    let check = |plate: &ForcePlate| {
        let mut sum = [0.0; 3];
        loaded(plate).for_each(|(_, s)| sum = [0, 1, 2].map(|i| sum[i] + s.force[i]));
        let size = distance(sum, [0.0; 3]);
        let (message, remedy) = if size == 0.0 || sum[1] > 0.7 * size {
            return None;
        } else if sum[1] < -0.7 * size {
            ("pulls down", "the force of the foot on the ground was exported: change the sign of force and moment")
        } else {
            ("points sideways", "forces and markers are in different axes: turn the forces so that Y is up")
        };
        let message = format!("the force of plate `{}` {message} while it is loaded", plate.name);
        Some(finding(plate, Severity::Error, Fault::ForceDirection, message, remedy))
    };
    forces.plates().iter().filter_map(check).collect()
}

/// While a plate is loaded, some marker of a foot is near its centre of pressure.
pub(super) fn under_foot(markers: &MarkerTrial, forces: &ForcePlateTrial, anatomy: &Anatomy) -> Vec<Finding> {
    let feet = feet(markers);
    let up = anatomy.up.unwrap_or([0.0, 1.0, 0.0]);
    let check = |plate: &ForcePlate| {
        let (mut seen, mut far, mut first, mut farthest) = (0usize, 0usize, None, 0.0f64);
        for (i, sample) in loaded(plate) {
            let (Some(&time), Some(point)) = (forces.times().get(i), sample.point) else { continue };
            let reach = frame_at(markers, time).and_then(|frame| nearest(&feet, frame, point, up));
            let Some(reach) = reach else { continue };
            seen += 1;
            if reach > REACH {
                far += 1;
                first.get_or_insert(time);
                farthest = farthest.max(reach);
            }
        }
        let first = first.filter(|_| far as f64 > SHARE * seen as f64)?;
        let message = format!(
            "plate `{}` is loaded with no foot marker within {REACH} m of its centre of pressure in {far} of {seen} \
             samples, first at {}, up to {farthest:.2} m",
            plate.name,
            at(first)
        );
        let remedy = "plates exchanged, corners or axes of the plates wrong, markers and forces shifted in time, \
            or another unit";
        Some(finding(plate, Severity::Error, Fault::PlateNotUnderFoot, message, remedy))
    };
    forces.plates().iter().filter_map(check).collect()
}

/// The frame at a time; `None` outside of the recording.
fn frame_at(markers: &MarkerTrial, time: f64) -> Option<usize> {
    let after = markers.times().partition_point(|t| *t < time);
    (after < markers.times().len()).then_some(after)
}

/// Horizontal distance from a point to the nearest marker in a frame.
fn nearest(feet: &[&Marker], frame: usize, point: [f64; 3], up: [f64; 3]) -> Option<f64> {
    let level = |p: [f64; 3]| {
        let d = [0, 1, 2].map(|i| p[i] - point[i]);
        let height = dot(d, up);
        distance(d, up.map(|u| height * u))
    };
    feet.iter().filter_map(|m| m.points.get(frame).copied().flatten()).map(level).min_by(f64::total_cmp)
}

/// While a plate of known corners is loaded, the centre of pressure is on it.
pub(super) fn off_plate(forces: &ForcePlateTrial) -> Vec<Finding> {
    let check = |plate: &ForcePlate| {
        let corners = plate.corners?;
        let [a, b, c, _] = corners;
        let middle = [0, 1, 2].map(|i| corners.iter().map(|p| p[i]).sum::<f64>() / 4.0);
        let sides = [[0, 1, 2].map(|i| a[i] - b[i]), [0, 1, 2].map(|i| b[i] - c[i])];
        let outside = |p: [f64; 3]| {
            let d = [0, 1, 2].map(|i| p[i] - middle[i]);
            sides.iter().any(|side| {
                let length = distance(*side, [0.0; 3]);
                length > 0.0 && dot(d, *side).abs() / length > 0.5 * length + EDGE
            })
        };
        let points: Vec<(usize, [f64; 3])> = loaded(plate).filter_map(|(i, s)| Some((i, s.point?))).collect();
        let off = points.iter().filter(|(_, p)| outside(*p)).count();
        let first = points.iter().find(|(_, p)| outside(*p)).and_then(|(i, _)| forces.times().get(*i))?;
        let message = format!(
            "the centre of pressure of plate `{}` is off the plate in {off} of {} loaded samples, first at {}",
            plate.name,
            points.len(),
            at(*first)
        );
        let remedy = "moments in another unit, a wrong origin or wrong corners, or channels exchanged";
        (off as f64 > SHARE * points.len() as f64)
            .then(|| finding(plate, Severity::Error, Fault::OffPlate, message, remedy))
    };
    forces.plates().iter().filter_map(check).collect()
}

/// Samples that are missing, and loaded ones without a point.
pub(super) fn gaps(forces: &ForcePlateTrial) -> Vec<Finding> {
    let check = |plate: &ForcePlate| {
        let missing = plate.samples.iter().filter(|s| s.is_none()).count();
        let pointless = loaded(plate).filter(|(_, s)| s.point.is_none()).count();
        let message = match (missing, pointless) {
            (0, 0) => return None,
            (0, n) => format!("plate `{}` is loaded without a centre of pressure in {n} samples", plate.name),
            (n, _) => format!("plate `{}` has {n} samples without a number", plate.name),
        };
        Some(finding(plate, Severity::Warning, Fault::ForceGap, message, "export the forces again, or cut the trial"))
    };
    forces.plates().iter().filter_map(check).collect()
}
