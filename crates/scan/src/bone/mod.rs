//! A flexible bone from a CT, from labels of an image, or from a surface.
//!
//! | file | stage |
//! |---|---|
//! | [`calibrate`] | line from grey values to density: given, or by a phantom |
//! | [`mod@shape`] | input to outer (and inner) surface, and of a CT to cortex and density |
//! | `gates` | whether grey values and materials can be those of a bone |
//! | [`tissue`] | material of every element: from a CT, or of an assumed wall |
//! | [`reduce`] | joint surfaces, natural frequencies, reduction to a flexible body |
//! | [`outcome`] | results, verdict and pictures |

pub mod calibrate;
mod gates;
pub mod outcome;
pub mod reduce;
pub mod shape;
pub mod tissue;

use std::path::PathBuf;
use wolff_anatomy::Side;
use wolff_bone::person::kept::solid_mesh;
use wolff_density::{Calibration, Rule};
use wolff_fem::{ElementKind, TetMesh};
use wolff_flexbody::FlexBodyFile;
use wolff_mesher::{Meshed, Settings, Stage, mesh_regions, mesh_surface};
use wolff_morphology::{BoneKind, Given, Morphology, find};
use wolff_spatial::Vec3;
use wolff_verdict::{Finding, Judgement};

use crate::error::ScanError;
use calibrate::Phantom;
use reduce::Bodies;
use shape::Shape;
use tissue::{Directions, Tissue};

/// What is known and what is asked for.
#[derive(Clone, Debug)]
pub struct BoneRequest {
    /// The scan, label image or surface.
    pub input: PathBuf,
    /// Unit of a surface \[m\]; found from its size if `None`.
    pub unit: Option<f64>,
    /// The series of a DICOM folder with several.
    pub series: Option<String>,
    /// The label of the bone, if the input is an image of labels.
    pub label: Option<u16>,
    /// Grey value above which a voxel is bone; found from the histogram if `None`.
    pub threshold: Option<f64>,
    /// A point in or near the bone in the image \[m\], where it is not the largest part.
    pub seed: Option<Vec3>,
    /// Touching bones are parted where they are narrower than twice this \[m\].
    pub neck: Option<f64>,
    /// The inner surface of the cortex, beside an outer surface.
    pub inner: Option<PathBuf>,
    /// Labels of what lies inside of the cortex: spongy bone and marrow.
    pub inner_labels: Vec<u16>,
    /// Line from grey values to density.
    pub calibration: Option<Calibration>,
    /// A phantom in place of the line.
    pub phantom: Option<Phantom>,
    /// From densities to elements.
    pub rule: Rule,
    /// Whether the material is the same in all directions; that of the input if `None`.
    pub directions: Option<Directions>,
    /// Name of the relation between density and modulus.
    pub relation: String,
    /// Wall of a bone without a CT \[m\]: at the shaft and at the ends.
    pub wall: [f64; 2],
    /// Which bone; recognised by its shape if `None`.
    pub kind: Option<BoneKind>,
    /// Left or right; recognised by the shape if `None`.
    pub side: Option<Side>,
    /// Roughly upwards along the bone, in the axes of the input; found by the shape if `None`.
    pub up: Option<Vec3>,
    /// Roughly forwards, in the axes of the input; found by the shape if `None`.
    pub anterior: Option<Vec3>,
    /// Stature of the person \[m\], for the judgement of the mass.
    pub stature: Option<f64>,
    /// The mesh.
    pub mesh: Settings,
    /// Fixed-interface modes of the flexible body.
    pub modes: usize,
    /// Whether an input that cannot be right is used all the same.
    pub force: bool,
}

impl BoneRequest {
    /// A request with nothing known but the input: elements of 5 mm with ten nodes, Keyak's relation, twelve modes.
    pub fn new(input: PathBuf) -> Self {
        BoneRequest {
            input,
            unit: None,
            series: None,
            label: None,
            threshold: None,
            seed: None,
            neck: None,
            inner: None,
            inner_labels: Vec::new(),
            calibration: None,
            phantom: None,
            rule: tissue::RULE,
            directions: None,
            relation: "keyak-1998".into(),
            wall: [5e-3, 1.5e-3],
            kind: None,
            side: None,
            up: None,
            anterior: None,
            stature: None,
            mesh: Settings { size: 5e-3, order: ElementKind::Tet10, halvings: 1, ..Settings::default() },
            modes: 12,
            force: false,
        }
    }
}

/// A bone, and all that was found on the way to it.
#[derive(Debug)]
pub struct MadeBone {
    /// Surface, and of a CT cortex and density.
    pub shape: Shape,
    /// Frame, side, joints and landmarks.
    pub morphology: Morphology,
    /// The mesh in the frame of the input.
    pub meshed: Meshed,
    /// Material of every element.
    pub tissue: Tissue,
    /// Frequencies, and the flexible body in the frame of the bone.
    pub bodies: Bodies,
    /// Findings about the input, and the verdict.
    pub judgement: Judgement,
}

/// Parts of the whole work at which its stages begin, about, for a CT of a long bone: reading, segmenting, cortex,
/// densities, frame, tetrahedra, material, free modes, reduction, pictures.
pub const STAGES: [f64; 10] = [0.0, 0.02, 0.06, 0.12, 0.17, 0.18, 0.25, 0.3, 0.68, 0.97];

/// Told the stage and the finished part of the whole; `false` stops the work.
pub type Progress<'a> = dyn FnMut(&str, f64) -> bool + 'a;

