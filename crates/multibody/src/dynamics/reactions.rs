//! Joint reactions: what the inboard joint of each body transmits.

use super::inverse::InverseWorkspace;
use crate::kinematics::Kinematics;
use crate::model::Model;
use wolff_spatial::{Force, Pose};

/// Force and moment that the parent puts on `body` through its inboard joint, about the origin of the joint's frame M
/// on the body, in ground axes. `work` holds the result of [`super::inverse::inverse_dynamics`] with all forces (those
/// of constraints too).
pub fn joint_reaction(model: &Model, kin: &Kinematics, work: &InverseWorkspace, body: usize) -> Force {
    let X_GM: Pose = kin.bodies[joint_node(model, body)].X_GB * model.bodies[body].X_MB.inverse();
    work.F[body].at(&(X_GM.p - kin.bodies[body].origin))
}

/// The body that frame M of the inboard joint is on: of a flexible body one of its nodes.
pub fn joint_node(model: &Model, body: usize) -> usize {
    model.bodies[body].flexible.map_or(body, |f| f.nodes.0 + f.joint_node)
}

/// Force and moment that everything attached to a node of a flexible body puts on it there, about the node's origin, in
/// ground axes: applied forces, constraints, bodies that hang on it, and the inboard joint where it is on this node.
/// `work` as for [`joint_reaction`]; none for bodies that are not nodes.
pub fn node_load(model: &Model, kin: &Kinematics, work: &InverseWorkspace, node: usize) -> Option<Force> {
    let b = model.bodies.get(node)?;
    b.node.as_ref()?;
    // what the body must give to the node, the node gives to the body
    let mut load = work.F[node] * -1.0;
    let carrier = model.bodies[b.parent].flexible.as_ref()?;
    if carrier.nodes.0 + carrier.joint_node == node {
        load += work.F[b.parent];
    }
    Some(load.at(&(kin.bodies[node].X_GB.p - kin.bodies[node].origin)))
}
