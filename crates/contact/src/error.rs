//! The one error type of the crate.

use thiserror::Error;
use wolff_numerics::NumericsError;

/// Why a contact was refused or a collision not solved.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ContactError {
    /// A number breaks a rule.
    #[error("{object}: {quantity} is {value}, {rule}")]
    Parameter {
        /// The law, shape or material.
        object: String,
        /// What the number means, with its unit.
        quantity: &'static str,
        /// The number.
        value: f64,
        /// The rule it breaks, and the remedy.
        rule: &'static str,
    },
    /// A parameter that the law cannot do without.
    #[error("{object}: {quantity} is missing; {remedy}")]
    Missing {
        /// The law.
        object: String,
        /// What is missing, with its unit.
        quantity: &'static str,
        /// What to give.
        remedy: &'static str,
    },
    /// No law has this name.
    #[error("`{name}` is no contact law; the laws are {known}")]
    UnknownLaw {
        /// The name given.
        name: String,
        /// All names.
        known: String,
    },
    /// No method for this pair of shapes.
    #[error("contact between {a} and {b} is not supported; {remedy}")]
    UnsupportedPair {
        /// First shape.
        a: String,
        /// Second shape.
        b: String,
        /// What to use instead.
        remedy: &'static str,
    },
    /// Both shapes are on one body.
    #[error("contact `{name}`: both frames are on the same body; put the shapes on two bodies, or one on ground")]
    SameBody {
        /// Name of the contact.
        name: String,
    },
    /// A curve that cannot bound a body.
    #[error("profile: {rule}")]
    Profile {
        /// What is wrong with its points, and the remedy.
        rule: String,
    },
    /// A table of surface points that cannot be used.
    #[error("surface table {table}: {rule}")]
    Table {
        /// What it is of, or its file.
        table: String,
        /// What is wrong, and the remedy.
        rule: String,
    },
    /// A collision that does not end in finite time.
    #[error("{law}: the bodies never separate, {reason}")]
    NoSeparation {
        /// The law.
        law: String,
        /// Why, and the remedy.
        reason: &'static str,
    },
    /// No contact element is left.
    #[error(
        "{compartment}: no contact element lies on the surface ({dropped} dropped); check position, extent and \
         direction of the grid and the range of its rays"
    )]
    NoElements {
        /// Name of the compartment.
        compartment: String,
        /// Elements that missed the surface.
        dropped: usize,
    },
    /// A layer is pressed to nothing.
    #[error(
        "compartment `{compartment}`: the overlap of {:.3} mm at ({:.1}, {:.1}, {:.1}) mm uses up the layer, of which \
         {:.3} mm are described; correct the pose or the units, reduce load or step, or give the layer its true \
         thickness",
        1e3 * depth, 1e3 * at[0], 1e3 * at[1], 1e3 * at[2], 1e3 * limit
    )]
    LayerUsedUp {
        /// Name of the compartment.
        compartment: String,
        /// Deepest overlap \[m\].
        depth: f64,
        /// Deepest overlap that is described there \[m\].
        limit: f64,
        /// Where, in the fixed frame \[m\].
        at: [f64; 3],
    },
    /// A pose or velocity with NaN or infinity.
    #[error(
        "foundation contact: the relative pose or velocity is not finite; the motion has diverged or was never set"
    )]
    PoseNotFinite,
    /// A numerical method failed.
    #[error(transparent)]
    Numerics(#[from] NumericsError),
}

/// Rule of [`positive`].
const POSITIVE: &str = "must be a finite number greater than zero";

/// Accepts finite numbers greater than zero.
pub(crate) fn positive(object: &str, quantity: &'static str, value: f64) -> Result<f64, ContactError> {
    require(value.is_finite() && value > 0.0, object, quantity, value, POSITIVE)
}

/// Accepts finite numbers, zero or more.
pub(crate) fn not_negative(object: &str, quantity: &'static str, value: f64) -> Result<f64, ContactError> {
    let rule = "must be a finite number, zero or more";
    require(value.is_finite() && value >= 0.0, object, quantity, value, rule)
}

/// Hands back the value where the condition holds.
pub(crate) fn require(
    holds: bool,
    object: &str,
    quantity: &'static str,
    value: f64,
    rule: &'static str,
) -> Result<f64, ContactError> {
    if holds { Ok(value) } else { Err(ContactError::Parameter { object: object.into(), quantity, value, rule }) }
}
