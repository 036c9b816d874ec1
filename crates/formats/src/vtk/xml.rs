//! Reading the arrays of VTK's XML files: text, base64 and appended data, plain or packed with zlib.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

use super::array::{Packing, counts, floats, from_base64, xml_scalar};
use crate::error::FormatError;
use wolff_files::scanner::{Encoding, Scalar, find};

/// Opens a file that holds a data set of the type `kind` (such as `PolyData`) and gives its pieces to `read`, one after
/// the other.
///
/// # Errors
/// [`FormatError::Syntax`] with the line when it is not such a file or `read` refuses a piece.
pub fn read_pieces(
    bytes: &[u8],
    kind: &str,
    format: &'static str,
    mut read: impl FnMut(&Piece) -> Result<(), String>,
) -> Result<(), FormatError> {
    let (head, appended) = cut_appended(bytes);
    let text = String::from_utf8(head)
        .map_err(|_| FormatError::syntax(format, 1, "the XML part is not text; the file may be truncated"))?;
    crate::xml::check_attributes(&text).map_err(|(line, reason)| FormatError::syntax(format, line, reason))?;
    let document = Document::parse(&text).map_err(|e| {
        FormatError::syntax(format, e.pos().row as usize, format!("damaged XML ({e}); the file may be truncated"))
    })?;
    let at = |node: &Node| document.text_pos_at(node.range().start).row as usize;
    let root = document.root_element();
    let file = File::open(&root, kind, appended).map_err(|m| FormatError::syntax(format, at(&root), m))?;
    for node in root.descendants().filter(|node| node.has_tag_name("Piece")) {
        read(&Piece { file: &file, node }).map_err(|m| FormatError::syntax(format, at(&node), m))?;
    }
    Ok(())
}

/// A piece of a data set. Messages name the array that is wrong.
pub struct Piece<'f, 'a, 'd> {
    file: &'f File<'a>,
    node: Node<'d, 'd>,
}

impl Piece<'_, '_, '_> {
    /// Coordinates, three for each point.
    pub fn points(&self) -> Result<Vec<f64>, String> {
        let array = self.array("Points", None)?;
        if array.attribute("NumberOfComponents").is_some_and(|n| n.trim() != "3") {
            return Err("points must have three components".into());
        }
        let points = self.file.floats(&array)?;
        match points.len().is_multiple_of(3) {
            true => Ok(points),
            false => Err(format!("{} coordinates are not three for each point; the file is damaged", points.len())),
        }
    }

    /// The whole numbers of the array `name` in the section `parent`, such as `connectivity` in `Cells`.
    pub fn counts(&self, parent: &str, name: &str) -> Result<Vec<u64>, String> {
        self.file.counts(&self.array(parent, Some(name))?)
    }

    /// Whether the piece has a section with arrays.
    pub fn has(&self, parent: &str) -> bool {
        arrays_in(&self.node, parent).next().is_some()
    }

    /// The names of the arrays in a section.
    pub fn names(&self, parent: &str) -> Vec<&str> {
        arrays_in(&self.node, parent).filter_map(|array| array.attribute("Name")).collect()
    }

    fn array(&self, parent: &str, name: Option<&str>) -> Result<Node<'_, '_>, String> {
        let mut arrays = arrays_in(&self.node, parent);
        let found = arrays.find(|array| name.is_none() || array.attribute("Name") == name);
        found.ok_or_else(|| {
            format!("the piece has no array {}{}", parent, name.map(|n| format!("/{n}")).unwrap_or_default())
        })
    }
}

/// Takes the appended data, which need not be text, out of the XML.
fn cut_appended(bytes: &[u8]) -> (Vec<u8>, &[u8]) {
    let opening = find(bytes, b"<AppendedData")
        .and_then(|tag| Some(tag + 1 + bytes.get(tag..)?.iter().position(|&b| b == b'>')?));
    let Some(opening) = opening else { return (bytes.to_vec(), &[]) };
    let (head, data) = bytes.split_at(opening);
    let start = data.iter().position(|&b| b == b'_').map_or(data.len(), |at| at + 1);
    let closing = b"</AppendedData>";
    let end = data.windows(closing.len()).rposition(|window| window == closing).unwrap_or(data.len());
    let head =
        if head.ends_with(b"/>") { [head, b"</VTKFile>"].concat() } else { [head, closing, b"</VTKFile>"].concat() };
    (head, data.get(start..end).unwrap_or_default())
}

