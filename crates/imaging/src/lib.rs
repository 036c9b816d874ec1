//! Medical images: volumes of grey values or labels, bone out of CT, surfaces, cortex and density.
//!
//! | module | subject |
//! |---|---|
//! | [`mod@read`] | NIfTI, NRRD, MetaImage and DICOM series |
//! | [`volume`], [`frame`] | samples, labels and masks on a grid; where the grid lies in the patient |
//! | [`segment`] | the solid bone of a CT: threshold, parts, cavities, touching bones |
//! | [`surface`] | closed surfaces: of a level, of a label; smoothed, decimated, repaired |
//! | [`cortex`] | outer surface, thickness and inner surface of the wall, without the bias of thresholds |
//! | [`density`] | density and mass of a calibrated CT, corrected for the blur |
//!
//! Positions are in m, in the LPS axes of the patient: x to the left, y to the back, z to the head. A left bone stays
//! left whichever way a file stores it. Results do not depend on the number of threads.
//!
//! How large is the surface around what is above half of its height in a hill of 10 mm?
//!
//! ```
//! use wolff_imaging::{Frame, Volume, surface::isosurface};
//! use wolff_spatial::{Mat3, Vec3};
//!
//! let frame = Frame::new(Vec3::zeros(), Mat3::identity() * 1e-3)?;
//! let hill = Volume::from_fn([25; 3], frame, |x| 1.0 - (x - Vec3::repeat(12e-3)).norm() / 20e-3)?;
//! let ball = isosurface(&hill, 0.5)?.report()?;
//! assert!((ball.area / (4.0 * std::f64::consts::PI * 0.01f64.powi(2)) - 1.0).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
