//! Meshes of bones that a study reads from files.

use super::data_file::{Refusal, named, read_bytes};
use super::reader::Reader;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use wolff_fem::TetMesh;
use wolff_meshes::solid::{MeshFormat, read_mesh_bytes_in};
use wolff_report::folder::{base_name, sha256};
use wolff_report::outcome::InputFile;

/// A tetrahedral mesh from a file, in the unit of the file.
#[derive(Debug)]
pub(crate) struct SolidFile {
    /// Description of the file for the outcome.
    pub input: InputFile,
    /// The mesh.
    pub mesh: Arc<TetMesh>,
}

/// Reads the mesh that a parameter names, relative to the reader's folder; `None` where the path is empty.
pub(crate) fn load(reader: &mut Reader<'_>, parameter: &str, path: &str, span: &Range<usize>) -> Option<()> {
    let file = named(reader, (parameter, path), span, read)?;
    reader.given.solids.insert(parameter.into(), file);
    Some(())
}

fn read(parameter: &str, path: &Path, shown: &str) -> Result<SolidFile, Refusal> {
    let bytes = read_bytes(path, shown)?;
    let help = "supported are tetrahedral meshes: Gmsh .msh, Abaqus .inp, VTK .vtu or .vtk";
    let wrong = |cause: String| (format!("`{shown}`: {cause}"), Some(help.to_string()));
    let format = MeshFormat::of_content(&bytes).or_else(|| MeshFormat::of_name(path));
    let format = format.ok_or_else(|| wrong("unknown format".into()))?;
    let mesh = read_mesh_bytes_in(&bytes, format, path.parent()).map_err(|e| wrong(e.to_string()))?;
    let input =
        InputFile { parameter: parameter.into(), name: base_name(shown), sha256: sha256(&bytes), remarks: Vec::new() };
    Ok(SolidFile { input, mesh: Arc::new(mesh) })
}
