//! From a scan or a surface to tetrahedra and to a flexible bone.
//!
//! | module | content |
//! |---|---|
//! | [`source`] | reads surfaces and label volumes, finds the unit of a surface |
//! | [`mod@generate`] | tetrahedra from a surface, nested surfaces or labels, with a verdict |

mod error;
pub mod generate;
mod labels;
pub mod source;

pub use error::ScanError;
