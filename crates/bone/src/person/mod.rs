//! Bones in their own size, placed in a segment of a person.
//!
//! | file | subject |
//! |---|---|
//! | [`solid`] | a mesh in the frame of its segment, the axis of its shaft, how to bow it |
//! | [`ends`] | plateau and plafond between the joint centres |
//! | [`builtin`] | the built-in bone of a person of given stature and sex |
//! | [`given`] | a bone that the user gives; it keeps its size |
//! | [`faces`] | a bone from a mesh with named joint faces, and its unit |
//! | [`kept`] | a bone in the file of a flexible body |
//! | [`surface`] | faces of a mesh as a surface |
//! | [`carried`] | places of muscles carried from the built-in bone to a given one |
//! | [`cortex`] | the cortical part of a bone whose elements differ |
//! | [`forward`] | the anterior direction of a tibia, found from its shape |
//!
//! Frame of a segment: origin at the proximal joint centre, y up along the segment, x forward, z to the right of the
//! person; the distal joint centre is at `(0, -L, 0)`. Fractions of a bone run from its proximal end (0) to its distal
//! end (1), not between the joint centres.

pub mod builtin;
pub mod carried;
pub mod cortex;
pub mod ends;
pub mod faces;
pub mod forward;
pub mod given;
pub mod kept;
pub mod solid;
pub mod surface;

pub use builtin::in_person;
pub use ends::Ends;
pub use forward::{FoundForward, find_forward};
pub use given::GivenBone;
pub use solid::{JointMarks, Solid};
pub use surface::surface_of;
