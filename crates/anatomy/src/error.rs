//! The one error type of the crate.

use thiserror::Error;
use wolff_files::ErrorKind;

/// An invalid person, muscle or reference motion, or one for which a computation failed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AnatomyError {
    /// The text of a data file cannot be read.
    #[error("{file}: {reason}; use the format of the built-in file")]
    Unreadable {
        /// What was read.
        file: &'static str,
        /// Message of the reader, with line and column.
        reason: String,
    },
    /// An invalid number.
    #[error("{object}: {quantity} is {value}, {rule}")]
    Parameter {
        /// The person, segment, muscle or coordinate.
        object: String,
        /// What the number means, with its unit.
        quantity: &'static str,
        /// The number.
        value: f64,
        /// The rule that it breaks, and the remedy.
        rule: &'static str,
    },
    /// Parts that do not fit together: segments without a parent, series without coefficients.
    #[error("{object}: {rule}")]
    Rule {
        /// The segment, series or muscle.
        object: String,
        /// The rule broken, and the remedy.
        rule: String,
    },
    /// A computation that failed.
    #[error("{object}: {reason}")]
    Numerical {
        /// The skeleton or walk.
        object: String,
        /// What failed, and the remedy.
        reason: String,
    },
    /// A body or coordinate that the model does not have.
    #[error("the model has no {what} `{name}`; build it from the skeleton that belongs to the walk")]
    Unknown {
        /// Body or coordinate.
        what: &'static str,
        /// The name looked for.
        name: String,
    },
}

impl AnatomyError {
    /// The object that the error concerns.
    pub fn kind(&self) -> ErrorKind {
        match self {
            AnatomyError::Numerical { .. } => ErrorKind::Numerical,
            AnatomyError::Unreadable { .. }
            | AnatomyError::Parameter { .. }
            | AnatomyError::Rule { .. }
            | AnatomyError::Unknown { .. } => ErrorKind::Input,
        }
    }

    /// A failed computation on `object`.
    pub fn numerical(object: impl Into<String>, reason: impl Into<String>) -> Self {
        AnatomyError::Numerical { object: object.into(), reason: reason.into() }
    }

    /// `object` breaks a rule.
    pub fn rule(object: impl Into<String>, rule: impl Into<String>) -> Self {
        AnatomyError::Rule { object: object.into(), rule: rule.into() }
    }
}

/// Accepts finite numbers greater than zero.
pub fn positive(object: &str, quantity: &'static str, value: f64) -> Result<f64, AnatomyError> {
    let holds = value > 0.0 && value.is_finite();
    require(holds, object, quantity, value, "must be a finite number greater than zero")
}

/// Accepts slices of finite numbers.
pub fn all_finite(object: &str, quantity: &'static str, values: &[f64]) -> Result<(), AnatomyError> {
    for value in values {
        require(value.is_finite(), object, quantity, *value, "must be a finite number")?;
    }
    Ok(())
}

/// Returns the value where the condition holds, else an error.
pub fn require(
    holds: bool,
    object: &str,
    quantity: &'static str,
    value: f64,
    rule: &'static str,
) -> Result<f64, AnatomyError> {
    if holds { Ok(value) } else { Err(AnatomyError::Parameter { object: object.into(), quantity, value, rule }) }
}
