//! Tests of mesh and surface files; each module mirrors one of the sources.

mod nurbs;
mod size;
mod solid;
mod surface;
