//! Surfaces and curves for contact from what was measured: cleaned, fitted, written.
//!
//! | file | subject |
//! |---|---|
//! | [`input`] | meshes, point clouds, grids and NURBS from files |
//! | [`mod@fit`] | NURBS surfaces within a tolerance, and how far the input is from them |
//! | [`table`] | surfaces as tables of points |
//! | [`profile`] | plane curves: sections of meshes, fitted with few points |
//! | [`map`] | pictures of deviations |

pub mod fit;
pub mod input;
pub mod map;
pub mod profile;
pub mod table;

pub use fit::{FitRequest, Fitted, Side, fit};
pub use input::{Shape, read};
pub use profile::{ProfileFit, fit_curve, section};
pub use table::{NurbsTable, PointGrid};
