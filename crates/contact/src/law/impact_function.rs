//! The IMPACT function of ADAMS.

use super::{Elastic, LawParameters, not_below_zero};
use crate::error::{ContactError, not_negative, positive};
use wolff_numerics::function::Step;

/// IMPACT contact, the usual law of foot-ground models.
///
/// ```text
/// F = max(0, k δ^e + δ' STEP(δ, 0, 0, d, c_max))
/// STEP(δ, 0, 0, d, c) = c D² (3 - 2 D),  D = δ/d limited to [0, 1]
/// ```
///
/// F normal force \[N\], δ indentation \[m\], k stiffness \[N/m^e\], e exponent \[-\], c_max full damping \[N s/m\], d
/// indentation at which it is reached \[m\].
///
/// Source: MSC ADAMS function reference, IMPACT and STEP.
/// Limits: continuous at first touch and never pulls, but the restitution depends on mass and speed. Once the force has
/// fallen to zero in restitution the bodies drift apart freely while they still overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactFunction {
    elastic: Elastic,
    full_damping: f64,
    full_damping_depth: f64,
    damping: Step,
}

const NAME: &str = "impact";

impl ImpactFunction {
    /// With `stiffness` k \[N/m^e\], `exponent` e ≥ 1, `full_damping` c_max ≥ 0 \[N s/m\] and `full_damping_depth` d >
    /// 0 \[m\].
    pub fn new(
        stiffness: f64,
        exponent: f64,
        full_damping: f64,
        full_damping_depth: f64,
    ) -> Result<Self, ContactError> {
        let elastic = Elastic::new(NAME, stiffness, exponent)?;
        not_negative(NAME, "damping [N s/m]", full_damping)?;
        positive(NAME, "full damping depth [m]", full_damping_depth)?;
        let damping = Step::new(0.0, 0.0, full_damping_depth, full_damping)?;
        Ok(ImpactFunction { elastic, full_damping, full_damping_depth, damping })
    }

    pub(super) fn from_parameters(p: &LawParameters) -> Result<Self, ContactError> {
        let damping = p.damping.ok_or_else(|| ContactError::Missing {
            object: NAME.into(),
            quantity: "damping [N s/m]",
            remedy: "give it; 0 means none",
        })?;
        Self::new(p.stiffness, p.exponent, damping, p.full_damping_depth)
    }

    /// The law at rest, `k δ^e`.
    pub fn elastic(&self) -> &Elastic {
        &self.elastic
    }

    /// Full damping c_max \[N s/m\].
    pub fn full_damping(&self) -> f64 {
        self.full_damping
    }

    /// Indentation at which the damping is full \[m\].
    pub fn full_damping_depth(&self) -> f64 {
        self.full_damping_depth
    }

    /// `max(0, k δ^e + δ' STEP(δ, 0, 0, d, c_max))` \[N\].
    #[inline]
    pub fn force(&self, depth: f64, rate: f64) -> f64 {
        not_below_zero(self.elastic.force(depth) + rate * self.damping.evaluate(depth).value)
    }

    /// `(∂F/∂δ, ∂F/∂δ')`.
    #[inline]
    pub fn derivatives(&self, depth: f64, rate: f64) -> (f64, f64) {
        let damping = self.damping.evaluate(depth);
        if self.elastic.force(depth) + rate * damping.value < 0.0 {
            return (0.0, 0.0);
        }
        (self.elastic.slope(depth) + rate * damping.d1, damping.value)
    }
}
