//! Tests of the motion crate, a file for each source file.
#![allow(non_snake_case)]

mod inverse_dynamics;
mod muscle_analysis;
mod quintic;
mod reactions;
mod sharing;
mod static_optimization;
mod walks;
