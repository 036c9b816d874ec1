//! Tests of the control crate, a file for each source file.
#![allow(non_snake_case)]

mod bounds;
