//! The frame of a bone.
