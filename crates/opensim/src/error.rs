//! Errors of the conversion of an OpenSim model to a multibody system.

use thiserror::Error;

/// An invalid or unsupported part of the model without which the tree cannot be built.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum OpensimError {
    /// A frame that does not exist, or that is attached to itself.
    #[error("{object}: frame `{frame}` {reason}")]
    Frame {
        /// Joint, constraint, force or marker that names it.
        object: String,
        /// The name or path as written.
        frame: String,
        /// What is wrong with it, and the remedy.
        reason: String,
    },
    /// An unsupported joint.
    #[error("joint `{joint}`: {reason}")]
    Joint {
        /// The joint.
        joint: String,
        /// What is missing, and the remedy.
        reason: String,
    },
    /// A function that cannot be evaluated.
    #[error("{object}: {reason}")]
    Function {
        /// Joint or constraint it belongs to.
        object: String,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// Invalid mass properties.
    #[error("body `{body}`: {reason}")]
    Mass {
        /// The body.
        body: String,
        /// The rule broken.
        reason: String,
    },
    /// Curves of a muscle that are not valid.
    #[error("{0}")]
    Muscle(#[from] wolff_muscle::MuscleError),
    /// The multibody system is invalid.
    #[error("{0}")]
    Spec(#[from] wolff_multibody::SpecError),
}
