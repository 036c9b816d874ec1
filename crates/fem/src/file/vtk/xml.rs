//! Reading VTK XML unstructured grids (`.vtu`): text, base64 and appended data, plain or packed with zlib.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

use super::super::builder::{MeshBuilder, Order};
use super::super::scanner::{Encoding, Scalar, find};
use super::array::{Packing, counts, floats, from_base64, xml_scalar};
use super::cells::Grid;
use super::{ELEMENT_SET, NODE_SET};
use crate::error::FemError;
use crate::mesh::TetMesh;

/// Reads a mesh from the content of a `.vtu` file; pieces are put one after the other.
///
/// # Errors
/// [`FemError::Parse`] with the line when it is not such a file, or with the array that is wrong.
pub fn read_vtu(bytes: &[u8]) -> Result<TetMesh, FemError> {
    let (head, appended) = cut_appended(bytes);
    let fail = |line: usize, message: String| FemError::Parse { line, message };
    let text = String::from_utf8(head).map_err(|_| fail(1, "the XML part is not text".into()))?;
    let document = Document::parse(&text)
        .map_err(|e| fail(e.pos().row as usize, format!("damaged XML ({e}); the file may be cut off")))?;
    let line = |node: &Node| document.text_pos_at(node.range().start).row as usize;
    let root = document.root_element();
    let file = File::open(&root, appended).map_err(|message| fail(line(&root), message))?;
    let mut mesh = MeshBuilder::default();
    let (mut points, mut cells) = (0, 0);
    for piece in root.descendants().filter(|node| node.has_tag_name("Piece")) {
        let grid = file.piece(&piece, &mut mesh, points, cells).map_err(|message| fail(line(&piece), message))?;
        points += (grid.points.len() / 3) as u64;
        cells += grid.types.len() as u64;
    }
    mesh.finish(Order::OfFile)
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
    fn open(root: &Node, appended: &'a [u8]) -> Result<Self, String> {
        if !root.has_tag_name("VTKFile") {
            return Err(format!("the file is `{}`, not a VTKFile", root.tag_name().name()));
        }
        match root.attribute("type") {
            Some("UnstructuredGrid") => {}
            Some("PUnstructuredGrid") => return Err("a parallel grid only lists its pieces; read those files".into()),
            other => {
                let other = other.unwrap_or("nothing");
                return Err(format!("the file holds {other}; save an UnstructuredGrid of tetrahedra (.vtu)"));
            }
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

    /// Adds a piece to the mesh.
    fn piece(&self, piece: &Node, mesh: &mut MeshBuilder, first_point: u64, first_cell: u64) -> Result<Grid, String> {
        let points = array_in(piece, "Points", None)?;
        if points.attribute("NumberOfComponents").is_some_and(|n| n.trim() != "3") {
            return Err("points must have three components".into());
        }
        let cell = |name| self.counts(&array_in(piece, "Cells", Some(name))?);
        let grid = Grid {
            points: self.floats(&points)?,
            connectivity: cell("connectivity")?,
            ends: cell("offsets")?,
            types: cell("types")?,
        };
        grid.add_to(mesh, first_point, first_cell)?;
        for (parent, prefix, first) in [("PointData", NODE_SET, first_point), ("CellData", ELEMENT_SET, first_cell)] {
            let sets = if prefix == NODE_SET { &mut mesh.node_sets } else { &mut mesh.element_sets };
            for array in arrays_in(piece, parent) {
                let Some(name) = array.attribute("Name").and_then(|name| name.strip_prefix(prefix)) else { continue };
                let members = self.counts(&array)?;
                let chosen = (first..).zip(&members).filter(|(_, value)| **value != 0).map(|(number, _)| number);
                sets.entry(name.to_owned()).or_default().extend(chosen);
            }
        }
        Ok(grid)
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
        let bytes = bytes.ok_or_else(|| format!("the offset {offset} lies behind the data; the file is cut off"))?;
        if self.appended_base64 { from_base64(bytes) } else { Ok(bytes.to_vec()) }
    }
}

fn arrays_in<'a, 'd>(piece: &Node<'a, 'd>, parent: &str) -> impl Iterator<Item = Node<'a, 'd>> {
    let parent = piece.children().find(|node| node.has_tag_name(parent));
    parent.into_iter().flat_map(|parent| parent.children().filter(|node| node.has_tag_name("DataArray")))
}

fn array_in<'a, 'd>(piece: &Node<'a, 'd>, parent: &str, name: Option<&str>) -> Result<Node<'a, 'd>, String> {
    let mut arrays = arrays_in(piece, parent);
    let found = arrays.find(|array| name.is_none() || array.attribute("Name") == name);
    found.ok_or_else(|| {
        format!("the piece has no array {}{}", parent, name.map(|n| format!("/{n}")).unwrap_or_default())
    })
}

fn in_array(array: &Node) -> impl Fn(String) -> String {
    let name = array.attribute("Name").unwrap_or("Points").to_owned();
    move |message| format!("array `{name}`: {message}")
}
