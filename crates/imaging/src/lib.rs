//! Medical images: volumes of grey values or labels, bone out of CT, surfaces, cortex and density.
//!
//! Positions are in the LPS axes of the patient (x to the left, y to the back, z to the head) and in m.
#![allow(non_snake_case)]

pub mod cortex;
pub mod density;
pub mod error;
pub mod frame;
pub mod read;
mod resample;
pub mod segment;
pub mod surface;
pub mod volume;

pub use error::ImagingError;
pub use frame::{Frame, Handedness};
pub use read::{Choice, ReadVolume, read, read_bytes};
pub use volume::{LabelVolume, Mask, Samples, Statistics, Volume};
