//! STL files: triangles one by one, as text or as 50 bytes each.
//!
//! Binary: 80 bytes of any text, the number of triangles (32 bits), then for each a normal and three corners (single
//! precision, least significant byte first) and two unused bytes. Source: 3D Systems, StereoLithography Interface
//! Specification, 1988.

use wolff_files::scanner::{Encoding, Scalar, Scanner};
use wolff_spatial::Vec3;

use super::Soup;
use wolff_geometry::GeometryError;
use wolff_geometry::triangles::{Cleaned, TriangleMesh};

const FORMAT: &str = ".stl";
const HEADER: usize = 80;
const START: usize = HEADER + 4;
const RECORD: usize = 50;

/// Reads the content of an `.stl` file. A file is binary when its length is what its number of triangles asks for,
/// whatever its first word; else it is text if it begins with `solid`.
///
/// # Errors
/// With the line or byte and the remedy when the content cannot be understood or holds no triangles.
pub fn read(bytes: &[u8]) -> Result<Cleaned, GeometryError> {
    let announced = bytes.get(HEADER..START).map(|n| n.iter().rev().fold(0, |sum, b| sum << 8 | usize::from(*b)));
    let fits = announced.is_some_and(|n| n.checked_mul(RECORD).and_then(|n| n.checked_add(START)) == Some(bytes.len()));
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let text = start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let soup = match (fits, text, announced) {
        (false, true, _) => read_text(start, first_line(bytes, start))?,
        (_, _, Some(count)) => read_binary(bytes, count)?,
        (_, _, None) => {
            let message = format!("the file has {} bytes and does not begin with `solid`; it is cut off", bytes.len());
            return Err(GeometryError::Binary { format: FORMAT, byte: bytes.len(), message });
        }
    };
    soup.cleaned()
}

fn first_line(bytes: &[u8], start: &[u8]) -> usize {
    1 + bytes[..bytes.len() - start.len()].iter().filter(|&&b| b == b'\n').count()
}

fn read_binary(bytes: &[u8], count: usize) -> Result<Soup, GeometryError> {
    let body = bytes.get(START..).unwrap_or_default();
    if count > body.len() / RECORD {
        let message = format!(
            "{count} triangles are announced, but there is room for {}; the file is cut off, or no STL file",
            body.len() / RECORD
        );
        return Err(GeometryError::Binary { format: FORMAT, byte: HEADER, message });
    }
    // some programs add bytes of their own at the end, but no whole triangles
    if count < body.len() / RECORD && body.len() % RECORD == 0 {
        let message = format!(
            "{count} triangles are announced, but the file has {}; the number is wrong: export the surface again",
            body.len() / RECORD
        );
        return Err(GeometryError::Binary { format: FORMAT, byte: HEADER, message });
    }
    let mut soup = Soup::default();
    for (t, record) in body.chunks_exact(RECORD).take(count).enumerate() {
        let corners = record.get(12..48).unwrap_or_default();
        let mut scanner = Scanner::new(corners, Encoding::Little);
        for _ in 0..3 {
            let corner = vertex(&mut scanner).map_err(|message| {
                let message = format!("triangle {t}: {message}; the file is damaged");
                GeometryError::Binary { format: FORMAT, byte: START + t * RECORD, message }
            })?;
            soup.vertices.push(corner);
        }
    }
    number(&mut soup);
    Ok(soup)
}

fn vertex(scanner: &mut Scanner) -> Result<Vec3, String> {
    Ok(Vec3::new(scanner.float(Scalar::Float32)?, scanner.float(Scalar::Float32)?, scanner.float(Scalar::Float32)?))
}

/// Every three vertices are a triangle.
fn number(soup: &mut Soup) {
    let count = u32::try_from(soup.vertices.len() / 3).unwrap_or(u32::MAX / 3);
    soup.triangles = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
}

fn read_text(text: &[u8], first: usize) -> Result<Soup, GeometryError> {
    let mut soup = Soup::default();
    let (mut in_loop, mut ended, mut last) = (0, false, first);
    for (line, content) in (first..).zip(text.split(|&b| b == b'\n')) {
        let content = String::from_utf8_lossy(content);
        let mut words = content.split_whitespace();
        let Some(keyword) = words.next() else { continue };
        let fail = |message: String| GeometryError::Text { format: FORMAT, line, message };
        last = line;
        match keyword.to_ascii_lowercase().as_str() {
            "vertex" => {
                soup.vertices.push(text_vertex(words).map_err(fail)?);
                in_loop += 1;
            }
            "endloop" if in_loop != 3 => {
                return Err(fail(format!("a loop of {in_loop} vertices; STL has triangles only, save it so")));
            }
            "endloop" => in_loop = 0,
            "endsolid" => ended = true,
            "solid" => ended = false,
            "facet" | "outer" | "endfacet" => {}
            other => return Err(fail(format!("`{}` is no word of STL; the file is damaged", shortened(other)))),
        }
    }
    if !ended || in_loop != 0 {
        let message = "the file ends without `endsolid`; it is cut off".into();
        return Err(GeometryError::Text { format: FORMAT, line: last, message });
    }
    number(&mut soup);
    Ok(soup)
}

fn text_vertex<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Vec3, String> {
    let mut next = || coordinate(words.next());
    Ok(Vec3::new(next()?, next()?, next()?))
}

/// A finite number.
pub(super) fn coordinate(word: Option<&str>) -> Result<f64, String> {
    let word = word.ok_or("a vertex needs three coordinates")?;
    let value: f64 = word.parse().map_err(|_| format!("`{}` is not a number", shortened(word)))?;
    if value.is_finite() { Ok(value) } else { Err(format!("the coordinate {value} is not finite")) }
}

/// The first characters of a word, for messages.
pub(super) fn shortened(word: &str) -> String {
    word.chars().take(30).collect()
}

/// The content of a binary `.stl` file; coordinates are rounded to single precision.
///
/// # Errors
/// When a coordinate is too large for single precision.
pub fn write(mesh: &TriangleMesh) -> Result<Vec<u8>, GeometryError> {
    let count = mesh.triangles().len();
    let mut out = Vec::with_capacity(START + RECORD * count);
    out.extend_from_slice(b"binary STL by wolff, lengths in m");
    out.resize(HEADER, b' ');
    out.extend_from_slice(&(count as u32).to_le_bytes());
    for t in 0..count {
        let [a, b, c] = mesh.corners(t);
        let normal = (b - a).cross(&(c - a)).normalize();
        for x in [normal, a, b, c] {
            for value in x.iter().map(|&c| c as f32) {
                if !value.is_finite() {
                    let message = format!("triangle {t} reaches beyond single precision; scale the mesh");
                    return Err(GeometryError::File { name: FORMAT.into(), message });
                }
                out.extend_from_slice(&value.to_le_bytes());
            }
        }
        out.extend_from_slice(&[0, 0]);
    }
    Ok(out)
}
