//! Articular surfaces that a study reads from files.

use super::data_file::{Refusal, named, read_bytes};
use super::reader::Reader;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use wolff_geometry::TriangleMesh;
use wolff_meshes::nurbs as nurbs_file;
use wolff_meshes::surface;
use wolff_report::folder::{base_name, sha256};
use wolff_report::outcome::InputFile;
use wolff_spatial::Vec3;

/// A surface from a file.
#[derive(Debug)]
pub(crate) struct SurfaceFile {
    /// Description of the file for the outcome.
    pub input: InputFile,
    /// The surface.
    pub content: Arc<SurfaceContent>,
}

/// Kinds of surfaces in files.
#[derive(Debug)]
pub(crate) enum SurfaceContent {
    /// Triangles.
    Mesh(TriangleMesh),
    /// NURBS patches.
    Nurbs(Vec<nurbs_file::NamedSurface>),
}

/// Reads the surface that a parameter names, relative to the reader's folder; `None` where the path is empty.
pub(crate) fn load(reader: &mut Reader<'_>, parameter: &str, path: &str, span: &Range<usize>) -> Option<()> {
    let file = named(reader, (parameter, path), span, read)?;
    reader.given.surfaces.insert(parameter.into(), file);
    Some(())
}

/// A surface larger than this \[m\] is in millimetres: no joint is smaller than 20 mm across.
const LARGEST_SURFACE: f64 = 20.0;

/// Diagonal of the bounding box of a mesh \[m\].
fn across(mesh: &TriangleMesh) -> f64 {
    let ends = mesh.vertices().iter().fold(None, |ends: Option<(Vec3, Vec3)>, x| {
        Some(ends.map_or((*x, *x), |(low, high)| (low.inf(x), high.sup(x))))
    });
    ends.map_or(0.0, |(low, high)| (high - low).norm())
}

fn read(parameter: &str, path: &Path, shown: &str) -> Result<SurfaceFile, Refusal> {
    let bytes = read_bytes(path, shown)?;
    let wrong = |cause: String| {
        (format!("`{shown}`: {cause}"), Some("supported surface files are .stl, .obj, .vtp and .json".into()))
    };
    let mut remarks = Vec::new();
    let content = if shown.to_lowercase().ends_with(".json") {
        let text = String::from_utf8_lossy(&bytes);
        SurfaceContent::Nurbs(nurbs_file::read(&text).map_err(|e| wrong(e.to_string()))?)
    } else {
        let cleaned = surface::read(shown, &bytes).map_err(|e| wrong(e.to_string()))?;
        if cleaned.triangles_removed > 0 {
            remarks.push(format!("{} triangles without area were removed", cleaned.triangles_removed));
        }
        let size = across(&cleaned.mesh);
        if size > LARGEST_SURFACE {
            let remedy = "surface files have no unit and are read in metres; scale the surface by 0.001 if it is in mm";
            return Err((format!("`{shown}`: the surface is {size:.0} m across"), Some(remedy.into())));
        }
        SurfaceContent::Mesh(cleaned.mesh)
    };
    let input = InputFile { parameter: parameter.into(), name: base_name(shown), sha256: sha256(&bytes), remarks };
    Ok(SurfaceFile { input, content: Arc::new(content) })
}
