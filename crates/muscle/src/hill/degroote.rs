//! Curves of De Groote and Fregly's muscle.

use super::curve::{Slope, growth};
use crate::error::{MuscleError, positive};

/// Curves of De Groote, Kinney, Rao and Fregly, Ann Biomed Eng 44, 2016, with OpenSim's constants: infinitely smooth.
///
/// ```text
/// f_al = Σ b1 exp(-½ (l-b2)²/(b3+b4 l)²)
/// f_pe = (exp(k (l-1)/ε0) - f0)/(e^k - f0)                zero at l = 0.2
/// f_T  = c1 exp(k_T (l_T-c2)) - c3                        1 at the strain given
/// f_v  = d1 asinh(d2 v + d3) + d4
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeGrooteCurves {
    /// Tendon strain at the maximum isometric force.
    pub tendon_strain: f64,
    /// Fibre strain ε0 at a passive force of the maximum isometric one.
    pub passive_strain: f64,
    /// Width of the active curve over the published one.
    pub active_width: f64,
}

impl Default for DeGrooteCurves {
    fn default() -> Self {
        DeGrooteCurves { tendon_strain: 0.049, passive_strain: 0.6, active_width: 1.0 }
    }
}

/// Shortest fibre over the optimal one: the passive curve starts here.
pub(super) const SHORTEST: f64 = 0.2;

const PASSIVE_EXPONENT: f64 = 4.0;
const ACTIVE: [[f64; 4]; 3] = [
    [0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465],
    [0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188],
    [0.1, 1.0, 0.353553390593274, 0.0],
];
const TENDON: [f64; 3] = [0.2, 1.0, 0.2];
const VELOCITY: [f64; 4] = [-0.3211346127989808, -8.149, -0.374, 0.8825327733249912];

impl DeGrooteCurves {
    /// Refuses shapes that are none.
    pub fn check(&self, name: &str) -> Result<(), MuscleError> {
        positive(name, "tendon strain at the maximum isometric force", self.tendon_strain)?;
        positive(name, "fibre strain at the maximum isometric force", self.passive_strain)?;
        positive(name, "width of the active curve", self.active_width).map(|_| ())
    }

    /// Active force at length `l` over the optimal one.
    pub fn active(&self, l: f64) -> Slope {
        let x = (l - 1.0) / self.active_width + 1.0;
        let mut sum = Slope { value: 0.0, slope: 0.0 };
        for [b1, b2, b3, b4] in ACTIVE {
            let (off, width) = (x - b2, b3 + b4 * x);
            let value = b1 * (-0.5 * (off / width).powi(2)).exp();
            sum.value += value;
            sum.slope += value * off * (b4 * off - width) / width.powi(3) / self.active_width;
        }
        sum
    }

    /// Passive fibre force.
    pub fn passive(&self, l: f64) -> Slope {
        let rate = PASSIVE_EXPONENT / self.passive_strain;
        let offset = (rate * (SHORTEST - 1.0)).exp();
        let (grown, range) = (growth(rate * (l - 1.0)), PASSIVE_EXPONENT.exp() - offset);
        Slope { value: (grown.value - offset) / range, slope: rate * grown.slope / range }
    }

    /// Tendon force at length `l` over the slack length.
    pub fn tendon(&self, l: f64) -> Slope {
        let [c1, c2, c3] = TENDON;
        let k = ((1.0 + c3) / c1).ln() / (1.0 + self.tendon_strain - c2);
        let grown = growth(k * (l - c2));
        Slope { value: c1 * grown.value - c3, slope: k * c1 * grown.slope }
    }

    /// Force multiplier at velocity `v` over the greatest one.
    pub fn velocity(&self, v: f64) -> Slope {
        let [d1, d2, d3, d4] = VELOCITY;
        let x = d2 * v + d3;
        Slope { value: d1 * x.asinh() + d4, slope: d1 * d2 / x.hypot(1.0) }
    }
}
