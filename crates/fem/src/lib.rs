//! Finite elements for bones: from a tetrahedral mesh to vibration modes and a reduced body.
//!
//! | module | subject |
//! |---|---|
//! | [`mesh`], [`quality`], [`generate`], [`inp`] | tetrahedra with named sets, their faults, bars and tubes, Abaqus files |
//! | [`material`] | isotropic to orthotropic elasticity, admissibility, local axes |
//! | [`element`] | four- and ten-node tetrahedra: stiffness, consistent mass, strain |
//! | [`assembly`], [`sparse`] | `K` and `M` with a fixed pattern, Cholesky factors |
//! | [`dofs`] | supports and rigid interfaces |
//! | [`solve`], [`modes`], [`strain`] | statics, lowest vibration modes, measures of strain |
//! | [`craig_bampton`] | reduction to interfaces and orthonormal modes |
//!
//! SI units; strain in the order `xx, yy, zz, xy, yz, zx` with engineering shear. Every failure is a [`FemError`].

pub mod assembly;
pub mod craig_bampton;
mod dense;
pub mod dofs;
pub mod element;
mod error;
pub mod generate;
pub mod inp;
mod krylov;
pub mod material;
pub mod mesh;
pub mod modes;
pub mod quality;
pub mod solve;
pub mod sparse;
pub mod strain;

pub use element::ElementKind;
pub use error::FemError;
pub use mesh::TetMesh;
