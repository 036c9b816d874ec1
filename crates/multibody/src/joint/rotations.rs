//! Turns about axes, one after the other.

use super::Columns;
use wolff_spatial::{Mat3, Motion, Vec3};

/// Rotation by `angle` about a unit axis (Rodrigues).
#[inline]
pub fn about(axis: &Vec3, angle: f64) -> Mat3 {
    let (s, c) = angle.sin_cos();
    let t = 1.0 - c;
    let (x, y, z) = (axis.x, axis.y, axis.z);
    Mat3::new(
        t * x * x + c,
        t * x * y - s * z,
        t * x * z + s * y,
        t * x * y + s * z,
        t * y * y + c,
        t * y * z - s * x,
        t * x * z - s * y,
        t * y * z + s * x,
        t * z * z + c,
    )
}

/// Columns and bias of turns about axes that are carried along by the turns before them.
///
/// With `b_k` the k-th axis in F: `ω = Σ b_k v_k` and, the axis `b_k` turning with the angular velocity of the turns
/// before it, `bias = Σ_k (Σ_{j<k} b_j v_j) × b_k v_k`.
#[inline]
pub fn sequence<const N: usize>(axes: &[Vec3; N], q: &[f64], v: &[f64], S: &mut Columns) -> Motion {
    let mut R = Mat3::identity();
    let mut w = Vec3::zeros();
    let mut bias = Vec3::zeros();
    for k in 0..N {
        let b = R * axes[k];
        S[k] = Motion::new(b, Vec3::zeros());
        bias += w.cross(&b) * v[k];
        w += b * v[k];
        R *= about(&axes[k], q[k]);
    }
    Motion::new(bias, Vec3::zeros())
}
