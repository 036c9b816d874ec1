//! Grey values along the inward normal of a surface.

use wolff_spatial::Vec3;

use crate::volume::{Mask, Volume};

/// Grey values at depths below a point of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Depths \[m\], negative outside.
    pub depths: Vec<f64>,
    /// Grey values.
    pub values: Vec<f64>,
    /// What the grid adds to the variance of the blur along this normal \[m²\].
    pub grid_variance: f64,
}

/// Where profiles reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Outwards from the surface \[m\].
    pub outside: f64,
    /// Inwards \[m\].
    pub inside: f64,
    /// Distance between values \[m\].
    pub step: f64,
}

impl Profile {
    /// The values of an image below a point, along the inward normal `-normal`. It ends half-way to the opposite side
    /// of the solid, whose wall would come into view beyond, and leaves out what is outside of the image.
    pub fn new(volume: &Volume, solid: &Mask, point: &Vec3, normal: &Vec3, reach: &Reach) -> Self {
        let inside = reach.inside.min(0.5 * way_through(solid, point, normal, 2.0 * reach.inside, reach.step));
        let frame = volume.frame();
        let (start, step) = (frame.index(point), frame.index_step(&-normal));
        let first = -(reach.outside / reach.step).round() as i64;
        let last = (inside / reach.step).round() as i64;
        let (mut depths, mut values) = (Vec::new(), Vec::new());
        for n in first..=last {
            let depth = n as f64 * reach.step;
            if let Some(value) = volume.at_index(&(start + depth * step)) {
                depths.push(depth);
                values.push(value);
            }
        }
        Profile { depths, values, grid_variance: grid_variance(volume, normal) }
    }
}

/// A voxel shows the mean over its width h, of variance h²/12, and linear interpolation between voxels adds h²/6 on the
/// mean: together h²/4, along the normal as far as it points along each axis.
fn grid_variance(volume: &Volume, normal: &Vec3) -> f64 {
    let frame = volume.frame();
    let along = frame.directions().transpose() * normal;
    (0..3).map(|axis| 0.25 * (frame.spacing()[axis] * along[axis]).powi(2)).sum()
}

/// The way from a point inwards until the solid ends \[m\], at most `most`.
fn way_through(solid: &Mask, point: &Vec3, normal: &Vec3, most: f64, step: f64) -> f64 {
    let frame = solid.frame();
    let (start, along) = (frame.index(point), frame.index_step(&-normal));
    let [nx, ny, nz] = solid.size();
    let inside = |depth: f64| {
        let index = start + depth * along;
        let [i, j, k] = [0, 1, 2].map(|axis| index[axis].round());
        let there = i >= 0.0 && j >= 0.0 && k >= 0.0 && i < nx as f64 && j < ny as f64 && k < nz as f64;
        there && solid.bits()[i as usize + nx * (j as usize + ny * k as usize)]
    };
    // the first steps may still be outside, by rounding to voxels
    let least = 4.0 * step;
    let mut depth = least;
    while depth < most && inside(depth) {
        depth += step;
    }
    depth
}
