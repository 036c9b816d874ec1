//! A femoral condyle: an arc swept along a sagittal curve whose radius falls from front to back.

use super::fitted;
use crate::error::GeometryError;
use crate::nurbs::NurbsSurface;
use wolff_spatial::Vec3;

/// A femoral condyle or the condyle of a femoral component.
///
/// Axes: x forward, y up, z to the right; the origin is on the axis of the posterior arc, midway between the condyles.
/// The sagittal curve is given by its radius of curvature ρ over the direction θ of its outward normal, 0 downwards and
/// growing backwards:
///
/// ```text
/// n(θ) = (-sin θ, -cos θ)    t(θ) = dn/dθ = (-cos θ, sin θ)    dP/dθ = ρ t
/// ρ(θ) = R_p + (R_d - R_p) s(θ)      s = 1 before θ1, (1 + cos π(θ - θ1)/(θ2 - θ1)) / 2 between, 0 after θ2
/// P(θ) = R_p n(θ) - (R_d - R_p) ∫_θ^θ2 s t dθ
/// x(θ, φ) = P(θ) - r n + r (n cos φ + z sin φ)
/// ```
///
/// r coronal radius, φ coronal angle from the middle of the condyle towards +z. The outward normal of the swept surface
/// is `n cos φ + z sin φ` exactly, so that a layer of thickness h ends at `x - h normal`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condyle {
    /// Place of the middle of the condyle along z \[m\].
    pub middle: f64,
    /// R_d, sagittal radius where the knee stands \[m\].
    pub distal_radius: f64,
    /// R_p, sagittal radius where the flexed knee rolls \[m\].
    pub posterior_radius: f64,
    /// θ1, θ2: where the radius begins and ends to change \[rad\].
    pub transition: (f64, f64),
    /// r, coronal radius \[m\].
    pub coronal_radius: f64,
    /// Range of θ that the surface covers \[rad\].
    pub sagittal_range: (f64, f64),
    /// Largest |φ| that the surface covers \[rad\].
    pub coronal_reach: f64,
}

impl Condyle {
    /// Refuses radii and angles that make no condyle.
    pub fn checked(self) -> Result<Self, GeometryError> {
        for (quantity, value) in [
            ("distal radius [m]", self.distal_radius),
            ("posterior radius [m]", self.posterior_radius),
            ("coronal radius [m]", self.coronal_radius),
            ("coronal reach [rad]", self.coronal_reach),
            ("width of the transition [rad]", self.transition.1 - self.transition.0),
            ("sagittal range [rad]", self.sagittal_range.1 - self.sagittal_range.0),
            ("room for the coronal arc [m]", self.smallest_circle()),
        ] {
            GeometryError::positive("condyle", quantity, value)?;
        }
        Ok(self)
    }

    /// Radius of the smallest circle that a point of the coronal arc runs on: it must not vanish or the surface folds.
    fn smallest_circle(&self) -> f64 {
        let rim = self.coronal_radius * (1.0 - self.coronal_reach.cos());
        self.distal_radius.min(self.posterior_radius) - rim
    }

    /// Outward unit normal at (θ, φ).
    pub fn normal(&self, theta: f64, phi: f64) -> Vec3 {
        let ((sin_theta, cos_theta), (sin_phi, cos_phi)) = (theta.sin_cos(), phi.sin_cos());
        Vec3::new(-sin_theta * cos_phi, -cos_theta * cos_phi, sin_phi)
    }

    /// The point (θ, φ), or the one `depth` below it \[m\].
    pub fn point(&self, theta: f64, phi: f64, depth: f64) -> Vec3 {
        let n = self.normal(theta, 0.0);
        let excess = self.distal_radius - self.posterior_radius;
        let P = n * self.posterior_radius - self.swept(theta) * excess + Vec3::z() * self.middle;
        P - n * self.coronal_radius + self.normal(theta, phi) * (self.coronal_radius - depth)
    }

    /// The surface `depth` below the articular one \[m\], fitted within `tolerance` \[m\].
    pub fn surface(&self, depth: f64, tolerance: f64) -> Result<NurbsSurface, GeometryError> {
        let (front, back) = self.sagittal_range;
        let point = |a: f64, b: f64| {
            // φ falls along v, so that the normal of the fit points outwards
            self.point(front + (back - front) * a, self.coronal_reach * (1.0 - 2.0 * b), depth)
        };
        fitted(point, tolerance)
    }

    /// ∫_θ^θ2 s t dθ.
    fn swept(&self, theta: f64) -> Vec3 {
        let (begin, end) = self.transition;
        if theta >= end {
            return Vec3::zeros();
        }
        let before = self.normal(begin, 0.0) - self.normal(theta.min(begin), 0.0);
        before + self.faded(end) - self.faded(theta.max(begin))
    }

    /// ∫ (1 + cos k(θ - θ1)) / 2 t dθ, k = π / (θ2 - θ1); k = 1 would need a transition of half a turn.
    fn faded(&self, theta: f64) -> Vec3 {
        let k = std::f64::consts::PI / (self.transition.1 - self.transition.0);
        let c = -k * self.transition.0;
        let (plus, minus) = ((k + 1.0) * theta + c, (k - 1.0) * theta + c);
        let x = -0.25 * (plus.sin() / (k + 1.0) + minus.sin() / (k - 1.0));
        let y = 0.25 * (minus.cos() / (k - 1.0) - plus.cos() / (k + 1.0));
        self.normal(theta, 0.0) * 0.5 + Vec3::new(x, y, 0.0)
    }
}
