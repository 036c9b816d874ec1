//! Fifth step: back from displacements, or modal coordinates, to what can be measured at places on the mesh.
//!
//! | module | subject |
//! |---|---|
//! | [`Recovery`], [`StrainOperator`] | strain at nodes with an estimate of its error |
//! | [`gauge`] | strain gauges on the surface |
//! | [`attachment`] | frames that follow a patch of nodes, such as the insertion of a muscle |

pub mod attachment;
pub mod gauge;
mod nodal_strain;

pub use nodal_strain::{NodalStrain, Recovery, StrainOperator};
