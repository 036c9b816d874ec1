//! Why a bone could not be made or used.

use thiserror::Error;
use wolff_fem::FemError;
use wolff_files::ErrorKind;
use wolff_flexbody::FlexBodyError;

/// Why a bone or another flexible body could not be made or used.
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
        /// The object concerned.
        object: String,
        /// The value, the rule that was broken, and the remedy.
        rule: String,
    },
    /// A text that cannot be read.
    #[error("`{text}` {rule}")]
    Text {
        /// The text as written.
        text: String,
        /// What is wrong with it, and what to write instead.
        rule: String,
    },
}

impl BoneError {
    pub(crate) fn invalid(object: impl Into<String>, rule: impl Into<String>) -> Self {
        BoneError::Invalid { object: object.into(), rule: rule.into() }
    }

    pub(crate) fn text(text: &str, rule: &str) -> Self {
        BoneError::Text { text: text.trim().into(), rule: rule.into() }
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            BoneError::Fem(error) => error.kind(),
            BoneError::Body(error) => error.kind(),
            BoneError::Invalid { .. } | BoneError::Text { .. } => ErrorKind::Input,
        }
    }
}
