//! Regularised Coulomb friction.

use crate::error::{ContactError, not_negative, positive, require};
use crate::law::not_below_zero;
use wolff_spatial::{Mat3, Vec3};

/// Least width of the fall from static to dynamic friction, as a fraction of the stiction velocity.
///
/// Equal transition velocities are common in published foot models. A fall of no width would be a jump of the force;
/// over a fifth of v_s it is about as steep as the rise, for the usual ratio of the coefficients.
pub const LEAST_FALL: f64 = 0.2;

/// Coulomb friction with static and dynamic coefficients, smooth in the sliding velocity.
///
/// ```text
/// f = -μ(|v|) N v/|v|
/// μ(v) = STEP(v, -v_s, -μ_s, v_s, μ_s) = μ_s (3 x - x³)/2, x = v/v_s      |v| ≤ v_s   stiction
/// μ(v) = STEP(v, v_s, μ_s, v_d, μ_d)                                v_s < v < v_d   transition
/// μ(v) = μ_d                                                        v ≥ v_d         sliding
/// ```
///
/// f friction force \[N\], v sliding velocity \[m/s\], N normal force \[N\], μ_s and μ_d static and dynamic
/// coefficients \[-\], v_s stiction and v_d friction transition velocity \[m/s\]. μ is odd and continuous with its
/// slope.
///
/// Source: MSC ADAMS, Coulomb friction of CONTACT.
/// Limits: a loaded body at rest creeps with |v| < v_s instead of sticking. v_d is taken as at least
/// `(1 + LEAST_FALL) v_s` where μ_d < μ_s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    static_coefficient: f64,
    dynamic_coefficient: f64,
    stiction_velocity: f64,
    friction_velocity: f64,
}

const NAME: &str = "friction";

impl Friction {
    /// `static_coefficient` ≥ `dynamic_coefficient` ≥ 0, `friction_velocity` ≥ `stiction_velocity` > 0 \[m/s\].
    pub fn new(
        static_coefficient: f64,
        dynamic_coefficient: f64,
        stiction_velocity: f64,
        friction_velocity: f64,
    ) -> Result<Self, ContactError> {
        not_negative(NAME, "dynamic coefficient [-]", dynamic_coefficient)?;
        not_negative(NAME, "static coefficient [-]", static_coefficient)?;
        let rule = "must not be below the dynamic coefficient";
        let ordered = static_coefficient >= dynamic_coefficient;
        require(ordered, NAME, "static coefficient [-]", static_coefficient, rule)?;
        positive(NAME, "stiction transition velocity [m/s]", stiction_velocity)?;
        let rule = "must be finite and not below the stiction transition velocity";
        let ordered = friction_velocity.is_finite() && friction_velocity >= stiction_velocity;
        require(ordered, NAME, "friction transition velocity [m/s]", friction_velocity, rule)?;
        let friction_velocity = friction_velocity.max((1.0 + LEAST_FALL) * stiction_velocity);
        Ok(Friction { static_coefficient, dynamic_coefficient, stiction_velocity, friction_velocity })
    }

    /// μ(v) \[-\] for a signed sliding velocity \[m/s\].
    #[inline]
    pub fn coefficient(&self, v: f64) -> f64 {
        v * self.secant(v.abs())
    }

    /// dμ/dv \[s/m\].
    #[inline]
    pub fn derivative(&self, v: f64) -> f64 {
        let speed = v.abs();
        let x = speed / self.stiction_velocity;
        if x <= 1.0 {
            return 1.5 * self.static_coefficient * (1.0 - x * x) / self.stiction_velocity;
        }
        let width = self.friction_velocity - self.stiction_velocity;
        let d = ((speed - self.stiction_velocity) / width).min(1.0);
        (self.dynamic_coefficient - self.static_coefficient) * 6.0 * d * (1.0 - d) / width
    }

    /// Friction force \[N\] on a body that slides with tangential velocity `v` \[m/s\] under the normal force `normal`
    /// \[N\].
    #[inline]
    pub fn force(&self, normal: f64, v: &Vec3) -> Vec3 {
        v * (-not_below_zero(normal) * self.secant(v.norm()))
    }

    /// `∂f/∂v` \[N s/m\], symmetric: `-N (μ/|v| (1 - t tᵀ) + μ' t tᵀ)`, t the direction of sliding.
    pub fn force_jacobian(&self, normal: f64, v: &Vec3) -> Mat3 {
        let speed = v.norm();
        let secant = self.secant(speed);
        let mut jacobian = Mat3::from_diagonal_element(secant);
        if speed > 0.0 {
            let t = v / speed;
            jacobian += t * t.transpose() * (self.derivative(speed) - secant);
        }
        jacobian * -not_below_zero(normal)
    }

    /// μ(v)/v \[s/m\] for v ≥ 0, finite at rest.
    #[inline]
    pub fn secant(&self, speed: f64) -> f64 {
        let x = speed / self.stiction_velocity;
        if x <= 1.0 {
            return self.static_coefficient * 0.5 * (3.0 - x * x) / self.stiction_velocity;
        }
        let width = self.friction_velocity - self.stiction_velocity;
        let d = ((speed - self.stiction_velocity) / width).min(1.0);
        let fall = self.static_coefficient - self.dynamic_coefficient;
        (self.static_coefficient - fall * d * d * (3.0 - 2.0 * d)) / speed
    }
}
