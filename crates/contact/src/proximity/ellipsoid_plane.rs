//! Ellipsoid on a plane.

use super::Proximity;
use wolff_spatial::{Pose, Vec3};

/// Half space A (outward normal n = +y of its frame) and ellipsoid B, in closed form by its support point towards -n:
///
/// ```text
/// x_i = -s_i² m_i/h,   h = √(Σ s_i² m_i²),   m = R_GBᵀ n,   depth = h - n · (c - p)
/// ```
///
/// s semi-axes \[m\], c centre, p a point of the plane.
pub(super) fn plane_ellipsoid(X_GA: &Pose, (X_GB, semi_axes): (&Pose, &Vec3)) -> Proximity {
    let normal: Vec3 = X_GA.R.column(1).into();
    let scaled = X_GB.R.tr_mul(&normal).component_mul(semi_axes);
    let support = scaled.norm();
    let point_b = X_GB.point(&(scaled.component_mul(semi_axes) / -support));
    let depth = support - normal.dot(&(X_GB.p - X_GA.p));
    Proximity { depth, normal, point_a: point_b + normal * depth, point_b }
}
