//! Tests of the muscle crate, a file for each source file.
#![allow(non_snake_case)]

mod activation;
mod curve;
mod cylinder;
mod degroote;
mod equilibrium;
mod geometry;
mod hill_facts;
mod millard;
mod path;
mod pennation;
mod schutte;
mod solve;
mod sphere;
mod state;
mod support;
mod thelen;
mod wrap_facts;
