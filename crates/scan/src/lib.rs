//! From a scan or a surface to tetrahedra and to a flexible bone.
//!
//! | module | content |
//! |---|---|
//! | [`source`] | reads surfaces and label volumes, finds the unit of a surface |
//! | [`bone`] | the whole way to a flexible bone: surface, frame, mesh, material, modes |
//! | [`given`] | a tibia or femur of a person from any file |
//! | [`prepare`] | surfaces, tables and profiles for contact from meshes, point clouds and curves |
//! | [`mod@generate`] | tetrahedra from a surface, nested surfaces or labels, with a verdict |

pub mod bone;
mod error;
pub mod generate;
pub mod given;
mod labels;
pub mod prepare;
pub mod source;

pub use error::ScanError;
