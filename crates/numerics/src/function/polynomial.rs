//! Polynomials in time.

use super::Derivatives;
use crate::error::{NumericsError, require_finite};

/// `p(t) = Σ c_k (t - t_ref)^k`, evaluated by Horner's rule; t and t_ref in s.
#[derive(Debug, Clone, PartialEq)]
pub struct Polynomial {
    t_ref: f64,
    coefficients: Vec<f64>,
}

impl Polynomial {
    /// Coefficients by rising power of `t - t_ref`; none means zero.
    pub fn new(t_ref: f64, coefficients: &[f64]) -> Result<Self, NumericsError> {
        require_finite("reference time of the polynomial", &[t_ref])?;
        require_finite("polynomial coefficients", coefficients)?;
        Ok(Self { t_ref, coefficients: coefficients.to_vec() })
    }

    /// Value and derivatives at time t \[s\].
    pub fn evaluate(&self, t: f64) -> Derivatives {
        let u = t - self.t_ref;
        let mut p = Derivatives::default();
        for c in self.coefficients.iter().rev() {
            p.d2 = p.d2 * u + 2.0 * p.d1;
            p.d1 = p.d1 * u + p.value;
            p.value = p.value * u + c;
        }
        p
    }
}
