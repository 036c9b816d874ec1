//! Input: surfaces with their unit of length, and label volumes.

use std::path::{Path, PathBuf};
use wolff_files::input;
use wolff_geometry::TriangleMesh;
use wolff_imaging::{Choice, LabelVolume};
use wolff_meshes::{size, surface};
use wolff_verdict::Finding;

use crate::error::ScanError;

/// A surface or a label volume, as it is in its file.
#[derive(Clone, Debug)]
pub enum Source {
    /// A surface \[m\].
    Surface(TriangleMesh),
    /// Regions of an image, 0 for the background.
    Labels(Box<LabelVolume>),
}

/// What was read, and what is remarkable about it.
#[derive(Clone, Debug)]
pub struct Read {
    /// The content.
    pub source: Source,
    /// Remarks and errors about it.
    pub findings: Vec<Finding>,
}

/// Smallest longest side of a surface that is taken to be in mm when no unit is given: a bone of that length in m
/// would be larger than any person, one in mm is a sesamoid bone.
const MILLIMETRES_FROM: f64 = 5.0;

/// Labels of an image at most: as many as the mesher takes.
const MOST_LABELS: usize = 255;

/// Whether a file has the ending of a surface.
pub fn is_surface(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    [".stl", ".obj", ".ply", ".vtp", ".vtk"].iter().any(|end| name.ends_with(end))
}

/// Reads a surface, or else an image of labels. `unit` is that of the surface \[m\]; without it, it is found from the
/// size of the surface and told.
///
/// # Errors
/// When the file cannot be read or understood.
pub fn read(path: &Path, unit: Option<f64>, series: &Choice) -> Result<Read, ScanError> {
    if path.is_file() && is_surface(path) {
        let (mesh, findings) = read_surface(path, unit)?;
        return Ok(Read { source: Source::Surface(mesh), findings });
    }
    read_labels(path, series)
}

/// Reads a surface \[m\], with what is remarkable about it; see [`read`].
///
/// # Errors
/// When the file cannot be read or understood.
pub fn read_surface(path: &Path, unit: Option<f64>) -> Result<(TriangleMesh, Vec<Finding>), ScanError> {
    let bytes = input::read(path).map_err(|cause| ScanError::Unreadable { path: path.into(), cause })?;
    let cleaned = surface::read(&path.to_string_lossy(), &bytes).map_err(ScanError::surface(path))?;
    let (mut mesh, mending) = cleaned.mesh.mended().map_err(ScanError::surface(path))?;
    let mut findings = Vec::new();
    if cleaned.triangles_removed > 0 {
        findings.push(Finding::note(format!("{} triangles without area were left out", cleaned.triangles_removed), ""));
    }
    if mending.changed() {
        let message = format!(
            "the surface was repaired: {} repeated triangles and {} triangles that stick out removed, {} triangles turned",
            mending.repeated, mending.fins, mending.turned
        );
        findings.push(Finding::note(message, ""));
    }
    let unit = unit.unwrap_or_else(|| {
        let (unit, finding) = found_unit(size::longest_side(mesh.vertices()));
        findings.push(finding);
        unit
    });
    if unit != 1.0 {
        mesh = mesh.scaled(unit).map_err(ScanError::surface(path))?;
    }
    let longest = size::longest_side(mesh.vertices());
    findings.extend(size::finding(&format!("the surface `{}`", name(path)), longest, size::Expected::Any));
    Ok((mesh, findings))
}

/// The unit \[m\] of a surface from its longest side, and what the user is told.
pub(crate) fn found_unit(longest: f64) -> (f64, Finding) {
    let (unit, word) = if longest >= MILLIMETRES_FROM { (1e-3, "mm") } else { (1.0, "m") };
    let message = format!("the numbers of the surface are taken to be in {word}: its longest side is {longest:.4}");
    (unit, Finding::note(message, "give another unit with --unit"))
}

/// Reads an image of labels.
///
/// # Errors
/// When the file cannot be read or understood, or has values that are no labels.
pub fn read_labels(path: &Path, series: &Choice) -> Result<Read, ScanError> {
    let image = wolff_imaging::read(path, series)?;
    let labels = image.volume.to_labels()?;
    let count = labels.regions().len();
    if count > MOST_LABELS {
        return Err(ScanError::Request(format!(
            "`{}` has {count} different values, labels are {MOST_LABELS} at most: it seems to be an image of grey values; \
             segment it first, or make a bone of a CT with `wolff bone`",
            name(path)
        )));
    }
    Ok(Read { source: Source::Labels(Box::new(labels)), findings: image.remarks })
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| PathBuf::from(name).display().to_string())
}
