//! Damping factor of the Hunt-Crossley family as a function of the restitution.

use crate::error::{ContactError, require};
use crate::restitution::{MIN_RESTITUTION, exact_damping_factor};

/// Author of the relation `a(c_r)` in `F = K δ^n (1 + a δ'/v0)`.
///
/// Every model but the two exact ones rests on an approximate energy balance: its true restitution
/// ([`crate::restitution::true_restitution`] of its a) differs from the c_r given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DampingModel {
    /// `a = 3 (1 - c_r)/2`. Hunt and Crossley, Coefficient of restitution interpreted as damping in vibroimpact, 1975.
    /// Limits: nearly elastic contact; at c_r = 0.7 the true restitution is 0.77, at c_r = 0 it is still 0.49.
    HuntCrossley,
    /// `a = 6 (1 - c_r)/((2 c_r - 1)² + 3)`. Herbert and McWhannell, Shape and frequency composition of pulses from an
    /// impact pair, 1977. Limits: nearly elastic contact (0.72 at c_r = 0.7, 0.49 at 0.1).
    HerbertMcWhannell,
    /// `a = 3 (1 - c_r)/4`. Lee and Wang, On the dynamics of intermittent-motion mechanisms, 1983.
    /// Limits: nearly elastic contact; half the damping of Hunt and Crossley (0.87 at c_r = 0.7).
    LeeWang,
    /// `a = 3 (1 - c_r²)/4`. Lankarani and Nikravesh, A contact force model with hysteresis damping for impact analysis
    /// of multibody systems, 1990. Limits: losses small against the stored energy (0.80 at c_r = 0.7, 0.67 at 0.1).
    LankaraniNikravesh,
    /// `a = d/c_r` with the approximation `d = 1 - c_r²`. Gonthier, McPhee, Lange and Piedboeuf, A regularized contact
    /// model with asymmetric damping and dwell-time dependent friction, 2004. Limits: c_r > 0; 0.67 at c_r = 0.7, exact
    /// at both ends of the range.
    Gonthier,
    /// `a = d/c_r` with the nonzero root of `(1 + d/c_r)/(1 - d) = exp(d (1 + 1/c_r))` (eq. 4.24 of the same source; d
    /// = 0 solves it for every c_r and is spurious). With `d = a c_r` it reads `a (1 + c_r) = ln((1 + a)/(1 - a c_r))`,
    /// which is the condition of [`DampingModel::ExactRestitution`]: for this family both are one law. Limits: c_r ≥
    /// 1e-6.
    GonthierExact,
    /// `a = 3 (1 - c_r²) exp(2 (1 - c_r))/4`. Zhiying and Qishao, 2006.
    /// Limits: good above c_r = 0.3 (0.68 at c_r = 0.7); a stays finite at c_r = 0 (0.22 at 0.1).
    ZhiyingQishao,
    /// `a = 8 (1 - c_r)/(5 c_r)`. Flores, Machado, Silva and Martins, On the continuous contact force models for soft
    /// materials in multibody dynamics, 2011. Limits: c_r > 0; 0.68 at c_r = 0.7.
    Flores,
    /// `a` such that the true restitution is c_r: `a (1 + c_r) = ln((1 + a)/(1 - a c_r))`, see [`crate::restitution`].
    /// Limits: c_r ≥ 1e-6 (a ≈ 1/c_r, infinite for the perfectly plastic collision).
    ExactRestitution,
}

impl DampingModel {
    /// The name in model files.
    pub fn name(self) -> &'static str {
        match self {
            DampingModel::HuntCrossley => "hunt-crossley",
            DampingModel::HerbertMcWhannell => "herbert-mcwhannell",
            DampingModel::LeeWang => "lee-wang",
            DampingModel::LankaraniNikravesh => "lankarani-nikravesh",
            DampingModel::Gonthier => "gonthier",
            DampingModel::GonthierExact => "gonthier-exact",
            DampingModel::ZhiyingQishao => "zhiying-qishao",
            DampingModel::Flores => "flores",
            DampingModel::ExactRestitution => "exact-restitution",
        }
    }

    /// Damping factor a \[-\] for the coefficient of restitution `cr`.
    pub fn damping_factor(self, cr: f64) -> Result<f64, ContactError> {
        self.check(cr)?;
        Ok(match self {
            DampingModel::HuntCrossley => 1.5 * (1.0 - cr),
            DampingModel::HerbertMcWhannell => 6.0 * (1.0 - cr) / ((2.0 * cr - 1.0).powi(2) + 3.0),
            DampingModel::LeeWang => 0.75 * (1.0 - cr),
            DampingModel::LankaraniNikravesh => 0.75 * (1.0 - cr * cr),
            DampingModel::Gonthier => (1.0 - cr * cr) / cr,
            DampingModel::ZhiyingQishao => 0.75 * (1.0 - cr * cr) * (2.0 * (1.0 - cr)).exp(),
            DampingModel::Flores => 1.6 * (1.0 - cr) / cr,
            DampingModel::GonthierExact | DampingModel::ExactRestitution => exact_damping_factor(cr)?,
        })
    }

    /// The range of restitutions of the model.
    fn check(self, cr: f64) -> Result<f64, ContactError> {
        let (lowest, rule) = match self {
            DampingModel::Gonthier
            | DampingModel::Flores
            | DampingModel::GonthierExact
            | DampingModel::ExactRestitution => (
                MIN_RESTITUTION,
                "must be between 1e-6 and 1: the damping factor grows as 1/c_r and is infinite for a perfectly plastic \
                 contact; use a small value such as 0.01",
            ),
            _ => (0.0, "must be between 0 and 1"),
        };
        require((lowest..=1.0).contains(&cr), self.name(), "restitution [-]", cr, rule)
    }
}
