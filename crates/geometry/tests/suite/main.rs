//! Tests of the surfaces; each file mirrors one of the sources.
#![allow(non_snake_case)]

mod analytic;
mod fidelity;
mod knee;
mod mesh;
mod nurbs;
mod shell;
mod triangle_surface;
