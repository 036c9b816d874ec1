//! Smooth run-up to a constant speed.

use super::Derivatives;
use crate::error::{NumericsError, input_error, require_finite};
use std::f64::consts::TAU;

/// A motion that starts from rest and reaches a constant speed after the time `T`, its acceleration a full cosine wave:
///
/// ```text
/// x'(t) = v/T (t - T/2π sin(2π t/T))  up to T, v after;   x(0) = 0
/// ```
///
/// Acceleration is continuous. Source: Kane, Ryan and Banerjee 1987, J. Guidance 10, 139-151 (spin-up of a beam).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunUp {
    speed: f64,
    time: f64,
}

impl RunUp {
    /// Reaches `speed` after `time` > 0.
    pub fn new(speed: f64, time: f64) -> Result<Self, NumericsError> {
        require_finite("speed and time of a run-up", &[speed, time])?;
        if time <= 0.0 {
            return Err(input_error("time of a run-up", time, "it must be greater than zero"));
        }
        Ok(Self { speed, time })
    }

    /// Value and derivatives at t.
    pub fn evaluate(&self, t: f64) -> Derivatives {
        let (v, time) = (self.speed, self.time);
        if t <= 0.0 {
            return Derivatives::default();
        }
        if t >= time {
            return Derivatives { value: v * (t - time / 2.0), d1: v, d2: 0.0 };
        }
        let (sin, cos) = (TAU * t / time).sin_cos();
        let wave = time / TAU;
        Derivatives {
            value: v / time * (t * t / 2.0 + wave * wave * (cos - 1.0)),
            d1: v / time * (t - wave * sin),
            d2: v / time * (1.0 - cos),
        }
    }
}
