//! Mesh files: which format a file has, reading it, writing it.
//!
//! | format | read | written |
//! |---|---|---|
//! | [`gmsh`] `.msh` | 2.x and 4.1, text and binary of both byte orders | 4.1 text |
//! | [`inp`] Abaqus, CalculiX | nodes, C3D4, C3D10, sets, one of several parts or all | the same, one part |
//! | [`vtu`](vtk::xml) | text, base64, appended, zlib | base64, with fields; `.pvd` series |
//! | [`vtk`](vtk::legacy) legacy | versions 2 to 5.1, text and binary | no |
//!
//! Every file may be packed with gzip. The mesh numbers nodes and elements from zero. Lines and triangles are no part
//! of the volume; where they are named (physical groups, element sets) their nodes become a node set of that name.
//! Other solid elements than tetrahedra are refused, as the volume would miss them.
//!
//! Files do not say their unit of length: coordinates are taken as m. Use [`read_mesh_scaled`] with 1e-3 for mm.

mod atomic;
mod builder;
pub mod gmsh;
pub mod inp;
pub mod vtk;

use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use wolff_files::input;
use wolff_files::scanner::{Place, Scanner};
use wolff_formats::FormatError;

use wolff_fem::FemError;
use wolff_fem::TetMesh;

/// A format of mesh files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshFormat {
    /// Gmsh `.msh`.
    Gmsh,
    /// Abaqus and CalculiX `.inp`.
    Inp,
    /// VTK XML unstructured grid `.vtu`.
    Vtu,
    /// VTK legacy `.vtk`.
    LegacyVtk,
}

impl MeshFormat {
    /// By the end of a file name, a last `.gz` aside.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?.1 {
            "msh" => Some(Self::Gmsh),
            "inp" => Some(Self::Inp),
            "vtu" => Some(Self::Vtu),
            "vtk" => Some(Self::LegacyVtk),
            _ => None,
        }
    }

    /// By how the (unpacked) content begins.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        match start {
            [b'$', ..] => Some(Self::Gmsh),
            [b'*', ..] => Some(Self::Inp),
            [b'<', ..] => Some(Self::Vtu),
            _ if start.starts_with(b"# vtk DataFile") => Some(Self::LegacyVtk),
            _ => None,
        }
    }
}

impl fmt::Display for MeshFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gmsh => "Gmsh .msh",
            Self::Inp => "Abaqus .inp",
            Self::Vtu => "VTK .vtu",
            Self::LegacyVtk => "legacy .vtk",
        })
    }
}

/// Reads a mesh file of any known format, coordinates as m. The content decides the format; the name helps where the
/// content does not tell.
///
/// # Errors
/// [`FemError::Io`] when the file cannot be read, [`FemError::InFile`] with the place and the remedy when it cannot be
/// understood or has no tetrahedra.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<TetMesh, FemError> {
    read_mesh_part(path, None)
}

/// Reads a mesh file as [`read_mesh`], of an Abaqus file with several parts the one of this name, or `all`.
///
/// # Errors
/// As [`read_mesh`]; when the file has no such part.
pub fn read_mesh_part(path: impl AsRef<Path>, part: Option<&str>) -> Result<TetMesh, FemError> {
    let path = path.as_ref();
    let shown = || path.display().to_string();
    let bytes = input::read(path).map_err(|e| FemError::Io { action: "read", path: shown(), cause: e.to_string() })?;
    let read = || {
        let bytes = unpacked(&bytes)?;
        let format = MeshFormat::of_content(&bytes).or_else(|| MeshFormat::of_name(path)).ok_or_else(|| {
            FemError::Mesh("the format is not known; Gmsh .msh, Abaqus .inp, VTK .vtu and .vtk can be read".into())
        })?;
        match (format, part) {
            (MeshFormat::Inp, part) => inp::read_inp_part(&String::from_utf8_lossy(&bytes), part, path.parent()),
            (_, None) => read_mesh_bytes(&bytes, format),
            (_, Some(part)) => {
                let message = format!("part `{part}` is wanted, but only Abaqus .inp files have parts; omit it");
                Err(FemError::Mesh(message))
            }
        }
    };
    read().map_err(|cause| FemError::InFile { path: shown(), cause: Box::new(cause) })
}

/// Reads a mesh file whose unit of length is `scale` m: 1e-3 for mm.
///
/// # Errors
/// As [`read_mesh`], or when the scale is not positive and finite.
pub fn read_mesh_scaled(path: impl AsRef<Path>, scale: f64) -> Result<TetMesh, FemError> {
    read_mesh_part_scaled(path, scale, None)
}

