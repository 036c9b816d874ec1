//! From excitation to activation.

use crate::error::{MuscleError, positive};

/// First-order activation dynamics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activation {
    /// `a' = (u - a)/τ`, τ = τ_a (0.5 + 1.5 a) while it rises, τ_d/(0.5 + 1.5 a) while it falls.
    ///
    /// Source: Thelen 2003. Activation and excitation below the least activation count as it.
    FirstOrder {
        /// Time constant of rise τ_a [s].
        rise: f64,
        /// Time constant of fall τ_d [s].
        fall: f64,
        /// Least activation.
        minimum: f64,
    },
    /// The same with a smooth change between rise and fall: `f = ½ tanh(b (u - a))`,
    /// `a' = ((f + ½)/(τ_a (0.5 + 1.5 a)) + (½ - f)(0.5 + 1.5 a)/τ_d)(u - a)`.
    ///
    /// Source: De Groote et al. 2016, eq. 1 and 2.
    Smooth {
        /// Time constant of rise τ_a [s].
        rise: f64,
        /// Time constant of fall τ_d [s].
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
        /// Time scale T [s].
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

    /// Rate of activation [1/s] for an excitation, both clamped to 0..1.
    pub fn rate(&self, activation: f64, excitation: f64) -> f64 {
        let (a, u) = (activation.clamp(0.0, 1.0), excitation.clamp(0.0, 1.0));
        match *self {
            Activation::FirstOrder { rise, fall, minimum } => {
                let (a, u) = (a.max(minimum), u.max(minimum));
                let slow = 0.5 + 1.5 * a;
                (u - a) / if u > a { rise * slow } else { fall / slow }
            }
            Activation::Smooth { rise, fall, steepness } => {
                let slow = 0.5 + 1.5 * a;
                let f = 0.5 * (steepness * (u - a)).tanh();
                ((f + 0.5) / (rise * slow) + (0.5 - f) * slow / fall) * (u - a)
            }
            Activation::Schutte { rise_rate, rate, time_scale } => {
                let k = if u >= a { rise_rate * u + rate } else { rate };
                (u - a) * k / time_scale
            }
        }
    }
}
