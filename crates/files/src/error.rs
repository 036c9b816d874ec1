//! The one error type of the crate.

use crate::leftover;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What can go wrong when a file or folder is read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The operating system refused.
    #[error("cannot {action} `{}`: {cause}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// The message of the operating system.
        #[source]
        cause: std::io::Error,
    },
    /// Writing would have destroyed something, or the name is not a valid file name.
    #[error("will not write `{}`: {reason}", path.display())]
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// Why, and what to do instead.
        reason: String,
    },
}

impl FileError {
    /// The user is told of the target, not of the temporary name under which it is written.
    pub(crate) fn io(action: &'static str, path: &Path, cause: std::io::Error) -> Self {
        Self::Io { action, path: leftover::target_of(path), cause }
    }

    pub(crate) fn refused(path: &Path, reason: impl Into<String>) -> Self {
        Self::Refused { path: path.to_path_buf(), reason: reason.into() }
    }
}
