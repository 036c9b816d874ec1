//! People as multibody systems: skeletons from mass and height, and their muscles.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`names`] | sides, segments, joints and roles of coordinates: the only place that reads names |
//! | [`anthropometry`] | masses, lengths and inertias of segments from mass, height and sex; known subjects |
//! | [`skeleton`] | segments, the joints between them, the points on which feet stand |
//! | [`muscles`] | muscles on a skeleton: paths, cross-sections, maximum forces |
//!
//! World axes: X forward, Y up, Z to the right. Data are given for the right side; the left side is its mirror image
//! unless it is given separately.
#![allow(non_snake_case)]

pub mod anthropometry;
pub mod error;
pub mod muscles;
pub mod names;
pub mod skeleton;

pub use anthropometry::{Sex, Subject};
pub use error::AnatomyError;
pub use muscles::{HumanMuscle, LegMuscles, MuscleSet, UpperMuscles};
pub use names::{Axis, CoordinateRole, Joint, MarkerName, Motion, SegmentName, Side, marker_names, mirror_name};
pub use names::{mirrored_marker, similar_markers, without_side, without_subject};
pub use skeleton::Skeleton;
