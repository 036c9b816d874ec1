//! Rotation, scale and translation between matched points.

use wolff_spatial::{Mat3, Vec3};

/// `x -> shift + scale R x`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Similarity {
    pub scale: f64,
    pub rotation: Mat3,
    pub shift: Vec3,
}

impl Similarity {
    pub fn identity() -> Self {
        Self { scale: 1.0, rotation: Mat3::identity(), shift: Vec3::zeros() }
    }

    pub fn apply(&self, x: &Vec3) -> Vec3 {
        self.shift + self.rotation * x * self.scale
    }

    /// The point that is mapped to `y`.
    pub fn back(&self, y: &Vec3) -> Vec3 {
        self.rotation.transpose() * (y - self.shift) / self.scale
    }

    /// This one after another.
    pub fn after(&self, first: &Similarity) -> Self {
        Self {
            scale: self.scale * first.scale,
            rotation: self.rotation * first.rotation,
            shift: self.apply(&first.shift),
        }
    }

    /// The one with the least sum of squares from the first points to the second (Umeyama 1991, IEEE Trans. Pattern
    /// Anal. Mach. Intell. 13, 376-380); `None` for points without spread.
    pub fn between(pairs: &[(Vec3, Vec3)]) -> Option<Self> {
        let n = pairs.len() as f64;
        let from = pairs.iter().map(|p| p.0).sum::<Vec3>() / n;
        let to = pairs.iter().map(|p| p.1).sum::<Vec3>() / n;
        let (mut covariance, mut spread) = (Mat3::zeros(), 0.0);
        for (a, b) in pairs {
            covariance += (b - to) * (a - from).transpose();
            spread += (a - from).norm_squared();
        }
        let svd = covariance.try_svd(true, true, f64::EPSILON, 1000)?;
        let (u, vt) = (svd.u?, svd.v_t?);
        let mirror = Vec3::new(1.0, 1.0, (u * vt).determinant().signum());
        let rotation = u * Mat3::from_diagonal(&mirror) * vt;
        let scale = svd.singular_values.dot(&mirror) / spread;
        let shift = to - rotation * from * scale;
        (scale.is_finite() && scale > 0.0).then_some(Self { scale, rotation, shift })
    }

    /// Whether it changes nothing that matters.
    pub fn is_nearly_nothing(&self) -> bool {
        (self.scale - 1.0).abs() < 1e-6 && (self.rotation - Mat3::identity()).norm() < 1e-6
    }
}
