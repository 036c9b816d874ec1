//! Images on other grids.

use rayon::prelude::*;
use wolff_spatial::{Mat3, Vec3};

use crate::error::ImagingError;
use crate::frame::Frame;
use crate::volume::{Samples, Volume, voxel_count};

impl Volume {
    /// The image with one distance between voxels along all axes \[m\], which keep their directions; trilinear.
    ///
    /// # Errors
    /// When the distance is not positive, or there would be too many voxels.
    pub fn isotropic(&self, spacing: f64) -> Result<Volume, ImagingError> {
        let size = [0, 1, 2].map(|axis| {
            let length = (self.size()[axis] - 1) as f64 * self.frame().spacing()[axis];
            // the last voxel may lie beyond the image by less than one distance, where it has the value of the border
            (length / spacing - 1e-9).ceil().max(0.0) as usize + 1
        });
        let frame = Frame::from_directions(self.frame().origin(), Vec3::repeat(spacing), self.frame().directions())?;
        self.resampled(size, frame)
    }

    /// The part of the image in a box along the axes of the patient \[m\], with the given distances between voxels;
    /// trilinear, with the value of the border outside of the image.
    ///
    /// # Errors
    /// When the box is empty, a distance is not positive, or there would be too many voxels.
    pub fn in_box(&self, min: Vec3, max: Vec3, spacing: Vec3) -> Result<Volume, ImagingError> {
        if !(0..3).all(|axis| max[axis] > min[axis]) {
            return Err(ImagingError::invalid("box", "its largest coordinates must be above its least ones"));
        }
        let frame = Frame::from_directions(min, spacing, Mat3::identity())?;
        let size = [0, 1, 2].map(|axis| ((max[axis] - min[axis]) / spacing[axis] + 1e-9) as usize + 1);
        self.resampled(size, frame)
    }

    /// The image on another grid, trilinear; outside of the image the value of its border.
    ///
    /// # Errors
    /// When there would be too many voxels.
    pub fn resampled(&self, size: [usize; 3], frame: Frame) -> Result<Volume, ImagingError> {
        let count = voxel_count(size)?;
        let last = Vec3::from_fn(|axis, _| (self.size()[axis] - 1) as f64);
        let value = |n: usize| {
            let index = Vec3::new((n % size[0]) as f64, (n / size[0] % size[1]) as f64, (n / size[0] / size[1]) as f64);
            let index = self.frame().index(&frame.position(&index));
            let inside = Vec3::from_fn(|axis, _| index[axis].clamp(0.0, last[axis]));
            self.at_index(&inside).unwrap_or_default() as f32
        };
        let samples = (0..count).into_par_iter().map(value).collect();
        Volume::new(size, frame, Samples::F32(samples))
    }
}
