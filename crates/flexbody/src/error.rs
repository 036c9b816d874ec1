//! What can be wrong with a flexible body.

use thiserror::Error;
use wolff_files::ErrorKind;

/// A flexible body that cannot be used; the message names the object, the rule and the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
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
    /// A file that cannot be read, written or understood.
    #[error("{path}: {problem}")]
    File {
        /// The file.
        path: String,
        /// What is wrong, and the remedy.
        problem: String,
    },
}

impl FlexBodyError {
    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            FlexBodyError::Invalid { .. } | FlexBodyError::File { .. } => ErrorKind::Input,
            FlexBodyError::NonFinite(_) => ErrorKind::Numerical,
        }
    }

    /// A problem with a file.
    pub fn file(path: &std::path::Path, problem: impl Into<String>) -> Self {
        FlexBodyError::File { path: path.display().to_string(), problem: problem.into() }
    }

    /// A broken rule about an object.
    pub fn invalid(object: impl Into<String>, rule: impl Into<String>) -> Self {
        FlexBodyError::Invalid { object: object.into(), rule: rule.into() }
    }
}
