//! Reference motions of [`wolff_reference`], and their fit to a compliant floor.

pub mod floor_fit;

pub use wolff_reference::{ReferenceWalk, RescaleSettings, rescale, walk};
