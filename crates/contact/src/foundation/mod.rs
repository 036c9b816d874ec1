//! Elastic foundation contact: a bed of springs on one body under the surface of another.
//!
//! | file | subject |
//! |---|---|
//! | [`material`], `cubic` | pressure, stiffness and energy of a layer |
//! | [`elements`], [`grid`] | contact elements from triangles, and from grids projected on a surface |
//! | [`thickness`] | the layer on the moving body |
//! | [`pair`] | the constant part of a contact and its settings |
//! | `local`, `quadratic`, `strips` | depth over an element from one distance query; quadrature over the part in contact |
//! | `nodes`, `lanes` | pressure of an element gathered at a few nodes |
//! | [`solver`], `memory`, `clear`, `peak` | evaluation at a pose, with what it remembers |
//! | [`result`], [`derivative`] | what comes out, and how it changes with pose and velocity |
//! | [`force`] | the force element of a multibody model |
//! | [`exact`] | sphere on a layer and in a socket by quadrature |
//!
//! A ball of 30 mm pressed 0.2 mm into 8 mm of polyethylene:
//!
//! ```
//! use std::sync::Arc;
//! use wolff_contact::foundation::{
//!     Along, Distance, ElementSurface, FoundationPair, FoundationSettings, Grid, LayerMaterial, LayerThickness,
//!     Strain,
//! };
//! use wolff_geometry::{Plane, Sphere};
//! use wolff_spatial::{Motion, Pose, Vec3};
//!
//! let tray = Plane::new(Vec3::zeros(), Vec3::z())?;
//! let surface = ElementSurface::Plane { origin: Vec3::zeros(), normal: Vec3::z(), along: Vec3::x() };
//! let grid = Grid { surface, first: (-0.006, 0.006), second: (-0.006, 0.006), counts: (10, 10) };
//! let elements = grid.project("medial", &tray, (-0.01, 0.01), &LayerThickness::Constant(0.008))?;
//! let polyethylene = LayerMaterial::linear(463e6, 0.46, Strain::Small)?;
//! let ball = Arc::new(Sphere::new(Vec3::zeros(), 0.030)?);
//! let settings = FoundationSettings { distance: Distance::Ray, along: Along::FixedNormal, ..Default::default() };
//! let contact = FoundationPair::new(elements, ball, polyethylene, settings)?;
//!
//! let mut memory = contact.memory();
//! let pressed = Pose::translation(Vec3::z() * 0.0298);
//! let result = contact.evaluate(&mut memory, &pressed, &Motion::ZERO)?;
//! // π k δ² (3R - δ)/(3h) = 1006.484 N, from six elements across the contact
//! assert!((result.total.on_moving.f.z - 1006.484).abs() < 0.03);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clear;
mod cubic;
pub mod derivative;
pub mod elements;
pub mod exact;
pub mod force;
pub mod grid;
mod lanes;
mod local;
pub mod material;
mod memory;
mod nodes;
pub mod pair;
mod peak;
mod quadratic;
pub mod result;
mod rim;
pub mod solver;
mod strips;
pub mod thickness;

pub use derivative::FoundationJacobian;
pub use elements::{Compartment, Element, ElementSet};
pub use force::FoundationForce;
pub use grid::{ElementSurface, Grid, LayerThickness};
pub use material::{LayerMaterial, Reading, Strain};
pub use memory::FoundationMemory;
pub use pair::{Along, Distance, FoundationPair, FoundationSettings, Rule};
pub use quadratic::Domain;
pub use result::{FoundationResult, Overlap, PatchResult};
pub use thickness::{Back, MovingLayer, ThicknessMap};
