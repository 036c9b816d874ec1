//! The person as a model: bodies, muscle paths, floor, and the state and record of its movement.
//!
//! | file | subject |
//! |---|---|
//! | [`muscled`] | a multibody model with the muscle paths on it |
//! | [`ground`] | pads under the feet on a plane floor |
//! | [`record`] | state and record of a movement |
//! | [`track`] | signals on equal steps of time |

mod centers;
pub mod ground;
mod joints;
mod leg;
pub mod muscled;
pub mod record;
pub(crate) mod stance;
pub mod track;

pub(crate) use centers::{SharedSegment, shared_segments};
pub use ground::{Floor, FloorParameters, Pad, Reaction, floor_of};
pub(crate) use joints::shared_joints;
pub(crate) use leg::{LEVER, Leg};
pub use muscled::{MuscledModel, attachments};
pub use record::{MovementRecord, MovementState};
pub use track::Track;
