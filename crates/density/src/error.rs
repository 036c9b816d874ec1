//! Why grey values could not be turned into materials.

use thiserror::Error;
use wolff_fem::FemError;
use wolff_files::ErrorKind;

/// Why grey values could not be turned into materials.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DensityError {
    /// The mesh or its materials.
    #[error(transparent)]
    Fem(#[from] FemError),
    /// A value out of bounds, or parts that do not fit together.
    #[error("{object}: {rule}")]
    Invalid {
        /// The object concerned.
        object: String,
        /// The value, the rule that was broken, and the remedy.
        rule: String,
    },
    /// A name that is not in a list.
    #[error("there is no {what} `{name}`; known are {known}")]
    Unknown {
        /// What was looked for, such as `density-modulus relation`.
        what: &'static str,
        /// The name as written.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The result is not plausible.
    #[error("the materials of the bone are not plausible: {reasons}")]
    Implausible {
        /// Every quantity that failed, with its limit and remedy.
        reasons: String,
    },
}

impl DensityError {
    pub(crate) fn invalid(object: impl Into<String>, rule: impl Into<String>) -> Self {
        DensityError::Invalid { object: object.into(), rule: rule.into() }
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            DensityError::Fem(error) => error.kind(),
            _ => ErrorKind::Input,
        }
    }
}
