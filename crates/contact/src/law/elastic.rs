//! Elastic laws without loss.

use super::{check_exponent, check_stiffness, not_below_zero};
use crate::error::ContactError;

/// Elastic contact.
///
/// ```text
/// hooke:  F = k δ           hertz:  F = K δ^n
/// ```
///
/// F normal force \[N\], δ indentation \[m\], k stiffness \[N/m\], K stiffness \[N/m^n\] (see [`crate::hertz`]), n
/// exponent \[-\], 3/2 for Hertz's elliptic pressure distribution.
///
/// Source: Hertz, Über die Berührung fester elastischer Körper, 1881; the linear form as in Shigley and Mischke,
/// Mechanical engineering design, 1989. Limits: no loss of energy, restitution 1. Hertz holds for smooth, non-conformal
/// surfaces and small contact areas; other exponents are fits to experiments, not Hertz's theory. A K in N/m^1.5 must
/// not be used with the linear law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastic {
    stiffness: f64,
    exponent: f64,
}

impl Elastic {
    /// `F = k δ` with `stiffness` k \[N/m\].
    pub fn hooke(stiffness: f64) -> Result<Self, ContactError> {
        Self::new("hooke", stiffness, 1.0)
    }

    /// `F = K δ^n` with `stiffness` K \[N/m^n\] and `exponent` n ≥ 1.
    pub fn hertz(stiffness: f64, exponent: f64) -> Result<Self, ContactError> {
        Self::new("hertz", stiffness, exponent)
    }

    /// The elastic part of the law `law`.
    pub(super) fn new(law: &str, stiffness: f64, exponent: f64) -> Result<Self, ContactError> {
        Ok(Elastic { stiffness: check_stiffness(law, stiffness)?, exponent: check_exponent(law, exponent)? })
    }

    /// Stiffness K \[N/m^n\].
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// Exponent n \[-\].
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// `K δ^n` for δ ≥ 0 \[N\].
    #[inline]
    pub fn force(&self, depth: f64) -> f64 {
        self.stiffness * not_below_zero(depth).powf(self.exponent)
    }

    /// `n K δ^(n-1)` for δ ≥ 0 \[N/m\].
    #[inline]
    pub fn slope(&self, depth: f64) -> f64 {
        self.exponent * self.stiffness * not_below_zero(depth).powf(self.exponent - 1.0)
    }

    /// `K δ^(n+1)/(n+1)` for δ ≥ 0 \[J\].
    #[inline]
    pub fn potential(&self, depth: f64) -> f64 {
        self.stiffness * not_below_zero(depth).powf(self.exponent + 1.0) / (self.exponent + 1.0)
    }
}
