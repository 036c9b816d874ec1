//! Collision under `F = K δ^n (1 + a δ'/v0)`.

use super::{Collision, balance};
use crate::error::ContactError;
use crate::quadrature::double_exponential;
use crate::restitution::{log_remainder, speed_factor, true_restitution};
use wolff_numerics::root::brent;

/// Parameters of the collision; `damping_factor` 0 is the elastic law.
pub(super) struct PowerLaw {
    pub stiffness: f64,
    pub exponent: f64,
    pub damping_factor: f64,
    pub mass: f64,
    pub v0: f64,
}

impl PowerLaw {
    /// Follows the first integral `K δ^(n+1)/((n+1) m v0²) = H(1) - H(u)` of [`crate::restitution`].
    pub fn solve(&self) -> Result<Collision, ContactError> {
        let restitution = true_restitution(self.damping_factor)?;
        let (energy_loss, impulse) = balance(self.mass, self.v0, restitution);

        // turning point: u = 0
        let depth_max = self.depth_at_speed(0.0);
        let compression = self.phase_duration(depth_max, 1.0);
        let expansion = self.phase_duration(depth_max, -1.0);

        // largest force
        let u = self.speed_at_force_max()?;
        let depth_at_force_max = self.depth_at_speed(u);
        let elastic = self.stiffness * depth_at_force_max.powf(self.exponent);
        Ok(Collision {
            depth_max,
            time_of_depth_max: compression,
            force_max: elastic * (1.0 + self.damping_factor * u),
            depth_at_force_max,
            rate_at_force_max: u * self.v0,
            duration: compression + expansion,
            restitution,
            energy_loss,
            impulse,
        })
    }

    /// `H(1) - H(u)` in compression, 0 ≤ u ≤ 1, without cancellation: `z - z² h(-a z)`, `z = (1 - u)/(1 + a)`.
    fn energy_taken(&self, u: f64) -> f64 {
        let a = self.damping_factor;
        let z = (1.0 - u) / (1.0 + a);
        z - z * z * log_remainder(-a * z)
    }

    /// δ at the speed `u v0` of compression \[m\].
    fn depth_at_speed(&self, u: f64) -> f64 {
        let n1 = self.exponent + 1.0;
        let scale = n1 * self.mass / self.stiffness * self.v0 * self.v0;
        (scale * self.energy_taken(u)).powf(1.0 / n1)
    }

    /// Speed `u` at which `dF/dt = 0`: `n u = a (n+1) (H(1) - H(u))`, monotonic in u on \[0, 1\].
    fn speed_at_force_max(&self) -> Result<f64, ContactError> {
        let (a, n) = (self.damping_factor, self.exponent);
        if a == 0.0 {
            return Ok(0.0);
        }
        let excess = |u: f64| Ok(n * u - a * (n + 1.0) * self.energy_taken(u));
        Ok(brent(excess, 0.0, 1.0, 0.0)?)
    }

    /// Duration of compression (`branch` +1) or expansion (-1) \[s\].
    ///
    /// With `r² = 1 - (δ/δmax)^(n+1)` the speed is `u = ±√(2h(a)) r g(±q r)`, `q = a √(2h(a))`, and with
    /// `1 - r = τ^(n+1)` the singularities of `∫ dδ/|v|` at both ends vanish:
    ///
    /// ```text
    /// t = (δmax/v0) (2/√(2h(a))) ∫_0^1 (2 - τ^(n+1))^(-n/(n+1)) / g(±q (1 - τ^(n+1))) dτ
    /// ```
    fn phase_duration(&self, depth_max: f64, branch: f64) -> f64 {
        let n1 = self.exponent + 1.0;
        let root = (2.0 * log_remainder(self.damping_factor)).sqrt();
        let q = self.damping_factor * root;
        let integral = double_exponential(|tau| {
            let s = tau.powf(n1);
            (2.0 - s).powf(1.0 / n1 - 1.0) / speed_factor(branch * q * (1.0 - s))
        });
        depth_max / self.v0 * 2.0 / root * integral
    }
}
