//! Muscles: where they run and how hard they pull.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`path`] | points, conditional and moving ones, wrapping over surfaces; length, speed, moment arms, forces |
//! | [`hill`] | Hill muscles: curves of Millard, Thelen, De Groote and Fregly, Schutte; pennation, activation, equilibrium |
#![allow(non_snake_case)]
// units in brackets are not links
#![allow(rustdoc::broken_intra_doc_links)]

pub mod error;
pub mod hill;
pub mod path;

pub use error::MuscleError;
pub use hill::{Curves, HillMuscle, HillParameters};
pub use path::{Path, PathGeometry, PathSpec, Scene};
