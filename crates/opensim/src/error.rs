//! What keeps an OpenSim model from becoming a multibody system.

use thiserror::Error;

/// A part of the model that the tree cannot do without.
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
    /// A joint whose motion Wolff does not have.
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
    /// Mass properties of no body.
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
    /// The multibody system refuses the whole.
    #[error("{0}")]
    Spec(#[from] wolff_multibody::SpecError),
}
