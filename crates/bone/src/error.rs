//! Why a bone could not be made or asked.

use thiserror::Error;
use wolff_fem::FemError;
use wolff_flexbody::FlexBodyError;

/// Why a bone could not be made or asked.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BoneError {
    /// The mesh or its reduction.
    #[error(transparent)]
    Fem(#[from] FemError),
    /// The reduced body.
    #[error(transparent)]
    Body(#[from] FlexBodyError),
    /// A value out of bounds, or parts that do not fit together.
    #[error("{object}: {rule}")]
    Invalid {
        /// What it is about.
        object: String,
        /// The value, the rule that was broken, and the remedy.
        rule: String,
    },
}

impl BoneError {
    pub(crate) fn invalid(object: impl Into<String>, rule: impl Into<String>) -> Self {
        BoneError::Invalid { object: object.into(), rule: rule.into() }
    }
}
