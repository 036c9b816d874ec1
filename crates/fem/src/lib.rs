//! Finite elements for bones: from a tetrahedral mesh to vibration modes and a reduced body.
//!
//! | module | subject |
//! |---|---|
//! | [`mesh`], [`generate`], [`file`] | tetrahedra with named sets, bars and tubes, Gmsh, Abaqus and VTK files |
//! | [`quality`], [`repair`], [`summary`] | the faults of a mesh, their repair, its size |
//! | [`section`] | sections cut from a solid |
//! | [`material`] | isotropic to orthotropic elasticity, admissibility, local axes |
//! | [`element`] | four- and ten-node tetrahedra: stiffness, consistent mass, strain |
//! | [`assembly`], [`sparse`], [`nodal`] | `K` and `M` with a fixed pattern |
//! | [`ordering`], [`factor`] | dissection of the mesh, Cholesky factors by fronts |
//! | [`dofs`], [`average`] | supports, rigid and averaging interfaces |
//! | [`solve`], [`modes`], [`relief`], [`elastodynamics`], [`newmark`] | statics, lowest vibration modes, free bodies, whole meshes in motion |
//! | [`craig_bampton`], [`reduce`], [`fidelity`] | reduction to interfaces and orthonormal modes, the flexible body, what was lost |
//! | [`geometric`], [`second_order`] | how stress at rest stiffens or softens a body, how a bent one shortens |
//! | [`integrals`], [`recovery`], [`locate`], [`gauge`], [`attachment`] | inertia integrals, strains, places on the mesh |
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
pub mod average;
pub mod craig_bampton;
mod dense;
pub mod dofs;
pub mod elastodynamics;
pub mod element;
mod error;
pub mod factor;
pub mod fidelity;
pub mod file;
mod flexible;
mod fronts;
pub mod gauge;
pub mod generate;
pub mod geometric;
mod inertia;
pub mod integrals;
mod krylov;
pub mod locate;
pub mod material;
pub mod mesh;
pub mod modes;
pub mod newmark;
pub mod nodal;
pub mod ordering;
pub(crate) mod projection;
pub mod quality;
pub mod recovery;
pub mod reduce;
pub mod relief;
pub mod repair;
pub mod second_order;
pub mod section;
pub mod solve;
pub mod sparse;
mod static_correction;
pub mod summary;
mod topology;

pub use element::ElementKind;
pub use error::FemError;
pub use mesh::TetMesh;
pub use wolff_flexbody::measures as strain;
