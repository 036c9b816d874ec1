//! The density at points and voxels of a bone.

use rayon::prelude::*;
use wolff_density::{Calibration, DensityKind};
use wolff_geometry::{Normals, TriangleSurface};
use wolff_spatial::Vec3;

use super::mass::Mass;
use crate::cortex::Cortex;
use crate::cortex::layers::{Layer, Layers, place};
use crate::error::ImagingError;
use crate::segment::Bone;
use crate::segment::smooth::gaussian;
use crate::volume::{Samples, Volume, trilinear};

/// A voxel farther than this many σ from both sides of its layer is not touched by the blur (2 % of an edge).
const CLEAR: f64 = 2.0;
/// Weight of the level of the fit against a voxel of the same layer.
const PRIOR: f32 = 0.02;

/// How the density is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DensityOptions {
    /// Standard deviation of the mean over voxels of the same layer \[m\]: noise falls with it, detail too.
    pub smoothing: f64,
    /// Inside of the wall, means at or below this grey value hold no bone: marrow and fat, to which the calibration
    /// line does not apply.
    pub marrow: f64,
}

impl Default for DensityOptions {
    fn default() -> Self {
        DensityOptions { smoothing: 1e-3, marrow: 0.0 }
    }
}

/// The line of a calibration in kg/m³.
pub(super) struct Line(Calibration);

impl Line {
    /// The density of a grey value \[kg/m³\], negative where the line is.
    #[inline]
    pub fn at(&self, grey: f64) -> f64 {
        const PER_G_CM3: f64 = 1e3;
        PER_G_CM3 * self.0.density(grey)
    }

    /// The density of a grey value \[kg/m³\], not negative.
    #[inline]
    pub fn density(&self, grey: f64) -> f64 {
        self.at(grey).max(0.0)
    }
}

/// The bone density of a CT, corrected for the blur at its surfaces.
#[derive(Clone, Debug)]
pub struct DensityField {
    layers: Layers,
    cortex: Cortex,
    surface: TriangleSurface,
    /// Density of the wall and of what is inside of it, around each voxel \[kg/m³\].
    wall: Vec<f32>,
    interior: Vec<f32>,
    mass: Mass,
}

impl DensityField {
    /// The density of a bone whose cortex was fitted; `calibration` gives apparent density.
    ///
    /// # Errors
    /// When the image is not that of the bone, or the calibration gives another density.
    pub fn new(
        volume: &Volume,
        bone: &Bone,
        cortex: Cortex,
        calibration: &Calibration,
        options: &DensityOptions,
    ) -> Result<Self, ImagingError> {
        if calibration.density != DensityKind::Apparent {
            let rule = format!("it gives {}; convert it to apparent density first", calibration.density.symbol());
            return Err(ImagingError::invalid("calibration", rule));
        }
        let line = Line(*calibration);
        let surface = TriangleSurface::new(cortex.outer.clone(), Normals::Facets)?;
        let spacing = volume.frame().spacing();
        let sigma = cortex.deviation(volume.frame());
        let layers = Layers::new(bone, &cortex, &surface)?;
        let grey = grey_values(volume, &layers)?;
        let clear = (CLEAR * sigma) as f32;
        let deviations = [0, 1, 2].map(|axis| options.smoothing / spacing[axis]);
        let in_wall = |layer: &Layer| layer.depth > clear && layer.thickness - layer.depth > clear;
        let in_interior = |layer: &Layer| layer.depth > layer.thickness + clear;
        let cortical = cortex.shared.cortical as f32;
        let wall = filled_means(&grey, &layers, &in_wall, &|_| cortical, deviations);
        let interior = filled_means(&grey, &layers, &in_interior, &|layer| layer.inside, deviations);
        let mass = Mass::new(&grey, &layers, &cortex, &wall, &interior, &line, options.marrow);
        let of_wall = |grey: &f32| line.density(f64::from(*grey)) as f32;
        let of_interior = |grey: &f32| if f64::from(*grey) <= options.marrow { 0.0 } else { of_wall(grey) };
        Ok(DensityField {
            wall: wall.iter().map(of_wall).collect(),
            interior: interior.iter().map(of_interior).collect(),
            layers,
            cortex,
            surface,
            mass,
        })
    }

