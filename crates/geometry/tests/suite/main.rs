//! Tests of the surfaces; each file mirrors one of the sources.

mod analytic;
mod damage;
mod file;
mod knee;
mod mesh;
mod real_files;
mod triangle_surface;
