//! Anatomical names: the only place that interprets names such as `knee_flexion_r` or `femur_l`.
//!
//! | file | subject |
//! |---|---|
//! | [`side`] | right and left, as names end with them |
//! | [`segment`] | the segments of a skeleton |
//! | [`joint`] | joints and their motions |
//! | [`coordinate`] | what a coordinate moves: the root, or a joint about an axis |
//! | [`opensim`] | bodies of OpenSim's models and the segments that they belong to |

pub mod coordinate;
pub mod joint;
pub mod opensim;
pub mod segment;
pub mod side;

pub use coordinate::{Axis, CoordinateRole};
pub use joint::{Joint, Motion};
pub use segment::SegmentName;
pub use side::{Side, mirror_name, without_side};
