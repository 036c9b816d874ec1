//! The smooth step of ADAMS.

use super::Derivatives;
use crate::error::{NumericsError, input_error, require_finite};

/// Cubic transition from `h0` at `x0` to `h1` at `x1`, constant outside.
///
/// ```text
/// STEP(x, x0, h0, x1, h1) = h0 + (h1 - h0) D² (3 - 2D),   D = (x - x0)/(x1 - x0)
/// ```
///
/// Value and slope are continuous, the second derivative jumps at both ends.
/// Source: MSC ADAMS function reference, STEP.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    x0: f64,
    h0: f64,
    x1: f64,
    h1: f64,
}

impl Step {
    /// `x1 > x0`, all four finite.
    pub fn new(x0: f64, h0: f64, x1: f64, h1: f64) -> Result<Self, NumericsError> {
        require_finite("x0, h0, x1, h1 of a step function", &[x0, h0, x1, h1])?;
        if x1 <= x0 {
            return Err(input_error(
                "interval of a step function",
                format!("[{x0}, {x1}]"),
                "the end must be greater than the start",
            ));
        }
        Ok(Self { x0, h0, x1, h1 })
    }

    /// Value and derivatives at x.
    pub fn evaluate(&self, x: f64) -> Derivatives {
        let width = self.x1 - self.x0;
        let rise = self.h1 - self.h0;
        let d = (x - self.x0) / width;
        if d <= 0.0 {
            return Derivatives { value: self.h0, d1: 0.0, d2: 0.0 };
        }
        if d >= 1.0 {
            return Derivatives { value: self.h1, d1: 0.0, d2: 0.0 };
        }
        Derivatives {
            value: self.h0 + rise * d * d * (3.0 - 2.0 * d),
            d1: rise * 6.0 * d * (1.0 - d) / width,
            d2: rise * (6.0 - 12.0 * d) / (width * width),
        }
    }
}
