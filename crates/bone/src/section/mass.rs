//! The mass of a segment spread along its axis.

use nalgebra::{Matrix3, Vector3};
use wolff_spatial::{MassProperties, Mat3, Vec3};

use crate::BoneError;

/// A segment of length L as slices along its axis whose sum is the rigid body exactly.
///
/// ```text
/// ρ(e) = c₀ + c₁ e + c₂ e²  [kg/m],  e = -y from 0 to L
/// ∫ρ de = m,   ∫e ρ de = m e_c,   ∫(e - e_c)² ρ de = P_yy,      P = ½ tr(I) 1 - I about the mass centre
/// ```
/// The centres of the slices lie on a line through the mass centre whose inclination follows from P_xy and P_yz;
/// every slice has the same second moments across per mass. Limits: ρ may become negative near an end when the mass
/// centre is far from the middle of the segment; a segment is not as smooth as a parabola.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassAlong {
    /// c₀, c₁, c₂.
    pub density: [f64; 3],
    /// L \[m\].
    pub length: f64,
    com: Vec3,
    /// Shift of the centres of slices forward and to the right per metre downwards.
    lean: [f64; 2],
    /// Second moments across, per unit of mass: xx, xz, zz \[m²\].
    across: [f64; 3],
}

/// Mass, first and second moments of a part about the origin of the segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartMass {
    /// Mass \[kg\].
    pub mass: f64,
    /// `∫ x dm` \[kg m\].
    pub first: Vec3,
    /// `∫ x xᵀ dm` \[kg m²\].
    pub second: Mat3,
}

impl MassAlong {
    /// Spreads a rigid segment over its length \[m\].
    ///
    /// # Errors
    /// When mass or length are not positive.
    pub fn new(body: &MassProperties, length: f64) -> Result<Self, BoneError> {
        let m = body.mass;
        if !(m > 0.0 && m.is_finite() && length > 0.0 && length.is_finite()) {
            let rule = format!("{m} kg over {length} m: both must be positive and finite");
            return Err(BoneError::invalid("mass along a segment", rule));
        }
        let p = Mat3::identity() * (0.5 * body.inertia.trace()) - body.inertia;
        let (along, e) = (p[(1, 1)], -body.com.y);
        // in units of the length: ∫ s^(i+j) ds = 1 / (i + j + 1)
        let hilbert = Matrix3::from_fn(|i, j| 1.0 / (i + j + 1) as f64);
        let moments = Vector3::new(m, m * e / length, (along + m * e * e) / length.powi(2));
        let c = hilbert.try_inverse().unwrap_or_else(Matrix3::zeros) * moments;
        let lean = if along > 0.0 { [-p[(0, 1)] / along, -p[(2, 1)] / along] } else { [0.0; 2] };
        let across = [(0, 0), (0, 1), (1, 1)].map(|(i, j)| (p[(2 * i, 2 * j)] - lean[i] * lean[j] * along) / m);
        let density = [c[0] / length, c[1] / length.powi(2), c[2] / length.powi(3)];
        Ok(MassAlong { density, length, com: body.com, lean, across })
    }

    /// The part between two distances from the proximal end \[m\].
    pub fn part(&self, from: f64, to: f64) -> PartMass {
        let (from, to) = (from.clamp(0.0, self.length), to.clamp(0.0, self.length));
        let integral = |power: i32| -> f64 {
            let term = |(k, c): (usize, &f64)| {
                let n = power + k as i32 + 1;
                c * (to.powi(n) - from.powi(n)) / f64::from(n)
            };
            self.density.iter().enumerate().map(term).sum()
        };
        let (m0, m1, m2) = (integral(0), integral(1), integral(2));
        // moments of e - e_c
        let e = -self.com.y;
        let (d1, d2, de) = (m1 - e * m0, m2 - 2.0 * e * m1 + e * e * m0, m2 - e * m1);
        let centre = [self.com.x, self.com.z];
        let first = [0, 1].map(|i| centre[i] * m0 + self.lean[i] * d1);
        let down = [0, 1].map(|i| -(centre[i] * m1 + self.lean[i] * de));
        let across = |i: usize, j: usize| {
            let mixed = (centre[i] * self.lean[j] + centre[j] * self.lean[i]) * d1;
            self.across[i + j] * m0 + centre[i] * centre[j] * m0 + mixed + self.lean[i] * self.lean[j] * d2
        };
        let (xx, xz, zz) = (across(0, 0), across(0, 1), across(1, 1));
        PartMass {
            mass: m0,
            first: Vec3::new(first[0], -m1, first[1]),
            second: Mat3::new(xx, down[0], xz, down[0], m2, down[1], xz, down[1], zz),
        }
    }
}
