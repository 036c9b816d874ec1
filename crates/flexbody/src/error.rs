//! What can be wrong with a flexible body.

use thiserror::Error;

/// A flexible body that cannot be used; the message names the object, the rule and the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FlexBodyError {
    /// Something is missing, has the wrong size, or is out of bounds.
    #[error("{object}: {rule}")]
    Invalid {
        /// What it is about.
        object: String,
        /// The rule that was broken, and the remedy.
        rule: String,
    },
    /// A value is infinite or not a number.
    #[error("{0} is not a finite number")]
    NonFinite(String),
}

impl FlexBodyError {
    /// A broken rule about an object.
    pub fn invalid(object: impl Into<String>, rule: impl Into<String>) -> Self {
        FlexBodyError::Invalid { object: object.into(), rule: rule.into() }
    }
}
