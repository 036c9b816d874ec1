//! Trunk and arm of the generic body on a skeleton.
//!
//! Spine: the skeleton's trunk has all joints on one vertical line, so points of gait2392's pelvis and trunk keep their
//! position relative to its one joint between them. Shoulder: scapula and clavicle keep their position relative to the
//! shoulder joint; points of the thorax do so in height and depth, while their distance from the median plane is scaled
//! with the width of the shoulders. Neck and hand: points keep their position relative to the lower neck joint, the jaw
//! and the wrist.

use super::place::{GenericLeg, Placement};
use super::table::{Bone, GenericMuscle, GenericPoint};
use crate::error::{AnatomyError, positive};
use crate::names::Side;
use crate::skeleton::{Segment, Skeleton};
use wolff_muscle::path::WrapSpec;
use wolff_spatial::Vec3;

/// Joint between pelvis and trunk in gait2392's pelvis \[m\].
const BACK: Vec3 = Vec3::new(-0.1007, 0.0815, 0.0);
/// Height of that joint above the hips \[m\].
const BACK_HEIGHT: f64 = 0.0815 + 0.0661;
/// Shoulder in the generic thorax \[m\] (arm26).
const SHOULDER: Vec3 = Vec3::new(-0.017545, -0.007, 0.17);
/// Elbow on the generic humerus \[m\] (arm26).
const ELBOW: Vec3 = Vec3::new(0.0061, -0.2904, -0.0123);

/// Height of the shoulders above the hips \[m\] of the man to whom the points of ribs, neck and skull belong: a man of
/// 1.77 m.
const SHOULDER_HEIGHT: f64 = 0.524;
/// Length of his forearm \[m\].
const FOREARM: f64 = 0.2734;

/// Trunk and right arm of the generic body placed on a skeleton.
pub(super) struct GenericUpperBody {
    /// Lumbar joint on the pelvis and shoulder on the thorax \[m\].
    lumbar: Vec3,
    shoulder: Vec3,
    /// Scales of trunk and arm.
    trunk: f64,
    arm: f64,
}

impl GenericUpperBody {
    /// Scales: height of the lumbar joint above the hips, length of the upper arm.
    pub fn on(skeleton: &Skeleton) -> Result<Self, AnatomyError> {
        let segment = |name| find(skeleton, name);
        let lumbar = segment("abdomen")?.joint;
        let arm = segment("upper_arm_r")?;
        let shoulder = skeleton.standing_place(arm) - skeleton.standing_place(segment("thorax")?);
        positive("upper_arm_r", "distance of the shoulder from the median plane [m]", shoulder.z)?;
        Ok(GenericUpperBody {
            lumbar,
            shoulder,
            trunk: positive("abdomen", "height of its joint above the hips [m]", lumbar.y)? / BACK_HEIGHT,
            arm: positive("upper_arm_r", "length [m]", -segment("forearm_r")?.joint.y)? / -ELBOW.y,
        })
    }
}

impl Placement for GenericUpperBody {
    fn point(&self, generic: &GenericPoint) -> Option<(&'static str, Vec3)> {
        let p = Vec3::from(generic.at);
        let from_shoulder = self.shoulder + (p - SHOULDER) * self.arm;
        match generic.bone {
            Bone::Sacrum => Some(("pelvis", self.lumbar + (p - BACK) * self.trunk)),
            Bone::Torso => Some(("abdomen", p * self.trunk)),
            Bone::Thorax => {
                Some(("thorax", Vec3::new(from_shoulder.x, from_shoulder.y, p.z / SHOULDER.z * self.shoulder.z)))
            }
            Bone::Scapula => Some(("thorax", from_shoulder)),
            // the line from shoulder to elbow is made vertical
            Bone::Humerus => Some(("upper_arm_r", (p - ELBOW * (p.y / ELBOW.y) + Vec3::y() * p.y) * self.arm)),
            Bone::Forearm => Some(("forearm_r", p * self.arm)),
            _ => None,
        }
    }

    fn wraps(&self, _: &GenericMuscle, _: Side) -> Vec<WrapSpec> {
        vec![]
    }
}

/// The upper body with neck, hands and the muscle from spine to femur placed on a skeleton.
pub(super) struct WholeUpperBody {
    trunk_and_arm: GenericUpperBody,
    leg: GenericLeg,
    /// Joint of the thorax on the abdomen, lower neck joint on the thorax and wrist on the forearm \[m\].
    loin: Vec3,
    neck: Vec3,
    wrist: Vec3,
    /// Scales of ribs, neck and skull, and of the hand.
    chest: f64,
    forearm: f64,
}

impl WholeUpperBody {
    /// Scales: height of the shoulders above the hips, length of the forearm; the skeleton must have `neck`, `head` and
    /// `hand_r`. The leg is that of `side`; both arms have equal lengths.
    pub fn on(skeleton: &Skeleton, side: Side) -> Result<Self, AnatomyError> {
        let joint = |name| find(skeleton, name).map(|s| s.joint);
        let (loin, neck, wrist) = (joint("thorax")?, joint("neck")?, joint("hand_r")?);
        find(skeleton, "head")?;
        let height = skeleton.standing_place(find(skeleton, "upper_arm_r")?).y;
        Ok(WholeUpperBody {
            trunk_and_arm: GenericUpperBody::on(skeleton)?,
            leg: GenericLeg::on(skeleton, side)?,
            loin,
            neck,
            wrist,
            chest: positive("upper_arm_r", "height of the shoulder above the hips [m]", height)? / SHOULDER_HEIGHT,
            forearm: positive("forearm_r", "length [m]", -wrist.y)? / FOREARM,
        })
    }
}

impl Placement for WholeUpperBody {
    fn point(&self, generic: &GenericPoint) -> Option<(&'static str, Vec3)> {
        let p = Vec3::from(generic.at);
        match generic.bone {
            Bone::Loin => Some(("abdomen", self.loin + p * self.chest)),
            Bone::Ribs => Some(("thorax", p * self.chest)),
            Bone::Collar => Some(("thorax", self.neck + p * self.chest)),
            Bone::Neck => Some(("neck", p * self.chest)),
            Bone::Skull => Some(("head", p * self.chest)),
            Bone::Wrist => Some(("forearm_r", self.wrist + p * self.forearm)),
            Bone::Hand => Some(("hand_r", p * self.forearm)),
            _ => self.trunk_and_arm.point(generic).or_else(|| self.leg.point(generic)),
        }
    }

    fn wraps(&self, _: &GenericMuscle, _: Side) -> Vec<WrapSpec> {
        vec![]
    }
}

fn find<'a>(skeleton: &'a Skeleton, name: &str) -> Result<&'a Segment, AnatomyError> {
    skeleton.segment(name).ok_or_else(|| AnatomyError::Unknown { what: "segment", name: name.into() })
}
