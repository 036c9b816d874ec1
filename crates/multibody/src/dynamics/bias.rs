//! Accelerations of bodies for given accelerations of the coordinates.

use crate::kinematics::Kinematics;
use crate::model::Model;
use wolff_spatial::{Motion, Vec3};

/// Spatial accelerations `A` of all bodies (gravity not in them) for accelerations `a` of the speeds (none: zero, the bias).
pub fn body_accelerations(model: &Model, kin: &Kinematics, a: Option<&[f64]>, A: &mut [Motion]) {
    A[0] = Motion::ZERO;
    for (i, body) in model.bodies.iter().enumerate().skip(1) {
        let mut A_B = A[body.parent] + kin.bodies[i].c;
        if let Some(a) = a {
            for k in body.v_range() {
                A_B += kin.S[k] * a[k];
            }
        }
        A[i] = A_B;
    }
}

/// Classical acceleration of the point of `body` that is at `p_G`, from the body's spatial acceleration:
/// `a = A.v + α × r + ω × v_P`.
pub fn point_acceleration(kin: &Kinematics, body: usize, A: &Motion, p_G: &Vec3) -> Vec3 {
    let b = &kin.bodies[body];
    let r = p_G - b.origin;
    let velocity = b.V.v + b.V.w.cross(&r);
    A.v + A.w.cross(&r) + b.V.w.cross(&velocity)
}
