//! What keeps a motion from having moments and muscle forces.

use thiserror::Error;
use wolff_formats::FormatError;
use wolff_multibody::{DynamicsError, SpecError};
use wolff_muscle::MuscleError;
use wolff_numerics::NumericsError;

/// Input that dynamics cannot work with, or an instant at which they fail.
#[derive(Debug, Error)]
pub enum DynamicsInputError {
    /// A coordinate, body, joint or muscle that the model does not have.
    #[error("{owner} names {what} `{name}`, which the model does not have; correct the name or leave it out")]
    Unknown {
        /// Who names it.
        owner: String,
        /// What it is.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Input that cannot be used.
    #[error("{object}: {reason}")]
    Input {
        /// File, force or setting.
        object: String,
        /// The rule broken, the value and the remedy.
        reason: String,
    },
    /// The equations fail at an instant.
    #[error("at {time} s: {reason}")]
    Instant {
        /// Time [s].
        time: f64,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// Tables that are none.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A filter or spline refused its data.
    #[error("{object}: {cause}")]
    Numerics {
        /// What was filtered or interpolated.
        object: String,
        /// The rule broken.
        cause: NumericsError,
    },
    /// A force that the model refuses.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A muscle that the model refuses.
    #[error(transparent)]
    Muscle(#[from] MuscleError),
}

impl DynamicsInputError {
    /// Input that cannot be used.
    pub(crate) fn input(object: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Input { object: object.into(), reason: reason.into() }
    }

    /// A failure of the equations at time `t` [s].
    pub(crate) fn instant(t: f64) -> impl Fn(DynamicsError) -> Self {
        move |e| Self::Instant { time: t, reason: e.to_string() }
    }
}
