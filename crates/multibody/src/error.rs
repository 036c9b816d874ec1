//! What can be wrong with a model or a computation.

use std::fmt;
use std::ops::Deref;
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

/// All mistakes found in a specification: at least one, in the order in which they were found. Displayed one per line.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecErrors(Vec<SpecError>);

impl SpecErrors {
    /// Fails with the mistakes collected so far.
    ///
    /// # Errors
    /// When the list is not empty.
    pub fn check(mistakes: Vec<SpecError>) -> Result<(), Self> {
        if mistakes.is_empty() { Ok(()) } else { Err(Self(mistakes)) }
    }
}

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, mistake) in self.iter().enumerate() {
            if k > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{mistake}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecErrors {}

impl Deref for SpecErrors {
    type Target = [SpecError];

    fn deref(&self) -> &[SpecError] {
        &self.0
    }
}

impl From<SpecError> for SpecErrors {
    fn from(mistake: SpecError) -> Self {
        Self(vec![mistake])
    }
}

impl IntoIterator for SpecErrors {
    type Item = SpecError;
    type IntoIter = std::vec::IntoIter<SpecError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a SpecErrors {
    type Item = &'a SpecError;
    type IntoIter = std::slice::Iter<'a, SpecError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A computation that could not be done.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum DynamicsError {
    /// A coordinate cannot be accelerated by any force: no mass moves with it.
    #[error(
        "coordinate `{coordinate}` has no inertia (articulated inertia {inertia:e}): give the bodies that it moves \
         mass or inertia"
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
        "the constraints cannot be assembled: `{constraint}` is off by {violation:.3e} after {iterations} iterations; \
         check lengths, frames and initial coordinates of the loop"
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
    /// The chosen dependent coordinates do not follow from the constraints any more.
    #[error(
        "the constraints have lost rank near `{constraint}`: a singular position; use `projection`, which passes it, or \
         start elsewhere"
    )]
    Singular {
        /// A constraint of the loop.
        constraint: String,
    },
    /// A kinematic analysis of a system that its constraints and drivers do not move alone.
    #[error(
        "the constraints and drivers do not decide the motion; {count} remaining: {coordinates}; give each a driver, or \
         run the dynamics with another method"
    )]
    Freedoms {
        /// How many.
        count: usize,
        /// A choice of coordinates that remain free.
        coordinates: String,
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
