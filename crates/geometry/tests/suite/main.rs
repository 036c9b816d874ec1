//! Tests of the surfaces; each file mirrors one of the sources.
#![allow(non_snake_case)]

mod analytic;
mod damage;
mod file;
mod knee;
mod mesh;
mod nurbs;
mod real_files;
mod shell;
mod triangle_surface;
