//! The one error type of the crate.

use std::path::Path;
use thiserror::Error;
use wolff_files::FileError;

/// Error when reading or writing a file.
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
        /// The unsupported data, and the remedy.
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
    /// A valid file with unsupported content.
    #[error("{format}: {message}")]
    Unsupported {
        /// Name of the format.
        format: &'static str,
        /// The unsupported content, and the remedy.
        message: String,
    },
    /// Invalid trial.
    #[error("trial: {0}")]
    Trial(String),
    /// Invalid axes.
    #[error("axes: {0}")]
    Axes(String),
    /// Invalid table.
    #[error("table: {0}")]
    Table(String),
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl FormatError {
    /// A text that breaks a rule of its format, at a line counted from 1.
    pub fn syntax(format: &'static str, line: usize, message: impl Into<String>) -> Self {
        Self::Syntax { format, line, message: message.into() }
    }

    pub(crate) fn damaged(format: &'static str, offset: usize, message: impl Into<String>) -> Self {
        Self::Damaged { format, offset, message: message.into() }
    }

    /// A valid file with unsupported content.
    pub fn unsupported(format: &'static str, message: impl Into<String>) -> Self {
        Self::Unsupported { format, message: message.into() }
    }

    /// An error of the operating system.
    pub fn io(action: &'static str, path: &Path, cause: std::io::Error) -> Self {
        Self::File(FileError::Io { action, path: path.to_path_buf(), cause })
    }
}
