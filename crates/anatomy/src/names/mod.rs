//! Anatomical names: the only place that interprets names such as `knee_flexion_r` or `femur_l`.
//!
//! | file | subject |
//! |---|---|
//! | [`side`] | right and left, as names end with them |
//! | [`segment`] | the segments of a skeleton |
//! | [`joint`] | joints and their motions |
//! | [`coordinate`] | what a coordinate moves: the root, or a joint about an axis |
//! | [`marker`] | names of markers: their side and the rest; similar names |
//! | [`opensim`] | bodies of OpenSim's models and the segments that they belong to |

pub mod coordinate;
pub mod joint;
pub mod marker;
pub mod opensim;
pub mod segment;
pub mod side;

pub use coordinate::{Axis, CoordinateRole};
pub use joint::{Joint, Motion};
pub use marker::{MarkerName, marker_names, mirrored_marker, similar_markers, without_subject};
pub use segment::SegmentName;
pub use side::{Side, mirror_name, without_side};
