//! Results beside records: inverse kinematics, dynamics, muscles and scaling of recorded trials.
#![allow(non_snake_case)]

mod data;
mod ik;
mod inverse_dynamics;
mod manifest;
mod muscle_analysis;
mod muscle_control;
mod planar_leg;
mod reactions;
mod residual_reduction;
mod scale;
mod signal;
mod static_optimization;
mod validation;
mod walks;
