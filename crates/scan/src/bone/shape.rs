//! From the input to the outer surface of the bone.

use wolff_geometry::{Normals, TriangleMesh, TriangleSurface};
use wolff_imaging::cortex::{CortexOptions, cortex};
use wolff_imaging::density::{DensityField, DensityOptions};
use wolff_imaging::segment::{Bone, BoneOptions, Part, bone, cut, filled};
use wolff_imaging::surface::label_surface;
use wolff_imaging::{Choice, LabelVolume, ReadVolume, Samples, Volume, read};
use wolff_meshes::size;
use wolff_morphology::{Given, find};
use wolff_spatial::Vec3;
use wolff_verdict::{Finding, Judged, Judgement, Severity};

use super::calibrate::calibrated;
use super::{BoneRequest, STAGES, Tell, gates};
use crate::error::ScanError;
use crate::source::{is_surface, read_surface};

/// The outer surface, and what a CT tells besides.
#[derive(Debug)]
pub struct Shape {
    /// The outer surface \[m\], in the axes of the input: of images LPS.
    pub surface: TriangleMesh,
    /// The surface between cortex and inside \[m\], where it is given.
    pub inner: Option<TriangleMesh>,
    /// Cortex and density, of a CT.
    pub density: Option<DensityField>,
    /// Whether the axes are those of a patient (LPS).
    pub is_in_patient: bool,
    /// The part of a CT around the bone, coarse enough for pictures.
    pub grey: Option<Volume>,
    /// What is remarkable about the input.
    pub findings: Vec<Finding>,
    /// How grey values became densities, as sentences.
    pub remarks: Vec<String>,
    /// What was judged about the calibration.
    pub judged: Vec<Judged>,
}

impl Shape {
    fn without_density(surface: TriangleMesh, is_in_patient: bool, findings: Vec<Finding>) -> Self {
        let (remarks, judged) = (Vec::new(), Vec::new());
        Shape { surface, inner: None, density: None, is_in_patient, grey: None, findings, remarks, judged }
    }
}

/// Reads the input and finds the surface of the bone.
///
/// # Errors
/// When the input cannot be read, has no bone, or a CT has no calibration.
pub(super) fn shape(request: &BoneRequest, tell: &mut Tell) -> Result<Shape, ScanError> {
    tell("reading", STAGES[0])?;
    if request.input.is_file() && is_surface(&request.input) {
        return from_surfaces(request);
    }
    if request.inner.is_some() {
        return Err(ScanError::Request(
            "--inner goes with an outer surface; an image of labels has its inside as a label: give --inner-label N"
                .into(),
        ));
    }
    let series = request.series.as_ref().map_or_else(Choice::only, Choice::series);
    let image = read(&request.input, &series)?;
    match request.label {
        Some(label) => {
            tell("surface of the label", STAGES[1])?;
            from_labels(request, label, &image.volume.to_labels()?, image.remarks)
        }
        None if !request.inner_labels.is_empty() => {
            Err(ScanError::Request("--inner-label goes with --label N, the label of the cortex or the bone".into()))
        }
        None => from_ct(request, image, tell),
    }
}

/// The outer surface of a file, and the inner one of another.
fn from_surfaces(request: &BoneRequest) -> Result<Shape, ScanError> {
    if !request.inner_labels.is_empty() {
        return Err(ScanError::Request("--inner-label goes with an image of labels; give --inner FILE".into()));
    }
    let (surface, mut findings) = read_surface(&request.input, request.unit)?;
    findings.retain(|finding| finding.severity != Severity::Warning);
    findings.extend(size::finding("the surface", size::longest_side(surface.vertices()), size::Expected::Bone));
    let mut shape = Shape::without_density(surface, false, findings);
    if let Some(path) = &request.inner {
        let (inner, findings) = read_surface(path, request.unit)?;
        shape.findings.extend(findings);
        shape.findings.extend(not_inside(&shape.surface, &inner)?);
        shape.inner = Some(inner);
    }
    Ok(shape)
}

