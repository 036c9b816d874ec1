//! Errors of movements.

use std::error::Error as StdError;
use thiserror::Error;
use wolff_files::ErrorKind;
use wolff_verdict::Finding;

/// Why a movement could not be computed.
#[derive(Debug, Error)]
pub enum MovementError {
    /// An invalid value or an invalid combination of values.
    #[error("{object}: {rule}")]
    Rule {
        /// The object that the error concerns.
        object: String,
        /// The value, the rule that it breaks, and the remedy.
        rule: String,
    },
    /// An invalid or failed step with the error that caused it.
    #[error("{object}: {cause}")]
    Cause {
        /// The object that the error concerns.
        object: String,
        /// Whether the input or the computation is at fault.
        kind: ErrorKind,
        /// The cause.
        #[source]
        cause: Box<dyn StdError + Send + Sync>,
    },
    /// A computation that did not converge.
    #[error("{object}: {reason}")]
    NotConverged {
        /// What was computed.
        object: String,
        /// When it failed, and the remaining residual.
        reason: String,
    },
    /// A part that the model does not have.
    #[error("the model has no {what} `{name}`; it is needed for {purpose}")]
    Missing {
        /// Kind of part.
        what: &'static str,
        /// Its name.
        name: String,
        /// What it is needed for.
        purpose: &'static str,
    },
    /// A recording with errors.
    #[error("the recording is refused: {}", .0.iter().map(Finding::text).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Finding>),
    /// The person fell.
    #[error(
        "the person fell after {time:.3} s: the pelvis came down to {height:.2} m, \
         the reference height is {reference:.2} m"
    )]
    Fell {
        /// When \[s\].
        time: f64,
        /// Height of the pelvis \[m\].
        height: f64,
        /// Reference height \[m\].
        reference: f64,
    },
    /// The user asked to stop.
    #[error("stopped by the user after {time:.3} s of {end:.3} s")]
    Stopped {
        /// When \[s\].
        time: f64,
        /// Planned end \[s\].
        end: f64,
    },
    /// The equations of motion could not be solved.
    #[error("at {time:.4} s: {reason}")]
    Step {
        /// When \[s\].
        time: f64,
        /// Why.
        #[source]
        reason: wolff_multibody::DynamicsError,
    },
    /// Invalid person or reference motion.
    #[error(transparent)]
    Human(#[from] wolff_anatomy::AnatomyError),
    /// Invalid recording.
    #[error(transparent)]
    Motion(#[from] wolff_motion::MotionError),
    /// Invalid muscle.
    #[error(transparent)]
    Muscle(#[from] wolff_muscle::MuscleError),
    /// Invalid ground.
    #[error(transparent)]
    Contact(#[from] wolff_contact::ContactError),
    /// Invalid bone, or one whose reduction failed.
    #[error(transparent)]
    Bone(#[from] wolff_bone::BoneError),
    /// Invalid model.
    #[error("the model cannot be built: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Model(wolff_multibody::SpecErrors),
}

impl MovementError {
    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            MovementError::Cause { kind, .. } => *kind,
            MovementError::NotConverged { .. } | MovementError::Fell { .. } | MovementError::Step { .. } => {
                ErrorKind::Numerical
            }
            MovementError::Stopped { .. } => ErrorKind::Stopped,
            MovementError::Human(error) => error.kind(),
            MovementError::Motion(error) => error.kind(),
            MovementError::Bone(error) => error.kind(),
            MovementError::Rule { .. }
            | MovementError::Refused(_)
            | MovementError::Missing { .. }
            | MovementError::Muscle(_)
            | MovementError::Contact(_)
            | MovementError::Model(_) => ErrorKind::Input,
        }
    }

    /// Input that is invalid for `object`, with its cause.
    pub fn input(object: impl Into<String>, cause: impl StdError + Send + Sync + 'static) -> Self {
        MovementError::Cause { object: object.into(), kind: ErrorKind::Input, cause: Box::new(cause) }
    }

    /// A computation that failed for `object`, with its cause.
    pub(crate) fn numerical(object: impl Into<String>, cause: impl StdError + Send + Sync + 'static) -> Self {
        MovementError::Cause { object: object.into(), kind: ErrorKind::Numerical, cause: Box::new(cause) }
    }

    /// A broken rule.
    pub fn rule(object: impl Into<String>, rule: impl Into<String>) -> Self {
        MovementError::Rule { object: object.into(), rule: rule.into() }
    }
}

impl From<wolff_multibody::SpecErrors> for MovementError {
    fn from(mistakes: wolff_multibody::SpecErrors) -> Self {
        MovementError::Model(mistakes)
    }
}
