//! Why a bone could not be made or used.

use thiserror::Error;
use wolff_fem::FemError;
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

/// What kind of failure an error is: exit codes follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The input is invalid; the user can correct it.
    Input,
    /// A computation failed with valid input.
    Numerical,
    /// A file could not be read or written.
    File,
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
            BoneError::Fem(error) => fem_kind(error),
            BoneError::Body(error) => body_kind(error),
            BoneError::Invalid { .. } | BoneError::Text { .. } => ErrorKind::Input,
        }
    }
}

fn fem_kind(error: &FemError) -> ErrorKind {
    match error {
        FemError::Mesh(_)
        | FemError::Quality(_)
        | FemError::Parse { .. }
        | FemError::ParseBinary { .. }
        | FemError::UnknownSet { .. }
        | FemError::Material { .. }
        | FemError::Boundary(_)
        | FemError::ModeCount { .. } => ErrorKind::Input,
        FemError::NotPositiveDefinite { .. }
        | FemError::NotConverged { .. }
        | FemError::MissedModes { .. }
        | FemError::NonFinite(_)
        | FemError::LinearAlgebra(_) => ErrorKind::Numerical,
        FemError::Io { .. } | FemError::Unwritable { .. } => ErrorKind::File,
        FemError::InFile { cause, .. } => fem_kind(cause),
        FemError::FlexBody(error) => body_kind(error),
    }
}

fn body_kind(error: &FlexBodyError) -> ErrorKind {
    match error {
        FlexBodyError::Invalid { .. } => ErrorKind::Input,
        FlexBodyError::NonFinite(_) => ErrorKind::Numerical,
        FlexBodyError::File { .. } => ErrorKind::File,
    }
}
