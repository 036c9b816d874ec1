//! Surfaces from images, and what makes them usable.
//!
//! | file | subject |
//! |---|---|
//! | [`mod@isosurface`] | the closed surface at a level |
//! | [`smooth`] | smoothing and offsets that keep the volume |
//! | [`decimate`] | fewer triangles within a bound on the deviation |
//! | [`mod@label`] | the surface of a label |
//! | [`mod@repair`] | bounded repair with a report |

pub mod decimate;
pub mod isosurface;
pub mod label;
pub mod repair;
pub mod smooth;

pub use decimate::{Decimated, Decimation, decimated};
pub use isosurface::isosurface;
pub use label::{label_surface, soft_label_surface};
pub use repair::{Repair, RepairLimits, repaired};
pub use smooth::{smoothed, with_volume};
