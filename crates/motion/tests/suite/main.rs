//! Tests of the motion crate, a file for each source file.
#![allow(non_snake_case)]

mod coupling;
mod data;
mod external_loads;
mod history;
mod ik;
mod inverse_dynamics;
mod lowpass;
mod muscle_analysis;
mod mutations;
mod pendulum;
mod planar_leg;
mod quintic;
mod reactions;
mod recording;
mod residual_reduction;
mod scale;
mod sharing;
mod signal;
mod static_optimization;
mod validation;
mod walks;
