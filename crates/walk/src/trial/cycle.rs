//! One cycle of a measured walk, as it is: series, stances, and soles that reach as far as the centre of pressure.

use super::contacts::Stance;
use super::feet::Feet;
use super::forces::StanceFit;
use super::gait::Gait;
use super::retarget::Retargeted;
use super::series::motion_series;
use crate::error::WalkError;
use wolff_human::skeleton::{GRAVITY, Side};
use wolff_human::walk::{GroundSeries, LeftStance, WalkConstants};
use wolff_human::{ReferenceWalk, Skeleton, Subject};

/// Duty for which windows of contact of a skeleton are given.
const USUAL_DUTY: f64 = 0.63;
/// The sole reaches so far beyond the centre of pressure [m].
const SOLE_MARGIN: f64 = 0.005;

/// The measured cycle as it is.
pub(super) fn cycle(
    mut skeleton: Skeleton,
    subject: &Subject,
    motion: &Retargeted,
    stances: &[Stance],
    gait: &Gait,
) -> Result<ReferenceWalk, WalkError> {
    let mut like = ReferenceWalk::embedded()?;
    if !gait.symmetric {
        like = like.unfolded();
    }
    let constants = WalkConstants {
        mass: skeleton.mass(),
        stature: subject.stature,
        gravity: GRAVITY,
        cycle_time: gait.cycle_time,
        speed: gait.speed,
        duty: gait.duties[0],
    };
    let feet = Feet::new(&skeleton, motion)?;
    let series = motion_series(&like.motion, motion, gait)?;
    let soles = [feet.foot(0)?, feet.foot(1)?];
    let fit = StanceFit { like: &like.ground, motion, feet: &soles, gait, weight: constants.weight() };
    let (ground, left) = if gait.symmetric {
        (fit.both_feet(stances)?, None)
    } else {
        let [right, series] = fit.each_foot(stances)?;
        (right, Some(LeftStance { strike: gait.strikes[1], duty: gait.duties[1], series }))
    };
    reach(&mut skeleton, std::iter::once(&ground).chain(left.as_ref().map(|l| &l.series)));
    for point in &mut skeleton.contacts {
        let duty = gait.duties[usize::from(Side::of(&point.segment) == Side::Left)];
        let usual = point.window.map(|share| share * duty / USUAL_DUTY);
        point.window = feet.window(point, motion, gait).unwrap_or(usual);
    }
    let walk = ReferenceWalk::new(constants, skeleton, series, ground)?;
    Ok(match left {
        Some(left) => walk.with_left_stance(left)?,
        None => walk,
    })
}

/// Moves the points under heel and toes so far apart that the centre of pressure stays between them: shoes are longer than feet.
fn reach<'a>(skeleton: &mut Skeleton, grounds: impl Iterator<Item = &'a GroundSeries>) {
    let along = |ground: &GroundSeries, s: f64| {
        let (reaction, foot) = (ground.at(s, 1.0), &ground.foot);
        let (x, z) = (reaction.point.x - foot.x, reaction.point.z - foot.z);
        (reaction.force.y > 0.1).then(|| x * foot.turn.cos() + z * foot.turn.sin())
    };
    let shares = |ground| (0..=100).filter_map(move |i| along(ground, f64::from(i) / 100.0));
    let centres: Vec<f64> = grounds.flat_map(shares).collect();
    let back = centres.iter().copied().fold(f64::INFINITY, f64::min);
    let front = centres.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let toe_joint = skeleton.segment("toes_r").map_or(0.0, |s| s.joint.x);
    for point in &mut skeleton.contacts {
        let x = &mut point.point.x;
        if point.name.starts_with("heel") {
            *x = x.min(back - SOLE_MARGIN);
        } else if point.name.starts_with("toe") {
            *x = x.max(front - toe_joint + SOLE_MARGIN);
        }
    }
}
