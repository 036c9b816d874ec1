//! A tibia or femur of a person from any file: a scan, labels, a surface, a mesh of tetrahedra or a flexible body.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use wolff_anatomy::Side;
use wolff_bone::parametric;
use wolff_bone::person::faces::{FACE_SETS, UNIFORM};
use wolff_bone::person::{GivenBone, JointMarks, kept, surface_of};
use wolff_density::{Calibration, DensityKind};
use wolff_fem::material::MaterialField;
use wolff_fem::{ElementKind, TetMesh};
use wolff_files::input;
use wolff_flexbody::FlexBodyFile;
use wolff_geometry::TriangleMesh;
use wolff_mesher::Settings;
use wolff_meshes::solid::{MeshFormat, read_mesh_bytes_in};
use wolff_morphology::{BoneKind, Given, Morphology, find};
use wolff_spatial::Vec3;
use wolff_verdict::{Finding, Judgement, Verdict};

use crate::bone::reduce::placed;
use crate::bone::{BoneRequest, Progress, Solid, joint_centres, refuse, solid};
use crate::error::ScanError;

/// A file of a tibia or femur, and what is known about it.
#[derive(Clone, Debug)]
pub struct GivenFile {
    /// The file, or the folder of a DICOM series.
    pub path: PathBuf,
    /// Hash of its content.
    pub sha256: String,
    /// Tibia or femur.
    pub is_femur: bool,
    /// Left or right; found from the shape if `None`.
    pub side: Option<Side>,
    /// What points forward in the axes of a mesh of tetrahedra; found from the shape if `None`.
    pub forward: Option<Vec3>,
    /// The label of the bone in an image of labels.
    pub label: Option<u16>,
    /// Apparent density at the grey value 0 and per grey value of a CT \[kg/m³\].
    pub calibration: Option<[f64; 2]>,
    /// Name of the relation between density and modulus.
    pub relation: String,
    /// Wall of a bone without densities \[m\]: at the shaft and at the ends.
    pub wall: [f64; 2],
    /// Mean edge of the elements \[m\].
    pub size: f64,
    /// Whether an input that cannot be right is used all the same.
    pub force: bool,
}

impl GivenFile {
    fn kind(&self) -> BoneKind {
        if self.is_femur { BoneKind::Femur } else { BoneKind::Tibia }
    }

    fn request(&self) -> Result<BoneRequest, ScanError> {
        let line = |[offset, slope]: [f64; 2]| Calibration::line(1e-3 * offset, 1e-3 * slope, DensityKind::Apparent);
        Ok(BoneRequest {
            label: self.label,
            calibration: self.calibration.map(line).transpose()?,
            relation: self.relation.clone(),
            wall: self.wall,
            kind: Some(self.kind()),
            side: self.side,
            mesh: Settings { size: self.size, order: ElementKind::Tet10, ..Settings::default() },
            force: self.force,
            ..BoneRequest::new(self.path.clone())
        })
    }
}

/// Makes the bone of a file. A bone that this process made before from the same content is not made again, so that
/// variations of a study share it.
///
/// # Errors
/// When the input cannot be read or used or is another bone, or `progress` returns `false`.
pub fn given_bone(file: &GivenFile, progress: &mut Progress) -> Result<GivenBone, ScanError> {
    static MADE: Mutex<Vec<(String, GivenBone)>> = Mutex::new(Vec::new());
    let key = format!("{file:?}");
    let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, bone)) = made().iter().find(|(known, _)| *known == key) {
        return Ok(bone.clone());
    }
    let bone = make(file, &file.request()?, progress)?;
    made().push((key, bone.clone()));
    Ok(bone)
}

fn make(file: &GivenFile, request: &BoneRequest, progress: &mut Progress) -> Result<GivenBone, ScanError> {
    let made = match content(&request.input) {
        Content::FlexibleBody => from_body(&request.input)?,
        Content::Tetrahedra(format) => from_mesh(file, request, format)?,
        Content::Scan => from_scan(request, progress)?,
    };
    if made.word() != file.kind().word() {
        return Err(another(request, made.word()));
    }
    if let Some(side) = request.side.filter(|side| *side != made.side) {
        let (asked, is) = (side.word(), made.side.word());
        let rule = format!("`{}` is a {is} bone, not a {asked} one; give the side of the bone", shown(&request.input));
        return Err(ScanError::Request(rule));
    }
    Ok(made)
}

fn another(request: &BoneRequest, found: &str) -> ScanError {
    let asked = request.kind.map_or("bone", BoneKind::word);
    ScanError::Request(format!("`{}` has the shape of a {found}; give a {asked}", shown(&request.input)))
}

/// Refuses a surface whose shape is that of another bone, unless the user insists.
fn require_kind(request: &BoneRequest, surface: &TriangleMesh) -> Result<(), ScanError> {
    let found = find(surface, &Given { side: request.side, ..Given::default() })?.kind;
    if request.force || request.kind == Some(found) { Ok(()) } else { Err(another(request, found.word())) }
}

enum Content {
    FlexibleBody,
    Tetrahedra(MeshFormat),
    Scan,
}

/// What a file holds, by its name; of the endings that surfaces share, by its content.
fn content(path: &Path) -> Content {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match (ending.as_str(), MeshFormat::of_name(path)) {
        ("flexbody" | "flex", _) => Content::FlexibleBody,
        ("vtk", Some(_)) if !has_tetrahedra(path) => Content::Scan,
        (_, Some(format)) => Content::Tetrahedra(format),
        _ => Content::Scan,
    }
}

