//! Fourth step: a few modes instead of the mesh, and what was lost.
//!
//! | module | subject |
//! |---|---|
//! | [`craig_bampton`] | reduction to interfaces and orthonormal modes |
//! | `static_correction`, `flexible` | attachment modes, the flexible modes of the reduced body |
//! | [`integrals`] | inertia integrals of the mesh and its modes, with consistent mass |
//! | [`geometric`] | how stress at rest stiffens or softens a body |
//! | [`second_order`] | how a bent body becomes shorter |
//! | [`reduce`] | all of this in one call: from a mesh to a flexible body with a report |
//! | [`fidelity`] | static strain of the reduced body compared with that of the whole mesh |

pub mod craig_bampton;
pub mod fidelity;
pub(crate) mod flexible;
pub mod geometric;
pub mod integrals;
pub mod reduce;
pub(crate) mod report;
pub mod second_order;
pub(crate) mod static_correction;
pub(crate) mod surface;

pub use surface::surface_of_shapes;
