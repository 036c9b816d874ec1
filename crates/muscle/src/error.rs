//! The one error type of the crate.

use thiserror::Error;

/// Why a path or a muscle was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MuscleError {
    /// A number breaks a rule.
    #[error("{object}: {quantity} is {value}, {rule}")]
    Parameter {
        /// The muscle, path, point or surface.
        object: String,
        /// What the number means, with its unit.
        quantity: &'static str,
        /// The number.
        value: f64,
        /// The rule it breaks, and the remedy.
        rule: &'static str,
    },
    /// A body or coordinate that the model does not have.
    #[error("{object}: the model has no {what} `{name}`; {remedy}")]
    Unknown {
        /// The path or point.
        object: String,
        /// Body or coordinate.
        what: &'static str,
        /// The name given.
        name: String,
        /// What to give instead.
        remedy: &'static str,
    },
    /// Something that cannot be: a path without ends, a curve that is none, times that run backwards.
    #[error("{object}: {rule}")]
    Rule {
        /// The path, curve or record.
        object: String,
        /// The rule broken, and the remedy.
        rule: String,
    },
}

/// Accepts finite numbers greater than zero.
pub(crate) fn positive(object: &str, quantity: &'static str, value: f64) -> Result<f64, MuscleError> {
    require(value > 0.0 && value.is_finite(), object, quantity, value, "must be a finite number greater than zero")
}

/// Accepts finite numbers, zero or more.
pub(crate) fn not_negative(object: &str, quantity: &'static str, value: f64) -> Result<f64, MuscleError> {
    require(value >= 0.0 && value.is_finite(), object, quantity, value, "must be a finite number, zero or more")
}

/// Accepts finite numbers.
pub(crate) fn finite(object: &str, quantity: &'static str, value: f64) -> Result<f64, MuscleError> {
    require(value.is_finite(), object, quantity, value, "must be a finite number")
}

/// Hands back the value where the condition holds.
pub(crate) fn require(
    holds: bool,
    object: &str,
    quantity: &'static str,
    value: f64,
    rule: &'static str,
) -> Result<f64, MuscleError> {
    if holds { Ok(value) } else { Err(MuscleError::Parameter { object: object.into(), quantity, value, rule }) }
}
