//! Fourier series with a linear trend.

use super::Derivatives;
use crate::error::{NumericsError, input_error, require_finite};

/// One harmonic: `sin` and `cos` amplitudes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FourierTerm {
    /// Coefficient of `sin(k ω t)`.
    pub sin: f64,
    /// Coefficient of `cos(k ω t)`.
    pub cos: f64,
}

/// `f(t) = mean + trend · t + Σ_{k=1..n} (a_k sin(k ω t) + b_k cos(k ω t))`, ω in rad/s, trend in value/s.
#[derive(Debug, Clone, PartialEq)]
pub struct Fourier {
    omega: f64,
    mean: f64,
    trend: f64,
    terms: Vec<FourierTerm>,
}

impl Fourier {
    /// `terms[k-1]` belongs to the angular frequency `k omega`; `omega` \[rad/s\] must be positive.
    pub fn new(omega: f64, mean: f64, trend: f64, terms: &[FourierTerm]) -> Result<Self, NumericsError> {
        require_finite("omega, mean and trend of the Fourier series", &[omega, mean, trend])?;
        if omega <= 0.0 {
            return Err(input_error(
                "omega of the Fourier series",
                omega,
                "the base angular frequency must be positive; use a constant function for no oscillation",
            ));
        }
        for term in terms {
            require_finite("sin and cos coefficients of the Fourier series", &[term.sin, term.cos])?;
        }
        Ok(Self { omega, mean, trend, terms: terms.to_vec() })
    }

    /// Value and derivatives at time t \[s\].
    pub fn evaluate(&self, t: f64) -> Derivatives {
        let mut f = Derivatives { value: self.mean + self.trend * t, d1: self.trend, d2: 0.0 };
        for (k, term) in self.terms.iter().enumerate() {
            let w = (k + 1) as f64 * self.omega;
            let (s, c) = (w * t).sin_cos();
            let harmonic = term.sin * s + term.cos * c;
            f.value += harmonic;
            f.d1 += w * (term.sin * c - term.cos * s);
            f.d2 -= w * w * harmonic;
        }
        f
    }
}
