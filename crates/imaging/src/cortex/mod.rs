//! The cortex of a bone by fitted profiles across its wall.
//!
//! A scanner blurs what it sees: a threshold puts the surface of a thick wall where the threshold is half-way, and
//! that of a thin wall too far out, and makes every wall too thick. Here the grey values along the normal of the
//! surface are fitted by the blurred image of three levels, outside, cortical and inside:
//!
//! ```text
//! g(s) = y0 + (y1 - y0) Φ((s - a)/σ) + (y2 - y1) Φ((s - a - t)/σ)
//! ```
//!
//! s depth along the inward normal \[m\], a depth of the outer surface, t thickness of the wall, y0, y1, y2 the three
//! levels, σ standard deviation of the blur, Φ the normal distribution function. Source: Treece, Gee, Mayhew and Poole,
//! High resolution cortical bone thickness measurement from clinical CT data, Med Image Anal 14 (2010); Treece, Poole
//! and Gee, Imaging the femoral cortex, Med Image Anal 16 (2012). Limits: a flat wall of one density; a wall much
//! thinner than σ shows its mass y1 t only, from which t follows by the level y1 that thick walls have.
//!
//! | file | subject |
//! |---|---|
//! | [`profile`] | grey values along the normal |
//! | [`model`] | the blurred levels, their derivatives, the fit of one profile |
//! | [`shared`] | blur and cortical level, from many profiles at once |
//! | [`field`] | values at the vertices: gaps filled, smoothed; curvature |
//! | [`mod@map`] | all of it: outer surface and thickness |
//! | [`layers`] | which part of each voxel is wall, and which lies inside of it; the inner surface |

pub mod field;
pub mod layers;
pub mod map;
pub mod model;
pub mod profile;
pub mod shared;

pub use layers::{Layer, Layers};
pub use map::{Cortex, CortexOptions, cortex};
pub use model::{Shared, Wall};
pub use profile::Profile;
