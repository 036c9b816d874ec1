//! What each command of the program does, as one library call.
//!
//! | module | content |
//! |---|---|
//! | [`cache`] | where reduced bones are kept from run to run |
//! | [`run`] | a study of any kind: run, kept, continued, repeated with changed parameters |
//! | [`walk`] | a study of walking: parameters to a plan, a plan to a result, a result to an outcome |
//! | [`contact_poses`] | contact pressures of given poses |
//! | [`person_scaling`] | OpenSim models for people of whom mass, stature and sex are known |
#![allow(non_snake_case)]

pub mod cache;
pub mod contact_poses;
pub mod person_scaling;
pub mod run;
mod session;
pub mod walk;

pub use session::Session;
pub use walk::SavedWalk;
