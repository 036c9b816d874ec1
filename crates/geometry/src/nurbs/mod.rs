//! NURBS surfaces.
//!
//! | file | subject |
//! |---|---|
//! | [`knots`] | knot vectors, basis functions |
//! | [`jet`] | a point with its derivatives; normal and curvature |
//! | [`surface`] | the surface as it is written down |
//! | [`refine`] | knot insertion, Bézier pieces, parts |
//! | `bernstein`, [`patch`] | one Bézier patch: fast evaluation, its sides |
//! | [`set`] | surfaces prepared for queries; `connect`, `cell`, `box_tree` build it, `descend`, `closest`, `follow`, `ray` search it |
//! | [`shapes`] | revolved, extruded, lofted surfaces |
//! | [`fit`] | surfaces from points with as few knots as a tolerance allows; `least_squares`, `band`, [`parametrize`] serve it |
//! | [`mesh_fit`] | a smooth surface through a mesh over a plane or around an axis |
//! | [`mask`] | parts that count as absent |

mod band;
mod bernstein;
mod box_tree;
mod cell;
mod closest;
mod connect;
mod descend;
pub mod fit;
mod follow;
pub mod jet;
pub mod knots;
mod least_squares;
pub mod mask;
pub mod mesh_fit;
pub mod parametrize;
pub mod patch;
mod power;
mod query;
mod ray;
pub mod refine;
pub mod set;
pub mod shapes;
pub mod surface;

pub use fit::{Fit, FitErrors, FitOptions, fit_grid, fit_points, fit_scattered, refit};
pub use jet::Jet;
pub use knots::KnotVector;
pub use mask::Mask;
pub use mesh_fit::{MeshFit, fit_mesh, fit_mesh_sparsely};
pub use parametrize::Base;
pub use refine::Direction;
pub use set::NurbsPatchSet;
pub use shapes::NurbsCurve;
pub use surface::NurbsSurface;