/// A bone before it is reduced.
pub(crate) struct Solid {
    pub shape: Shape,
    pub morphology: Morphology,
    pub meshed: Meshed,
    pub tissue: Tissue,
    pub judgement: Judgement,
}

/// Makes the bone.
///
/// # Errors
/// When the input cannot be read or used, a stage has no result, or `progress` returns `false`.
pub fn make(request: &BoneRequest, progress: &mut Progress) -> Result<MadeBone, ScanError> {
    let Solid { shape, morphology, meshed, tissue, judgement } = solid(request, progress)?;
    let mut tell = |stage: &str, part: f64| if progress(stage, part) { Ok(()) } else { Err(ScanError::Stopped) };
    let bodies = reduce::reduce(request, &shape, &morphology, &meshed.mesh, &tissue, &mut tell)?;
    tell("pictures", STAGES[9])?;
    Ok(MadeBone { shape, morphology, meshed, tissue, bodies, judgement })
}

/// Makes the mesh of the bone with its material.
pub(crate) fn solid(request: &BoneRequest, progress: &mut Progress) -> Result<Solid, ScanError> {
    let mut judgement = Judgement::default();
    let mut tell = |stage: &str, part: f64| if progress(stage, part) { Ok(()) } else { Err(ScanError::Stopped) };
    let shape = shape::shape(request, &mut tell)?;
    judgement.found(shape.findings.iter().cloned());
    judgement.judged.extend(shape.judged.iter().cloned());
    refuse(&judgement, request.force)?;
    tell("frame of the bone", STAGES[4])?;
    let given = Given {
        kind: request.kind,
        side: request.side,
        up: request.up,
        anterior: request.anterior,
        lps: shape.is_in_patient,
    };
    let morphology = find(&shape.surface, &given)?;
    judgement.found(morphology.judgement.findings.iter().cloned());
    judgement.judged.extend(morphology.judgement.judged.iter().cloned());
    refuse(&judgement, request.force)?;
    tell("tetrahedra", STAGES[5])?;
    // some steps of meshing are repeated
    let mut reached = 0.0_f64;
    let mut go_on = |stage, part| {
        reached = reached.max(meshed_part(stage, part));
        tell("tetrahedra", STAGES[5] + (STAGES[6] - STAGES[5]) * reached).is_ok()
    };
    let meshed = match &shape.inner {
        None => mesh_surface(&shape.surface, &request.mesh, &mut go_on)?,
        Some(inner) => {
            let regions = [(tissue::CORTEX, &shape.surface), (tissue::INSIDE, inner)];
            mesh_regions(&regions, &request.mesh, &mut go_on)?
        }
    };
    judgement.found(meshed.report.shortfalls.iter().map(|what| Finding::note(what.clone(), "")));
    crate::generate::judge(&mut judgement, &meshed.report);
    tell("material", STAGES[6])?;
    let tissue = tissue::tissue(request, &shape, &morphology, &meshed.mesh)?;
    judgement.found(tissue.judgement.findings.iter().cloned());
    judgement.judged.extend(tissue.judgement.judged.iter().cloned());
    judgement.found(gates::failed(&tissue.judgement));
    refuse(&judgement, request.force)?;
    Ok(Solid { shape, morphology, meshed, tissue, judgement })
}

impl MadeBone {
    /// The content of the file of the flexible body, with the solid that it was made of; `None` of a bone with fewer
    /// than two joint surfaces.
    pub fn file(&self) -> Option<FlexBodyFile> {
        let joints = joint_centres(&self.morphology)?;
        let bone = (self.morphology.kind.word(), self.morphology.side);
        let solid = solid_mesh(bone, &self.bodies.mesh, &self.tissue.materials, joints);
        Some(FlexBodyFile { solid: Some(solid), ..self.bodies.flexible.as_ref()?.file(None) })
    }
}

/// Centres of the upper and lower joint in the frame of the bone \[m\].
pub(crate) fn joint_centres(morphology: &Morphology) -> Option<[Vec3; 2]> {
    let [(_, upper), (_, lower)] = reduce::ends_of(morphology.kind) else { return None };
    let centre = |name: &str| Some(morphology.in_bone(&morphology.joint(name)?.position));
    Some([centre(upper)?, centre(lower)?])
}

/// Told the stage and the finished part of the whole, an error where the work is to stop.
pub(crate) type Tell<'a> = dyn FnMut(&str, f64) -> Result<(), ScanError> + 'a;

/// The finished part of meshing.
fn meshed_part(stage: Stage, part: f64) -> f64 {
    let [start, length] = match stage {
        Stage::Lattice => [0.0, 0.15],
        Stage::Cut => [0.15, 0.1],
        Stage::Improve => [0.25, 0.25],
        Stage::Coarsen => [0.5, 0.15],
        Stage::Fit => [0.65, 0.3],
        Stage::Report => [0.95, 0.05],
    };
    start + length * part.clamp(0.0, 1.0)
}

/// Refuses an input with errors, unless the user insists.
pub(crate) fn refuse(judgement: &Judgement, force: bool) -> Result<(), ScanError> {
    let errors: Vec<Finding> = judgement.errors().cloned().collect();
    if errors.is_empty() || force { Ok(()) } else { Err(ScanError::Refused(errors)) }
}

/// A mesh in the frame of a bone: origin and axes of its morphology.
pub(crate) fn in_bone_frame(mesh: &TetMesh, morphology: &Morphology) -> Result<TetMesh, ScanError> {
    Ok(mesh.mapped(|x| morphology.in_bone(x))?)
}
