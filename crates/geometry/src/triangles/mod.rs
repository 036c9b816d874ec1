//! Surfaces of triangles.
//!
//! | file | subject |
//! |---|---|
//! | [`mesh`] | vertices and triangles as a plain value: checked, cleaned, turned, moved |
//! | `generate` | balls, boxes, rectangles and layers as meshes |
//! | [`topology`] | neighbours, rims, connected parts |
//! | [`faults`] | edges of more than two triangles, disagreeing neighbours; their repair |
//! | [`report`] | area, volume, rims and bounds of a mesh |
//! | [`surface`] | the [`Surface`](crate::Surface) of a mesh: closest points, rays, normals, curvature |
//! | [`mod@thickness`] | distance through a layer to the surface behind it |
//! | [`shell`], `signed_groups` | closed shells of thin layers: articular sheet, sheet behind it, rim |
//!
//! The triangles of a mesh run counter-clockwise when seen from outside the material.

mod clearance;
mod closest;
mod facet;
pub mod faults;
mod fidelity;
mod generate;
pub mod mesh;
mod normals;
mod ray;
pub mod report;
pub mod shell;
mod shell_report;
mod signed_groups;
pub mod surface;
pub mod thickness;
pub mod topology;

pub use faults::{CrowdedEdge, Mending, SurfaceFaults};
pub use mesh::{Cleaned, TriangleMesh};
pub use report::MeshReport;
pub use shell::{ArticularMesh, Facing, Sheet, Shell, articular_mesh};
pub use shell_report::ShellReport;
pub use surface::{Normals, TriangleSurface};
pub use thickness::{thickness, thickness_at};
pub use topology::Topology;
