//! The reduced flexible body: what remains of a mesh when only a few modes move.
//!
//! A point of the body is, in the axes of its floating frame,
//!
//! ```text
//! x(X, η) = X + Σ φ_i(X) η_i + ½ Σ g_ij(X) η_i η_j
//! ```
//!
//! with modal coordinates `η`, shapes `φ_i` and, where geometric stiffening is wanted, the second-order displacements
//! `g_ij` (a bent beam gets shorter). Everything the dynamics needs from the mesh is constant: integrals over the mass
//! ([`InertiaIntegrals`]), the stiffness, and the shapes at a few places ([`Node`], [`Gauge`]). The cost of a step does
//! not depend on the mesh.
//!
//! | module | subject |
//! |---|---|
//! | [`body`] | [`FlexBody`]: the value that reduction makes and the multibody system takes |
//! | [`inertia`] | integrals over the mass |
//! | [`node`], [`gauge`] | places to attach to, places to measure strain |
//! | [`measures`] | principal strains, shear, equivalent strain and stress, and their rates |
//! | [`select`] | fewer modes, by strain energy |
//! | [`surface`], [`solid`], [`mod@file`] | the surface for pictures, the solid for further reductions, the file of a body |
//! | [`beam`] | straight beams from shape functions |
//! | [`timoshenko`] | exact frequencies and deflections of a beam that shears |
//!
//! At which frequency does a clamped beam of 0.4 m vibrate? Its first shape gives the closed form
//! `(1.875104 / L)² √(EI / ρA) / 2π`:
//!
//! ```
//! use wolff_flexbody::beam::{Beam, Direction, Shape, ShapeFunction};
//!
//! let beam = Beam {
//!     length: 0.4,
//!     mass_per_length: 0.7,
//!     axial_stiffness: 6e6,
//!     bending_stiffness: [300.0, 300.0],
//!     section_inertia: [0.0, 0.0],
//!     young: 17e9,
//!     shapes: vec![Shape { direction: Direction::Y, function: ShapeFunction::Cantilever(1) }],
//!     stiffening: true,
//!     axial_inertia_factor: 1.0,
//! };
//! let body = beam.body("beam", &[("tip", 0.4)], &[])?;
//! let exact = (1.875104_f64 / 0.4).powi(2) * (300.0_f64 / 0.7).sqrt() / std::f64::consts::TAU;
//! assert!((body.frequencies()[0] / exact - 1.0).abs() < 1e-6);
//! # Ok::<(), wolff_flexbody::FlexBodyError>(())
//! ```

#![allow(non_snake_case)]

pub mod beam;
pub mod body;
mod error;
pub mod file;
pub mod gauge;
pub mod inertia;
mod matrix;
pub mod measures;
pub mod node;
pub mod select;
pub mod solid;
pub mod surface;
pub mod timoshenko;

pub use body::FlexBody;
pub use error::FlexBodyError;
pub use file::{FlexBodyFile, MeshReference};
pub use gauge::{Gauge, Reading};
pub use inertia::InertiaIntegrals;
pub use node::Node;
pub use solid::SolidMesh;
pub use surface::Surface;
