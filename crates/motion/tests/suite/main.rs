//! Tests of the motion crate, a file for each source file.
#![allow(non_snake_case)]

mod inverse_dynamics;
mod quintic;
mod walks;
