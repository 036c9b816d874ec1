//! Tests of the motion crate, a file for each source file.
#![allow(non_snake_case)]

mod coupling;
mod external_loads;
mod history;
mod inverse_dynamics;
mod lowpass;
mod muscle_analysis;
mod pendulum;
mod quintic;
mod reactions;
mod sharing;
mod static_optimization;
mod walks;
