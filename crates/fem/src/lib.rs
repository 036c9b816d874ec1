//! Finite elements for bones: from a tetrahedral mesh to vibration modes, a reduced flexible body and its strains.
//!
//! The folders follow the way of a calculation, mesh -> system -> solver -> reduction -> recovery:
//!
//! 1. [`mesh`] - What shape has the body? [`TetMesh`] with named sets; [`generate`], [`quality`], [`repair`],
//!    [`summary`], [`section`], [`locate`].
//! 2. [`system`] - Which equations hold? [`element`], [`material`], [`assembly`], [`sparse`], [`nodal`], [`dofs`],
//!    [`average`].
//! 3. [`solver`] - How does the whole mesh respond? [`ordering`], [`factor`], [`solve`], [`relief`], [`modes`],
//!    [`newmark`], [`elastodynamics`].
//! 4. [`reduction`] - Which few modes suffice? [`craig_bampton`], [`integrals`], [`geometric`], [`second_order`],
//!    [`reduce`], [`fidelity`].
//! 5. [`recovery`] - What would a strain gauge measure? [`gauge`], [`attachment`].
//!
//! | [`section`] | sections cut from a solid |
//! `bone` makes parametric meshes of tibia, femur and tube. Mesh files are read by the crate `wolff-meshes`. All
//! modules of the list are also available at the root of the crate.
//!
//! SI units; strain in the order `xx, yy, zz, xy, yz, zx` with engineering shear. Every failure is a [`FemError`].
//!
//! How many flexible modes has a shank-sized tube of cortical bone with two rigid ends and eight normal modes? Six per
//! end, the eight, and less the six rigid motions:
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

mod error;
pub mod mesh;
pub mod recovery;
pub mod reduction;
pub mod solver;
pub mod system;

pub use error::FemError;
pub use mesh::TetMesh;
pub use mesh::{generate, locate, quality, repair, section, summary};
pub use recovery::{attachment, gauge};
pub use reduction::{craig_bampton, fidelity, geometric, integrals, reduce, second_order};
pub use solver::{elastodynamics, factor, modes, newmark, ordering, relief, solve};
pub use system::element::ElementKind;
pub use system::{assembly, average, dofs, element, material, nodal, sparse};
pub use wolff_flexbody::measures as strain;
