//! What can be wrong with a model or a computation.

use thiserror::Error;

/// A mistake in a [`crate::spec::ModelSpec`].
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{object}: {rule}")]
pub struct SpecError {
    /// Name of the body, joint, constraint or force that is wrong.
    pub object: String,
    /// The rule broken, with the value and the remedy.
    pub rule: String,
}

impl SpecError {
    /// A mistake of `object`.
    pub fn new(object: impl Into<String>, rule: impl Into<String>) -> Self {
        SpecError { object: object.into(), rule: rule.into() }
    }
}

/// A computation that could not be done.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum DynamicsError {
    /// A coordinate cannot be accelerated by any force: no mass moves with it.
    #[error(
        "coordinate `{coordinate}` has no inertia (articulated inertia {inertia:e}): give the bodies that it moves mass or inertia"
    )]
    NoInertia {
        /// Name of the coordinate.
        coordinate: String,
        /// The articulated inertia found.
        inertia: f64,
    },
    /// An acceleration, force or multiplier came out as NaN or infinity.
    #[error("{quantity} of `{name}` is not a finite number")]
    NotFinite {
        /// Which quantity.
        quantity: &'static str,
        /// Coordinate or constraint.
        name: String,
    },
    /// Constraints cannot be met together.
    #[error(
        "the constraints cannot be assembled: `{constraint}` is off by {violation:.3e} after {iterations} iterations; check lengths, frames and initial coordinates of the loop"
    )]
    Assembly {
        /// The worst constraint.
        constraint: String,
        /// What remains of it.
        violation: f64,
        /// Newton iterations done.
        iterations: usize,
    },
    /// Constraints contradict each other at velocity or acceleration level.
    #[error("constraint `{constraint}` contradicts the others: {violation:.3e} remains; remove it or make them agree")]
    Contradiction {
        /// The worst constraint.
        constraint: String,
        /// What remains of it.
        violation: f64,
    },
    /// No equilibrium was found.
    #[error("no equilibrium found: the worst coordinate `{coordinate}` keeps an unbalanced force of {force:.3e}")]
    NoEquilibrium {
        /// The worst coordinate.
        coordinate: String,
        /// Force left on it.
        force: f64,
    },
}
