//! The frame of a bone from its outer surface: which bone, which end is up, left or right, axes, joint centres,
//! landmarks, joint surfaces; and points carried from one bone to another.
//!
//! | file | subject |
//! |---|---|
//! | [`kind`] | the bones that are known |
//! | [`solid`] | volume and principal axes |
//! | [`section`] | area and moments of plane sections |
//! | [`signature`] | sections along a bone against those of known ones |
//! | [`frame`] | the frame and everything that is found in it |
//! | [`found`] | what is found |
//! | [`fit`] | spheres |
//! | [`mod@register`] | points carried from a generic bone to another |
//! | [`picture`] | a bone with its frame and landmarks |

mod bones;
mod cut;
mod error;
pub mod fit;
pub mod found;
pub mod frame;
pub mod kind;
pub mod picture;
pub mod register;
pub mod section;
mod seen;
pub mod signature;
pub mod solid;

pub use error::MorphologyError;
pub use found::{Confidence, JointCentre, Landmark, Morphology, Patch};
pub use frame::{Given, find};
pub use kind::BoneKind;
pub use register::{RegisterOptions, Registered, register};
