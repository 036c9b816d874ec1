//! Frames of a person on the bodies of a model.

use super::draft::Draft;
use super::{LegNames, Standing};
use crate::error::MovementError;
use wolff_anatomy::{Axis, CoordinateRole};
use wolff_multibody::joint::{CustomJoint, itself};
use wolff_multibody::spec::{FrameSpec, GROUND, JointKind};
use wolff_spatial::{Mat3, Pose, Vec3};

/// Coordinates of the root of a person: translations, then rotations about Z, X and Y.
pub(crate) fn root_coordinates() -> [String; 6] {
    use CoordinateRole::{RootRotation, RootTranslation};
    let translations = [Axis::X, Axis::Y, Axis::Z].map(RootTranslation);
    let rotations = [Axis::Z, Axis::X, Axis::Y].map(RootRotation);
    let [x, y, z] = translations.map(|role| role.name().unwrap_or_default());
    let [tilt, list, rotation] = rotations.map(|role| role.name().unwrap_or_default());
    [x, y, z, tilt, list, rotation]
}

/// Gives pelvis and legs the frames of a person, and the pelvis the root joint of a person; returns the pose of the new
/// pelvis frame in the old one.
///
/// The pelvis has its origin between the hips, thigh and shank at their proximal joint with the distal joint on -y, the
/// foot at the ankle, the toes at their joint.
pub(super) fn of_a_person(draft: &mut Draft, pelvis: &str, legs: &[LegNames; 2]) -> Result<Pose, MovementError> {
    free_root(draft, pelvis)?;
    let standing = Standing::new(draft)?;
    let X_pelvis = standing.pose(pelvis)?;
    let forward = X_pelvis.R * Vec3::x();
    let [right, left] = [standing.pose(&legs[0].femur)?.p, standing.pose(&legs[1].femur)?.p];
    let between = Pose::translation(X_pelvis.inverse_point(&(0.5 * (right + left))));
    draft.reframe(pelvis, &between)?;
    if let Some(root) = draft.joint_of(pelvis) {
        root.child = FrameSpec::at(pelvis, Vec3::zeros());
    }
    for leg in legs {
        let place = |name: &str| standing.pose(name);
        let (femur, tibia, ankle) = (place(&leg.femur)?, place(&leg.tibia)?, place(&leg.talus)?.p);
        draft.reframe(&leg.femur, &(femur.inverse() * along(&leg.femur, &femur.p, &tibia.p, &forward)?))?;
        draft.reframe(&leg.tibia, &(tibia.inverse() * along(&leg.tibia, &tibia.p, &ankle, &forward)?))?;
        let foot = place(&leg.calcaneus)?;
        draft.reframe(&leg.calcaneus, &Pose::translation(foot.inverse_point(&ankle)))?;
    }
    Ok(between)
}

/// Frame at the proximal joint, y from the distal joint upwards, x forward.
fn along(name: &str, above: &Vec3, below: &Vec3, forward: &Vec3) -> Result<Pose, MovementError> {
    let rule = || {
        MovementError::rule(
            name,
            "proximal and distal joint coincide or are aligned with the forward axis, so the segment has no long axis",
        )
    };
    let y = (above - below).try_normalize(1e-3).ok_or_else(rule)?;
    let x = (forward - y * y.dot(forward)).try_normalize(1e-3).ok_or_else(rule)?;
    Ok(Pose::new(Mat3::from_columns(&[x, y, x.cross(&y)]), *above))
}

/// The joint of the pelvis: three translations, then rotations about z, x and y.
fn free_root(draft: &mut Draft, pelvis: &str) -> Result<(), MovementError> {
    if let Some(other) = draft.spec.joints.iter().find(|j| j.parent.body == GROUND && j.child.body != pelvis) {
        let rule = format!("connects `{}` to the ground; the pelvis must be the first body", other.child.body);
        return Err(MovementError::rule(&other.name, rule));
    }
    let axes = [Vec3::z(), Vec3::x(), Vec3::y(), Vec3::x(), Vec3::y(), Vec3::z()];
    let free =
        CustomJoint::new(6, axes, [3, 4, 5, 0, 1, 2].map(itself)).map_err(|rule| MovementError::rule(pelvis, rule))?;
    let Some(joint) = draft.joint_of(pelvis) else {
        return Err(MovementError::rule(pelvis, "it has no joint to its parent"));
    };
    if joint.parent.body != GROUND {
        return Err(MovementError::rule(&joint.name, "connects the pelvis to another body; it must be the first body"));
    }
    joint.kind = JointKind::Custom(Box::new(free));
    (joint.parent, joint.child) = (FrameSpec::at(GROUND, Vec3::zeros()), FrameSpec::at(pelvis, Vec3::zeros()));
    joint.coordinates = root_coordinates().into();
    (joint.q0, joint.v0) = (vec![], vec![]);
    Ok(())
}
