//! Bones in their own size, laid into a segment of a person.

pub mod builtin;
pub mod ends;
pub mod forward;
pub mod given;
pub mod solid;

pub use builtin::in_person;
pub use ends::Ends;
pub use forward::{FoundForward, find_forward};
pub use given::{Forward, GivenBone, GivenUnit};
pub use solid::{JointMarks, Solid};
