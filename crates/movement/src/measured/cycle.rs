//! One cycle of a measured walk, without corrections: series, stances, and points under the feet.

use super::contacts::Stance;
use super::feet::Feet;
use super::forces::StanceFit;
use super::gait::Gait;
use super::retarget::Retargeted;
use super::series::motion_series;
use super::sole::Sole;
use crate::error::MovementError;
use crate::reference::ReferenceWalk;
use crate::reference::walk::{GroundSeries, LeftStance, Series, WalkConstants};
use wolff_anatomy::skeleton::GRAVITY;
use wolff_anatomy::{SegmentName, Side, Skeleton, Subject};

/// Measurements of a walk.
pub(super) struct Measurement<'a> {
    /// Coordinates of the skeleton over time.
    pub motion: &'a Retargeted,
    /// Stances on plates.
    pub stances: &'a [Stance],
    /// Times and frame of the gait.
    pub gait: &'a Gait,
}

/// The measured cycle without corrections, as series with the harmonics of `templates` and a ground force with the same
/// number of coefficients as `like`.
pub(super) fn cycle(
    mut skeleton: Skeleton,
    subject: &Subject,
    measured: &Measurement<'_>,
    templates: &[Series],
    like: &GroundSeries,
) -> Result<ReferenceWalk, MovementError> {
    let Measurement { motion, stances, gait } = *measured;
    let constants = WalkConstants {
        mass: skeleton.mass(),
        stature: subject.stature,
        gravity: GRAVITY,
        cycle_time: gait.cycle_time,
        speed: gait.speed,
        duty: gait.duties[0],
    };
    let feet = Feet::new(&skeleton, motion)?;
    let series = motion_series(templates, motion, gait)?;
    let soles = [feet.foot(Side::Right)?, feet.foot(Side::Left)?];
    let fit = StanceFit { like, motion, feet: &soles, gait, weight: constants.weight() };
    let (ground, left) = if gait.symmetric {
        (fit.both_feet(stances)?, None)
    } else {
        let [right, series] = fit.each_foot(stances)?;
        (right, Some(LeftStance { strike: gait.strikes[1], duty: gait.duties[1], series }))
    };
    let grounds = [&ground, left.as_ref().map_or(&ground, |l| &l.series)];
    let toe_joint = skeleton.segment(SegmentName::Toes(Side::Right).name()).map_or(0.0, |s| s.joint.x);
    Sole { feet: &feet, motion, gait, grounds }.place(&mut skeleton.contacts, toe_joint);
    let walk = ReferenceWalk::new(constants, skeleton, series, ground)?;
    Ok(match left {
        Some(left) => walk.with_left_stance(left)?,
        // legs of unequal length move differently
        None if !walk.is_symmetric() => walk.unfolded(),
        None => walk,
    })
}
