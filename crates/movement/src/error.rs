//! What can go wrong on a walk.

use thiserror::Error;

/// A walk that could not be made.
#[derive(Debug, Error)]
pub enum MovementError {
    /// A number that breaks a rule.
    #[error("{object}: {rule}")]
    Rule {
        /// What it is about.
        object: String,
        /// The value, the rule and the remedy.
        rule: String,
    },
    /// A name that nothing has.
    #[error("the model has no {what} `{name}`; it is needed for {purpose}")]
    Missing {
        /// Kind of thing.
        what: &'static str,
        /// Its name.
        name: String,
        /// What for.
        purpose: &'static str,
    },
    /// The person fell.
    #[error(
        "the person fell after {time:.3} s: the pelvis came down to {height:.2} m, the reference height is {reference:.2} m; {remedy}"
    )]
    Fell {
        /// When [s].
        time: f64,
        /// Height of the pelvis [m].
        height: f64,
        /// TensionReference height [m].
        reference: f64,
        /// What helps.
        remedy: &'static str,
    },
    /// It was asked to stop.
    #[error("stopped when asked to, after {time:.3} s of {end:.3} s")]
    Stopped {
        /// When [s].
        time: f64,
        /// How long it was to go on [s].
        end: f64,
    },
    /// The equations could not be solved.
    #[error("at {time:.4} s: {reason}")]
    Step {
        /// When [s].
        time: f64,
        /// Why.
        reason: wolff_multibody::DynamicsError,
    },
    /// A person that cannot be.
    #[error(transparent)]
    Human(#[from] wolff_anatomy::AnatomyError),
    /// A recording that cannot be used.
    #[error(transparent)]
    Motion(#[from] wolff_motion::MotionError),
    /// A muscle that cannot be.
    #[error(transparent)]
    Muscle(#[from] wolff_muscle::MuscleError),
    /// A ground that cannot be.
    #[error(transparent)]
    Contact(#[from] wolff_contact::ContactError),
    /// A bone that cannot be.
    #[error(transparent)]
    Bone(#[from] wolff_bone::BoneError),
    /// A model that cannot be.
    #[error("the model cannot be built: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Model(wolff_multibody::SpecErrors),
}

impl MovementError {
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
