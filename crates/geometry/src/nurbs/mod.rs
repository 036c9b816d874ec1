//! NURBS surfaces.
//!
//! | file | subject |
//! |---|---|
//! | [`knots`] | knot vectors, basis functions |
//! | [`jet`] | a point with its derivatives; normal and curvature |
//! | [`surface`] | the surface as it is written down |
//! | [`refine`] | knot insertion, Bézier pieces, parts |
//! | [`bernstein`], [`patch`] | one Bézier patch: fast evaluation, its sides |
//! | [`set`] | surfaces prepared for queries; `connect`, `cell`, `box_tree` build it, `descend`, `closest`, `ray` search it |
//! | [`shapes`] | revolved, extruded, lofted surfaces |
//! | [`mask`] | parts that count as absent |

pub mod bernstein;
mod box_tree;
mod cell;
mod closest;
mod connect;
mod descend;
pub mod jet;
pub mod knots;
pub mod mask;
pub mod patch;
mod query;
mod ray;
pub mod refine;
pub mod set;
pub mod shapes;
pub mod surface;

pub use jet::Jet;
pub use knots::KnotVector;
pub use mask::Mask;
pub use refine::Direction;
pub use set::NurbsPatchSet;
pub use shapes::NurbsCurve;
pub use surface::NurbsSurface;
