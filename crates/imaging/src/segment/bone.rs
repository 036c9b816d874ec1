//! The solid bone of a CT and its first surface.

use wolff_geometry::TriangleMesh;
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

use super::components::{Components, components, filled};
use super::levels::{Levels, levels};
use super::smooth::gaussian;
use super::watershed::split_touching;
use crate::error::ImagingError;
use crate::surface::isosurface::isosurface;
use crate::volume::{Mask, Samples, Volume};

/// Voxels around the bone that are kept.
const MARGIN: usize = 3;

/// Other parts are told from this part of the size of the bone on.
const LARGE_PART: f64 = 0.1;

/// Which part of the voxels above the threshold is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// The largest one.
    Largest,
    /// The one of this rank by size, from 1 for the largest.
    Ranked(u32),
    /// The one nearest to a position in the patient \[m\].
    Nearest(Vec3),
}

/// How a bone is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneOptions {
    /// The grey value above which a voxel is bone; found from the histogram if `None`.
    pub threshold: Option<f64>,
    /// Which part.
    pub part: Part,
    /// Standard deviation of the smoothing against noise \[m\]; one distance between voxels if `None`.
    pub smoothing: Option<f64>,
    /// Touching bones are parted where they are narrower than twice this \[m\]; not at all if `None`.
    pub neck: Option<f64>,
}

impl Default for BoneOptions {
    fn default() -> Self {
        BoneOptions { threshold: None, part: Part::Largest, smoothing: None, neck: None }
    }
}

/// A bone in a CT.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Its voxels with all cavities; the image is cropped to the bone.
    pub solid: Mask,
    /// The levels of the tissues, and the threshold.
    pub levels: Levels,
    /// The surface at the threshold \[m\]: closed, outward. Blur moves it outwards; the cortex fit puts it right.
    pub surface: TriangleMesh,
    /// What is remarkable, such as a bone cut by the image.
    pub remarks: Vec<Finding>,
}

/// Finds the bone of a CT: smoothed, thresholded, the chosen part with its cavities filled, its surface.
///
/// # Errors
/// When nothing stands out of the soft tissue, or nothing is above the threshold.
pub fn bone(volume: &Volume, options: &BoneOptions) -> Result<Bone, ImagingError> {
    let mut levels = match (levels(volume), options.threshold) {
        (Ok(levels), _) => levels,
        (Err(error), None) => return Err(error),
        (Err(_), Some(value)) => {
            let statistics = volume.statistics();
            Levels { soft: statistics.min, cortical: statistics.max, noise: 0.0, threshold: value }
        }
    };
    levels.threshold = options.threshold.unwrap_or(levels.threshold);
    let spacing = volume.frame().spacing();
    let deviation = options.smoothing.unwrap_or(spacing.min().max(0.5 * spacing.max()));
    let deviations = [0, 1, 2].map(|axis| deviation / spacing[axis]);
    let smooth = gaussian(volume.samples().to_f32(), volume.size(), deviations);
    let above = smooth.iter().map(|&x| f64::from(x) > levels.threshold).collect();
    let above = Mask::new(volume.size(), volume.frame().clone(), above)?;
    let (solid, remarks) = chosen(&above, options, levels.threshold)?;
    let field = solid_field(&smooth, &above, &solid, &levels);
    let whole = Volume::new(volume.size(), volume.frame().clone(), Samples::F32(field))?;
    let (first, last) = solid.bounds().ok_or_else(|| ImagingError::invalid("bone", "it has no voxels"))?;
    let (first, last) = (first.map(|n| n.saturating_sub(MARGIN)), last.map(|n| n + MARGIN));
    // one distance between voxels along all axes: the smoothed values need no finer grid than the coarsest axis
    let field = whole.cropped(first, last)?.isotropic(spacing.max())?;
    let surface = isosurface(&field, levels.threshold)?;
    Ok(Bone { solid: solid.cropped(first, last)?, levels, surface, remarks })
}

