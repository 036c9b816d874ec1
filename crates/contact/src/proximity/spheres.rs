//! Spheres, a sphere in a cavity, a sphere on a plane.

use super::{Proximity, direction};
use wolff_spatial::{Pose, Vec3};

/// Two spheres, or a sphere and a cavity (negative radius).
///
/// ```text
/// depth = R_a + R_b - s |c_b - c_a|,   normal = s (c_b - c_a)/|c_b - c_a|,   s = sign(R_a R_b)
/// ```
///
/// c centres, R radii \[m\]. Where the centres coincide the normal is the warm one, or +y.
pub(super) fn spheres((c_a, R_a): (&Vec3, f64), (c_b, R_b): (&Vec3, f64), warm: Option<Vec3>) -> Proximity {
    let s = (R_a * R_b).signum();
    let normal = direction(&((c_b - c_a) * s), warm);
    Proximity {
        depth: R_a + R_b - s * (c_b - c_a).norm(),
        normal,
        point_a: c_a + normal * R_a,
        point_b: c_b - normal * R_b,
    }
}

/// Half space A (outward normal +y of its frame) and sphere B.
pub(super) fn plane_sphere(X_GA: &Pose, (c, radius): (&Vec3, f64)) -> Proximity {
    let normal: Vec3 = X_GA.R.column(1).into();
    let height = normal.dot(&(c - X_GA.p));
    Proximity { depth: radius - height, normal, point_a: c - normal * height, point_b: c - normal * radius }
}
