//! Tests of `mesh`.

mod locate;
mod repair;
mod section;
mod summary;
mod tet_mesh;