/// Reads a mesh file whose unit of length is `scale` m, of an Abaqus file with several parts the one of this name.
///
/// # Errors
/// As [`read_mesh_scaled`] and [`read_mesh_part`].
pub fn read_mesh_part_scaled(path: impl AsRef<Path>, scale: f64, part: Option<&str>) -> Result<TetMesh, FemError> {
    if !(scale > 0.0 && scale.is_finite()) {
        return Err(FemError::Mesh(format!("scale {scale} must be positive and finite; write 1e-3 for a mesh in mm")));
    }
    let mesh = read_mesh_part(path, part)?;
    if scale == 1.0 { Ok(mesh) } else { mesh.mapped(|x| scale * x) }
}

/// Reads a mesh of a known format from the content of a file, packed with gzip or not. A file that includes others is
/// refused.
///
/// # Errors
/// With the place and the remedy when the content cannot be understood or has no tetrahedra.
pub fn read_mesh_bytes(bytes: &[u8], format: MeshFormat) -> Result<TetMesh, FemError> {
    read_mesh_bytes_in(bytes, format, None)
}

/// Reads a mesh as [`read_mesh_bytes`]; the files that it includes are read from this folder.
///
/// # Errors
/// As [`read_mesh_bytes`].
pub fn read_mesh_bytes_in(bytes: &[u8], format: MeshFormat, folder: Option<&Path>) -> Result<TetMesh, FemError> {
    let bytes = unpacked(bytes)?;
    match format {
        MeshFormat::Gmsh => gmsh::read_msh(&bytes),
        MeshFormat::Inp => inp::read_inp_part(&String::from_utf8_lossy(&bytes), None, folder),
        MeshFormat::Vtu => vtk::xml::read_vtu(&bytes),
        MeshFormat::LegacyVtk => vtk::legacy::read_vtk(&bytes),
    }
}

/// The materials that a mesh file defines; none in other formats than that of Abaqus, and of a file that cannot be
/// read.
pub fn file_materials(path: impl AsRef<Path>) -> Vec<inp::FileMaterial> {
    let path = path.as_ref();
    let Ok(bytes) = input::read(path) else { return Vec::new() };
    let Ok(bytes) = unpacked(&bytes) else { return Vec::new() };
    match MeshFormat::of_content(&bytes).or_else(|| MeshFormat::of_name(path)) {
        Some(MeshFormat::Inp) => inp::materials(&String::from_utf8_lossy(&bytes), path.parent()).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Writes a mesh with its sets to a file whose name tells the format; the whole file or nothing.
///
/// # Errors
/// [`FemError::Unwritable`] when the name tells no format that can be written, or a set's name does not fit the format;
/// [`FemError::Io`] when the system refuses.
pub fn write_mesh(path: impl AsRef<Path>, mesh: &TetMesh) -> Result<(), FemError> {
    let path = path.as_ref();
    match MeshFormat::of_name(path) {
        Some(MeshFormat::Gmsh) => gmsh::write_msh_to(path, mesh),
        Some(MeshFormat::Inp) => inp::write_inp_to(path, mesh),
        Some(MeshFormat::Vtu) => vtk::write::write_vtu_to(path, mesh, &vtk::write::Fields::default()),
        Some(MeshFormat::LegacyVtk) | None => Err(FemError::Unwritable {
            format: "this mesh file",
            message: format!("`{}` should end in .msh, .inp or .vtu, with .gz or without", path.display()),
        }),
    }
}

/// The content of a gzip file, or the bytes themselves when they are none.
fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, FemError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut out = Vec::new();
    let read = MultiGzDecoder::new(bytes).read_to_end(&mut out);
    read.map_err(|e| FemError::Mesh(format!("the gzip packing is damaged ({e}); copy or download the file again")))?;
    Ok(Cow::Owned(out))
}

/// The error `message` at the present place of a scanner.
fn located(scanner: &Scanner, message: String) -> FemError {
    match scanner.place() {
        Place::Line(line) => FemError::Parse { line, message },
        Place::Byte(offset) => FemError::ParseBinary { offset, message },
    }
}

/// An error of the formats below in the words of this crate.
fn from_formats(error: FormatError) -> FemError {
    match error {
        FormatError::Syntax { line, message, .. } => FemError::Parse { line, message },
        FormatError::Unwritable { format, message } => FemError::Unwritable { format, message },
        other => FemError::Mesh(other.to_string()),
    }
}
