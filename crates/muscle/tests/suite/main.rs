//! Tests of the muscle crate, a file for each source file.
#![allow(non_snake_case)]

mod cylinder;
mod geometry;
mod path;
mod solve;
mod sphere;
mod support;
mod wrap_facts;
