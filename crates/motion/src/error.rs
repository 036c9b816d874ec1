//! Errors of motion analysis.

use std::path::PathBuf;
use thiserror::Error;
use wolff_files::{ErrorKind, FileError};
use wolff_formats::FormatError;
use wolff_multibody::{DynamicsError, SpecError};
use wolff_muscle::MuscleError;
use wolff_numerics::NumericsError;
use wolff_spatial::InertiaError;

/// The one error type of the crate.
#[derive(Debug, Error)]
pub enum MotionError {
    /// A file that cannot be read.
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        cause: std::io::Error,
    },
    /// A file that breaks a rule of its format.
    #[error("`{}`: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The rule broken.
        #[source]
        cause: FormatError,
    },
    /// Values that cannot be written to a file.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A model that cannot be converted to a multibody system.
    #[error("model `{model}`: {}", reasons.join("; "))]
    Model {
        /// Its name.
        model: String,
        /// All its errors.
        reasons: Vec<String>,
    },
    /// A coordinate, marker, body, joint or muscle that the model does not have.
    #[error("{owner} names {what} `{name}`, which the model does not have; correct the name or leave it out")]
    Unknown {
        /// Where it is named.
        owner: String,
        /// What it is.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Invalid input.
    #[error("{object}: {reason}")]
    Input {
        /// File, task, marker, force or setting.
        object: String,
        /// The rule broken, the value and the remedy.
        reason: String,
    },
    /// Inverse kinematics failed.
    #[error("inverse kinematics failed at {time} s: {reason}")]
    Pose {
        /// Time of the frame \[s\].
        time: f64,
        /// Why, and the remedy.
        reason: String,
    },
    /// A computation that did not succeed.
    #[error("{object}: {reason}")]
    Numerical {
        /// What was computed.
        object: String,
        /// Why it failed, and the remedy.
        reason: String,
    },
    /// The user asked to stop.
    #[error("stopped before the end")]
    Stopped,
    /// Invalid data for a filter or spline.
    #[error("{object}: {cause}")]
    Numerics {
        /// What was filtered or interpolated.
        object: String,
        /// The rule broken.
        #[source]
        cause: NumericsError,
    },
    /// The equations of motion cannot be solved at an instant.
    #[error("at {time} s: {reason}")]
    Instant {
        /// Time \[s\].
        time: f64,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// Accelerations that cannot be computed.
    #[error("at {time} s: {cause}")]
    Dynamics {
        /// Time \[s\].
        time: f64,
        /// What is wrong, and the remedy.
        #[source]
        cause: DynamicsError,
    },
    /// Invalid mass properties.
    #[error("{body}: {cause}")]
    Mass {
        /// The body.
        body: String,
        /// The rule broken.
        #[source]
        cause: InertiaError,
    },
    /// Invalid force.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Invalid muscle.
    #[error(transparent)]
    Muscle(#[from] MuscleError),
}

impl MotionError {
    /// Invalid input.
    pub fn input(object: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Input { object: object.into(), reason: reason.into() }
    }

    /// A failure of the equations of motion at time `t` \[s\].
    pub fn instant(t: f64) -> impl Fn(DynamicsError) -> Self {
        move |cause| Self::Dynamics { time: t, cause }
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Format(FormatError::File(FileError::Io { .. })) => ErrorKind::File,
            Self::Pose { .. } | Self::Numerical { .. } | Self::Instant { .. } | Self::Dynamics { .. } => {
                ErrorKind::Numerical
            }
            Self::Stopped => ErrorKind::Stopped,
            Self::Unreadable { .. }
            | Self::File { .. }
            | Self::Format(_)
            | Self::Model { .. }
            | Self::Unknown { .. }
            | Self::Input { .. }
            | Self::Numerics { .. }
            | Self::Mass { .. }
            | Self::Spec(_)
            | Self::Muscle(_) => ErrorKind::Input,
        }
    }
}
