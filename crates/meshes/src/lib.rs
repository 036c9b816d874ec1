//! Mesh and surface files, read into the types of `wolff-fem` and `wolff-geometry` and written from them.
//!
//! | module | subject |
//! |---|---|
//! | [`solid`] | tetrahedral meshes: Gmsh `.msh`, Abaqus `.inp`, VTK `.vtu` and `.vtk` |
//! | [`surface`] | triangle meshes: `.stl`, `.obj`, `.ply`, `.vtp`, `.vtk` |
//! | [`nurbs`] | NURBS surfaces in JSON |
//! | [`size`] | plausible sizes; units of length |
//!
//! Files do not state their unit of length: coordinates are taken as metres unless a scale is given.
//!
//! Does a surface survive a file?
//!
//! ```
//! use wolff_geometry::TriangleMesh;
//! use wolff_meshes::surface;
//!
//! let ball = TriangleMesh::icosphere(0.024, 2)?;
//! let bytes = surface::write("ball.obj", &ball)?;
//! assert_eq!(surface::read("ball.obj", &bytes)?.mesh.triangles().len(), ball.triangles().len());
//! # Ok::<(), wolff_geometry::GeometryError>(())
//! ```
#![allow(non_snake_case)]

pub mod nurbs;
pub mod size;
pub mod solid;
pub mod surface;
