//! Unit quaternions `[w, x, y, z]`, as they are stored in the coordinates of ball and free joints.

use crate::{Mat3, Vec3};

/// A rotation `R_AB` as a quaternion, scalar part first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion {
    /// Scalar part.
    pub w: f64,
    /// Vector part.
    pub v: Vec3,
}

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Quaternion = Quaternion { w: 1.0, v: Vec3::new(0.0, 0.0, 0.0) };

    /// Reads `[w, x, y, z]`.
    #[inline]
    pub fn from_slice(q: &[f64]) -> Self {
        Quaternion { w: q[0], v: Vec3::new(q[1], q[2], q[3]) }
    }

    /// Writes `[w, x, y, z]`.
    #[inline]
    pub fn write(&self, q: &mut [f64]) {
        q[0] = self.w;
        q[1] = self.v.x;
        q[2] = self.v.y;
        q[3] = self.v.z;
    }

    /// The rotation of `rotation.norm()` radians about `rotation` (exponential map).
    pub fn from_rotation_vector(rotation: &Vec3) -> Self {
        let half = 0.5 * rotation.norm();
        // sin(h)/h to second order keeps full precision for tiny angles
        let sinc = if half < 1e-4 { 1.0 - half * half / 6.0 } else { half.sin() / half };
        Quaternion { w: half.cos(), v: rotation * (0.5 * sinc) }
    }

    /// The quaternion of a rotation matrix, scalar part not negative (Shepperd's choice of the largest component).
    pub fn from_matrix(R: &Mat3) -> Self {
        let trace = R.trace();
        let (i, largest) = (0..3).fold((3, trace), |best, k| if R[(k, k)] > best.1 { (k, R[(k, k)]) } else { best });
        let mut q = if i == 3 {
            let s = (1.0 + largest).max(0.0).sqrt();
            Quaternion { w: 0.5 * s, v: antisymmetric_part(R) / (2.0 * s) }
        } else {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let s = (1.0 + R[(i, i)] - R[(j, j)] - R[(k, k)]).max(0.0).sqrt();
            let mut v = Vec3::zeros();
            v[i] = 0.5 * s;
            v[j] = (R[(i, j)] + R[(j, i)]) / (2.0 * s);
            v[k] = (R[(i, k)] + R[(k, i)]) / (2.0 * s);
            Quaternion { w: (R[(k, j)] - R[(j, k)]) / (2.0 * s), v }
        };
        if q.w < 0.0 {
            q = Quaternion { w: -q.w, v: -q.v };
        }
        q
    }

    /// The rotation matrix `R_AB`. The quaternion is taken to have unit norm.
    #[inline]
    pub fn matrix(&self) -> Mat3 {
        let (w, x, y, z) = (self.w, self.v.x, self.v.y, self.v.z);
        Mat3::new(
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        )
    }

    /// Hamilton product: the rotation `self` after `other`.
    #[inline]
    pub fn times(&self, other: &Quaternion) -> Quaternion {
        Quaternion {
            w: self.w * other.w - self.v.dot(&other.v),
            v: other.v * self.w + self.v * other.w + self.v.cross(&other.v),
        }
    }

    /// Rate for an angular velocity given in A (the outer frame): `q' = ½ (0, ω) q`.
    #[inline]
    pub fn rate(&self, w_A: &Vec3) -> Quaternion {
        Quaternion { w: 0.0, v: 0.5 * w_A }.times(self)
    }

    /// Angular velocity in A of a quaternion rate, the inverse of [`Quaternion::rate`].
    #[inline]
    pub fn angular_velocity(&self, rate: &Quaternion) -> Vec3 {
        let conjugate = Quaternion { w: self.w, v: -self.v };
        2.0 * rate.times(&conjugate).v
    }

    /// Euclidean norm.
    #[inline]
    pub fn norm(&self) -> f64 {
        (self.w * self.w + self.v.norm_squared()).sqrt()
    }

    /// Scaled to unit norm; `None` where the norm is zero or not finite.
    pub fn normalized(&self) -> Option<Quaternion> {
        let n = self.norm();
        (n > 0.0 && n.is_finite()).then(|| Quaternion { w: self.w / n, v: self.v / n })
    }
}

fn antisymmetric_part(R: &Mat3) -> Vec3 {
    Vec3::new(R[(2, 1)] - R[(1, 2)], R[(0, 2)] - R[(2, 0)], R[(1, 0)] - R[(0, 1)])
}
