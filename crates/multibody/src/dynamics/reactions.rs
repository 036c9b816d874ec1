//! Joint reactions: what the inboard joint of each body transmits.

use super::inverse::InverseWorkspace;
use crate::kinematics::Kinematics;
use crate::model::Model;
use wolff_spatial::{Force, Pose};

/// Force and moment that the parent puts on `body` through its inboard joint, about the origin of the joint's frame M on the body, in
/// ground axes. `work` holds the result of [`super::inverse::inverse_dynamics`] with all forces (those of constraints too).
pub fn joint_reaction(model: &Model, kin: &Kinematics, work: &InverseWorkspace, body: usize) -> Force {
    let b = &model.bodies[body];
    // frame M of a flexible body is on a node
    let carrier = b.flexible.map_or(body, |f| f.nodes.0 + f.joint_node);
    let X_GM: Pose = kin.bodies[carrier].X_GB * b.X_MB.inverse();
    work.F[body].at(&(X_GM.p - kin.bodies[body].origin))
}
