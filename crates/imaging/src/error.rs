//! The one error type of the crate.

use std::path::Path;

use thiserror::Error;
use wolff_files::ErrorKind;
use wolff_geometry::GeometryError;

/// Why an image could not be read or used.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ImagingError {
    /// The operating system refused to read a file.
    #[error("cannot read `{path}`: {cause}")]
    Unreadable {
        /// The file or folder.
        path: String,
        /// The message of the operating system.
        cause: String,
    },
    /// The content of a file cannot be understood.
    #[error("`{name}`: {message}")]
    File {
        /// The file, or the file within an archive.
        name: String,
        /// What is wrong, and the remedy.
        message: String,
    },
    /// A value out of bounds, or parts that do not fit together.
    #[error("{object}: {rule}")]
    Invalid {
        /// The object concerned.
        object: String,
        /// The value, the rule that was broken, and the remedy.
        rule: String,
    },
    /// A surface that cannot be used.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
}

impl ImagingError {
    pub(crate) fn invalid(object: impl Into<String>, rule: impl Into<String>) -> Self {
        ImagingError::Invalid { object: object.into(), rule: rule.into() }
    }

    pub(crate) fn file(name: impl Into<String>, message: impl Into<String>) -> Self {
        ImagingError::File { name: name.into(), message: message.into() }
    }

    pub(crate) fn unreadable(path: &Path, cause: &std::io::Error) -> Self {
        ImagingError::Unreadable { path: path.display().to_string(), cause: cause.to_string() }
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Input
    }
}
