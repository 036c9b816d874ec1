//! From markers and forces to joint angles, moments and muscle forces.
//!
//! - [`subject`]: an OpenSim model as a solver's model with the file's own order and units of coordinates.
//! - [`recording`]: marker and force files by their endings.
//! - [`signal`]: gaps, filters, gait events and cycles of recorded signals.
//! - [`ik`]: inverse kinematics.
//! - [`scale`]: a generic model scaled to a subject, markers placed on it.
#![allow(non_snake_case)]

pub mod error;
pub mod ik;
pub mod recording;
pub mod scale;
pub mod signal;
pub mod subject;

pub use error::MotionError;
pub use subject::SubjectModel;
