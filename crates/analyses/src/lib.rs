//! Analyses of a recorded motion, one library call for each command.
//!
//! | module | content |
//! |---|---|
//! | [`contact_poses`] | contact pressures for given poses |
//! | [`dynamics`] | inverse dynamics, muscle forces, joint reactions and residual reduction of a motion |
#![allow(non_snake_case)]

pub mod contact_poses;
pub mod dynamics;
