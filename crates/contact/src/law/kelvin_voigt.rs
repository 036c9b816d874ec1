//! Linear spring and damper in parallel.

use super::{Elastic, LawParameters, not_below_zero};
use crate::error::{ContactError, not_negative, positive, require};
use std::f64::consts::PI;

/// When a Kelvin-Voigt contact stops acting. The force turns tensile before the indentation is back at zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KelvinVoigtEnd {
    /// At zero indentation; the bodies attract each other on the last stretch, as in the textbook law.
    #[default]
    IndentationZero,
    /// When the force has fallen to zero: `F = max(0, k δ + D δ')`. The shapes still overlap then and drift apart
    /// freely; a simulation reports the separation when the overlap ends.
    ForceZero,
}

/// Kelvin-Voigt contact.
///
/// ```text
/// F = k δ + D δ'
/// D = 2 ζ √(k m),   ζ = -ln c_r / √(π² + ln² c_r)
/// ```
///
/// F normal force \[N\], δ indentation \[m\], k stiffness \[N/m\], D damping \[N s/m\], ζ damping ratio \[-\], m
/// effective mass \[kg\], c_r restitution \[-\], which this D gives exactly when the contact ends at zero indentation.
///
/// Source: Goldsmith, Impact - the theory and physical behaviour of colliding solids, 1960. The relation of ζ and c_r
/// is that of half a period of a damped oscillator. Limits: the force jumps to `D v0` at first touch and is negative
/// before separation (see [`KelvinVoigtEnd`]); the loss does not depend on the indentation. With ζ ≥ 1 (c_r = 0) the
/// indentation returns to zero only after infinite time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KelvinVoigt {
    elastic: Elastic,
    damping: f64,
    end: KelvinVoigtEnd,
}

const NAME: &str = "kelvin-voigt";

impl KelvinVoigt {
    /// With `stiffness` k \[N/m\] and `damping` D ≥ 0 \[N s/m\].
    pub fn new(stiffness: f64, damping: f64, end: KelvinVoigtEnd) -> Result<Self, ContactError> {
        let elastic = Elastic::new(NAME, stiffness, 1.0)?;
        Ok(KelvinVoigt { elastic, damping: not_negative(NAME, "damping [N s/m]", damping)?, end })
    }

    /// With the damping that gives `restitution` c_r (0 < c_r ≤ 1) to bodies of effective mass `effective_mass` \[kg\].
    pub fn with_restitution(
        stiffness: f64,
        restitution: f64,
        effective_mass: f64,
        end: KelvinVoigtEnd,
    ) -> Result<Self, ContactError> {
        let rule = "must be greater than 0 (the bodies would never separate) and at most 1; or give the damping itself";
        require(restitution > 0.0 && restitution <= 1.0, NAME, "restitution [-]", restitution, rule)?;
        positive(NAME, "effective mass [kg]", effective_mass)?;
        let elastic = Elastic::new(NAME, stiffness, 1.0)?;
        let ln = restitution.ln();
        let zeta = -ln / PI.hypot(ln);
        Self::new(elastic.stiffness(), 2.0 * zeta * (stiffness * effective_mass).sqrt(), end)
    }

    /// The damping as given, or else from restitution and effective mass.
    pub(super) fn from_parameters(p: &LawParameters) -> Result<Self, ContactError> {
        match (p.damping, p.effective_mass) {
            (Some(damping), _) => Self::new(p.stiffness, damping, p.end),
            (None, Some(mass)) => Self::with_restitution(p.stiffness, p.restitution, mass, p.end),
            (None, None) => Err(ContactError::Missing {
                object: NAME.into(),
                quantity: "damping [N s/m]",
                remedy: "give it, or give the restitution together with the effective mass [kg]",
            }),
        }
    }

    /// The spring.
    pub fn elastic(&self) -> &Elastic {
        &self.elastic
    }

    /// Damping D \[N s/m\].
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// When it stops acting.
    pub fn end(&self) -> KelvinVoigtEnd {
        self.end
    }

    /// `k δ + D δ'` \[N\].
    #[inline]
    pub fn force(&self, depth: f64, rate: f64) -> f64 {
        let force = self.elastic.stiffness() * depth + self.damping * rate;
        match self.end {
            KelvinVoigtEnd::IndentationZero => force,
            KelvinVoigtEnd::ForceZero => not_below_zero(force),
        }
    }

    /// `(k, D)` while acting.
    #[inline]
    pub(super) fn derivatives(&self, depth: f64, rate: f64) -> (f64, f64) {
        let tensile = self.elastic.stiffness() * depth + self.damping * rate < 0.0;
        if tensile && self.end == KelvinVoigtEnd::ForceZero {
            (0.0, 0.0)
        } else {
            (self.elastic.stiffness(), self.damping)
        }
    }
}
