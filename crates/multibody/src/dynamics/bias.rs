//! Accelerations of bodies for given accelerations of the coordinates.

use crate::kinematics::Kinematics;
use crate::model::Model;
use wolff_spatial::{Motion, Vec3};

/// Spatial accelerations `A` of all bodies (gravity not in them) for accelerations `a` of the speeds (none: zero, the
/// bias).
pub fn body_accelerations(model: &Model, kin: &Kinematics, a: Option<&[f64]>, A: &mut [Motion]) {
    A[0] = Motion::ZERO;
    for (i, body) in model.bodies.iter().enumerate().skip(1) {
        let mut A_B = A[body.parent] + kin.bodies[i].c;
        if let Some(a) = a {
            add_columns(model, kin, i, a, &mut A_B);
        }
        A[i] = A_B;
    }
}

/// Adds what the accelerations `a` of the speeds give to body `i` beyond its parent.
#[inline]
pub(crate) fn add_columns(model: &Model, kin: &Kinematics, i: usize, a: &[f64], A: &mut Motion) {
    for k in model.bodies[i].v_range() {
        *A += kin.S[k] * a[k];
    }
    if let Some((first, columns)) = kin.node_columns(model, i) {
        for (column, a) in columns.iter().zip(&a[first..]) {
            *A += *column * *a;
        }
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
