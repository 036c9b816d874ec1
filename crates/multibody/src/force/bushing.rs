//! A six-component spring and damper between two frames.

use super::{ForceElement, Instant, Loads};
use crate::error::SpecError;
use crate::model::Frame;
use nalgebra::{Matrix6, Vector6};
use wolff_spatial::{Mat3, Pose, Quaternion, Vec3, skew};

/// Least eigenvalue of a stiffness or damping matrix, relative to its largest entry, that still counts as zero.
const ROUNDING: f64 = 1e-9;

/// A linear spring and damper in all six relative motions of two frames A and B, without force where they coincide.
///
/// ```text
/// ξ = [p; θ]        U = ½ ξᵀ K ξ        g = K ξ + D ξ'
/// f = -g_p          n = -J(θ)⁻ᵀ g_θ     J(θ)⁻¹ = 1 - ½[θ] + c(φ) [θ]²,   c = (1 - (φ/2) cot(φ/2)) / φ²,   φ = |θ|
/// ```
///
/// `p` \[m\] is the origin of B and `θ` \[rad\] the rotation vector of B, both relative to A and in the axes of A; `K`
/// the stiffness (blocks N/m, N, N m/rad) and `D` the damping. `f` \[N\] and `n` \[N m\] act on B at its origin, their
/// opposites on A at the same place. `θ' = J⁻¹ (ω_B - ω_A)`, so that the forces are the exact gradient of `U` at any
/// rotation short of a half turn.
///
/// What is linear: `g` in `ξ`. The law is that of an elastic part whose stiffness does not change with its shape;
/// whether a real part obeys it beyond small rotations is another question. Singular at φ = π, where the rotation
/// vector jumps.
#[derive(Clone, Debug, PartialEq)]
pub struct Bushing {
    name: String,
    a: Frame,
    b: Frame,
    stiffness: Matrix6<f64>,
    damping: Matrix6<f64>,
}

impl Bushing {
    /// Checks and stores: both matrices must be finite, symmetric and without negative eigenvalues.
    pub fn new(
        name: &str,
        a: Frame,
        b: Frame,
        stiffness: Matrix6<f64>,
        damping: Matrix6<f64>,
    ) -> Result<Self, SpecError> {
        check_matrix(name, "stiffness", &stiffness)?;
        check_matrix(name, "damping", &damping)?;
        Ok(Bushing { name: name.into(), a, b, stiffness, damping })
    }

    /// `ξ`: displacement \[m\] and rotation vector \[rad\] of B relative to A, in the axes of A.
    pub fn deformation(&self, at: &Instant<'_>) -> Vector6<f64> {
        Relative::of(at, &self.a, &self.b).xi
    }

    /// `ξ'` \[m/s, rad/s\].
    pub fn deformation_rate(&self, at: &Instant<'_>) -> Vector6<f64> {
        Relative::of(at, &self.a, &self.b).rate(at, &self.a, &self.b)
    }
}

impl ForceElement for Bushing {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let relative = Relative::of(at, &self.a, &self.b);
        let g = self.stiffness * relative.xi + self.damping * relative.rate(at, &self.a, &self.b);
        let (g_p, g_theta) = halves(&g);
        let R_GA = &relative.X_GA.R;
        let (f, n) = (-(R_GA * g_p), -(R_GA * relative.inverse_J.tr_mul(&g_theta)));
        out.force_at(self.b.body, &relative.p_GB, f);
        out.torque(self.b.body, n);
        out.force_at(self.a.body, &relative.p_GB, -f);
        out.torque(self.a.body, -n);
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        let xi = self.deformation(at);
        0.5 * xi.dot(&(self.stiffness * xi))
    }
}

/// Frame B seen from frame A.
struct Relative {
    X_GA: Pose,
    p_GB: Vec3,
    xi: Vector6<f64>,
    inverse_J: Mat3,
}

impl Relative {
    fn of(at: &Instant<'_>, a: &Frame, b: &Frame) -> Self {
        let (X_GA, X_GB) = (at.pose(a), at.pose(b));
        let theta = rotation_vector(&(X_GA.R.transpose() * X_GB.R));
        let xi = stacked(&X_GA.inverse_point(&X_GB.p), &theta);
        Relative { X_GA, p_GB: X_GB.p, xi, inverse_J: inverse_left_jacobian(&theta) }
    }

    fn rate(&self, at: &Instant<'_>, a: &Frame, b: &Frame) -> Vector6<f64> {
        let (V_A, V_B) = (at.velocity(a), at.velocity(b));
        let slip = V_B.v - V_A.v - V_A.w.cross(&(self.p_GB - self.X_GA.p));
        let turn = self.inverse_J * self.X_GA.R.tr_mul(&(V_B.w - V_A.w));
        stacked(&self.X_GA.R.tr_mul(&slip), &turn)
    }
}

/// The vector `θ` with `exp [θ] = R`, shorter than a half turn.
fn rotation_vector(R: &Mat3) -> Vec3 {
    let q = Quaternion::from_matrix(R);
    let sine = q.v.norm();
    // atan2(s, w)/s tends to 1/w
    let scale = if sine < 1e-8 { 2.0 } else { 2.0 * sine.atan2(q.w) / sine };
    q.v * scale
}

/// `J(θ)⁻¹`: from the angular velocity, in the axes turned from, to the rate of the rotation vector.
fn inverse_left_jacobian(theta: &Vec3) -> Mat3 {
    let x = theta.norm_squared();
    // series of (1 - (φ/2) cot(φ/2))/φ²; what is left out is below 1e-13 for φ < 0.1
    let c = if x < 0.01 {
        1.0 / 12.0 + x * (1.0 / 720.0 + x * (1.0 / 30_240.0 + x / 1_209_600.0))
    } else {
        let half = 0.5 * x.sqrt();
        (1.0 - half / half.tan()) / x
    };
    let T = skew(theta);
    Mat3::identity() - T * 0.5 + T * T * c
}

fn stacked(p: &Vec3, theta: &Vec3) -> Vector6<f64> {
    Vector6::new(p.x, p.y, p.z, theta.x, theta.y, theta.z)
}

fn halves(g: &Vector6<f64>) -> (Vec3, Vec3) {
    (Vec3::new(g[0], g[1], g[2]), Vec3::new(g[3], g[4], g[5]))
}

fn check_matrix(name: &str, what: &str, matrix: &Matrix6<f64>) -> Result<(), SpecError> {
    if !matrix.iter().all(|x| x.is_finite()) {
        return Err(SpecError::new(name, format!("the {what} must be finite numbers")));
    }
    let scale = matrix.amax();
    if (matrix - matrix.transpose()).amax() > ROUNDING * scale {
        return Err(SpecError::new(name, format!("the {what} matrix must be symmetric")));
    }
    let least = matrix.symmetric_eigenvalues().min();
    if least < -ROUNDING * scale {
        let rule = format!("the {what} has the negative eigenvalue {least:e}; every motion must cost energy or none");
        return Err(SpecError::new(name, rule));
    }
    Ok(())
}
