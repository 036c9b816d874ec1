//! Joint reactions: what the inboard joint of each body transmits.

use super::inverse::InverseWorkspace;
use crate::kinematics::Kinematics;
use crate::model::Model;
use wolff_spatial::{Force, Pose};

/// Force and moment that the parent puts on `body` through its inboard joint, about the origin of the joint's frame M on the body, in
/// ground axes. `work` holds the result of [`super::inverse::inverse_dynamics`] with all forces (those of constraints too).
pub fn joint_reaction(model: &Model, kin: &Kinematics, work: &InverseWorkspace, body: usize) -> Force {
    let X_BM = model.bodies[body].X_MB.inverse();
    let X_GM: Pose = kin.bodies[body].X_GB * X_BM;
    work.F[body].at(&(X_GM.p - kin.bodies[body].origin))
}
