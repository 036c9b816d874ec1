//! Names of the body: the only place that reads what a name such as `knee_flexion_r` or `femur_l` means.
//!
//! | file | subject |
//! |---|---|
//! | [`side`] | right and left, as names end with them |
//! | [`segment`] | the segments of a skeleton |
//! | [`joint`] | joints and what they do |
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
