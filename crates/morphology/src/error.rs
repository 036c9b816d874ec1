//! Why the frame of a bone could not be found.

use thiserror::Error;
use wolff_files::ErrorKind;
use wolff_geometry::GeometryError;

/// Why the frame of a bone could not be found, or points not be carried to it.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MorphologyError {
    /// The surface.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A value out of bounds, or a shape that does not say enough.
    #[error("{object}: {rule}")]
    Invalid {
        /// The object concerned.
        object: String,
        /// What was found, the rule, and the remedy.
        rule: String,
    },
}

impl MorphologyError {
    pub(crate) fn invalid(object: impl Into<String>, rule: impl Into<String>) -> Self {
        MorphologyError::Invalid { object: object.into(), rule: rule.into() }
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Input
    }
}
