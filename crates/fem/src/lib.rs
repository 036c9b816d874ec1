//! Finite elements for bones: from a tetrahedral mesh to vibration modes and a reduced body.
//!
//! | module | subject |
//! |---|---|
//! | [`mesh`], [`quality`], [`generate`], [`inp`] | tetrahedra with named sets, their faults, bars and tubes, Abaqus files |
//! | [`material`] | isotropic to orthotropic elasticity, admissibility, local axes |
//! | [`element`] | four- and ten-node tetrahedra: stiffness, consistent mass, strain |
//! | [`assembly`], [`sparse`] | `K` and `M` with a fixed pattern, Cholesky factors |
//! | [`dofs`] | supports and rigid interfaces |
//! | [`solve`], [`relief`], [`modes`] | statics, statics of a free body, lowest vibration modes |
//! | [`strain`], [`recovery`], [`locate`], [`gauge`] | measures of strain, strain at nodes, points of a mesh, strain gauges |
//! | [`craig_bampton`] | reduction to interfaces and orthonormal modes |
//! | [`integrals`], [`attachment`], [`reduce`], [`fidelity`] | from a mesh to a flexible body, and what it loses |
//! | [`elastodynamics`], [`newmark`] | the whole mesh under a motion, quasi-static and dynamic, to compare with |
//!
//! SI units; strain in the order `xx, yy, zz, xy, yz, zx` with engineering shear. Every failure is a [`FemError`].
//!
//! A shank-sized tube of cortical bone with rigid ends, reduced to 14 flexible modes:
//!
//! ```
//! use nalgebra::Vector3;
//! use wolff_fem::assembly::assemble;
//! use wolff_fem::craig_bampton::craig_bampton;
//! use wolff_fem::dofs::Constraints;
//! use wolff_fem::generate::tube;
//! use wolff_fem::material::{Material, MaterialField};
//! use wolff_fem::modes::ModeOptions;
//! use wolff_fem::{ElementKind, FemError};
//!
//! let mesh = tube(ElementKind::Tet10, 0.421, 0.027, 0.037, [1, 8, 8])?;
//! let system = assemble(&mesh, &MaterialField::uniform(&mesh, &Material::cortical_bone())?)?;
//! let joints = Constraints::default()
//!     .tie("knee", Vector3::zeros(), mesh.node_set("start")?)
//!     .tie("ankle", Vector3::new(0.0, 0.0, 0.421), mesh.node_set("end")?);
//! let body = craig_bampton(&mesh, &system, &joints, 8, &ModeOptions::default())?.orthonormalise()?;
//! assert_eq!(body.eigenvalues.len(), 2 * 6 + 8 - 6);
//! # Ok::<(), FemError>(())
//! ```

pub mod assembly;
pub mod attachment;
pub mod craig_bampton;
mod dense;
pub mod dofs;
pub mod elastodynamics;
pub mod element;
mod error;
pub mod fidelity;
pub mod gauge;
pub mod generate;
pub mod inp;
pub mod integrals;
mod krylov;
pub mod locate;
pub mod material;
pub mod mesh;
pub mod modes;
pub mod newmark;
pub mod quality;
pub mod recovery;
pub mod reduce;
pub mod relief;
pub mod solve;
pub mod sparse;
pub use wolff_flexbody::measures as strain;

pub use element::ElementKind;
pub use error::FemError;
pub use mesh::TetMesh;
