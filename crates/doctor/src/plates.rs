//! Force plates against feet, floor and gravity.

use crate::anatomy::{Anatomy, dot, feet, nearest_axis, unit};
use crate::{Fault, Finding, Severity, at, axes, distance};
use wolff_formats::trial::{Axes, ForcePlate, ForcePlateTrial, GroundWrench, Marker, MarkerTrial};

/// Force above which a plate is surely stepped on \[N\].
pub(super) const LOADED: f64 = 100.0;
/// Maximum horizontal distance of the centre of pressure from the nearest marker of the foot on it [m]: about a foot's
/// length.
pub(super) const REACH: f64 = 0.3;
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

/// The ground pushes up, along Y. Where it pushes along the upward direction of the body, markers and forces need the
/// same turn, which is told of the markers.
pub(super) fn direction(forces: &ForcePlateTrial, anatomy: &Anatomy) -> Vec<Finding> {
    let check = |plate: &ForcePlate| {
        let mut sum = [0.0; 3];
        loaded(plate).for_each(|(_, s)| sum = [0, 1, 2].map(|i| sum[i] + s.force[i]));
        let mean = unit(sum)?;
        let (message, remedy) = if mean[1] > 0.7 || anatomy.up.is_some_and(|up| dot(mean, up) > 0.7) {
            return None;
        } else if mean[1] < -0.7 {
            ("pulls down".to_string(), reversed(forces.axes(), anatomy))
        } else {
            sideways(mean, forces.axes(), anatomy)
        };
        let turned = axes::turned(forces.axes());
        let message = format!("{turned}the force of plate `{}` {message} while it is loaded", plate.name);
        Some(finding(plate, Severity::Error, Fault::ForceDirection, message, &remedy))
    };
    forces.plates().iter().filter_map(check).collect()
}

/// What to do about a force that pulls down. Without markers the axes that were given may be the cause.
fn reversed(turned: &Axes, anatomy: &Anatomy) -> String {
    let remedy = "the force of the foot on the ground was exported: change the sign of force and moment";
    match *turned == Axes::ISB || anatomy.up.is_some() {
        true => remedy.into(),
        false => format!("the up axis points down: {}; or {remedy}", axes::remedy("x", "-y", turned)),
    }
}

/// A force along another axis than y: message and remedy, with the axes of the laboratory if the markers do not tell
/// theirs.
fn sideways(mean: [f64; 3], turned: &Axes, anatomy: &Anatomy) -> (String, String) {
    let up = nearest_axis(mean);
    let message = format!("points sideways, along {up},");
    let remedy = "forces and markers are in different axes: turn the forces so that Y is up";
    if anatomy.up.is_some() || up.starts_with('-') && *turned == Axes::ISB {
        return (message, remedy.into());
    }
    let level = anatomy.travel.map(|v| [0, 1, 2].map(|i| v[i] - dot(v, mean) * mean[i]));
    let travels = level.filter(|v| distance(*v, [0.0; 3]) > 0.5).map(nearest_axis);
    let forward = travels.unwrap_or_else(|| if up.ends_with('x') { "y".into() } else { "x".into() });
    (message, format!("the force is upwards: {}", axes::remedy(&forward, &up, turned)))
}

/// Force below which a plate carries no part of a person \[N\]; above the noise of an empty plate.
const EMPTY: f64 = 20.0;

/// Plates of which none is ever loaded.
pub(super) fn unloaded(forces: &ForcePlateTrial) -> Option<Finding> {
    let samples = forces.plates().iter().flat_map(|p| p.samples.iter().flatten());
    let most = samples.map(|s| distance(s.force, [0.0; 3])).max_by(f64::total_cmp)?;
    (most < EMPTY).then(|| Finding {
        severity: Severity::Warning,
        fault: Fault::PartialContact,
        subjects: Vec::new(),
        span: None,
        message: format!("no plate is loaded: the largest force of all plates is {most:.2} N"),
        remedy:
            "nobody stepped on the plates, their channels were not recorded, or the forces are in another unit than \
                 N, such as kN or body weights"
                .into(),
    })
}

/// Arm of the moment of a plate about the centre of pressure: its size over that of the force \[m\]. A foot has the
/// free moment only, of a lever below its length.
const LARGEST_ARM: f64 = 0.25;

/// Moments that no foot exerts: in N mm, or about another point than the centre of pressure.
pub(super) fn moments(forces: &ForcePlateTrial) -> Vec<Finding> {
    let check = |plate: &ForcePlate| {
        let with_point = loaded(plate).filter(|(_, s)| s.point.is_some());
        let mut arms: Vec<f64> =
            with_point.map(|(_, s)| distance(s.moment, [0.0; 3]) / distance(s.force, [0.0; 3])).collect();
        arms.sort_by(f64::total_cmp);
        let arm = *arms.get(arms.len() / 2)?;
        let message = format!(
            "the moment of plate `{}` is {arm:.2} m times its force (median), a foot exerts at most {LARGEST_ARM} m: it \
             is in N mm, or not about the centre of pressure",
            plate.name
        );
        let remedy = "give the free moment about the centre of pressure in N m, or leave out the moment";
        (arm > LARGEST_ARM).then(|| finding(plate, Severity::Error, Fault::ForceMoment, message, remedy))
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
pub(super) fn frame_at(markers: &MarkerTrial, time: f64) -> Option<usize> {
    let after = markers.times().partition_point(|t| *t < time);
    (after < markers.times().len()).then_some(after)
}

/// Horizontal distance from a point to the nearest marker in a frame.
pub(super) fn nearest(feet: &[&Marker], frame: usize, point: [f64; 3], up: [f64; 3]) -> Option<f64> {
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
