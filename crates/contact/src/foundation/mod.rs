//! Elastic foundation contact: a bed of springs on one body under the surface of another.
//!
//! | file | subject |
//! |---|---|
//! | [`material`] | pressure, stiffness and energy of a layer |
//! | [`elements`], [`grid`] | contact elements from triangles, and from grids projected on a surface |
//! | [`thickness`] | the layer on the moving body |
//! | [`pair`] | the constant part of a contact and its settings |
//! | `local`, `quadratic` | depth over an element from one distance query; quadrature over the part in contact |
//! | [`solver`] | evaluation at a pose, with what it remembers |
//! | [`result`], [`derivative`] | what comes out, and how it changes with pose and velocity |
//! | [`force`] | the force element of a multibody model |
//! | [`exact`] | sphere on a layer and in a socket by quadrature |

pub mod derivative;
pub mod elements;
pub mod exact;
pub mod force;
pub mod grid;
mod local;
pub mod material;
pub mod pair;
mod quadratic;
pub mod result;
pub mod solver;
pub mod thickness;

pub use derivative::FoundationJacobian;
pub use elements::{Compartment, Element, ElementSet};
pub use force::FoundationForce;
pub use grid::{ElementSurface, Grid, LayerThickness};
pub use material::{LayerMaterial, Reading, Strain};
pub use pair::{Along, Distance, FoundationPair, FoundationSettings, Rule};
pub use quadratic::Domain;
pub use result::{FoundationResult, Overlap, PatchResult};
pub use solver::FoundationMemory;
pub use thickness::{MovingLayer, ThicknessMap};
