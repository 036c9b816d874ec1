//! Anatomical roles of the bodies and coordinates of a model, found from positions and axes in standing.

use super::draft::Draft;
use super::{LegNames, Standing};
use crate::error::MovementError;
use wolff_anatomy::{Axis, CoordinateRole, Joint, Motion, SegmentName, Side};
use wolff_spatial::Vec3;

/// Gives the parts of the legs, their angles and the trunk the names of this program; returns the names of all
/// coordinates except those of the first body, in this program and in the file.
///
/// An angle is named after its joint and after the ground axis nearest to its rotation axis in standing, whatever the
/// sign.
pub(super) fn rename(
    draft: &mut Draft,
    pelvis: &str,
    legs: &[LegNames; 2],
    upper: &[(String, &'static str)],
) -> Result<Vec<(String, String)>, MovementError> {
    let standing = Standing::new(draft)?;
    let first = draft.joint_of(pelvis).map(|j| j.coordinates.clone()).unwrap_or_default();
    let own = standing.model.coordinate_names().iter().filter(|c| !first.contains(c));
    let mut names: Vec<(String, String)> = own.map(|c| (c.clone(), c.clone())).collect();
    if let Some((slides, _)) = names.iter().find(|(c, _)| standing.axis(c).is_none_or(|axis| axis.norm() < 0.5)) {
        let rule = "is translational; the forward simulation supports rotational joints only. \
                    Lock it or choose another `skeleton`";
        return Err(MovementError::rule(slides, rule));
    }
    for (leg, side) in legs.iter().zip(Side::BOTH) {
        for (joint, [above, below]) in [
            (Joint::Hip, [pelvis, &leg.femur]),
            (Joint::Knee, [&leg.femur, &leg.tibia]),
            (Joint::Ankle, [&leg.tibia, &leg.calcaneus]),
            (Joint::Toe, [&leg.calcaneus, &leg.toes]),
        ] {
            for coordinate in standing.between(above, below)? {
                let Some(motion) = standing.axis(&coordinate).and_then(|axis| motion(joint, &axis)) else { continue };
                let Some(name) = CoordinateRole::angle(joint, motion, Some(side)).name() else { continue };
                let taken = names.iter().any(|(here, _)| *here == name);
                if let Some(entry) = names.iter_mut().find(|(here, _)| *here == coordinate && !taken) {
                    draft.rename_coordinate(&coordinate, &name);
                    entry.0 = name;
                }
            }
        }
        let segments = [
            (&leg.femur, SegmentName::Thigh(side)),
            (&leg.tibia, SegmentName::Shank(side)),
            (&leg.calcaneus, SegmentName::Foot(side)),
            (&leg.toes, SegmentName::Toes(side)),
        ];
        for (from, to) in segments {
            draft.rename_body(from, to.name());
        }
    }
    draft.rename_body(pelvis, SegmentName::Pelvis.name());
    for (from, to) in upper {
        draft.rename_body(from, to);
    }
    Ok(names)
}

/// The motion of a leg's joint about the ground axis nearest to its rotation axis; `None` where that motion has no
/// name.
fn motion(joint: Joint, axis: &Vec3) -> Option<Motion> {
    match (joint, [Axis::X, Axis::Y, Axis::Z][axis.iamax()]) {
        (_, Axis::Z) => Some(Motion::Flexion),
        (Joint::Hip, Axis::X) => Some(Motion::Adduction),
        (Joint::Hip, Axis::Y) => Some(Motion::Rotation),
        (Joint::Ankle, Axis::X | Axis::Y) => Some(Motion::Inversion),
        (_, Axis::X | Axis::Y) => None,
    }
}

impl Standing {
    /// Coordinates of the joints between two bodies, from the upper one down.
    fn between(&self, above: &str, below: &str) -> Result<Vec<String>, MovementError> {
        let (top, mut body) = (self.body(above)?, self.body(below)?);
        let bodies = self.model.bodies();
        let mut found = Vec::new();
        while body != top {
            if body == 0 {
                let rule = format!(
                    "`{below}` is not a descendant of `{above}`; each leg must be a chain of joints from the pelvis"
                );
                return Err(MovementError::rule(above, rule));
            }
            let speeds = bodies[body].joint_v();
            found.splice(0..0, self.model.coordinate_names()[speeds].iter().cloned());
            body = bodies[body].parent;
        }
        Ok(found)
    }
}
