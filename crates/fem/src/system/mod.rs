//! Second step: the equations. Elements and materials become `K` and `M`, constraints tell which unknowns are
//! independent.
//!
//! | module | subject |
//! |---|---|
//! | [`element`] | four- and ten-node tetrahedra: stiffness, consistent mass, strain |
//! | [`material`] | isotropic to orthotropic elasticity, admissibility, local axes |
//! | [`assembly`] | `K` and `M` with a fixed pattern |
//! | [`sparse`], [`nodal`] | sparse symmetric matrices, with one number per pair of unknowns or of nodes |
//! | [`dofs`], [`average`] | supports, rigid and averaging interfaces |
//! | `projection` | the matrices in the independent unknowns |

pub mod assembly;
pub mod average;
pub mod dofs;
pub mod element;
pub mod material;
pub mod nodal;
pub(crate) mod projection;
pub mod sparse;
