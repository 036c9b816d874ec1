//! The coefficients that least squares may change, and the standard deviation of each change.

use crate::walk::{GroundSeries, LeftStance, ReferenceWalk, Series};
use std::f64::consts::FRAC_1_SQRT_2;
use wolff_anatomy::{Axis, CoordinateRole, Side};

/// A coefficient of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Slot {
    /// Mean of a series.
    Mean(usize),
    /// Cosine of a harmonic of a series.
    Cos(usize, usize),
    /// Sine of a harmonic of a series.
    Sin(usize, usize),
    /// A coefficient of a foot's stance; those of the right foot are used for both where the left has no stance of its
    /// own.
    Ground(Side, Term),
    /// Mean force along an axis that is transferred from one foot to the other, as fraction of body weight.
    Share(usize),
}

/// A coefficient of a stance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Term {
    /// Coefficient of the ground force along an axis.
    Force(usize, usize),
    /// Coefficient of the centre of pressure along or across the foot.
    Centre(usize, usize),
    /// Coefficient of the free moment.
    Moment(usize),
    /// Position (x, z) or turn of the stance foot.
    Foot(usize),
}

/// A coefficient with the standard deviation of its change [rad, m, fraction of weight, ...]: this change costs as much
/// as a residual of one.
pub(super) struct Unknown {
    pub slot: Slot,
    pub sigma: f64,
}

/// Standard deviation of the change of an angle \[rad\]. It and those below are chosen here.
const ANGLE_SIGMA: f64 = 0.03;
/// Standard deviation of the change of a translation of the root \[m\].
const TRANSLATION_SIGMA: f64 = 0.01;
/// Standard deviation of the change of the mean height of the pelvis [m]: it depends on the proportions of the legs.
const PELVIS_HEIGHT_SIGMA: f64 = 0.05;
/// Standard deviation of the change of a coefficient of the centre of pressure \[m\].
const CENTRE_SIGMA: f64 = 0.005;
/// Standard deviation of the change of a coefficient of the free moment over body weight \[m\].
const FREE_MOMENT_SIGMA: f64 = 0.001;
/// Standard deviation of the change of the flat foot's position \[m\] and turn \[rad\].
const FOOT_PLACE_SIGMA: f64 = 0.03;
/// Standard deviation of the change of horizontal forces, as fraction of that of the vertical force: they are smaller.
const HORIZONTAL_FRACTION: f64 = 0.4;

/// All coefficients that may change; those of the ground force with the standard deviation `force` times body weight.
///
/// Not among them: the means of `pelvis_tx` and `pelvis_tz` (where the walk begins), means of coordinates that swing
/// from side to side, and the first coefficients of forward and vertical force, which make the mean force over a cycle
/// exactly zero and body weight. Where the left foot has a stance of its own, mean force may be transferred between the
/// feet. The standard deviations decrease with the square of the frequency, so that accelerations change little. All
/// numbers are chosen here.
pub(super) fn unknowns(walk: &ReferenceWalk, force: f64) -> Vec<Unknown> {
    let mut list = Vec::new();
    // a whole cycle has twice as many residuals: the change of a coefficient of both sides costs twice as much as that
    // of a coefficient of one side
    let both = if walk.is_symmetric() { 1.0 } else { FRAC_1_SQRT_2 };
    let role = |series: &Series| CoordinateRole::of_or_other(&series.coordinate);
    for (i, series) in walk.motion.iter().enumerate() {
        add_motion((i, series, role(series)), if serves_both(walk, i) { both } else { 1.0 }, &mut list);
    }
    match &walk.left {
        // a force outward has no mean where one series serves both feet
        None => add_ground(Side::Right, (&walk.ground, [1, 1, 0]), force, both, &mut list),
        Some(left) => {
            add_ground(Side::Right, (&walk.ground, [1; 3]), force, 1.0, &mut list);
            add_ground(Side::Left, (&left.series, [1; 3]), force, 1.0, &mut list);
            let shared = |axis: &usize| !walk.ground.force[*axis].is_empty() && !left.series.force[*axis].is_empty();
            let sigma = force * 0.5 * (walk.constants.duty + left.duty) * both;
            list.extend((0..3).filter(shared).map(|axis| Unknown { slot: Slot::Share(axis), sigma }));
        }
    }
    list
}

/// Whether a series is that of a coordinate in the median plane, or of both sides.
fn serves_both(walk: &ReferenceWalk, series: usize) -> bool {
    Side::of(&walk.motion[series].coordinate).is_none()
        || walk.sources.iter().any(|s| s.series == series && s.other_side)
}

