//! The surface of a label.

use wolff_geometry::TriangleMesh;

use super::isosurface::isosurface;
use super::smooth::{smoothed, with_volume};
use crate::error::ImagingError;
use crate::segment::smooth::gaussian;
use crate::volume::{Mask, Samples, Volume};

/// Standard deviation of the smoothing of the indicator \[voxels\]: enough against steps, little against thin layers.
const SOFTENING: f64 = 0.6;
/// Rounds of the filter that takes the rest of the steps away.
const ROUNDS: usize = 12;
/// Voxels around the set that are kept.
const MARGIN: usize = 3;

/// The smooth closed surface of a set of voxels \[m\]; its volume is that of the voxels.
///
/// # Errors
/// When the set is empty, or too thin for a surface.
pub fn label_surface(mask: &Mask) -> Result<TriangleMesh, ImagingError> {
    with_volume(&smoothed(&soft_label_surface(mask)?, ROUNDS)?, mask.volume())
}

/// The surface of a set of voxels from its softened indicator \[m\], at the level that keeps the volume: for measuring,
/// as steps of a small part of a voxel remain.
///
/// # Errors
/// When the set is empty, or too thin for a surface.
pub fn soft_label_surface(mask: &Mask) -> Result<TriangleMesh, ImagingError> {
    let empty = || ImagingError::invalid("label", "it has no voxels; choose another label");
    let (first, last) = mask.bounds().ok_or_else(empty)?;
    let part = mask.cropped(first.map(|n| n.saturating_sub(MARGIN)), last.map(|n| n + MARGIN))?;
    let indicator = part.bits().iter().map(|&inside| f32::from(u8::from(inside))).collect();
    let soft = gaussian(indicator, part.size(), [SOFTENING; 3]);
    let level = level_of_volume(&soft, part.count());
    let image = Volume::new(part.size(), part.frame().clone(), Samples::F32(soft))?;
    isosurface(&image, level)
}

/// The level above which there are as many voxels as in the set, at most a half: thin layers keep their volume.
fn level_of_volume(soft: &[f32], count: usize) -> f64 {
    let mut values: Vec<f32> = soft.iter().copied().filter(|x| *x > 0.05).collect();
    if values.len() <= count {
        return 0.5;
    }
    let at = values.len() - count;
    let (_, level, _) = values.select_nth_unstable_by(at, f32::total_cmp);
    f64::from(*level).clamp(0.25, 0.5)
}
