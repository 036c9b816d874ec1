//! Curves of Thelen's muscle.

use super::curve::{Slope, growth};
use crate::error::{MuscleError, positive, require};

/// Curves of Thelen, J Biomech Eng 125, 2003, as in OpenSim (toe region of the tendon with exact constants, linear
/// continuation of the force-velocity curve outside of its range).
///
/// ```text
/// f_al = exp(-(l-1)²/γ),   f_pe = (exp(k (l-1)/ε0) - 1)/(e^k - 1),   tendon: exponential toe, then linear
/// f_v = (1+w)/(1 - w/A)                                  shortening
/// f_v = (F_len - 1 + w K F_len)/(F_len - 1 + w K)          lengthening,  K = 2 + 2/A
/// ```
/// l length over the optimal one, w = v/(0.25 + 0.75 a) velocity over the greatest one at activation a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThelenCurves {
    /// Tendon strain at the maximum isometric force.
    pub tendon_strain: f64,
    /// Fibre strain ε0 at a passive force of the maximum isometric one.
    pub passive_strain: f64,
    /// Width γ of the active curve.
    pub active_width: f64,
    /// Exponent k of the passive curve.
    pub passive_exponent: f64,
    /// Curvature A of the force-velocity curve.
    pub velocity_curvature: f64,
    /// Greatest force while lengthening F_len.
    pub lengthening_force: f64,
    /// Fraction of F_len beyond which the force-velocity curve is straight.
    pub straight_from: f64,
}

impl Default for ThelenCurves {
    fn default() -> Self {
        ThelenCurves {
            tendon_strain: 0.04,
            passive_strain: 0.6,
            active_width: 0.45,
            passive_exponent: 5.0,
            velocity_curvature: 0.25,
            lengthening_force: 1.4,
            straight_from: 0.95,
        }
    }
}

impl ThelenCurves {
    /// Refuses shapes that are none.
    pub fn check(&self, name: &str) -> Result<(), MuscleError> {
        positive(name, "tendon strain at the maximum isometric force", self.tendon_strain)?;
        positive(name, "fibre strain at the maximum isometric force", self.passive_strain)?;
        positive(name, "width of the active curve", self.active_width)?;
        positive(name, "exponent of the passive curve", self.passive_exponent)?;
        positive(name, "curvature of the force-velocity curve", self.velocity_curvature)?;
        let f = self.lengthening_force;
        require(f > 1.0 && f.is_finite(), name, "greatest force while lengthening", f, "must be greater than 1")?;
        let s = self.straight_from;
        let rule = "must be below 1 and above the reciprocal of the greatest force while lengthening";
        require(s < 1.0 && s * f > 1.0, name, "end of the force-velocity curve", s, rule).map(|_| ())
    }

    /// Active force at length `l` over the optimal one.
    pub fn active(&self, l: f64) -> Slope {
        let value = (-(l - 1.0) * (l - 1.0) / self.active_width).exp();
        Slope { value, slope: -2.0 * (l - 1.0) / self.active_width * value }
    }

    /// Passive fibre force.
    pub fn passive(&self, l: f64) -> Slope {
        if l <= 1.0 {
            return Slope { value: 0.0, slope: 0.0 };
        }
        let (k, e0) = (self.passive_exponent, self.passive_strain);
        let (grown, range) = (growth(k * (l - 1.0) / e0), k.exp() - 1.0);
        Slope { value: (grown.value - 1.0) / range, slope: k / e0 * grown.slope / range }
    }

    /// Tendon force at length `l` over the slack length.
    pub fn tendon(&self, l: f64) -> Slope {
        const TOE_FORCE: f64 = 0.33;
        const TOE_SHAPE: f64 = 3.0;
        let strain = l - 1.0;
        let e3 = TOE_SHAPE.exp();
        let toe = 99.0 * self.tendon_strain * e3 / (166.0 * e3 - 67.0);
        if strain <= 0.0 {
            Slope { value: 0.0, slope: 0.0 }
        } else if strain <= toe {
            let grown = (TOE_SHAPE * strain / toe).exp();
            let scale = TOE_FORCE / (e3 - 1.0);
            Slope { value: scale * (grown - 1.0), slope: scale * TOE_SHAPE / toe * grown }
        } else {
            let slope = 0.67 / (self.tendon_strain - toe);
            Slope { value: TOE_FORCE + slope * (strain - toe), slope }
        }
    }

    /// Force multiplier at velocity `w` over the greatest one at the present activation.
    pub fn velocity(&self, w: f64) -> Slope {
        let (a, f) = (self.velocity_curvature, self.lengthening_force);
        let k = 2.0 + 2.0 / a;
        let shortening = |w: f64| {
            let d = 1.0 - w / a;
            Slope { value: (1.0 + w) / d, slope: (1.0 + 1.0 / a) / (d * d) }
        };
        let lengthening = |w: f64| {
            let d = f - 1.0 + w * k;
            Slope { value: (f - 1.0 + w * k * f) / d, slope: k * (f - 1.0) * (f - 1.0) / (d * d) }
        };
        let straight = |from: Slope, w0: f64| Slope { value: from.value + from.slope * (w - w0), slope: from.slope };
        let end = {
            let value = self.straight_from * f;
            (value - 1.0) * (f - 1.0) / (k * (f - value))
        };
        if w < -1.0 {
            straight(shortening(-1.0), -1.0)
        } else if w <= 0.0 {
            shortening(w)
        } else if w < end {
            lengthening(w)
        } else {
            straight(lengthening(end), end)
        }
    }
}