/// Coefficients of a series, with their standard deviations times `factor`.
fn add_motion((i, series, role): (usize, &Series, CoordinateRole), factor: f64, list: &mut Vec<Unknown>) {
    let mut add = |slot, sigma: f64| list.push(Unknown { slot, sigma: sigma * factor });
    let scale = if role.is_translation() { TRANSLATION_SIGMA } else { ANGLE_SIGMA };
    let sideways = series.harmonics.iter().all(|h| h.order % 2 == 1);
    let is_height = role == CoordinateRole::RootTranslation(Axis::Y);
    let begins = role.is_translation() && !is_height;
    if !sideways && !begins {
        add(Slot::Mean(i), if is_height { PELVIS_HEIGHT_SIGMA } else { scale });
    }
    for (k, h) in series.harmonics.iter().enumerate() {
        let sigma = scale / (1.0 + (f64::from(h.order) / 2.0).powi(2));
        add(Slot::Cos(i, k), sigma);
        add(Slot::Sin(i, k), sigma);
    }
}

/// Coefficients of a stance; those of the forces along X, Y, Z from the coefficients `first` on, with the standard
/// deviation `change`; all standard deviations times `factor`.
fn add_ground(
    foot: Side,
    (series, first): (&GroundSeries, [usize; 3]),
    change: f64,
    factor: f64,
    list: &mut Vec<Unknown>,
) {
    let mut add = |term, sigma: f64| list.push(Unknown { slot: Slot::Ground(foot, term), sigma: sigma * factor });
    let fading = |k: usize| 1.0 / (1.0 + (k as f64 / 4.0).powi(2));
    for (axis, force) in series.force.iter().enumerate() {
        let change = if axis == 1 { change } else { HORIZONTAL_FRACTION * change };
        (first[axis]..force.len()).for_each(|k| add(Term::Force(axis, k), change * fading(k)));
    }
    for (axis, centre) in series.centre.iter().enumerate() {
        (0..centre.len()).for_each(|k| add(Term::Centre(axis, k), CENTRE_SIGMA * fading(k)));
    }
    (0..series.free_moment.len()).for_each(|k| add(Term::Moment(k), FREE_MOMENT_SIGMA * fading(k)));
    (0..3).for_each(|k| add(Term::Foot(k), FOOT_PLACE_SIGMA));
}

/// Reference to a coefficient of the motion; `None` for those of the ground.
fn motion_coefficient(motion: &mut [Series], slot: Slot) -> Option<&mut f64> {
    match slot {
        Slot::Mean(i) => Some(&mut motion[i].mean),
        Slot::Cos(i, k) => Some(&mut motion[i].harmonics[k].cos),
        Slot::Sin(i, k) => Some(&mut motion[i].harmonics[k].sin),
        Slot::Ground(..) | Slot::Share(_) => None,
    }
}

/// Changes a coefficient of the ground reaction by `by`; `duty` is the right foot's. Those of the motion are not
/// changed.
pub(super) fn change_ground(slot: Slot, by: f64, duty: f64, right: &mut GroundSeries, left: Option<&mut LeftStance>) {
    match (slot, left) {
        (Slot::Ground(Side::Right, term), _) => *place_of(right, term) += by,
        (Slot::Ground(Side::Left, term), Some(left)) => *place_of(&mut left.series, term) += by,
        (Slot::Share(axis), Some(left)) => {
            // only the first coefficient has a mean over the stance; outward has the opposite sign on the left
            let sign = if axis == 2 { 1.0 } else { -1.0 };
            right.force[axis][0] += by / duty;
            left.series.force[axis][0] += sign * by / left.duty;
        }
        // without a stance of its own the left foot uses the coefficients of the right one
        (Slot::Ground(Side::Left, _) | Slot::Share(_), None) => (),
        (Slot::Mean(_) | Slot::Cos(..) | Slot::Sin(..), _) => (),
    }
}

fn place_of(series: &mut GroundSeries, term: Term) -> &mut f64 {
    match term {
        Term::Force(axis, k) => &mut series.force[axis][k],
        Term::Centre(axis, k) => &mut series.centre[axis][k],
        Term::Moment(k) => &mut series.free_moment[k],
        Term::Foot(0) => &mut series.foot.x,
        Term::Foot(1) => &mut series.foot.z,
        Term::Foot(_) => &mut series.foot.turn,
    }
}

/// The walk with its coefficients changed by `step` times `change`.
pub(super) fn moved(walk: &ReferenceWalk, unknowns: &[Unknown], change: &[f64], step: f64) -> ReferenceWalk {
    let mut walk = walk.clone();
    for (unknown, d) in unknowns.iter().zip(change) {
        match motion_coefficient(&mut walk.motion, unknown.slot) {
            Some(coefficient) => *coefficient += step * d,
            None => {
                change_ground(unknown.slot, step * d, walk.constants.duty, &mut walk.ground, walk.left.as_mut());
            }
        }
    }
    walk
}
