//! Tests of `wolff-reference`, one file per source file.
#![allow(non_snake_case)]

mod rescale;
mod support;
mod symmetry;
mod walk;
