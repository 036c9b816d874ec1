//! From the input to the outer surface of the bone.

use wolff_geometry::TriangleMesh;
use wolff_imaging::cortex::{CortexOptions, cortex};
use wolff_imaging::density::{DensityField, DensityOptions};
use wolff_imaging::segment::{Bone, BoneOptions, Part, bone};
use wolff_imaging::surface::label_surface;
use wolff_imaging::{Choice, Samples, Volume, read};
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

use super::{BoneRequest, STAGES, Tell};
use crate::error::ScanError;
use crate::source::{is_surface, read_surface};

/// The outer surface, and what a CT tells besides.
#[derive(Debug)]
pub struct Shape {
    /// The outer surface \[m\], in the axes of the input: of images LPS.
    pub surface: TriangleMesh,
    /// Cortex and density, of a CT.
    pub density: Option<DensityField>,
    /// Whether the axes are those of a patient (LPS).
    pub is_in_patient: bool,
    /// The part of a CT around the bone, coarse enough for pictures.
    pub grey: Option<Volume>,
    /// What is remarkable about the input.
    pub findings: Vec<Finding>,
}

/// Reads the input and finds the surface of the bone.
///
/// # Errors
/// When the input cannot be read, has no bone, or a CT has no calibration.
pub(super) fn shape(request: &BoneRequest, tell: &mut Tell) -> Result<Shape, ScanError> {
    tell("reading", STAGES[0])?;
    if request.input.is_file() && is_surface(&request.input) {
        let (surface, findings) = read_surface(&request.input, request.unit)?;
        return Ok(Shape { surface, density: None, is_in_patient: false, grey: None, findings });
    }
    let series = request.series.as_ref().map_or_else(Choice::only, Choice::series);
    let image = read(&request.input, &series)?;
    match request.label {
        Some(label) => {
            tell("surface of the label", STAGES[1])?;
            let surface = label_surface(&image.volume.to_labels()?.region(label)?)?;
            Ok(Shape { surface, density: None, is_in_patient: true, grey: None, findings: image.remarks })
        }
        None => from_ct(request, &image.volume, image.remarks, tell),
    }
}

/// Segments a CT, fits its cortex and corrects its density for the blur.
fn from_ct(
    request: &BoneRequest,
    volume: &Volume,
    mut findings: Vec<Finding>,
    tell: &mut Tell,
) -> Result<Shape, ScanError> {
    let calibration = request.calibration.as_ref().ok_or_else(|| {
        ScanError::Request(
            "grey values of a CT need a calibration to become densities; give --calibration A,B with density [g/cm³] = A \
             + B HU, from the phantom of the scanner, or --label N if this is an image of labels"
                .into(),
        )
    })?;
    let part = request.seed.map_or(Part::Largest, Part::Nearest);
    let options = BoneOptions { threshold: request.threshold, part, smoothing: None };
    tell("segmenting", STAGES[1])?;
    let segmented: Bone = bone(volume, &options)?;
    findings.extend(segmented.remarks.iter().cloned());
    tell("fitting the cortex", STAGES[2])?;
    let cortex = cortex(volume, &segmented, &CortexOptions::default())?;
    findings.extend(cortex.remarks.iter().cloned());
    let surface = cortex.outer.clone();
    tell("correcting densities", STAGES[3])?;
    let density = DensityField::new(volume, &segmented, cortex, calibration, &DensityOptions::default())?;
    let grey = around(volume, &surface);
    Ok(Shape { surface, density: Some(density), is_in_patient: true, grey, findings })
}

/// The part of an image around a surface, coarse enough for pictures.
fn around(volume: &Volume, surface: &TriangleMesh) -> Option<Volume> {
    /// What is kept beside the bone, and the least distance between voxels \[m\].
    const BESIDE: f64 = 6e-3;
    const COARSE: f64 = 0.8e-3;
    let first = *surface.vertices().first()?;
    let (low, high) = surface.vertices().iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
    let spacing = volume.frame().spacing().map(|length| length.max(COARSE)).min();
    let image = volume.in_box(low.add_scalar(-BESIDE), high.add_scalar(BESIDE), Vec3::repeat(spacing)).ok()?;
    let values = image.samples().to_f32().into_iter().map(|x| x.clamp(-32_000.0, 32_000.0) as i16).collect();
    Volume::new(image.size(), image.frame().clone(), Samples::I16(values)).ok()
}
