//! Files of surfaces, from and to bytes.
//!
//! | format | read | written |
//! |---|---|---|
//! | [`stl`] | text and binary, also binary that begins with `solid` | binary |
//! | [`obj`] | `v` and `f`, polygons, negative numbers; the rest is passed over | yes |
//! | [`ply`] | polygons and strips; text and binary of both byte orders | no |
//! | [`vtp`] | polygons and strips; text, base64, raw, appended, zlib | no |
//! | [`vtk`] legacy | polygons and strips of `POLYDATA`, versions 2 to 5.1, text and binary | no |
//!
//! Every file may be packed with gzip (`.gz`). Vertices with exactly equal coordinates become one, as STL repeats them
//! for every triangle and OBJ at seams of texture. Triangles without area are left out and counted. Normals in the
//! files are not used: the order of the corners tells the outside.
//!
//! Files do not say their unit of length: coordinates are taken as m. Use [`TriangleMesh::scaled`] with 1e-3 for mm.

pub mod obj;
pub mod ply;
mod polygon;
pub mod stl;
pub mod vtk;
pub mod vtp;

use std::borrow::Cow;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use wolff_files::scanner::{Encoding, Place, Scanner};
use wolff_spatial::Vec3;

use wolff_geometry::GeometryError;
use wolff_geometry::triangles::{Cleaned, TriangleMesh};

/// Vertices and triangles as they come out of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Soup {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Soup {
    fn cleaned(self) -> Result<Cleaned, GeometryError> {
        TriangleMesh::cleaned(self.vertices, self.triangles, true)
    }
}

/// Reads a file with a scanner of text and binary data; an error has the place that the scanner has reached, and
/// `without_faces` is the message for a file without triangles, with the number of vertices before it.
fn scanned(
    bytes: &[u8],
    format: &'static str,
    soup: fn(&mut Scanner) -> Result<Soup, String>,
    without_faces: &str,
) -> Result<Cleaned, GeometryError> {
    let mut scanner = Scanner::new(bytes, Encoding::Ascii);
    let read = soup(&mut scanner).and_then(|soup| match soup.triangles.is_empty() {
        true => Err(format!("{} {without_faces}", soup.vertices.len())),
        false => Ok(soup),
    });
    let soup = read.map_err(|message| match scanner.place() {
        Place::Line(line) => GeometryError::Text { format, line, message },
        Place::Byte(byte) => GeometryError::Binary { format, byte, message },
    })?;
    soup.cleaned()
}

/// Whether a file is a surface: by the end of its name, and of a `.vtk` file by its content.
pub fn is_surface(name: &str, bytes: &[u8]) -> bool {
    match extension(name).as_str() {
        "stl" | "obj" | "ply" | "vtp" => true,
        "vtk" => unpacked(name, bytes).is_ok_and(|bytes| vtk::is_polydata(&bytes)),
        _ => false,
    }
}

/// Reads a surface from the content of a file whose name ends in `.stl`, `.obj`, `.ply`, `.vtp` or `.vtk`, with `.gz`
/// or without.
///
/// # Errors
/// With the line or byte and the remedy when the content cannot be understood or holds no triangles.
pub fn read(name: &str, bytes: &[u8]) -> Result<Cleaned, GeometryError> {
    let bytes = unpacked(name, bytes)?;
    match extension(name).as_str() {
        "stl" => stl::read(&bytes),
        "obj" => obj::read(&bytes),
        "ply" => ply::read(&bytes),
        "vtp" => vtp::read(&bytes),
        "vtk" => vtk::read(&bytes),
        _ => Err(unknown(name, "read", ".stl, .obj, .ply, .vtp and .vtk")),
    }
}

/// The content of a file whose name ends in `.stl` (binary) or `.obj`, with `.gz` or without.
///
/// # Errors
/// When the name ends otherwise or a coordinate is too large for the format.
pub fn write(name: &str, mesh: &TriangleMesh) -> Result<Vec<u8>, GeometryError> {
    let bytes = match extension(name).as_str() {
        "stl" => stl::write(mesh)?,
        "obj" => obj::write(mesh).into_bytes(),
        _ => return Err(unknown(name, "written", ".stl and .obj")),
    };
    if !name.to_ascii_lowercase().ends_with(".gz") {
        return Ok(bytes);
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    let failed = |e: std::io::Error| GeometryError::File { name: name.into(), message: e.to_string() };
    packed.write_all(&bytes).map_err(failed)?;
    packed.finish().map_err(failed)
}

/// The end of a name in small letters, a last `.gz` aside.
fn extension(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or(String::new(), |(_, end)| end.into())
}

fn unknown(name: &str, action: &str, known: &str) -> GeometryError {
    let message = format!("the name does not tell the format; {known} can be {action}, with .gz or without");
    GeometryError::File { name: name.into(), message }
}

/// The content of a gzip file, or the bytes themselves when they are none.
fn unpacked<'a>(name: &str, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>, GeometryError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut out = Vec::new();
    MultiGzDecoder::new(bytes).read_to_end(&mut out).map_err(|e| {
        let message = format!("the gzip packing is damaged ({e}); copy or download the file again");
        GeometryError::File { name: name.into(), message }
    })?;
    Ok(Cow::Owned(out))
}
