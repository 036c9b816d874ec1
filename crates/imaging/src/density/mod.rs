//! Bone density out of a calibrated CT.
//!
//! The blur of the scanner carries mass of the wall out through the surface and into the canal: a sum over the voxels
//! inside of the true surface lacks about a tenth of the mass of a long bone. Here the surface and the thickness of
//! the wall say what a point is (outside, wall, inside), and its density comes from voxels of the same kind that are
//! out of reach of the blur, by a weighted mean (normalised convolution; Knutsson and Westin, CVPR 1993). Where a wall
//! has no such voxels it has the cortical level of the bone.
//!
//! | file | subject |
//! |---|---|
//! | [`field`] | the density at points and voxels |
//! | [`mod@mass`] | mass and centre of mass, in two ways |

pub mod field;
pub mod mass;

pub use field::{DensityField, DensityOptions};
pub use mass::Mass;
pub use wolff_density::Calibration;
