//! Tests of the motion crate, a file for each source file.
#![allow(non_snake_case)]

mod data;
mod ik;
mod inverse_dynamics;
mod muscle_analysis;
mod quintic;
mod reactions;
mod recording;
mod scale;
mod sharing;
mod signal;
mod static_optimization;
mod walks;
