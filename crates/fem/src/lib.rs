//! Finite elements for bones: from a tetrahedral mesh to vibration modes and a reduced body.
//!
//! | module | subject |
//! |---|---|
//! | [`mesh`], [`quality`], [`generate`], [`inp`] | tetrahedra with named sets, their faults, bars and tubes, Abaqus files |
//! | [`material`] | isotropic to orthotropic elasticity, admissibility, local axes |
//! | [`element`] | four- and ten-node tetrahedra: stiffness, consistent mass, strain |
//! | [`assembly`], [`sparse`], [`nodal`] | `K` and `M` with a fixed pattern |
//! | [`ordering`], [`factor`] | nested dissection, Cholesky factors along its tree |
//! | [`dofs`], [`average`] | supports, rigid and averaging interfaces |
//! | [`solve`], [`modes`], [`strain`] | statics, lowest vibration modes, measures of strain |
//! | [`craig_bampton`] | reduction to interfaces, attachment loads and orthonormal modes |
//! | [`geometric`] | how stress at rest stiffens or softens a body |
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
mod attachment;
pub mod average;
pub mod craig_bampton;
mod dense;
pub mod dofs;
pub mod element;
mod error;
pub mod factor;
mod flexible;
mod fronts;
pub mod generate;
pub mod geometric;
mod inertia;
pub mod inp;
mod krylov;
pub mod material;
pub mod mesh;
pub mod modes;
pub mod nodal;
pub mod ordering;
pub(crate) mod projection;
pub mod quality;
pub mod solve;
pub mod sparse;
pub mod strain;

pub use element::ElementKind;
pub use error::FemError;
pub use mesh::TetMesh;
