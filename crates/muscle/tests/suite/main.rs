//! Tests of the muscle crate, a file for each source file.
#![allow(non_snake_case)]

mod activation;
mod curve;
mod cylinder;
mod degroote;
mod element;
mod ellipsoid;
mod equilibrium;
mod geometry;
mod hill_facts;
mod inverse;
mod millard;
mod passive_defaults;
mod path;
mod pennation;
mod schutte;
mod servo;
mod solve;
mod sphere;
mod state;
mod step;
mod support;
mod thelen;
mod torus;
mod wrap_facts;
