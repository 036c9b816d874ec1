//! A push that dies out.

use super::Derivatives;
use crate::error::{NumericsError, input_error, require_finite};
use std::f64::consts::PI;

/// A decaying sine: the push on the shank in dynamic knee models.
///
/// ```text
/// f(t) = A exp(-c (t/t0)²) sin(π t/t0)   from t = 0 on
/// ```
///
/// A amplitude, t0 duration \[s\], c decay \[-\]. With c = 4.73 the largest value is 0.532 A at 0.278 t0, and what
/// follows t0 takes back 0.1 % of the impulse; it is left in, so that the function is smooth. Source: Moeinzadeh, Engin
/// and Akkas, J Biomechanics 16, 253-264, 1983, with c = 4.73.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pulse {
    amplitude: f64,
    duration: f64,
    decay: f64,
}

impl Pulse {
    /// `duration` greater than zero, `decay` zero or more, all finite.
    pub fn new(amplitude: f64, duration: f64, decay: f64) -> Result<Self, NumericsError> {
        require_finite("amplitude, duration and decay of a pulse", &[amplitude, duration, decay])?;
        if duration <= 0.0 || decay < 0.0 {
            return Err(input_error(
                "duration and decay of a pulse",
                format!("{duration} and {decay}"),
                "the duration must be greater than zero, the decay zero or more",
            ));
        }
        Ok(Self { amplitude, duration, decay })
    }

    /// Value and derivatives at t.
    pub fn evaluate(&self, t: f64) -> Derivatives {
        if t < 0.0 {
            return Derivatives::default();
        }
        let x = t / self.duration;
        let (sin, cos) = (PI * x).sin_cos();
        let (c, envelope) = (self.decay, self.amplitude * (-self.decay * x * x).exp());
        let slope = PI * cos - 2.0 * c * x * sin;
        let bend = (4.0 * c * c * x * x - 2.0 * c - PI * PI) * sin - 4.0 * PI * c * x * cos;
        Derivatives {
            value: envelope * sin,
            d1: envelope * slope / self.duration,
            d2: envelope * bend / (self.duration * self.duration),
        }
    }
}
