//! The reduced flexible body: what remains of a mesh when only a few modes move.
//!
//! A point of the body is, in the axes of its floating frame,
//!
//! ```text
//! x(X, η) = X + Σ φ_i(X) η_i + ½ Σ g_ij(X) η_i η_j
//! ```
//!
//! with modal coordinates `η`, shapes `φ_i` and, where geometric stiffening is wanted, the second-order displacements `g_ij`
//! (a bent beam gets shorter). Everything the dynamics needs from the mesh is constant: integrals over the mass
//! ([`InertiaIntegrals`]), the stiffness, and the shapes at a few places ([`Node`], [`Gauge`]). The cost of a step does not
//! depend on the mesh.
//!
//! | module | subject |
//! |---|---|
//! | [`body`] | [`FlexBody`]: the value that reduction makes and the multibody system takes |
//! | [`inertia`] | integrals over the mass |
//! | [`node`], [`gauge`] | places to attach to, places to measure strain |
//! | [`beam`] | straight beams from shape functions |

#![allow(non_snake_case)]

pub mod beam;
pub mod body;
mod error;
pub mod gauge;
pub mod inertia;
pub mod node;

pub use body::FlexBody;
pub use error::FlexBodyError;
pub use gauge::Gauge;
pub use inertia::InertiaIntegrals;
pub use node::Node;
