//! Which part of each voxel is wall, and which lies inside of it.

use rayon::prelude::*;
use wolff_geometry::{Normals, Surface, TriangleMesh, TriangleSurface};
use wolff_spatial::Vec3;

use super::map::Cortex;
use crate::error::ImagingError;
use crate::frame::Frame;
use crate::segment::Bone;
use crate::segment::distance::squared_distances;
use crate::surface::isosurface::isosurface;
use crate::surface::smooth::smoothed;
use crate::volume::{Mask, Samples, Volume};

/// Rounds of smoothing of the inner surface.
const ROUNDS: usize = 5;
/// Outside, layers reach this many σ of the blur.
const REACH: f64 = 4.0;

/// Where a voxel centre lies and how much of the voxel lies where.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Layer {
    /// Depth below the outer surface \[m\], negative outside.
    pub depth: f32,
    /// Thickness of the wall at the nearest point of the surface \[m\].
    pub thickness: f32,
    /// Level inside of the wall at the nearest point, in grey values.
    pub inside: f32,
    /// Part of the voxel that is inside of the outer surface.
    pub bone: f32,
    /// Part of the voxel that is inside of the wall: canal and spongy bone.
    pub interior: f32,
}

/// The layers of the voxels of a bone and around it.
#[derive(Clone, Debug)]
pub struct Layers {
    /// Voxels along the three axes.
    pub size: [usize; 3],
    /// Where they lie.
    pub frame: Frame,
    /// For each voxel within reach of the blur its layer; `None` farther outside.
    pub voxels: Vec<Option<Layer>>,
}

/// A place of the cortex: the depth of a point below its surface, and what is known of the wall at the nearest point.
pub(crate) struct Place {
    pub depth: f64,
    pub thickness: f64,
    pub inside: f64,
    pub normal: Vec3,
}

/// Where a point lies in a bone; `surface` is the outer surface of the cortex.
pub(crate) fn place(surface: &TriangleSurface, cortex: &Cortex, point: &Vec3) -> Option<Place> {
    let nearest = surface.closest(point)?;
    let triangle = surface.mesh().triangles().get(nearest.place.patch as usize)?;
    let (u, v) = (nearest.place.u, nearest.place.v);
    let weights = [1.0 - u - v, u, v];
    let mean = |values: &[f64]| (0..3).map(|i| weights[i] * values[triangle[i] as usize]).sum::<f64>();
    let way = nearest.position - point;
    let distance = way.norm();
    let depth = if way.dot(&nearest.normal) >= 0.0 { distance } else { -distance };
    let normal = way.try_normalize(1e-9).unwrap_or(nearest.normal);
    Some(Place { depth, thickness: mean(&cortex.thickness), inside: mean(&cortex.inside), normal })
}

impl Cortex {
    /// The inner (endosteal) surface \[m\]: closed, with canal and spongy bone inside of it. Where the wall is not
    /// resolved ([`Cortex::resolved`]) it follows from the cortical level.
    ///
    /// # Errors
    /// When nothing lies inside of the wall.
    pub fn inner(&self, bone: &Bone) -> Result<TriangleMesh, ImagingError> {
        let surface = TriangleSurface::new(self.outer.clone(), Normals::Facets)?;
        let layers = Layers::new(bone, self, &surface)?;
        let below = |layer: &Option<Layer>| layer.map_or(f32::NEG_INFINITY, |layer| layer.depth - layer.thickness);
        let values: Vec<f32> = layers.voxels.iter().map(below).collect();
        let farthest = values.iter().copied().filter(|x| x.is_finite()).fold(0.0, f32::min);
        let values = values.into_iter().map(|x| x.max(farthest)).collect();
        let image = Volume::new(layers.size, layers.frame, Samples::F32(values))?;
        smoothed(&isosurface(&image, 0.0)?, ROUNDS)
    }

    /// The standard deviation of the blur with what a grid adds on the mean over all directions \[m\].
    pub fn deviation(&self, frame: &Frame) -> f64 {
        self.shared.blur.hypot(0.29 * frame.spacing().norm() / 3f64.sqrt())
    }
}

impl Layers {
    /// The layers of the image of a bone, as far as the blur reaches outside.
    ///
    /// # Errors
    /// When the bone has no voxels.
    pub(crate) fn new(bone: &Bone, cortex: &Cortex, surface: &TriangleSurface) -> Result<Self, ImagingError> {
        let solid = &bone.solid;
        let reach = REACH * cortex.deviation(solid.frame());
        let spacing = solid.frame().spacing();
        let inside = squared_distances(solid);
        let outside = squared_distances(&complement(solid)?);
        let thickest = cortex.thickness.iter().copied().fold(0.0, f64::max);
        let deep = (thickest + reach + 2.0 * spacing.max()).powi(2) as f32;
        let far = reach.powi(2) as f32;
        let [nx, ny, _] = solid.size();
        let layer = |n: usize| {
            if !solid.bits()[n] && outside[n] > far {
                return None;
            }
            let depth = inside[n].sqrt();
            if inside[n] > deep {
                let deep = Layer { depth, thickness: thickest as f32, inside: f32::NAN, bone: 1.0, interior: 1.0 };
                return Some(deep);
            }
            let index = Vec3::new((n % nx) as f64, (n / nx % ny) as f64, (n / nx / ny) as f64);
            let place = place(surface, cortex, &solid.frame().position(&index))?;
            let along = solid.frame().directions().transpose() * place.normal;
            let width: f64 = (0..3).map(|axis| spacing[axis] * along[axis].abs()).sum();
            let part = |depth: f64| (0.5 + depth / width).clamp(0.0, 1.0) as f32;
            Some(Layer {
                depth: place.depth as f32,
                thickness: place.thickness as f32,
                inside: place.inside as f32,
                bone: part(place.depth),
                interior: part(place.depth - place.thickness),
            })
        };
        let voxels = (0..solid.bits().len()).into_par_iter().map(layer).collect();
        Ok(Layers { size: solid.size(), frame: solid.frame().clone(), voxels })
    }
}

fn complement(mask: &Mask) -> Result<Mask, ImagingError> {
    Mask::new(mask.size(), mask.frame().clone(), mask.bits().iter().map(|b| !b).collect())
}
