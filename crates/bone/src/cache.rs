//! Reductions kept in a folder, each in a file named after everything that it follows from.
//!
//! A reduction takes most of the time of making a body. Studies and persons share this cache: its key is made of the
//! whole input of [`wolff_fem::reduce`], so that a file is read only where the reduction would give the same body.

use std::path::{Path, PathBuf};

use wolff_fem::FemError;
use wolff_fem::reduce::{Reduction, Report};
use wolff_files::input;
use wolff_flexbody::{FlexBody, FlexBodyFile, MeshReference, Surface};

/// A reduced body, computed or read from the cache.
pub(crate) struct ReducedBody {
    pub body: FlexBody,
    pub surface: Option<Surface>,
    /// Accuracy and phases of the reduction; none when the body was read from the cache.
    pub report: Option<Report>,
}

/// Runs a reduction, or reads its result from the folder when it is there.
///
/// A damaged file, or one of another reduction, is ignored and replaced; a folder that cannot be written to keeps
/// nothing. A reduction whose gauges are checked against the mesh is always run.
///
/// # Errors
/// As [`Reduction::run`].
pub(crate) fn reduce(reduction: &Reduction<'_>, folder: Option<&Path>) -> Result<ReducedBody, FemError> {
    let file = folder.map(|folder| {
        let reference = reference(reduction);
        (file(folder, &reduction.name, &reference), reference)
    });
    if let Some((path, reference)) = file.as_ref().filter(|_| !reduction.check)
        && let Some(FlexBodyFile { body, surface, .. }) = load(path, reference)
    {
        return Ok(ReducedBody { body, surface, report: None });
    }
    let reduced = reduction.run()?;
    if let Some((path, reference)) = file {
        // a body that cannot be kept is still a body
        let _ = reduced.file(Some(reference)).save(path);
    }
    Ok(ReducedBody { body: reduced.body, surface: reduced.surface, report: Some(reduced.report) })
}

/// Identification of the code that computes reductions: the hash of its sources, dependencies and target.
pub const CODE: &str = env!("WOLFF_REDUCTION_CODE");

/// Everything that a reduction follows from, with its content: two reductions with the same reference give the same
/// body.
fn reference(reduction: &Reduction<'_>) -> MeshReference {
    // all fields by name: a new one must be considered here
    let Reduction {
        name,
        mesh,
        materials,
        interfaces,
        points,
        attach,
        relief,
        stiffening,
        gauges,
        fixed_modes,
        selection,
        damping_ratio,
        surface,
        check: _,
        options,
    } = reduction;
    let sizes = (mesh.kind(), mesh.nodes().len(), mesh.element_count());
    let places = (name, interfaces, points, gauges);
    let settings = (attach, relief, stiffening, fixed_modes, selection, damping_ratio, surface, options);
    let mut content = format!("{CODE} {sizes:?} {places:?} {settings:?}").into_bytes();
    let mut add = |x: f64| content.extend(x.to_le_bytes());
    mesh.nodes().iter().flatten().for_each(|x| add(*x));
    for element in 0..mesh.element_count() {
        add(materials.density(element));
        materials.stiffness(element).iter().for_each(|x| add(*x));
    }
    content.extend(mesh.elements().flatten().flat_map(|i| i.to_le_bytes()));
    MeshReference::new("reduction of a solid", &content)
}

/// Name of the body and the first 64 bits of the reference.
fn file(folder: &Path, name: &str, reference: &MeshReference) -> PathBuf {
    let key: String = reference.sha256.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    folder.join(format!("{}-{key}.flex", name.chars().map(safe).collect::<String>()))
}

/// The content of the file if it holds this reduction.
fn load(path: &Path, reference: &MeshReference) -> Option<FlexBodyFile> {
    input::unrecorded(|| FlexBodyFile::load(path)).ok().filter(|file| file.mesh.as_ref() == Some(reference))
}
