//! VTK's XML surfaces (`.vtp`): polygons and triangle strips; points and lines are passed over.

use wolff_formats::FormatError;
use wolff_formats::vtk::{Piece, read_pieces};
use wolff_spatial::Vec3;

use super::Soup;
use super::polygon::{strip, triangulated};
use wolff_geometry::GeometryError;
use wolff_geometry::triangles::Cleaned;

const FORMAT: &str = ".vtp";

/// Reads the content of a `.vtp` file; pieces are put one after the other.
///
/// # Errors
/// With the line, the array and the remedy when the content cannot be understood or holds no polygons.
pub fn read(bytes: &[u8]) -> Result<Cleaned, GeometryError> {
    let soup = read_soup(bytes)?;
    if soup.triangles.is_empty() {
        let message =
            format!("{} points but no polygons or strips; save the surface, not a point cloud", soup.vertices.len());
        return Err(GeometryError::Text { format: FORMAT, line: 1, message });
    }
    soup.cleaned()
}

/// The points of a file that holds a point cloud; none where it has polygons or strips.
///
/// # Errors
/// With the line, the array and the remedy when the content cannot be understood.
pub fn points_without_faces(bytes: &[u8]) -> Result<Option<Vec<Vec3>>, GeometryError> {
    let soup = read_soup(bytes)?;
    Ok(soup.triangles.is_empty().then_some(soup.vertices))
}

fn read_soup(bytes: &[u8]) -> Result<Soup, GeometryError> {
    let mut soup = Soup::default();
    read_pieces(bytes, "PolyData", FORMAT, |piece| add_piece(piece, &mut soup)).map_err(|error| match error {
        FormatError::Syntax { format, line, message } => GeometryError::Text { format, line, message },
        other => GeometryError::File { name: FORMAT.into(), message: other.to_string() },
    })?;
    Ok(soup)
}

fn add_piece(piece: &Piece, soup: &mut Soup) -> Result<(), String> {
    let first = soup.vertices.len();
    soup.vertices.extend(piece.points()?.chunks_exact(3).map(|x| Vec3::new(x[0], x[1], x[2])));
    let count = soup.vertices.len() - first;
    if u32::try_from(soup.vertices.len()).is_err() {
        return Err("more points than 32-bit numbers can name; make the surface coarser".into());
    }
    for section in ["Polys", "Strips"].into_iter().filter(|section| piece.has(section)) {
        let cells = Cells { corners: piece.counts(section, "connectivity")?, ends: piece.counts(section, "offsets")? };
        for cell in 0..cells.ends.len() {
            let corners = cells.corners(cell, first, count)?;
            match section {
                "Polys" => triangulated(&corners, &soup.vertices, &mut soup.triangles),
                _ => strip(&corners, &mut soup.triangles),
            }
        }
    }
    Ok(())
}

struct Cells {
    corners: Vec<u64>,
    ends: Vec<u64>,
}

impl Cells {
    /// The corners of a cell of a piece whose `count` points begin at `first`.
    fn corners(&self, cell: usize, first: usize, count: usize) -> Result<Vec<u32>, String> {
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] };
        let end = self.ends[cell];
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let corners = range.and_then(|(start, end)| self.corners.get(start..end)).filter(|corners| corners.len() >= 3);
        let corners = corners.ok_or_else(|| {
            let (n, kept) = (end.saturating_sub(start), self.corners.len());
            format!("cell {cell} has {n} corners ending at {end} of {kept}; three are the least, the file is damaged")
        })?;
        let index = |&point: &u64| {
            let point = usize::try_from(point).ok().filter(|&point| point < count);
            point.map(|point| (first + point) as u32)
        };
        let named: Option<Vec<u32>> = corners.iter().map(index).collect();
        named.ok_or_else(|| format!("cell {cell} names a point beyond the {count} there are (numbered from 0)"))
    }
}
