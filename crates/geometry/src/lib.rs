//! Surfaces that touch: closest points, rays, normals and curvature.
//!
//! | file | subject |
//! |---|---|
//! | [`surface`] | what contact asks of a surface, whatever it is made of |
//! | [`analytic`] | planes and spheres |
//! | [`knee`] | condyles and plateaus of our own design |
//! | [`triangles`] | meshes of triangles: checks, neighbours, closest points, rays, thickness of layers |
//! | [`nurbs`] | NURBS surfaces |
//!
//! How far above a femoral head of 48 mm lies a point 30 mm from its centre?
//!
//! ```
//! use wolff_geometry::{Sphere, Surface};
//! use wolff_spatial::Vec3;
//!
//! let head = Sphere::new(Vec3::zeros(), 0.024)?;
//! let point = Vec3::new(0.0, 0.03, 0.0);
//! let found = head.closest(&point).expect("every point but the centre has a closest one");
//! assert!((found.position.y - 0.024).abs() < 1e-15);
//! assert!((found.signed_distance(&point) - 0.006).abs() < 1e-15);
//! # Ok::<(), wolff_geometry::GeometryError>(())
//! ```
#![allow(non_snake_case)]

pub mod analytic;
pub mod error;
pub mod knee;
pub mod nurbs;
pub mod surface;
pub mod triangles;

pub use analytic::{Plane, Sphere};
pub use error::GeometryError;
pub use nurbs::{KnotVector, NurbsPatchSet, NurbsSurface};
pub use surface::{Bounds, Hit, Place, Surface, SurfacePoint, Track};
pub use triangles::{
    ArticularMesh, Facing, Mending, MeshReport, Normals, Shell, SurfaceFaults, Topology, TriangleMesh, TriangleSurface,
    articular_mesh,
};
