//! Poses: where a frame is in another.

use crate::{Mat3, Vec3};
use std::ops::Mul;

/// Pose `X_AB` of frame B in frame A: `p_A = R p_B + p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Rotation `R_AB`: components in B to components in A.
    pub R: Mat3,
    /// Position of B's origin in A \[m\].
    pub p: Vec3,
}

impl Pose {
    /// Both frames coincide.
    pub const IDENTITY: Pose =
        Pose { R: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), p: Vec3::new(0.0, 0.0, 0.0) };

    /// Both frames coincide.
    #[inline]
    pub fn identity() -> Self {
        Self::IDENTITY
    }

    /// From a rotation matrix and the position of the origin.
    #[inline]
    pub fn new(R: Mat3, p: Vec3) -> Self {
        Pose { R, p }
    }

    /// Parallel axes, origin at `p`.
    #[inline]
    pub fn translation(p: Vec3) -> Self {
        Pose { R: Mat3::identity(), p }
    }

    /// `X_BA` of `X_AB`.
    #[inline]
    pub fn inverse(&self) -> Pose {
        let R = self.R.transpose();
        Pose { p: -(R * self.p), R }
    }

    /// A point given in B, in A.
    #[inline]
    pub fn point(&self, p_B: &Vec3) -> Vec3 {
        self.R * p_B + self.p
    }

    /// A point given in A, in B.
    #[inline]
    pub fn inverse_point(&self, p_A: &Vec3) -> Vec3 {
        self.R.tr_mul(&(p_A - self.p))
    }
}

impl Mul for Pose {
    type Output = Pose;
    /// `X_AC = X_AB * X_BC`.
    #[inline]
    fn mul(self, X_BC: Pose) -> Pose {
        Pose { R: self.R * X_BC.R, p: self.R * X_BC.p + self.p }
    }
}
