//! Tests of `wolff-anatomy`, a file for a file.
#![allow(non_snake_case)]

mod ankle;
mod anthropometry;
mod fibre;
mod muscles;
mod names;
mod reach;
mod skeleton;
mod support;
mod upper;
