//! Straight lines through a table.

use super::Derivatives;
use crate::error::{NumericsError, input_error, require_finite, require_increasing};

/// Linear interpolation of `(t_i, y_i)`, constant outside the table.
///
/// The slope is piecewise constant and belongs to the interval right of a table point; the second derivative is
/// reported as zero although it is impulsive at the points.
#[derive(Debug, Clone, PartialEq)]
pub struct PiecewiseLinear {
    times: Vec<f64>,
    values: Vec<f64>,
}

impl PiecewiseLinear {
    /// At least one point, strictly increasing times \[s\].
    pub fn new(times: &[f64], values: &[f64]) -> Result<Self, NumericsError> {
        if times.is_empty() || times.len() != values.len() {
            return Err(input_error(
                "piecewise linear table",
                format!("{} times and {} values", times.len(), values.len()),
                "give at least one point and one value per time",
            ));
        }
        require_increasing("table times", times)?;
        require_finite("table values", values)?;
        Ok(Self { times: times.to_vec(), values: values.to_vec() })
    }

    /// Value and derivatives at time t \[s\].
    pub fn evaluate(&self, t: f64) -> Derivatives {
        let after = self.times.partition_point(|&x| x <= t);
        if after == 0 {
            return Derivatives { value: self.values[0], d1: 0.0, d2: 0.0 };
        }
        let i = after - 1;
        if after == self.times.len() {
            return Derivatives { value: self.values[i], d1: 0.0, d2: 0.0 };
        }
        let slope = (self.values[after] - self.values[i]) / (self.times[after] - self.times[i]);
        Derivatives { value: self.values[i] + slope * (t - self.times[i]), d1: slope, d2: 0.0 }
    }
}
