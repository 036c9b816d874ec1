//! Passive torque of the tissues around a joint.

use super::{ForceElement, Instant, Loads, not_negative};
use crate::error::SpecError;

/// Passive joint torque: linear inside the range of motion, exponential towards and beyond its limits.
///
/// ```text
/// τ = -k (q - q0) - c v + e_lower - e_upper
/// e_upper = t_lim (exp((q - q_max)/w) - exp((q0 - q_max)/w))   for q > q0, else 0;  e_lower likewise
/// ```
/// τ torque \[N m\], q angle \[rad\], v its rate \[rad/s\], k stiffness \[N m/rad\], c damping \[N m s/rad\], q0
/// neutral angle \[rad\], q_min and q_max limits of the range \[rad\], t_lim torque of the exponential part at the
/// limit \[N m\], w its width \[rad\]. The exponential part starts from zero at q0, so the torque is continuous. Source
/// of the form: double exponentials of passive joint moments, Riener and Edrich, J Biomech 32, 1999; linear part as in
/// Al Nazer, thesis, Lappeenranta 2008, Table 4.2. Limits: each coordinate by itself, no coupling over two-joint
/// muscles; beyond twenty widths past a limit it grows linearly, so that a wild trial step cannot overflow.
#[derive(Clone, Debug)]
pub struct PassiveJointTorque {
    name: String,
    coordinate: usize,
    stiffness: f64,
    damping: f64,
    neutral: f64,
    limits: [f64; 2],
    limit_torque: f64,
    width: f64,
}

/// Parameters of a [`PassiveJointTorque`], SI units.
#[derive(Clone, Copy, Debug)]
pub struct PassiveParameters {
    /// Linear stiffness \[N m/rad\].
    pub stiffness: f64,
    /// Damping \[N m s/rad\].
    pub damping: f64,
    /// Neutral angle \[rad\], inside the limits.
    pub neutral: f64,
    /// Lower and upper limit of the range \[rad\].
    pub limits: [f64; 2],
    /// Torque of the exponential part at a limit \[N m\].
    pub limit_torque: f64,
    /// Width of the exponential \[rad\], greater than zero.
    pub width: f64,
}

impl PassiveJointTorque {
    /// Checks and stores; `coordinate` is the index of a speed.
    pub fn new(name: &str, coordinate: usize, p: PassiveParameters) -> Result<Self, SpecError> {
        let [low, high] = p.limits;
        if !(low <= p.neutral && p.neutral <= high && low.is_finite() && high.is_finite()) {
            let neutral = p.neutral;
            return Err(SpecError::new(
                name,
                format!("limits {low} and {high} must be finite with the neutral angle {neutral} between them"),
            ));
        }
        if !(p.width > 0.0 && p.width.is_finite()) {
            return Err(SpecError::new(name, format!("width is {}, must be greater than zero", p.width)));
        }
        Ok(PassiveJointTorque {
            name: name.into(),
            coordinate,
            stiffness: not_negative(name, "stiffness", p.stiffness)?,
            damping: not_negative(name, "damping", p.damping)?,
            neutral: p.neutral,
            limits: p.limits,
            limit_torque: not_negative(name, "limit torque", p.limit_torque)?,
            width: p.width,
        })
    }

    /// Torque \[N m\] for an angle and its rate.
    pub fn torque(&self, q: f64, v: f64) -> f64 {
        let (upper, _) = self.beyond(q, self.limits[1], self.neutral);
        let (lower, _) = self.beyond(-q, -self.limits[0], -self.neutral);
        -self.stiffness * (q - self.neutral) - self.damping * v + lower - upper
    }

    /// Stiffness of the whole at an angle, `-∂τ/∂q` [N m/rad].
    pub fn stiffness_at(&self, q: f64) -> f64 {
        let slope = |q: f64, limit: f64, neutral: f64| {
            if q <= neutral { 0.0 } else { ((q - limit) / self.width).min(LINEAR_FROM).exp() / self.width }
        };
        let ends = slope(q, self.limits[1], self.neutral) + slope(-q, -self.limits[0], -self.neutral);
        self.stiffness + self.limit_torque * ends
    }

    /// Energy stored at an angle \[J\], zero at the neutral one.
    pub fn energy(&self, q: f64) -> f64 {
        let (_, upper) = self.beyond(q, self.limits[1], self.neutral);
        let (_, lower) = self.beyond(-q, -self.limits[0], -self.neutral);
        0.5 * self.stiffness * (q - self.neutral).powi(2) + upper + lower
    }

    /// Exponential part towards one limit and its integral from the neutral angle.
    fn beyond(&self, q: f64, limit: f64, neutral: f64) -> (f64, f64) {
        if q <= neutral {
            return (0.0, 0.0);
        }
        let (x, x0) = ((q - limit) / self.width, (neutral - limit) / self.width);
        let torque = linear_exp(x) - linear_exp(x0);
        let energy = (linear_exp_integral(x) - linear_exp_integral(x0) - (x - x0) * linear_exp(x0)) * self.width;
        (self.limit_torque * torque, self.limit_torque * energy)
    }
}

/// Beyond this many widths the exponential goes on along its tangent.
const LINEAR_FROM: f64 = 20.0;

/// `exp(x)`, continued linearly from [`LINEAR_FROM`].
fn linear_exp(x: f64) -> f64 {
    x.min(LINEAR_FROM).exp() * (1.0 + (x - LINEAR_FROM).max(0.0))
}

/// Integral of [`linear_exp`].
fn linear_exp_integral(x: f64) -> f64 {
    let d = (x - LINEAR_FROM).max(0.0);
    x.min(LINEAR_FROM).exp() * (1.0 + d + 0.5 * d * d)
}

impl ForceElement for PassiveJointTorque {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let i = self.coordinate;
        out.generalized(i, self.torque(at.coordinate(i), at.speed(i)));
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        self.energy(at.coordinate(self.coordinate))
    }
}
