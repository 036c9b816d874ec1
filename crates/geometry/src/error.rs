//! The one error type of the crate.

use thiserror::Error;

/// Why a surface was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GeometryError {
    /// A number breaks a rule.
    #[error("{object}: {quantity} is {value}, {rule}")]
    Parameter {
        /// The surface.
        object: String,
        /// What the number means, with its unit.
        quantity: &'static str,
        /// The number.
        value: f64,
        /// The rule it breaks, and the remedy.
        rule: &'static str,
    },
    /// A count breaks a rule.
    #[error("{object}: {what} is {found}, {rule}")]
    Count {
        /// The surface.
        object: String,
        /// What was counted.
        what: &'static str,
        /// The count.
        found: usize,
        /// The rule it breaks, and the remedy.
        rule: &'static str,
    },
    /// A file of NURBS surfaces cannot be used.
    #[error("NURBS file, {place}: {problem}")]
    NurbsFile {
        /// Line or surface.
        place: String,
        /// What is wrong, and the remedy.
        problem: String,
    },
}

impl GeometryError {
    /// Refuses what is not a positive finite number.
    pub(crate) fn positive(object: &str, quantity: &'static str, value: f64) -> Result<f64, GeometryError> {
        if value > 0.0 && value.is_finite() {
            return Ok(value);
        }
        let rule = "it must be positive and finite";
        Err(GeometryError::Parameter { object: object.into(), quantity, value, rule })
    }
}
