//! From excitation to activation.

use super::Slope;
use crate::error::{MuscleError, positive};

/// First-order activation dynamics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activation {
    /// `a' = (u - a)/τ`, τ = τ_a (0.5 + 1.5 a) while it rises, τ_d/(0.5 + 1.5 a) while it falls.
    ///
    /// Source: Thelen 2003. Activation and excitation below the least activation count as it.
    FirstOrder {
        /// Time constant of rise τ_a \[s\].
        rise: f64,
        /// Time constant of fall τ_d \[s\].
        fall: f64,
        /// Least activation.
        minimum: f64,
    },
    /// The same with a smooth change between rise and fall: `f = ½ tanh(b (u - a))`,
    /// `a' = ((f + ½)/(τ_a (0.5 + 1.5 a)) + (½ - f)(0.5 + 1.5 a)/τ_d)(u - a)`.
    ///
    /// Source: De Groote et al. 2016, eq. 1 and 2.
    Smooth {
        /// Time constant of rise τ_a \[s\].
        rise: f64,
        /// Time constant of fall τ_d \[s\].
        fall: f64,
        /// Steepness b of the change.
        steepness: f64,
    },
    /// Schutte's: `a' = (u - a)(k1 u + k2)/T` while it rises, `(u - a) k2/T` while it falls.
    Schutte {
        /// k1.
        rise_rate: f64,
        /// k2.
        rate: f64,
        /// Time scale T \[s\].
        time_scale: f64,
    },
}

impl Activation {
    /// OpenSim's defaults of Thelen's and Millard's muscle.
    pub const FIRST_ORDER: Activation = Activation::FirstOrder { rise: 0.01, fall: 0.04, minimum: 0.01 };
    /// OpenSim's defaults of De Groote and Fregly's muscle.
    pub const SMOOTH: Activation = Activation::Smooth { rise: 0.015, fall: 0.060, steepness: 0.1 };
    /// OpenSim's defaults of Schutte's muscle.
    pub const SCHUTTE: Activation = Activation::Schutte { rise_rate: 7.667, rate: 1.459854, time_scale: 0.1 };

    /// Refuses time constants that are none.
    pub fn check(&self, name: &str) -> Result<(), MuscleError> {
        let (first, second) = match *self {
            Activation::FirstOrder { rise, fall, .. } | Activation::Smooth { rise, fall, .. } => (rise, fall),
            Activation::Schutte { rate, time_scale, .. } => (rate, time_scale),
        };
        positive(name, "time constant of activation", first)?;
        positive(name, "time constant of deactivation", second).map(|_| ())
    }

    /// Rate of activation \[1/s\] for an excitation, both clamped to 0..1.
    pub fn rate(&self, activation: f64, excitation: f64) -> f64 {
        let (a, u) = self.bounded(activation, excitation);
        (u - a) * self.frequency(a, u)
    }

    /// Activation after a step of `h` \[s\] with an excitation, and its derivative with respect to that.
    ///
    /// ```text
    /// a₁ = (a + h k u)/(1 + h k),    k = a'/(u - a) at the beginning of the step
    /// ```
    /// Never passes the excitation, whatever the step; first order. The derivative is that for a constant k: exact for
    /// the first-order law but where rise turns into fall.
    pub fn step(&self, activation: f64, excitation: f64, h: f64) -> Slope {
        let (a, u) = self.bounded(activation, excitation);
        let hk = h * self.frequency(a, u);
        Slope { value: (a + hk * u) / (1.0 + hk), slope: hk / (1.0 + hk) }
    }

    /// Excitation from 0 to 1 under which activation changes at `rate` \[1/s\]; the nearest end where none does.
    pub fn excitation_for(&self, activation: f64, rate: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        // the rate grows with excitation: 53 halvings leave a rounding unit
        for _ in 0..53 {
            let middle = 0.5 * (low + high);
            if self.rate(activation, middle) < rate { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// Activation and excitation within their bounds.
    fn bounded(&self, activation: f64, excitation: f64) -> (f64, f64) {
        let least = if let Activation::FirstOrder { minimum, .. } = *self { minimum } else { 0.0 };
        (activation.clamp(0.0, 1.0).max(least), excitation.clamp(0.0, 1.0).max(least))
    }

    /// k \[1/s\] of `a' = k (u - a)`.
    fn frequency(&self, a: f64, u: f64) -> f64 {
        let slow = 0.5 + 1.5 * a;
        match *self {
            Activation::FirstOrder { rise, fall, .. } => {
                if u > a {
                    1.0 / (rise * slow)
                } else {
                    slow / fall
                }
            }
            Activation::Smooth { rise, fall, steepness } => {
                let f = 0.5 * (steepness * (u - a)).tanh();
                (f + 0.5) / (rise * slow) + (0.5 - f) * slow / fall
            }
            Activation::Schutte { rise_rate, rate, time_scale } => {
                (if u >= a { rise_rate * u + rate } else { rate }) / time_scale
            }
        }
    }
}
