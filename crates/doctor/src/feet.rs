//! Force plates beside the foot that is on them: its side, and whether it stands.

use crate::anatomy::{Anatomy, Foot, dot, feet_by_side};
use crate::plates::{LOADED, REACH, frame_at, nearest};
use crate::{Fault, Finding, Severity, at, distance};
use wolff_anatomy::Side;
use wolff_formats::trial::{ForcePlate, ForcePlateTrial, Marker, MarkerTrial};
use wolff_verdict::Finding as Told;

/// Samples of a plate that are looked at, at most.
const LOOKS: usize = 2000;
/// Speed of every marker of a foot that swings forward \[m/s\]; in stance the foot is at rest or moves backwards with
/// the belt of a treadmill.
const SWING: f64 = 0.8;
/// Half of the time over which speeds are differences of positions \[s\].
const HALF: f64 = 0.03;
/// Fraction of loaded samples in which the foot swings, from which forces and markers do not belong together. At the
/// start and the end of a step a few samples are doubtful.
const SHARE: f64 = 0.15;
/// Loaded samples that are needed for a statement.
const SAMPLES: usize = 10;

/// What is at a loaded plate in a frame.
struct Step {
    time: f64,
    frame: usize,
    side: Side,
}

/// Frames in which a plate is loaded, with the foot that is nearest to the centre of pressure.
fn steps(markers: &MarkerTrial, forces: &ForcePlateTrial, plate: &ForcePlate, feet: &[Foot<'_>; 2]) -> Vec<Step> {
    let up = [0.0, 1.0, 0.0];
    let every = (plate.samples.len() / LOOKS).max(1);
    let step = |(i, sample): (usize, &Option<wolff_formats::trial::GroundWrench>)| {
        let (sample, &time) = ((*sample)?, forces.times().get(i)?);
        let point = sample.point.filter(|_| sample.force[1] > LOADED)?;
        let frame = frame_at(markers, time)?;
        let [right, left] = feet.each_ref().map(|foot| nearest(&foot.markers, frame, point, up));
        let (right, left) = (right?, left?);
        let side = if right < left { Side::Right } else { Side::Left };
        (right.min(left) < REACH).then_some(Step { time, frame, side })
    };
    plate.samples.iter().enumerate().step_by(every).filter_map(step).collect()
}

/// Plates of a foot, by their names, that are under the other foot. `is_applied` says that the name is that of the body
/// to which the force is applied, so that results are wrong; otherwise it is only the name of a column.
pub fn plate_sides(markers: &MarkerTrial, forces: &ForcePlateTrial, is_applied: bool) -> Vec<Told> {
    let Some(feet) = feet_by_side(markers) else { return Vec::new() };
    let check = |plate: &ForcePlate| {
        let side = Side::of(&plate.name)?;
        let steps = steps(markers, forces, plate, &feet);
        let other = steps.iter().filter(|s| s.side != side).count();
        let first =
            steps.iter().find(|s| s.side != side).filter(|_| steps.len() >= SAMPLES && 2 * other > steps.len())?;
        let message = format!(
            "the force of `{}` is under the {} foot in {other} of {} loaded samples, first at {}",
            plate.name,
            side.opposite().word(),
            steps.len(),
            at(first.time)
        );
        Some(match is_applied {
            true => Told::error(
                message,
                format!(
                    "apply it to the {} foot: exchange the bodies of the loads, or the \
                                 columns",
                    side.opposite().word()
                ),
            ),
            false => Told::warning(message, "left and right are exchanged in the names of the columns: exchange them"),
        })
    };
    forces.plates().iter().filter_map(check).collect()
}

/// A plate that is loaded while the foot on it swings forward.
pub(super) fn swinging(markers: &MarkerTrial, forces: &ForcePlateTrial, anatomy: &Anatomy) -> Vec<Finding> {
    let (Some(feet), Some(facing)) = (feet_by_side(markers), anatomy.facing) else { return Vec::new() };
    let check = |plate: &ForcePlate| {
        let steps = steps(markers, forces, plate, &feet);
        let swings = |s: &&Step| swings(markers, &feet[s.side.index()], s.frame, facing);
        let flying: Vec<&Step> = steps.iter().filter(swings).collect();
        let first = flying.first()?;
        let is_wrong = steps.len() >= SAMPLES && flying.len() as f64 > SHARE * steps.len() as f64;
        is_wrong.then(|| Finding {
            severity: Severity::Error,
            fault: Fault::PlateNotUnderFoot,
            subjects: vec![plate.name.clone()],
            span: None,
            message: format!(
                "plate `{}` is loaded while the foot on it swings forward in {} of {} samples, first at {}",
                plate.name,
                flying.len(),
                steps.len(),
                at(first.time)
            ),
            remedy: "markers and forces are shifted in time or belong to different trials: make them start together"
                .into(),
        })
    };
    forces.plates().iter().filter_map(check).collect()
}

/// Whether every marker of a foot moves forward as in swing.
fn swings(trial: &MarkerTrial, foot: &Foot<'_>, frame: usize, facing: [f64; 3]) -> bool {
    let step = (HALF * trial.rate()).ceil().max(1.0) as usize;
    let speed = |m: &&Marker| {
        let (before, after) = (frame.checked_sub(step)?, frame + step);
        let (a, b) = (m.points.get(before).copied().flatten()?, m.points.get(after).copied().flatten()?);
        let time = |f: usize| trial.times().get(f).copied();
        Some(dot([0, 1, 2].map(|i| b[i] - a[i]), facing) / (time(after)? - time(before)?))
    };
    let speeds: Vec<f64> = foot.markers.iter().filter_map(speed).collect();
    !speeds.is_empty() && speeds.iter().all(|v| *v > SWING)
}

/// Least extent of the movement of a foot relative to the trunk \[m\] that is walking, and the correlation of its
/// height and forward speed below which it walks backwards.
const STRIDE: f64 = 0.3;
const BACKWARDS: f64 = -0.3;

/// Feet that are lifted to swing backwards, as in a recording whose frames are in reverse order. This also holds on a
/// treadmill, where the body does not move.
pub(super) fn lifted_backwards(markers: &MarkerTrial, anatomy: &Anatomy) -> Option<Finding> {
    let (feet, facing) = (feet_by_side(markers)?, anatomy.facing?);
    let trunk = crate::anatomy::trunk(markers);
    let step = (HALF * markers.rate()).ceil().max(1.0) as usize;
    let (mut heights, mut speeds, mut ahead) = (Vec::new(), Vec::new(), [f64::INFINITY, f64::NEG_INFINITY]);
    for marker in feet.iter().flat_map(|foot| &foot.markers) {
        let (mut own, mut count) = (0.0, 0);
        for frame in (step..markers.times().len().saturating_sub(step)).step_by(step) {
            let relative = |f: usize| {
                let (p, t) = (marker.points.get(f).copied().flatten()?, crate::anatomy::middle(&trunk, f)?);
                Some(dot([0, 1, 2].map(|i| p[i] - t[i]), facing))
            };
            let (Some(a), Some(b)) = (relative(frame - step), relative(frame + step)) else { continue };
            let Some(p) = marker.points.get(frame).copied().flatten() else { continue };
            ahead = [ahead[0].min(a), ahead[1].max(a)];
            (own, count) = (own + p[1], count + 1);
            heights.push(p[1]);
            speeds.push(b - a);
        }
        // markers are at different heights on the foot
        let first = heights.len() - count;
        heights[first..].iter_mut().for_each(|h| *h -= own / count.max(1) as f64);
    }
    let walks = ahead[1] - ahead[0] > STRIDE;
    let r = correlation(&heights, &speeds).filter(|r| walks && *r < BACKWARDS)?;
    Some(Finding {
        severity: Severity::Warning,
        fault: Fault::Backwards,
        subjects: Vec::new(),
        span: None,
        message: format!("the feet are lifted while they move backwards (correlation of height and speed {r:.2})"),
        remedy: "walking backwards, or frames in reverse order, or heel and toe markers exchanged: check the recording"
            .into(),
    })
}

/// Correlation of two lists.
fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    let n = x.len() as f64;
    let mean = |v: &[f64]| v.iter().sum::<f64>() / n;
    let (mx, my) = (mean(x), mean(y));
    let product =
        |a: &[f64], ma: f64, b: &[f64], mb: f64| -> f64 { a.iter().zip(b).map(|(a, b)| (a - ma) * (b - mb)).sum() };
    let r = product(x, mx, y, my) / (product(x, mx, x, mx) * product(y, my, y, my)).sqrt();
    r.is_finite().then_some(r)
}

