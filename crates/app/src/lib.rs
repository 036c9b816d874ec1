//! What each command of the program does, as one library call.
//!
//! | module | content |
//! |---|---|
//! | [`cache`] | cache of reduced bones between runs |
//! | [`compare`] | runs of a study that differ in the values of some parameters, in one table and in common figures |
//! | [`run`] | a study of any kind: run, checkpointed, resumed, repeated with changed parameters |
//! | [`mod@sensitivity`] | sensitivity of a result to the parameters of a study |
//! | [`walk`] | a study of walking: parameters to a plan, a plan to a result, a result to an outcome |
//! | [`person_scaling`] | OpenSim models scaled to a person with known mass, stature and sex |
#![allow(non_snake_case)]

pub mod cache;
pub mod compare;
mod parallel;
pub mod person_scaling;
pub mod run;
pub mod sensitivity;
mod session;
pub mod walk;

pub use session::Session;
pub use walk::SavedWalk;
