//! The coefficients that least squares may change, and how far each may go.

use crate::walk::{GroundSeries, ReferenceWalk, Series};

/// A coefficient of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Slot {
    /// Mean of a series.
    Mean(usize),
    /// Cosine of a harmonic of a series.
    Cos(usize, usize),
    /// Sine of a harmonic of a series.
    Sin(usize, usize),
    /// Coefficient of the ground force along an axis.
    Force(usize, usize),
    /// Coefficient of the centre of pressure along or across the foot.
    Centre(usize, usize),
    /// Coefficient of the free moment.
    Moment(usize),
    /// Place (x, z) or turn of the stance foot.
    Foot(usize),
}

/// A coefficient with the change that costs as much as one fault [rad, m, share of weight, ...].
pub(super) struct Unknown {
    pub slot: Slot,
    pub sigma: f64,
}

/// Change of an angle's mean [rad], of a displacement's [m], of the height of the pelvis [m].
const ANGLE: f64 = 0.03;
const DISPLACEMENT: f64 = 0.01;
const PELVIS_HEIGHT: f64 = 0.05;

/// All that may change.
///
/// Not among them: the mean of `pelvis_tx` (where the walk begins), means of coordinates that swing from side to side, and the first
/// coefficients of forward and vertical force, which make the mean force over a cycle exactly zero and body weight.
/// The changes allowed fall with the square of the frequency, so that accelerations stay as they are (own choice of all numbers).
pub(super) fn unknowns(walk: &ReferenceWalk) -> Vec<Unknown> {
    let mut list = Vec::new();
    let mut add = |slot, sigma| list.push(Unknown { slot, sigma });
    for (i, series) in walk.motion.iter().enumerate() {
        let scale = if is_displacement(series) { DISPLACEMENT } else { ANGLE };
        let sideways = series.harmonics.iter().all(|h| h.order % 2 == 1);
        if !sideways && !series.coordinate.ends_with("_tx") {
            add(Slot::Mean(i), if series.coordinate.ends_with("_ty") { PELVIS_HEIGHT } else { scale });
        }
        for (k, h) in series.harmonics.iter().enumerate() {
            let sigma = scale / (1.0 + (f64::from(h.order) / 2.0).powi(2));
            add(Slot::Cos(i, k), sigma);
            add(Slot::Sin(i, k), sigma);
        }
    }
    let fading = |k: usize| 1.0 / (1.0 + (k as f64 / 4.0).powi(2));
    for (axis, force) in walk.ground.force.iter().enumerate() {
        let first = if axis == 2 { 0 } else { 1 };
        (first..force.len()).for_each(|k| add(Slot::Force(axis, k), 0.03 * fading(k)));
    }
    for (axis, centre) in walk.ground.centre.iter().enumerate() {
        (0..centre.len()).for_each(|k| add(Slot::Centre(axis, k), 0.005 * fading(k)));
    }
    (0..walk.ground.free_moment.len()).for_each(|k| add(Slot::Moment(k), 0.001 * fading(k)));
    (0..3).for_each(|k| add(Slot::Foot(k), 0.03));
    list
}

fn is_displacement(series: &Series) -> bool {
    ["_tx", "_ty", "_tz"].iter().any(|end| series.coordinate.ends_with(end))
}

/// A coefficient of the motion in its place; none for those of the ground.
fn motion_coefficient(motion: &mut [Series], slot: Slot) -> Option<&mut f64> {
    match slot {
        Slot::Mean(i) => Some(&mut motion[i].mean),
        Slot::Cos(i, k) => Some(&mut motion[i].harmonics[k].cos),
        Slot::Sin(i, k) => Some(&mut motion[i].harmonics[k].sin),
        _ => None,
    }
}

/// A coefficient of the ground reaction in its place; none for those of the motion.
pub(super) fn ground_coefficient(ground: &mut GroundSeries, slot: Slot) -> Option<&mut f64> {
    match slot {
        Slot::Force(axis, k) => Some(&mut ground.force[axis][k]),
        Slot::Centre(axis, k) => Some(&mut ground.centre[axis][k]),
        Slot::Moment(k) => Some(&mut ground.free_moment[k]),
        Slot::Foot(0) => Some(&mut ground.foot.x),
        Slot::Foot(1) => Some(&mut ground.foot.z),
        Slot::Foot(_) => Some(&mut ground.foot.turn),
        _ => None,
    }
}

/// The walk with its coefficients moved by `step` times `change`.
pub(super) fn moved(walk: &ReferenceWalk, unknowns: &[Unknown], change: &[f64], step: f64) -> ReferenceWalk {
    let mut walk = walk.clone();
    for (unknown, d) in unknowns.iter().zip(change) {
        let (motion, ground) = (&mut walk.motion, &mut walk.ground);
        let place = motion_coefficient(motion, unknown.slot).or_else(|| ground_coefficient(ground, unknown.slot));
        if let Some(coefficient) = place {
            *coefficient += step * d;
        }
    }
    walk
}
