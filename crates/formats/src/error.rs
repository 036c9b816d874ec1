//! The one error type of the crate.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// What can go wrong when reading or writing a file.
#[derive(Debug, Error)]
pub enum FormatError {
    /// The text breaks a rule of its format.
    #[error("{format} line {line}: {message}")]
    Syntax {
        /// Name of the format, such as `.sto`.
        format: &'static str,
        /// Line number, from 1.
        line: usize,
        /// The rule broken, with the text found.
        message: String,
    },
    /// Data that the format cannot hold.
    #[error("cannot write {format}: {message}")]
    Unwritable {
        /// The format.
        format: &'static str,
        /// What it cannot hold, and the remedy.
        message: String,
    },
    /// The bytes of a binary file break a rule of its format.
    #[error("{format} at byte {offset}: {message}")]
    Damaged {
        /// Name of the format, such as `C3D`.
        format: &'static str,
        /// Offset of the offending bytes, from 0.
        offset: usize,
        /// The rule broken, with the values found.
        message: String,
    },
    /// A file that is sound but holds what is not read.
    #[error("{format}: {message}")]
    Unsupported {
        /// Name of the format.
        format: &'static str,
        /// What it is, and what to do instead.
        message: String,
    },
    /// Values that are no trial.
    #[error("trial: {0}")]
    Trial(String),
    /// Axes that are no axes.
    #[error("axes: {0}")]
    Axes(String),
    /// Values that are no table.
    #[error("table: {0}")]
    Table(String),
    /// The operating system refused.
    #[error("cannot {action} `{}`: {cause}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// The system's own words.
        #[source]
        cause: std::io::Error,
    },
    /// Writing would have destroyed something, or the name is no name of a file.
    #[error("will not write `{}`: {reason}", path.display())]
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// Why, and what to do instead.
        reason: String,
    },
}

impl FormatError {
    /// A text that breaks a rule of its format, at a line counted from 1.
    pub fn syntax(format: &'static str, line: usize, message: impl Into<String>) -> Self {
        Self::Syntax { format, line, message: message.into() }
    }

    pub(crate) fn damaged(format: &'static str, offset: usize, message: impl Into<String>) -> Self {
        Self::Damaged { format, offset, message: message.into() }
    }

    /// A sound file with content that is not supported.
    pub fn unsupported(format: &'static str, message: impl Into<String>) -> Self {
        Self::Unsupported { format, message: message.into() }
    }

    /// A refusal of the operating system.
    pub fn io(action: &'static str, path: &Path, cause: std::io::Error) -> Self {
        Self::Io { action, path: path.to_path_buf(), cause }
    }

    pub(crate) fn refused(path: &Path, reason: impl Into<String>) -> Self {
        Self::Refused { path: path.to_path_buf(), reason: reason.into() }
    }
}
