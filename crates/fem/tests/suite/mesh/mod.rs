//! Tests of `mesh`.

mod locate;
mod quality;
mod repair;
mod section;
mod summary;
mod tet_mesh;
