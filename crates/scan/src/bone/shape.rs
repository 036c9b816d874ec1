//! From the input to the outer surface of the bone.

use wolff_geometry::TriangleMesh;
use wolff_imaging::cortex::{CortexOptions, cortex};
use wolff_imaging::density::{DensityField, DensityOptions};
use wolff_imaging::segment::{Bone, BoneOptions, Part, bone};
use wolff_imaging::surface::label_surface;
use wolff_imaging::{Choice, Volume, read};
use wolff_verdict::Finding;

use super::BoneRequest;
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
    /// What is remarkable about the input.
    pub findings: Vec<Finding>,
}

/// Reads the input and finds the surface of the bone.
///
/// # Errors
/// When the input cannot be read, has no bone, or a CT has no calibration.
pub(super) fn shape(request: &BoneRequest) -> Result<Shape, ScanError> {
    if request.input.is_file() && is_surface(&request.input) {
        let (surface, findings) = read_surface(&request.input, request.unit)?;
        return Ok(Shape { surface, density: None, is_in_patient: false, findings });
    }
    let series = request.series.as_ref().map_or_else(Choice::only, Choice::series);
    let image = read(&request.input, &series)?;
    match request.label {
        Some(label) => {
            let surface = label_surface(&image.volume.to_labels()?.region(label)?)?;
            Ok(Shape { surface, density: None, is_in_patient: true, findings: image.remarks })
        }
        None => from_ct(request, &image.volume, image.remarks),
    }
}

/// Segments a CT, fits its cortex and corrects its density for the blur.
fn from_ct(request: &BoneRequest, volume: &Volume, mut findings: Vec<Finding>) -> Result<Shape, ScanError> {
    let calibration = request.calibration.as_ref().ok_or_else(|| {
        ScanError::Request(
            "grey values of a CT need a calibration to become densities; give --calibration A,B with density [g/cm³] = A \
             + B HU, from the phantom of the scanner, or --label N if this is an image of labels"
                .into(),
        )
    })?;
    let part = request.seed.map_or(Part::Largest, Part::Nearest);
    let options = BoneOptions { threshold: request.threshold, part, smoothing: None };
    let segmented: Bone = bone(volume, &options)?;
    findings.extend(segmented.remarks.iter().cloned());
    let cortex = cortex(volume, &segmented, &CortexOptions::default())?;
    findings.extend(cortex.remarks.iter().cloned());
    let surface = cortex.outer.clone();
    let density = DensityField::new(volume, &segmented, cortex, calibration, &DensityOptions::default())?;
    Ok(Shape { surface, density: Some(density), is_in_patient: true, findings })
}
