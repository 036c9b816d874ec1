//! Collision under `F = k δ + D δ'`: half a period of a damped oscillator.

use super::{Collision, balance};
use crate::error::ContactError;
use crate::law::{KelvinVoigt, KelvinVoigtEnd};
use std::f64::consts::PI;

/// With `ω = √(k/m)`, `ζ = D/(2 √(k m)) = cos β`, `ω_d = ω sin β`:
///
/// ```text
/// δ  = (v0/ω) exp(-ζωt) sin(ω_d t)/sin β       δ' = v0 exp(-ζωt) sin(β - ω_d t)/sin β
/// F  = m v0 ω exp(-ζωt) sin(2β - ω_d t)/sin β
/// ```
///
/// so that δ' = 0 at `ω_d t = β`, F = 0 at `2β`, δ = 0 at `π`, and F is largest at `3β - π` or, for ζ ≥ 1/2, at first
/// touch. For ζ ≥ 1 the sines become hyperbolic; `β/sin β` stays smooth.
pub(super) fn solve(law: &KelvinVoigt, mass: f64, v0: f64) -> Result<Collision, ContactError> {
    let omega = (law.elastic().stiffness() / mass).sqrt();
    let zeta = law.damping() / (2.0 * mass * omega);
    let ratio = angle_over_sine(zeta);

    // separation
    let (duration, restitution) = match law.end() {
        KelvinVoigtEnd::ForceZero => (2.0 * ratio / omega, (-2.0 * zeta * ratio).exp()),
        KelvinVoigtEnd::IndentationZero if zeta < 1.0 => {
            let sine = ((1.0 - zeta) * (1.0 + zeta)).sqrt();
            (PI / (omega * sine), (-PI * zeta / sine).exp())
        }
        KelvinVoigtEnd::IndentationZero => {
            return Err(ContactError::NoSeparation {
                law: "kelvin-voigt".into(),
                reason: "the damping is critical or more; reduce it or let the contact end at zero force",
            });
        }
    };

    // largest force, and the state there
    let (decay, depth_shape, rate_shape) = if zeta < 0.5 {
        let beta = zeta.acos();
        ((-zeta * (3.0 * beta - PI) / beta.sin()).exp(), 1.0 - 4.0 * zeta * zeta, 2.0 * zeta)
    } else {
        (1.0, 0.0, 1.0)
    };
    let depth_at_force_max = v0 / omega * decay * depth_shape;
    let rate_at_force_max = v0 * decay * rate_shape;

    let (energy_loss, impulse) = balance(mass, v0, restitution);
    Ok(Collision {
        depth_max: v0 / omega * (-zeta * ratio).exp(),
        time_of_depth_max: ratio / omega,
        force_max: law.force(depth_at_force_max, rate_at_force_max),
        depth_at_force_max,
        rate_at_force_max,
        duration,
        restitution,
        energy_loss,
        impulse,
    })
}

/// `β/sin β` with `cos β = ζ`, continued to ζ ≥ 1 as `arcosh ζ/√(ζ² - 1)`.
fn angle_over_sine(zeta: f64) -> f64 {
    let sine_squared = (1.0 - zeta) * (1.0 + zeta);
    if sine_squared.abs() < 1e-8 {
        // β/sin β = 1 + s²/6 + 3 s⁴/40, s = sin β
        1.0 + sine_squared / 6.0
    } else if sine_squared > 0.0 {
        zeta.acos() / sine_squared.sqrt()
    } else {
        zeta.acosh() / (-sine_squared).sqrt()
    }
}