/// What concerns all arrays of a file.
struct File<'a> {
    packing: Packing,
    appended: &'a [u8],
    appended_base64: bool,
    /// Where appended arrays begin.
    offsets: BTreeSet<usize>,
}

impl<'a> File<'a> {
    fn open(root: &Node, kind: &str, appended: &'a [u8]) -> Result<Self, String> {
        if !root.has_tag_name("VTKFile") {
            return Err(format!("the file is `{}`, not a VTKFile", root.tag_name().name()));
        }
        match root.attribute("type").unwrap_or("nothing") {
            found if found == kind => {}
            found if found.strip_prefix('P') == Some(kind) => {
                return Err("a parallel file only lists its pieces; read those files".into());
            }
            found => return Err(format!("the file holds {found}; save it as {kind}")),
        }
        let order = match root.attribute("byte_order") {
            Some("BigEndian") => Encoding::Big,
            _ => Encoding::Little,
        };
        let header = match root.attribute("header_type").unwrap_or("UInt32") {
            "UInt32" => Scalar::Unsigned(4),
            "UInt64" => Scalar::Unsigned(8),
            other => return Err(format!("the header type {other} is neither UInt32 nor UInt64")),
        };
        let zlib = match root.attribute("compressor") {
            None => false,
            Some("vtkZLibDataCompressor") => true,
            Some(other) => return Err(format!("{other} is not supported; save with zlib or without compression")),
        };
        let data = root.descendants().find(|node| node.has_tag_name("AppendedData"));
        let appended_base64 = data.and_then(|node| node.attribute("encoding")) != Some("raw");
        let offsets = root.descendants().filter_map(|node| node.attribute("offset")?.trim().parse().ok()).collect();
        Ok(Self { packing: Packing { order, header, zlib }, appended, appended_base64, offsets })
    }

    fn floats(&self, array: &Node) -> Result<Vec<f64>, String> {
        self.data(array).and_then(|(data, encoding, scalar)| floats(&data, encoding, scalar)).map_err(in_array(array))
    }

    fn counts(&self, array: &Node) -> Result<Vec<u64>, String> {
        self.data(array).and_then(|(data, encoding, scalar)| counts(&data, encoding, scalar)).map_err(in_array(array))
    }

    /// The data of an array, and how they are written.
    fn data(&self, array: &Node) -> Result<(Vec<u8>, Encoding, Scalar), String> {
        let scalar = xml_scalar(array.attribute("type").unwrap_or_default())?;
        let text = || array.text().unwrap_or_default().as_bytes();
        let packed = match array.attribute("format").unwrap_or("ascii") {
            "ascii" => return Ok((text().to_vec(), Encoding::Ascii, scalar)),
            "binary" => from_base64(text())?,
            "appended" => self.appended_bytes(array)?,
            other => return Err(format!("the format `{other}` is not known")),
        };
        // An array of no numbers may have no header either.
        let data = if packed.is_empty() { packed } else { self.packing.unpack(&packed)? };
        Ok((data, self.packing.order, scalar))
    }

    fn appended_bytes(&self, array: &Node) -> Result<Vec<u8>, String> {
        let offset: usize = array.attribute("offset").and_then(|o| o.trim().parse().ok()).ok_or("no offset")?;
        let next = self.offsets.range(offset.saturating_add(1)..).next().copied().unwrap_or(self.appended.len());
        let bytes = self.appended.get(offset..next.min(self.appended.len()));
        let bytes = bytes.ok_or_else(|| format!("the offset {offset} lies behind the data; the file is truncated"))?;
        if self.appended_base64 { from_base64(bytes) } else { Ok(bytes.to_vec()) }
    }
}

fn arrays_in<'a, 'd>(piece: &Node<'a, 'd>, parent: &str) -> impl Iterator<Item = Node<'a, 'd>> {
    let parent = piece.children().find(|node| node.has_tag_name(parent));
    parent.into_iter().flat_map(|parent| parent.children().filter(|node| node.has_tag_name("DataArray")))
}

fn in_array(array: &Node) -> impl Fn(String) -> String {
    let name = array.attribute("Name").unwrap_or("Points").to_owned();
    move |message| format!("array `{name}`: {message}")
}
