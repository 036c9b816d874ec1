//! The feet of a measured walk: their poses, and the times at which each point under them is at rest.

use super::gait::Gait;
use super::retarget::{Retargeted, poses};
use crate::error::MovementError;
use crate::model::stance::FLAT_SOLE;
use wolff_anatomy::Skeleton;
use wolff_anatomy::skeleton::FootPoint;
use wolff_anatomy::{SegmentName, Side, mirror_name};
use wolff_multibody::Model;
use wolff_spatial::Pose;

/// Maximum height above its resting position at which a point counts as in contact [m]: about the compression of soft
/// tissue and shoes.
const LIFT: f64 = 0.012;
/// Number of instants of a cycle at which heights are evaluated.
const POINTS: usize = 200;

/// Poses of the segments over time.
pub(crate) struct Feet {
    model: Model,
    poses: Vec<Vec<Pose>>,
}

/// The floor under a flat foot, in the frame of a segment of it: `y = -depth + along x + across z`, z outward.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FlatFloor {
    /// Depth below the origin of the segment \[m\].
    pub depth: f64,
    /// Slope forward.
    pub along: f64,
    /// Slope outward.
    pub across: f64,
}

/// Plausible height of the ankles above the floor \[m\], shoes included; outside this range the floor is not at zero
/// height.
const ANKLE_HEIGHTS: [f64; 2] = [0.03, 0.15];

impl FlatFloor {
    /// Projects a point of the segment onto the floor.
    fn carry(&self, point: &mut FootPoint) {
        let outward = point.side().outward();
        point.point.y = -self.depth + self.along * point.point.x + self.across * outward * point.point.z;
    }
}

impl Feet {
    /// Poses of the skeleton in the measured motion.
    pub fn new(skeleton: &Skeleton, motion: &Retargeted) -> Result<Self, MovementError> {
        let model = Model::build(&skeleton.spec()?)?;
        let poses = poses(&model, motion);
        Ok(Feet { model, poses })
    }

    /// Poses of a foot.
    pub fn foot(&self, foot: Side) -> Result<Vec<Pose>, MovementError> {
        let name = SegmentName::Foot(foot).name();
        let missing = || MovementError::Missing { what: "body", name: name.into(), purpose: "a stance" };
        let body = self.model.body_index(name).ok_or_else(missing)?;
        Ok(self.poses.iter().map(|poses| poses[body]).collect())
    }

    /// Projects the points under the feet onto the floor, as measured while the feet are flat; where that was not
    /// recorded, or the floor is not at zero height, the points are not changed.
    pub fn lay_down(&self, points: &mut [FootPoint], motion: &Retargeted, gait: &Gait) {
        for foot in Side::BOTH {
            let sides = if gait.symmetric { Side::BOTH.to_vec() } else { vec![foot] };
            let floor = |segment: fn(Side) -> SegmentName| self.floor(segment, &sides, motion, gait);
            let likely = |f: &FlatFloor| (ANKLE_HEIGHTS[0]..ANKLE_HEIGHTS[1]).contains(&f.depth);
            let (Some(sole), Some(toes)) = (floor(SegmentName::Foot).filter(likely), floor(SegmentName::Toes)) else {
                continue;
            };
            for point in points.iter_mut().filter(|p| Side::of(&p.segment) == Some(foot)) {
                let on_toes = matches!(SegmentName::of(&point.segment), Some(SegmentName::Toes(_)));
                if on_toes { toes } else { sole }.carry(point);
            }
        }
    }

    /// The floor in the frame of a segment of the flat feet, averaged over several instants; `None` where no instant at
    /// rest was recorded.
    fn floor(
        &self,
        segment: fn(Side) -> SegmentName,
        feet: &[Side],
        motion: &Retargeted,
        gait: &Gait,
    ) -> Option<FlatFloor> {
        let (mut floor, mut count) = (FlatFloor::default(), 0.0);
        for &foot in feet {
            let outward = foot.outward();
            let body = self.model.body_index(segment(foot).name())?;
            let rests =
                |t: f64| (FLAT_SOLE[0]..FLAT_SOLE[1]).contains(&(gait.phase(t, foot) / gait.duties[foot.index()]));
            for (_, poses) in motion.times.iter().zip(&self.poses).filter(|(t, _)| rests(**t)) {
                // 0 = X.p.y + up · p, up the vertical in the axes of the segment
                let (X, up) = (&poses[body], poses[body].R.row(1));
                floor.depth += X.p.y / up[1];
                floor.along -= up[0] / up[1];
                floor.across -= outward * up[2] / up[1];
                count += 1.0;
            }
        }
        let mean = FlatFloor { depth: floor.depth / count, along: floor.along / count, across: floor.across / count };
        (count > 0.0).then_some(mean)
    }

    /// The window of contact of a point on the foot: where its height over the cycle, counted from the foot's heel
    /// strike, is that at rest; in a symmetric gait the mean height of both sides is used. `None` where no instant at
    /// rest was recorded.
    pub fn window(&self, point: &FootPoint, motion: &Retargeted, gait: &Gait) -> Option<[f64; 2]> {
        let mut bins = vec![(0.0, 0.0); POINTS];
        let own = point.side().index();
        let sides = if gait.symmetric { 2 } else { 1 };
        for name in [&point.segment, &mirror_name(&point.segment)].into_iter().take(sides) {
            let body = self.model.body_index(name)?;
            let local = if Side::of(name) == Side::of(&point.segment) {
                point.point
            } else {
                wolff_anatomy::skeleton::mirror_point(&point.point)
            };
            let foot = Side::of(name).unwrap_or(Side::Right);
            for (t, poses) in motion.times.iter().zip(&self.poses) {
                let bin = &mut bins[((gait.phase(*t, foot) * POINTS as f64) as usize).min(POINTS - 1)];
                bin.0 += poses[body].point(&local).y;
                bin.1 += 1.0;
            }
        }
        let height = |i: usize| (bins[i].1 > 0.0).then(|| bins[i].0 / bins[i].1);
        let index = |share: f64| (share * gait.duties[own] * POINTS as f64) as usize;
        let rest: Vec<f64> = (index(FLAT_SOLE[0])..index(FLAT_SOLE[1])).filter_map(height).collect();
        let level = rest.iter().copied().reduce(f64::min)? + LIFT;
        let down = |i: &usize| height(*i).is_none_or(|y| y < level);
        let middle = index(FLAT_SOLE[0]);
        let first = (0..=middle).rev().take_while(|i| down(i)).last()?;
        let last = (middle..index(1.0)).take_while(|i| down(i)).last()?;
        Some([first, last + 1].map(|i| i as f64 / POINTS as f64))
    }
}
