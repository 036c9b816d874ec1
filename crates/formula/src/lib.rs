//! Formulas and quantities with units, as study files have them.
//!
//! | module | subject |
//! |---|---|
//! | [`quantity`] | numbers with units, and their dimensions |
//! | [`expression`] | formulas: reading, and evaluation with a check of dimensions |
//! | [`suggest`] | the nearest of the known words |
//!
//! ```
//! use wolff_formula::quantity::{Dimension, parse_quantity};
//!
//! let speed = parse_quantity("50 cm/s").unwrap();
//! assert_eq!((speed.value, speed.dimension), (0.5, Some(Dimension::SPEED)));
//! ```

pub mod expression;
mod parser;
pub mod quantity;
pub mod suggest;

pub use expression::{Expression, ExpressionError, Lookup, Scope, Term, TermKind};
pub use quantity::{Dimension, Quantity, parse_quantity, parse_unit};
