//! Reference motions: one cycle of movement with its ground forces, for a person and a floor.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`walk`] | one cycle of walking as Fourier series with the ground forces, and its inverse dynamics |
//! | [`rescale`](mod@rescale) | the walk carried over to another person and made consistent again |
//! | [`floor_fit`] | a walk on rigid ground fitted to a compliant floor |

pub mod floor_fit;
pub mod rescale;
pub mod walk;

pub use rescale::{RescaleSettings, rescale};
pub use walk::ReferenceWalk;
