//! Coefficients of the Newmark family.

use super::options::MechanicalMethod;
use crate::error::{OdeError, input_error};

/// One step of length h from `(q₀, v₀, v̇₀, a₀)`:
///
/// ```text
/// (1-α_m) a₁ + α_m a₀ = (1-α_f) v̇₁ + α_f v̇₀
/// q₁ = q₀ ⊕ (h v₀ + h² ((1/2-β) a₀ + β a₁)),   v₁ = v₀ + h ((1-γ) a₀ + γ a₁)
/// ```
///
/// with the equations of motion satisfied by `(q₁, v₁, v̇₁)`. The algorithmic acceleration `a` lives at
/// `t + (α_m - α_f) h`. Newmark's method has α_m = α_f = 0.
///
/// Sources: Chung and Hulbert, J Appl Mech 60, 1993 (parameters); Arnold and Brüls, Multibody Syst Dyn 18, 2007 (index
/// 3); Brüls, Cardona and Arnold, Mech Mach Theory 48, 2012 (Lie groups).
/// Limits: with positions imposed (index 3), errors of the multipliers decay like rho_inf^n; undamped parameters
/// (rho_inf = 1, trapezoidal rule) keep them forever and are of use on index 2 and 1 only.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scheme {
    pub alpha_m: f64,
    pub alpha_f: f64,
    pub beta: f64,
    pub gamma: f64,
}

impl Scheme {
    pub fn new(method: MechanicalMethod) -> Result<Self, OdeError> {
        match method {
            MechanicalMethod::Newmark { beta, gamma } => {
                if !(beta > 0.0 && beta <= 1.0 && gamma > 0.0 && gamma <= 1.0) {
                    return Err(input_error(
                        "Newmark parameters",
                        format!("beta = {beta}, gamma = {gamma}"),
                        "both must lie in (0, 1]; 0.25 and 0.5 give the trapezoidal rule",
                    ));
                }
                Ok(Self { alpha_m: 0.0, alpha_f: 0.0, beta, gamma })
            }
            MechanicalMethod::GeneralizedAlpha { rho_inf } => {
                if !(0.0..=1.0).contains(&rho_inf) {
                    return Err(input_error("spectral radius rho_inf", rho_inf, "it must lie in [0, 1]"));
                }
                let alpha_m = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0);
                let alpha_f = rho_inf / (rho_inf + 1.0);
                let shift = alpha_f - alpha_m;
                Ok(Self { alpha_m, alpha_f, beta: 0.25 * (1.0 + shift).powi(2), gamma: 0.5 + shift })
            }
        }
    }

    /// `∂a₁/∂v̇₁`.
    fn ratio(&self) -> f64 {
        (1.0 - self.alpha_f) / (1.0 - self.alpha_m)
    }

    /// β': displacement `β' h²` per unit of `v̇₁`.
    pub fn displacement_gain(&self) -> f64 {
        self.beta * self.ratio()
    }

    /// γ': velocity `γ' h` per unit of `v̇₁`.
    pub fn velocity_gain(&self) -> f64 {
        self.gamma * self.ratio()
    }

    /// The algorithmic acceleration lives this fraction of a step after the step end.
    pub fn shift(&self) -> f64 {
        self.alpha_m - self.alpha_f
    }

    /// Leading local displacement error is this times `h² (a₁ - a₀)`.
    pub fn error_constant(&self) -> f64 {
        self.beta + 0.5 * self.shift() - 1.0 / 6.0
    }
}
