//! Articular surfaces that a study reads from files.

use super::data_file::{Refusal, named, read_bytes};
use super::reader::Reader;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use wolff_geometry::TriangleMesh;
use wolff_meshes::nurbs as nurbs_file;
use wolff_meshes::{size, surface};
use wolff_report::folder::{base_name, sha256};
use wolff_report::outcome::InputFile;

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

fn read(parameter: &str, path: &Path, shown: &str) -> Result<SurfaceFile, Refusal> {
    let bytes = read_bytes(path, shown)?;
    let wrong = |cause: String| {
        (
            format!("`{shown}`: {cause}"),
            Some("supported surface files are .stl, .obj, .ply, .vtp, .vtk (polydata) and .json".into()),
        )
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
        let length = size::longest_side(cleaned.mesh.vertices());
        if let Some(finding) = size::refusal(&format!("`{shown}`: the surface"), length) {
            return Err((finding.message, Some(finding.remedy)));
        }
        SurfaceContent::Mesh(cleaned.mesh)
    };
    let input = InputFile { parameter: parameter.into(), name: base_name(shown), sha256: sha256(&bytes), remarks };
    Ok(SurfaceFile { input, content: Arc::new(content) })
}
