//! Tests of the motion crate, a file for each source file.
#![allow(non_snake_case)]

mod coordinate;
mod coupling;
mod data;
mod error;
mod external_loads;
mod history;
mod inverse_dynamics;
mod lowpass;
mod pendulum;
mod planar_leg;
mod prepare;
mod quintic;
mod recording;
mod residual_reduction;
mod sharing;
mod shortfall;
mod signal;
