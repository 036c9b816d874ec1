//! The Hunt-Crossley family: an elastic law with damping proportional to the elastic force.

use super::{DampingModel, Elastic, not_below_zero};
use crate::error::ContactError;

/// Approach speeds below this \[m/s\] count as this in the factor `δ'/v0` of the Hunt-Crossley family.
///
/// `χ = a K/v0` is infinite for bodies that come to touch at rest, where no measured restitution exists. The floor is a
/// hundred times below the slowest collisions on which restitution has been measured; slower ones keep the damping
/// coefficient of the floor and therefore rebound with a restitution that tends to 1, as real materials do. The price
/// is creep: a body laid down at rest settles with the time constant `a δ/(n v0)`.
pub const APPROACH_SPEED_FLOOR: f64 = 1e-6;

/// Contact with hysteresis damping.
///
/// ```text
/// F = K δ^n (1 + a δ'/v0) = K δ^n + χ δ^n δ',    χ = a K/v0
/// ```
///
/// F normal force \[N\], δ indentation \[m\], v0 approach speed at first touch \[m/s\], K stiffness \[N/m^n\], n
/// exponent \[-\], a damping factor \[-\] as a function of the restitution ([`DampingModel`]), χ hysteresis damping
/// factor [N s/m^(n+1)].
///
/// Source: Hunt and Crossley, Coefficient of restitution interpreted as damping in vibroimpact, 1975.
///
/// The force starts and ends at zero and never pulls during a collision: with `u = δ'/v0`,
/// `d(1 + a u)/dt = -(a K δ^n/(m v0)) (1 + a u)`, so `1 + a u` keeps the positive sign it starts with and `u > -1/a`
/// even where a > 1. Only an outside load can tear the bodies apart faster; the force is then zero, not negative.
/// Limits: one factor from first touch to separation; the restitution is that of a free collision of two bodies, so a
/// sustained contact keeps the damping of its first touch. v0 is floored, see [`APPROACH_SPEED_FLOOR`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hysteretic {
    elastic: Elastic,
    model: DampingModel,
    damping_factor: f64,
}

impl Hysteretic {
    /// With `stiffness` K \[N/m^n\], `exponent` n ≥ 1 and `restitution` c_r in the range of the model.
    pub fn new(model: DampingModel, stiffness: f64, exponent: f64, restitution: f64) -> Result<Self, ContactError> {
        Ok(Hysteretic {
            elastic: Elastic::new(model.name(), stiffness, exponent)?,
            model,
            damping_factor: model.damping_factor(restitution)?,
        })
    }

    /// The law at rest, `K δ^n`.
    pub fn elastic(&self) -> &Elastic {
        &self.elastic
    }

    /// Where the damping factor comes from.
    pub fn model(&self) -> DampingModel {
        self.model
    }

    /// Damping factor a \[-\].
    pub fn damping_factor(&self) -> f64 {
        self.damping_factor
    }

    /// Factor `a/v0` \[s/m\] with v0 floored.
    #[inline]
    pub fn damping_slope(&self, approach_speed: f64) -> f64 {
        let v0 = if approach_speed < APPROACH_SPEED_FLOOR { APPROACH_SPEED_FLOOR } else { approach_speed };
        self.damping_factor / v0
    }

    /// `K δ^n (1 + a δ'/v0)`, not below zero \[N\].
    #[inline]
    pub fn force(&self, depth: f64, rate: f64, approach_speed: f64) -> f64 {
        let factor = 1.0 + self.damping_slope(approach_speed) * rate;
        self.elastic.force(depth) * not_below_zero(factor)
    }

    /// `(∂F/∂δ, ∂F/∂δ')`.
    #[inline]
    pub(super) fn derivatives(&self, depth: f64, rate: f64, approach_speed: f64) -> (f64, f64) {
        let slope = self.damping_slope(approach_speed);
        let factor = 1.0 + slope * rate;
        if factor < 0.0 {
            return (0.0, 0.0);
        }
        (self.elastic.slope(depth) * factor, self.elastic.force(depth) * slope)
    }
}
