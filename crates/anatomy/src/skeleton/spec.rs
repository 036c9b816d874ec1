//! From segments to the multibody system.

use super::{Segment, Skeleton, Turn};
use crate::error::AnatomyError;
use wolff_multibody::joint::{CustomJoint, itself};
use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use wolff_spatial::Vec3;

impl Skeleton {
    /// The skeleton as a multibody system: one body per segment, its joint named after it.
    pub fn spec(&self) -> Result<ModelSpec, AnatomyError> {
        if let Some(system) = &self.given {
            return Ok(system.as_ref().clone());
        }
        let joints: Result<Vec<_>, _> = self.segments.iter().map(joint_spec).collect();
        Ok(ModelSpec {
            name: self.name.clone(),
            gravity: Vec3::new(0.0, -self.gravity, 0.0),
            bodies: self.segments.iter().map(|s| BodySpec::rigid(&s.name, s.mass)).collect(),
            joints: joints?,
            constraints: vec![],
        })
    }
}

fn joint_spec(segment: &Segment) -> Result<JointSpec, AnatomyError> {
    Ok(JointSpec {
        name: format!("{}_joint", segment.name),
        kind: joint_kind(segment)?,
        parent: FrameSpec::at(if segment.is_root() { GROUND } else { &segment.parent }, segment.joint),
        child: FrameSpec::at(&segment.name, Vec3::zeros()),
        coordinates: segment.coordinate_names(),
        q0: vec![],
        v0: vec![],
    })
}

fn joint_kind(segment: &Segment) -> Result<JointKind, AnatomyError> {
    match (segment.is_root(), segment.turns.as_slice()) {
        (true, [a, b, c]) => free_joint(&segment.name, [a, b, c]),
        (true, turns) => {
            let rule = format!("the root has {} turns; give it three to move freely", turns.len());
            Err(AnatomyError::rule(&segment.name, rule))
        }
        (false, []) => Ok(JointKind::Weld),
        (false, [a]) => Ok(JointKind::Pin { axis: a.axis }),
        (false, [a, b]) => Ok(JointKind::Universal { axes: [a.axis, b.axis] }),
        (false, [a, b, c]) => Ok(JointKind::Gimbal { axes: [a.axis, b.axis, c.axis] }),
        (false, turns) => {
            let rule = format!("its joint has {} turns; the maximum is three", turns.len());
            Err(AnatomyError::rule(&segment.name, rule))
        }
    }
}

/// Three translations along the world axes (coordinates 1 to 3), then three rotations (4 to 6).
fn free_joint(name: &str, turns: [&Turn; 3]) -> Result<JointKind, AnatomyError> {
    let [a, b, c] = turns.map(|t| t.axis);
    let axes = [a, b, c, Vec3::x(), Vec3::y(), Vec3::z()];
    let joint =
        CustomJoint::new(6, axes, [3, 4, 5, 0, 1, 2].map(itself)).map_err(|rule| AnatomyError::rule(name, rule))?;
    Ok(JointKind::Custom(Box::new(joint)))
}
