//! PLY files (Stanford polygon format): a header that tells elements and properties, then text or bytes of either
//! order.
//!
//! Read are `x`, `y`, `z` of `vertex`, and the list `vertex_indices` or `vertex_index` of `face` (polygons) and of
//! `tristrips` (strips, with -1 between them); everything else is passed over. Source: Turk, The PLY Polygon File
//! Format, 1994.

use wolff_files::scanner::{Encoding, Scalar, Scanner};
use wolff_spatial::Vec3;

use super::polygon::{strip, triangulated};
use super::stl::shortened;
use super::{Soup, scanned};
use wolff_geometry::GeometryError;
use wolff_geometry::triangles::Cleaned;

const FORMAT: &str = ".ply";

/// An element of the header.
struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

/// A property of an element: one number, or a list with the type of its length.
struct Property {
    name: String,
    list: Option<Scalar>,
    scalar: Scalar,
}

/// Reads the content of a `.ply` file.
///
/// # Errors
/// With the line or byte and the remedy when the content cannot be understood or holds no faces.
pub fn read(bytes: &[u8]) -> Result<Cleaned, GeometryError> {
    scanned(bytes, FORMAT, soup, "vertices but no faces; save the surface as polygons, not a point cloud")
}

fn soup(scanner: &mut Scanner) -> Result<Soup, String> {
    let (encoding, elements) = header(scanner)?;
    scanner.encoding = encoding;
    let mut soup = Soup::default();
    for element in &elements {
        let least = element.properties.iter().map(|p| p.list.unwrap_or(p.scalar).width()).sum::<usize>();
        let count = match element.properties.is_empty() {
            true => 0,
            false => scanner.require_room(element.count, least, &format!("elements `{}`", element.name))?,
        };
        match element.name.as_str() {
            "vertex" => vertices(scanner, element, count, &mut soup)?,
            "face" | "tristrips" => faces(scanner, element, count, &mut soup)?,
            _ => (0..count).try_for_each(|_| element.properties.iter().try_for_each(|p| skip(scanner, p)))?,
        }
    }
    Ok(soup)
}

fn header(scanner: &mut Scanner) -> Result<(Encoding, Vec<Element>), String> {
    if scanner.line().as_deref() != Some("ply") {
        return Err("the file does not begin with `ply`; it is damaged or of another format".into());
    }
    let (mut encoding, mut elements): (Option<Encoding>, Vec<Element>) = (None, Vec::new());
    loop {
        let line = scanner.line().ok_or("the header has no `end_header`; the file is cut off")?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["end_header"] => break,
            ["comment" | "obj_info", ..] => {}
            ["format", "ascii", _] => encoding = Some(Encoding::Ascii),
            ["format", "binary_little_endian", _] => encoding = Some(Encoding::Little),
            ["format", "binary_big_endian", _] => encoding = Some(Encoding::Big),
            ["element", name, count] => {
                let count = count.parse().map_err(|_| format!("`{}` is not a count", shortened(count)))?;
                elements.push(Element { name: name.into(), count, properties: Vec::new() });
            }
            ["property", ref rest @ ..] => {
                let element = elements.last_mut().ok_or("a property comes before the first element")?;
                element.properties.push(property(rest)?);
            }
            _ => return Err(format!("`{}` is no line of a PLY header; the file is damaged", shortened(&line))),
        }
    }
    Ok((encoding.ok_or("the header does not tell the format (ascii or binary)")?, elements))
}

fn property(words: &[&str]) -> Result<Property, String> {
    match *words {
        ["list", length, of, name] => {
            let length = match scalar(length)? {
                Scalar::Float32 | Scalar::Float64 => return Err("the length of a list cannot be a real number".into()),
                whole => whole,
            };
            Ok(Property { name: name.into(), list: Some(length), scalar: scalar(of)? })
        }
        [of, name] => Ok(Property { name: name.into(), list: None, scalar: scalar(of)? }),
        _ => Err(format!("`property {}` cannot be understood", shortened(&words.join(" ")))),
    }
}

fn scalar(name: &str) -> Result<Scalar, String> {
    Ok(match name {
        "char" | "int8" => Scalar::Signed(1),
        "uchar" | "uint8" => Scalar::Unsigned(1),
        "short" | "int16" => Scalar::Signed(2),
        "ushort" | "uint16" => Scalar::Unsigned(2),
        "int" | "int32" => Scalar::Signed(4),
        "uint" | "uint32" => Scalar::Unsigned(4),
        "float" | "float32" => Scalar::Float32,
        "double" | "float64" => Scalar::Float64,
        other => return Err(format!("`{}` is no data type of PLY", shortened(other))),
    })
}

/// Passes over a property; its values may be anything.
fn skip(scanner: &mut Scanner, property: &Property) -> Result<(), String> {
    let count = match property.list {
        Some(length) => {
            let count = scanner.count(length)?;
            scanner.require_room(count, property.scalar.width(), "values of a list")?
        }
        None => 1,
    };
    match scanner.encoding {
        Encoding::Ascii => (0..count).try_for_each(|_| scanner.word().map(|_| ())),
        _ => scanner.take(count * property.scalar.width()).map(|_| ()),
    }
}

fn vertices(scanner: &mut Scanner, element: &Element, count: usize, soup: &mut Soup) -> Result<(), String> {
    let axes = ["x", "y", "z"].map(|axis| element.properties.iter().position(|p| p.name == axis && p.list.is_none()));
    let [Some(_), Some(_), Some(_)] = axes else {
        return Err("the vertices lack one of the properties x, y, z".into());
    };
    for _ in 0..count {
        let mut position = Vec3::zeros();
        for (k, property) in element.properties.iter().enumerate() {
            match axes.iter().position(|&axis| axis == Some(k)) {
                Some(axis) => position[axis] = scanner.float(property.scalar)?,
                None => skip(scanner, property)?,
            }
        }
        soup.vertices.push(position);
    }
    Ok(())
}

fn faces(scanner: &mut Scanner, element: &Element, count: usize, soup: &mut Soup) -> Result<(), String> {
    let is_corners = |p: &Property| p.list.is_some() && matches!(p.name.as_str(), "vertex_indices" | "vertex_index");
    if !element.properties.iter().any(is_corners) {
        return Err(format!("the elements `{}` lack the list `vertex_indices`", element.name));
    }
    let known = soup.vertices.len();
    for _ in 0..count {
        for property in &element.properties {
            let Some(length) = property.list.filter(|_| is_corners(property)) else {
                skip(scanner, property)?;
                continue;
            };
            let length = scanner.count(length)?;
            let length = scanner.require_room(length, property.scalar.width(), "corners of a face")?;
            let corners: Vec<i64> = (0..length).map(|_| scanner.whole(property.scalar)).collect::<Result<_, _>>()?;
            // strips follow each other, with -1 between them
            for part in corners.split(|&corner| element.name == "tristrips" && corner == -1) {
                let index = |&corner: &i64| {
                    let number = u32::try_from(corner).ok().filter(|&c| (c as usize) < known);
                    number.ok_or_else(|| format!("a face names vertex {corner}, but there are {known} (from 0)"))
                };
                let part: Vec<u32> = part.iter().map(index).collect::<Result<_, _>>()?;
                match (element.name.as_str(), part.len()) {
                    (_, 0..3) if element.name == "tristrips" => {}
                    ("tristrips", _) => strip(&part, &mut soup.triangles),
                    (_, 3..) => triangulated(&part, &soup.vertices, &mut soup.triangles),
                    (_, n) => return Err(format!("a face of {n} vertices; three are the least")),
                }
            }
        }
    }
    Ok(())
}