fn has_tetrahedra(path: &Path) -> bool {
    const GRID: &[u8] = b"UNSTRUCTURED_GRID";
    const HEAD: usize = 1024;
    let bytes = input::unrecorded(|| input::read(path)).unwrap_or_default();
    bytes[..bytes.len().min(HEAD)].windows(GRID.len()).any(|w| w == GRID)
}

fn from_body(path: &Path) -> Result<GivenBone, ScanError> {
    let file = FlexBodyFile::load(path)?;
    let solid = file.solid.as_ref().ok_or_else(|| {
        ScanError::Request(format!(
            "`{}` holds modes without the solid that they were made of, so that muscles and gauges have no place on it; \
             give a file that `wolff bone` wrote, or the mesh itself",
            shown(path)
        ))
    })?;
    Ok(kept::given_bone(solid)?)
}

fn from_mesh(file: &GivenFile, request: &BoneRequest, format: MeshFormat) -> Result<GivenBone, ScanError> {
    let path = &request.input;
    let bytes = input::read(path).map_err(|cause| ScanError::Unreadable { path: path.clone(), cause })?;
    let mesh = read_mesh_bytes_in(&bytes, format, path.parent())?;
    let has_faces = FACE_SETS.iter().all(|set| mesh.node_set(set).is_ok());
    if has_faces && !file.is_femur {
        return Ok(GivenBone::with_faces(&mesh, request.side.unwrap_or(Side::Right), file.forward)?);
    }
    by_shape(request, mesh, file.forward)
}

/// A mesh whose frame and joint surfaces are found from its shape.
fn by_shape(request: &BoneRequest, mesh: TetMesh, forward: Option<Vec3>) -> Result<GivenBone, ScanError> {
    let given = Given { kind: request.kind, side: request.side, anterior: forward, ..Given::default() };
    let unit = find(&boundary(&mesh)?, &given)?.to_metres;
    let mesh = mesh.mapped(|x| x * unit)?;
    let surface = boundary(&mesh)?;
    require_kind(request, &surface)?;
    let morphology = find(&surface, &given)?;
    refuse(&morphology.judgement, request.force)?;
    require(&morphology.judgement, request.force)?;
    let mean_edge = (mesh.volume() / mesh.element_count() as f64 * 6.0 * std::f64::consts::SQRT_2).cbrt();
    let mesh = faced(placed(&surface, &morphology, &mesh, 2.0 * mean_edge)?.0, &morphology.judgement)?;
    let method = morphology.remarks.iter().cloned().chain([UNIFORM.into()]).collect();
    in_frame(&morphology, mesh, None, (morphology.judgement.warnings(), method))
}

fn from_scan(request: &BoneRequest, progress: &mut Progress) -> Result<GivenBone, ScanError> {
    let Solid { shape, morphology, meshed, tissue, judgement } = solid(request, progress)?;
    require_kind(request, &shape.surface)?;
    require(&judgement, request.force)?;
    let mesh = placed(&shape.surface, &morphology, &meshed.mesh, 2.0 * request.mesh.size)?.0;
    let mesh = faced(mesh, &judgement)?;
    let method = morphology.remarks.iter().chain(&tissue.remarks).cloned().collect();
    in_frame(&morphology, mesh, Some(tissue.materials), (judgement.warnings(), method))
}

/// Refuses a bone with a quantity that no bone of its kind has, unless the user insists.
fn require(judgement: &Judgement, force: bool) -> Result<(), ScanError> {
    let failed = judgement.judged.iter().filter(|j| j.verdict == Verdict::Failed && !force);
    let failed: Vec<Finding> = failed.map(|j| Finding::error(j.message(), j.remedy.clone())).collect();
    if failed.is_empty() { Ok(()) } else { Err(ScanError::Refused(failed)) }
}

/// A mesh with both joint faces; otherwise what is doubtful about the bone is told.
fn faced(mesh: TetMesh, judgement: &Judgement) -> Result<TetMesh, ScanError> {
    let Some(set) = FACE_SETS.iter().find(|set| mesh.node_set(set).is_err()) else { return Ok(mesh) };
    let doubts = judgement.warnings().join("; ");
    let rule = format!(
        "the {set} joint surface of the bone is not found, so that it cannot be placed in its segment; give a whole bone \
         and its right side, or a mesh with the node sets `proximal` and `distal` ({doubts})"
    );
    Err(ScanError::Request(rule))
}

/// A bone in its own frame.
fn in_frame(
    morphology: &Morphology,
    mesh: TetMesh,
    materials: Option<MaterialField>,
    (remarks, method): (Vec<String>, Vec<String>),
) -> Result<GivenBone, ScanError> {
    let kind = match morphology.kind {
        BoneKind::Tibia => parametric::BoneKind::Tibia,
        BoneKind::Femur => parametric::BoneKind::Femur,
        other => return Err(ScanError::Request(format!("a {} has no segment; give a tibia or a femur", other.word()))),
    };
    let [proximal, distal] = joint_centres(morphology)
        .ok_or_else(|| ScanError::Request("the joints of the bone are not found; give a whole bone".into()))?;
    let marks = JointMarks { proximal, distal, anterior: Vec3::x() };
    let (mesh, materials) = (Arc::new(mesh), materials.map(Arc::new));
    Ok(GivenBone { kind, side: morphology.side, mesh, materials, marks, scale: [1.0; 3], remarks, method })
}

fn boundary(mesh: &TetMesh) -> Result<TriangleMesh, ScanError> {
    Ok(surface_of(mesh, &mesh.boundary()?)?)
}

fn shown(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