/// The surface around a label and what lies inside of it, and that of the inside.
fn from_labels(
    request: &BoneRequest,
    label: u16,
    labels: &LabelVolume,
    mut findings: Vec<Finding>,
) -> Result<Shape, ScanError> {
    let whole = labels.regions_of(&[&[label], request.inner_labels.as_slice()].concat())?;
    findings.extend(cut(&whole));
    let surface = label_surface(&filled(&whole))?;
    let inner = match request.inner_labels.as_slice() {
        [] => None,
        inside => Some(label_surface(&labels.regions_of(inside)?)?),
    };
    Ok(Shape { inner, ..Shape::without_density(surface, true, findings) })
}

/// Vertices of the inner surface that may lie outside of the outer one \[%\]: they touch where the wall is thin.
const MOST_OUTSIDE: f64 = 2.0;

/// Tells when an inner surface is not inside of the outer one.
fn not_inside(outer: &TriangleMesh, inner: &TriangleMesh) -> Result<Option<Finding>, ScanError> {
    let surface = TriangleSurface::new(outer.clone(), Normals::Facets)?;
    let is_outside = |x: &&Vec3| surface.signed_distance(x).is_none_or(|d| d > 0.0);
    let outside = inner.vertices().iter().filter(is_outside).count();
    let part = 100.0 * outside as f64 / inner.vertices().len().max(1) as f64;
    Ok((part > MOST_OUTSIDE).then(|| {
        Finding::error(
            format!("{part:.0} % of the inner surface lies outside of the outer one"),
            "give the outer surface first, both in the same place and unit (--unit)",
        )
    }))
}

/// Segments a CT, fits its cortex and corrects its density for the blur.
fn from_ct(request: &BoneRequest, image: ReadVolume, tell: &mut Tell) -> Result<Shape, ScanError> {
    let ReadVolume { volume, remarks: mut findings, modality } = image;
    if let Some(labels) = gates::labels(&volume) {
        let rule = format!("the values of the image are {labels} only: it is an image of labels; give --label N");
        return Err(ScanError::Request(rule));
    }
    findings.extend(gates::modality(modality.as_deref()));
    let calibrated = calibrated(request)?;
    tell("segmenting", STAGES[1])?;
    let (segmented, remark) = meant(request, &volume)?;
    findings.extend(remark);
    tell("fitting the cortex", STAGES[2])?;
    let cortex = cortex(&volume, &segmented, &CortexOptions::default())?;
    findings.extend(cortex.remarks.iter().cloned());
    findings.extend(gates::hounsfield(&volume.statistics(), &segmented.levels, cortex.shared.cortical));
    let surface = cortex.outer.clone();
    tell("correcting densities", STAGES[3])?;
    let density = DensityField::new(&volume, &segmented, cortex, &calibrated.line, &DensityOptions::default())?;
    findings.extend(calibrated.judgement.findings);
    findings.extend(gates::failed(&Judgement { findings: Vec::new(), judged: calibrated.judgement.judged.clone() }));
    let grey = around(&volume, &surface);
    Ok(Shape {
        density: Some(density),
        grey,
        remarks: calibrated.remarks,
        judged: calibrated.judgement.judged,
        ..Shape::without_density(surface, true, findings)
    })
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

/// Parts of an image that are looked at for the bone that is asked for.
const MOST_PARTS: u32 = 6;

/// The bone that is meant: at the point that was given, or the largest part; where that has not the shape of the bone
/// that is asked for, the largest part that has.
fn meant(request: &BoneRequest, volume: &Volume) -> Result<(Bone, Option<Finding>), ScanError> {
    let (threshold, neck) = (request.threshold, request.neck);
    let segment = |part: Part| bone(volume, &BoneOptions { threshold, part, smoothing: None, neck });
    let first = segment(request.seed.map_or(Part::Largest, Part::Nearest))?;
    let (Some(kind), None) = (request.kind, request.seed) else { return Ok((first, None)) };
    let given = Given { lps: true, ..Given::default() };
    let is_meant = |bone: &Bone| find(&bone.surface, &given).is_ok_and(|found| found.kind == kind);
    if is_meant(&first) {
        return Ok((first, None));
    }
    for rank in 2..=MOST_PARTS {
        let Ok(other) = segment(Part::Ranked(rank)) else { break };
        if is_meant(&other) {
            let message = format!("part {rank} of the image by size has the shape of a {}; it is used", kind.word());
            return Ok((other, Some(Finding::note(message, "choose another with a point in it: --seed X,Y,Z"))));
        }
    }
    Ok((first, None))
}