/// Horizontal over vertical force, root mean square, from which its direction is looked at.
const LEAST_LEAN: f64 = 0.03;
/// Correlation of the slopes of force and body below which a component has the wrong sign.
const AWAY: f64 = -0.3;

/// The ground's force points roughly to the centre of mass of a person who moves (Maus et al., Nat Commun 1, 2010): the
/// slopes of the force and of the line from the centre of pressure to the trunk have the same sign.
pub(super) fn away_from_body(markers: &MarkerTrial, forces: &ForcePlateTrial) -> Vec<Finding> {
    let trunk = crate::anatomy::trunk(markers);
    let (mut force, mut body) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for plate in forces.plates() {
        let every = (plate.samples.len() / LOOKS).max(1);
        for (i, sample) in plate.samples.iter().enumerate().step_by(every) {
            let slopes = || {
                let (sample, &time) = ((*sample)?, forces.times().get(i)?);
                let point = sample.point.filter(|_| sample.force[1] > LOADED)?;
                let middle = crate::anatomy::middle(&trunk, frame_at(markers, time)?)?;
                let line = [0, 1, 2].map(|i| middle[i] - point[i]);
                (line[1] > 0.5 * distance(line, [0.0; 3])).then_some((sample.force, line))
            };
            let Some((f, line)) = slopes() else { continue };
            for (n, axis) in [0, 2].into_iter().enumerate() {
                force[n].push(f[axis] / f[1]);
                body[n].push(line[axis] / line[1]);
            }
        }
    }
    let check = |n: usize| {
        let squares = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
        let products: f64 = force[n].iter().zip(&body[n]).map(|(a, b)| a * b).sum();
        let r = products / (squares(&force[n]) * squares(&body[n])).sqrt();
        let lean = (squares(&force[n]) / force[n].len().max(1) as f64).sqrt();
        (lean > LEAST_LEAN && force[n].len() >= SAMPLES && r < AWAY).then(|| lean_finding(["x", "z"][n], r))
    };
    (0..2).filter_map(check).collect()
}

fn lean_finding(axis: &str, r: f64) -> Finding {
    Finding {
        severity: Severity::Error,
        fault: Fault::ForceDirection,
        subjects: Vec::new(),
        span: None,
        message: format!(
            "the horizontal force along {axis} points away from the body, not towards it (correlation {r:.2} with the \
             line from the centre of pressure to the trunk)"
        ),
        remedy: format!("change the sign of {axis} of the forces, or turn them into the axes of the markers"),
    }
}
