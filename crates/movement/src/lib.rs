//! Movement of a person with flexible bones: from a reference or a measured motion to muscle forces, loads and strains.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`measured`] | one cycle of a reference motion from a recorded movement |
//! | [`imported`] | an OpenSim model as the person |
//! | [`mod@reference`] | the embedded walk, its rescaling to other people, its fit to a compliant floor |
//! | [`tracking`] | inverse dynamics, muscle forces by static optimisation, controllers |
//! | [`forward`] | forward simulation, its checkpoints, and the prescribed motion |
//! | [`loads`] | joint contact forces, loads on bones, their sections and their modes |
//! | [`compare`] | results against the reference and other methods |
//! | [`simulate`] | a complete simulation: person, reference motion, bones; tracking, forward simulation, strains |
//! | [`bones`] | the flexible bones of a movement and their gauge readings |
//! | [`tune`] | the floor fitted to a force curve |
//! | [`model`] | model with muscle paths, floor, state and record, which all the others use |
#![allow(non_snake_case)]

pub mod bones;
pub mod compare;
pub mod error;
pub mod forward;
pub mod imported;
pub mod loads;
pub mod measured;
pub mod model;
pub mod reference;
pub mod simulate;
pub mod tracking;
pub mod tune;

pub use error::MovementError;
pub use reference::ReferenceWalk;