/// The parts of a mask: what hangs together, or bones apart at their necks.
fn parts(above: &Mask, neck: Option<f64>) -> Result<Components, ImagingError> {
    let Some(neck) = neck else { return Ok(components(above)) };
    let labels = split_touching(&filled(above), neck)?;
    let sizes = labels.regions().into_iter().map(|(_, count)| count).collect();
    Ok(Components { part_of: labels.labels().iter().map(|&label| u32::from(label)).collect(), sizes })
}

fn chosen(above: &Mask, options: &BoneOptions, threshold: f64) -> Result<(Mask, Vec<Finding>), ImagingError> {
    let (parts, part) = (parts(above, options.neck)?, &options.part);
    if parts.sizes.is_empty() {
        let rule = format!("no voxel is above {threshold:.0}; choose a lower threshold");
        return Err(ImagingError::invalid("bone", rule));
    }
    let number = match part {
        Part::Largest => 1,
        Part::Ranked(rank) => *rank,
        Part::Nearest(position) => nearest_part(above, &parts.part_of, position),
    };
    let solid = filled(&parts.part(above, number)?);
    let mut remarks: Vec<Finding> = cut(&solid).into_iter().collect();
    let size = parts.sizes.get(number as usize - 1).copied().unwrap_or_default();
    let others = parts.sizes.iter().filter(|other| **other as f64 > LARGE_PART * size as f64).count() - 1;
    if others > 0 && *part == Part::Largest {
        let message = format!("the image holds {others} other large parts that may be bones; the largest one is used");
        remarks.push(Finding::note(message, "choose another with a point in it: --seed X,Y,Z"));
    }
    Ok((solid, remarks))
}

fn nearest_part(above: &Mask, part_of: &[u32], position: &Vec3) -> u32 {
    let [nx, ny, _] = above.size();
    let place =
        |n: usize| above.frame().position(&Vec3::new((n % nx) as f64, (n / nx % ny) as f64, (n / nx / ny) as f64));
    let inside = (0..part_of.len()).filter(|&n| part_of[n] != 0);
    let nearest = inside
        .map(|n| ((place(n) - position).norm_squared(), n))
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    nearest.map_or(1, |(_, n)| part_of[n])
}

/// What to say of a bone that the image cuts: mass, length, frame and frequencies would be those of a part.
pub fn cut(solid: &Mask) -> Option<Finding> {
    let (first, last) = solid.bounds()?;
    let mut sides = Vec::new();
    for axis in 0..3 {
        let outwards = solid.frame().directions().column(axis).into_owned();
        if first[axis] == 0 {
            sides.push(facing(&-outwards));
        }
        if last[axis] + 1 == solid.size()[axis] {
            sides.push(facing(&outwards));
        }
    }
    (!sides.is_empty()).then(|| {
        Finding::error(
            format!("the bone is cut off by the image on its side {}: it is a part of a bone", sides.join(" and ")),
            "use an image that holds the whole bone: mass, length, frame and frequencies of a part are not those of the bone",
        )
    })
}

/// Where a direction in the patient points, in words.
fn facing(direction: &Vec3) -> &'static str {
    const WORDS: [[&str; 2]; 3] = [
        ["towards the right of the patient", "towards the left of the patient"],
        ["towards the front", "towards the back"],
        ["towards the feet", "towards the head"],
    ];
    let axis = direction.iamax();
    WORDS[axis][usize::from(direction[axis] > 0.0)]
}

/// The smoothed values, raised above the threshold in the cavities of the bone and lowered below it in other parts, so
/// that the surface at the threshold is the outer one of this bone.
fn solid_field(smooth: &[f32], above: &Mask, solid: &Mask, levels: &Levels) -> Vec<f32> {
    let (low, high) =
        (levels.soft as f32, levels.cortical.max(levels.threshold + (levels.threshold - levels.soft)) as f32);
    let value = |n: usize| match (solid.bits()[n], above.bits()[n]) {
        (true, true) | (false, false) => smooth[n],
        (true, false) => high,
        (false, true) => low,
    };
    (0..smooth.len()).map(value).collect()
}
