//! Wavefront OBJ files: numbered vertices and polygons as text.
//!
//! Read are `v x y z` and `f` with numbers as `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 1 or, negative, back from the
//! last vertex. Polygons are cut into triangles. Groups, materials, normals and textures are passed over.

use std::fmt::Write as _;

use wolff_spatial::Vec3;

use super::Soup;
use super::polygon::triangulated;
use super::stl::{coordinate, shortened};
use wolff_geometry::GeometryError;
use wolff_geometry::triangles::{Cleaned, TriangleMesh};

const FORMAT: &str = ".obj";

/// Reads the content of an `.obj` file.
///
/// # Errors
/// With the line and the remedy when the content cannot be understood or holds no faces.
pub fn read(bytes: &[u8]) -> Result<Cleaned, GeometryError> {
    let text = String::from_utf8_lossy(bytes);
    let mut soup = Soup::default();
    let mut face = Vec::new();
    // lines ending in `\` go on in the next
    let mut joined = String::new();
    for (line, content) in (1..).zip(text.lines()) {
        if let Some(start) = content.trim_end().strip_suffix('\\') {
            joined.push_str(start);
            joined.push(' ');
            continue;
        }
        joined.push_str(content);
        add_line(&joined, &mut soup, &mut face).map_err(|message| GeometryError::Text {
            format: FORMAT,
            line,
            message,
        })?;
        joined.clear();
    }
    if soup.triangles.is_empty() {
        let message = format!("{} vertices but no faces (`f`); save the surface as polygons", soup.vertices.len());
        return Err(GeometryError::Text { format: FORMAT, line: text.lines().count().max(1), message });
    }
    soup.cleaned()
}

fn add_line(line: &str, soup: &mut Soup, face: &mut Vec<u32>) -> Result<(), String> {
    let content = line.split('#').next().unwrap_or_default();
    let mut words = content.split_whitespace();
    match words.next() {
        Some("v") => {
            let mut next = || coordinate(words.next());
            soup.vertices.push(Vec3::new(next()?, next()?, next()?));
        }
        Some("f") => {
            face.clear();
            for word in words {
                face.push(vertex_number(word, soup.vertices.len())?);
            }
            if face.len() < 3 {
                return Err(format!("a face of {} vertices; three are the least", face.len()));
            }
            triangulated(face, &soup.vertices, &mut soup.triangles);
        }
        // everything else is passed over, but binary rubbish is no OBJ file
        Some(word) if !word.is_ascii() => {
            return Err(format!("`{}` is no word of OBJ; the file is damaged or of another format", shortened(word)));
        }
        _ => {}
    }
    Ok(())
}

/// The vertex, from 0, that a word such as `7/2/5` or `-1` names.
fn vertex_number(word: &str, count: usize) -> Result<u32, String> {
    let first = word.split('/').next().unwrap_or_default();
    let number: i64 = first.parse().map_err(|_| format!("`{}` is not the number of a vertex", shortened(word)))?;
    let index = if number < 0 { count as i64 + number } else { number - 1 };
    u32::try_from(index).ok().filter(|&index| (index as usize) < count).ok_or_else(|| {
        format!("a face names vertex {number}, but {count} come before it (numbered from 1, negative from the last)")
    })
}

/// The content of an `.obj` file; numbers read back to the same bits.
pub fn write(mesh: &TriangleMesh) -> String {
    let mut out = String::from("# surface by wolff, lengths in m\n");
    for x in mesh.vertices() {
        let _ = writeln!(out, "v {} {} {}", x.x, x.y, x.z);
    }
    for [a, b, c] in mesh.triangles().iter().map(|t| t.map(|v| u64::from(v) + 1)) {
        let _ = writeln!(out, "f {a} {b} {c}");
    }
    out
}
