//! Joints that two models have in common.

use crate::error::MovementError;
use std::ops::Range;
use wolff_multibody::Model;

/// Indices of a joint's coordinates and speeds in two models; including the modes, where both bodies have the same
/// number of modes.
pub(crate) struct SharedJoint {
    pub q: (Range<usize>, Range<usize>),
    pub v: (Range<usize>, Range<usize>),
}

pub(crate) fn shared_joints(from: &Model, to: &Model) -> Result<Vec<SharedJoint>, MovementError> {
    let moving = from.bodies().iter().skip(1).filter(|b| !b.joint_v().is_empty());
    let pair = |b: &wolff_multibody::Body| {
        let found = to.bodies().iter().find(|o| o.joint_name == b.joint_name && o.joint_v().len() == b.joint_v().len());
        let missing =
            || MovementError::Missing { what: "joint", name: b.joint_name.clone(), purpose: "the recorded motion" };
        let other = found.ok_or_else(missing)?;
        if b.modes == other.modes {
            return Ok(SharedJoint { q: (b.q_range(), other.q_range()), v: (b.v_range(), other.v_range()) });
        }
        Ok(SharedJoint { q: (b.joint_q(), other.joint_q()), v: (b.joint_v(), other.joint_v()) })
    };
    moving.map(pair).collect()
}