    /// The density at a point in the patient \[kg/m³\]: 0 outside of the bone.
    pub fn at(&self, point: Vec3) -> f64 {
        let Some(place) = place(&self.surface, &self.cortex, &point) else { return 0.0 };
        if !(place.depth > 0.0) {
            return 0.0;
        }
        let values = if place.depth < place.thickness { &self.wall } else { &self.interior };
        let index = self.layers.frame.index(&point);
        trilinear(self.layers.size, &index, |n| f64::from(values[n])).unwrap_or(0.0)
    }

    /// The mean density of a voxel of [`DensityField::size`] \[kg/m³\]; 0 outside of the bone.
    pub fn voxel(&self, index: [usize; 3]) -> f64 {
        let [nx, ny, _] = self.layers.size;
        let inside = (0..3).all(|axis| index[axis] < self.layers.size[axis]);
        if inside { self.mean(index[0] + nx * (index[1] + ny * index[2])) } else { 0.0 }
    }

    fn mean(&self, n: usize) -> f64 {
        self.layers.voxels[n].map_or(0.0, |layer| {
            f64::from((layer.bone - layer.interior) * self.wall[n] + layer.interior * self.interior[n])
        })
    }

    /// Voxels along the three axes: the image cropped to the bone.
    pub fn size(&self) -> [usize; 3] {
        self.layers.size
    }

    /// Where each voxel lies, and how much of it is wall.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The cortex of the bone.
    pub fn cortex(&self) -> &Cortex {
        &self.cortex
    }

    /// The outer surface of the bone, ready for queries.
    pub fn surface(&self) -> &TriangleSurface {
        &self.surface
    }

    /// Mass and centre of mass.
    pub fn mass(&self) -> &Mass {
        &self.mass
    }

    /// The mean densities of all voxels as an image \[kg/m³\].
    ///
    /// # Errors
    /// Never for a field that was made; the image is checked as all are.
    pub fn to_volume(&self) -> Result<Volume, ImagingError> {
        let values = (0..self.layers.voxels.len()).map(|n| self.mean(n) as f32).collect();
        Volume::new(self.layers.size, self.layers.frame.clone(), Samples::F32(values))
    }
}

/// The grey values at the voxels of the layers, whose grid is part of that of the image.
fn grey_values(volume: &Volume, layers: &Layers) -> Result<Vec<f32>, ImagingError> {
    let first = volume.frame().index(&layers.frame.origin());
    let place = [0, 1, 2].map(|axis| first[axis].round());
    let fits = (0..3).all(|axis| (first[axis] - place[axis]).abs() < 1e-3 && place[axis] >= 0.0);
    let last = [0, 1, 2].map(|axis| place[axis] as usize + layers.size[axis] - 1);
    if !fits || (0..3).any(|axis| last[axis] >= volume.size()[axis]) {
        return Err(ImagingError::invalid("image", "it is not the one in which the bone was found; give that one"));
    }
    Ok(volume.cropped(place.map(|x| x as usize), last)?.samples().to_f32())
}

/// At every voxel the mean grey value of the clear voxels of a layer around it; where there are few, the level of the
/// fit counts.
fn filled_means(
    grey: &[f32],
    layers: &Layers,
    is_clear: &(dyn Fn(&Layer) -> bool + Sync),
    prior: &(dyn Fn(&Layer) -> f32 + Sync),
    deviations: [f64; 3],
) -> Vec<f32> {
    let weight = |layer: &Option<Layer>| f32::from(u8::from(layer.as_ref().is_some_and(is_clear)));
    let weights: Vec<f32> = layers.voxels.par_iter().map(weight).collect();
    let weighted = weights.par_iter().zip(grey).map(|(w, g)| w * g).collect();
    let sums = gaussian(weighted, layers.size, deviations);
    let weights = gaussian(weights, layers.size, deviations);
    let mean = |(n, layer): (usize, &Option<Layer>)| {
        let level = layer.as_ref().map_or(f32::NAN, prior);
        match level.is_finite() {
            true => (sums[n] + PRIOR * level) / (weights[n] + PRIOR),
            false if weights[n] > 0.0 => sums[n] / weights[n],
            false => 0.0,
        }
    };
    layers.voxels.par_iter().enumerate().map(mean).collect()
}
