//! First step: the geometry. Tetrahedral meshes with named sets of nodes and elements, made in code or read by
//! `wolff-meshes`.
//!
//! | module | subject |
//! |---|---|
//! | [`TetMesh`], [`SurfaceFace`] | nodes, elements, named sets, the surface |
//! | [`generate`] | bars and tubes |
//! | [`quality`], [`middles`], [`repair`], [`slivers`], [`summary`] | the faults of a mesh, their repair, its size |
//! | [`section`] | area, centroid and second moments of area of a cut |
//! | [`locate`] | the element or surface point nearest to a place |

pub mod generate;
pub mod locate;
pub mod middles;
pub mod quality;
pub mod repair;
pub mod section;
pub mod slivers;
pub mod summary;
mod tet_mesh;
mod topology;

pub(crate) use tet_mesh::{FACES, edge_matrix, sorted};
pub use tet_mesh::{SurfaceFace, TetMesh};
