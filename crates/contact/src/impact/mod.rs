//! The exact solution of a collision of one degree of freedom, for every law.
//!
//! ```text
//! m δ'' = -F(δ, δ'),   δ(0) = 0,  δ'(0) = v0,   until δ = 0 again (or F = 0, where the law says so)
//! ```
//!
//! m effective mass \[kg\], v0 approach speed \[m/s\]. Two free bodies of masses m1, m2 have `m = m1 m2/(m1 + m2)`.
//! Elastic laws and the Hunt-Crossley family by their first integral and one quadrature, Kelvin-Voigt in closed form,
//! the IMPACT function by tight integration. Shared by tests, documentation and plausibility checks of whole
//! simulations.

mod first_integral;
mod kelvin_voigt;
mod numerical;

use crate::error::{ContactError, positive};
use crate::law::{APPROACH_SPEED_FLOOR, Hysteretic, NormalLaw};
use first_integral::PowerLaw;

/// What happens between first touch and separation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// Largest indentation \[m\].
    pub depth_max: f64,
    /// When it is reached, after first touch \[s\].
    pub time_of_depth_max: f64,
    /// Largest force \[N\].
    pub force_max: f64,
    /// Indentation at the largest force \[m\].
    pub depth_at_force_max: f64,
    /// Rate of indentation at the largest force \[m/s\].
    pub rate_at_force_max: f64,
    /// Time from first touch to separation \[s\].
    pub duration: f64,
    /// `-δ'(end)/v0` \[-\].
    pub restitution: f64,
    /// Loss of kinetic energy `m v0² (1 - e²)/2` \[J\].
    pub energy_loss: f64,
    /// `m v0 (1 + e)` \[N s\].
    pub impulse: f64,
}

impl Collision {
    /// Collision of effective mass `mass` \[kg\] with approach speed `approach_speed` \[m/s\], both greater than zero.
    ///
    /// Relative accuracy 1e-12 for elastic laws, the Hunt-Crossley family and Kelvin-Voigt, 1e-8 for the IMPACT
    /// function.
    pub fn solve(law: &NormalLaw, mass: f64, approach_speed: f64) -> Result<Self, ContactError> {
        positive("collision", "effective mass [kg]", mass)?;
        positive("collision", "approach speed [m/s]", approach_speed)?;
        match law {
            NormalLaw::Hooke(elastic) | NormalLaw::Hertz(elastic) => PowerLaw {
                stiffness: elastic.stiffness(),
                exponent: elastic.exponent(),
                damping_factor: 0.0,
                mass,
                v0: approach_speed,
            }
            .solve(),
            NormalLaw::Hysteretic(law) => PowerLaw {
                stiffness: law.elastic().stiffness(),
                exponent: law.elastic().exponent(),
                damping_factor: effective_damping_factor(law, approach_speed),
                mass,
                v0: approach_speed,
            }
            .solve(),
            NormalLaw::KelvinVoigt(law) => kelvin_voigt::solve(law, mass, approach_speed),
            NormalLaw::Impact(law) => numerical::solve(law, mass, approach_speed),
        }
    }
}

/// `a v0/max(v0, floor)`: the factor that acts in a collision slower than [`APPROACH_SPEED_FLOOR`].
fn effective_damping_factor(law: &Hysteretic, v0: f64) -> f64 {
    law.damping_factor() * (v0 / APPROACH_SPEED_FLOOR).min(1.0)
}

/// Loss of kinetic energy and impulse, the bookkeeping of a restitution: `(m v0² (1 - e²)/2, m v0 (1 + e))`.
fn balance(mass: f64, v0: f64, e: f64) -> (f64, f64) {
    (0.5 * mass * v0 * v0 * (1.0 - e) * (1.0 + e), mass * v0 * (1.0 + e))
}
