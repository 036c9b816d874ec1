//! Tests of `wolff-human`, a file for a file.
#![allow(non_snake_case)]

mod ankle;
mod anthropometry;
mod fibre;
mod muscles;
mod reach;
mod rescale;
mod skeleton;
mod support;
mod symmetry;
mod upper;
mod walk;
