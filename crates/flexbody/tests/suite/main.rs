//! Tests of the reduced flexible body, a file for each source file.

#![allow(non_snake_case)]

mod beam;
mod inertia;
