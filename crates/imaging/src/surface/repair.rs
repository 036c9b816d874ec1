//! Bounded automatic repair: what was done is told in mm, mm² and mm³.

use std::fmt::Write as _;

use wolff_geometry::{Mending, TriangleMesh};
use wolff_spatial::Vec3;

use super::smooth::volume_and_area;
use crate::error::ImagingError;

/// What a repair may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepairLimits {
    /// Holes whose rim is longer \[m\] stay open.
    pub longest_rim: f64,
    /// Closed parts of less volume than this part of the largest are removed.
    pub smallest_part: f64,
}

impl Default for RepairLimits {
    fn default() -> Self {
        RepairLimits { longest_rim: 0.03, smallest_part: 0.01 }
    }
}

/// A hole that was filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilledHole {
    /// The middle of its rim \[m\].
    pub place: Vec3,
    /// The length of its rim \[m\].
    pub rim: f64,
    /// The area of the filling \[m²\].
    pub area: f64,
}

/// What was done to a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repair {
    /// Repeated, sticking out and turned triangles.
    pub mending: Mending,
    /// Holes that were filled.
    pub holes: Vec<FilledHole>,
    /// Lengths of rims that stay open \[m\].
    pub left_open: Vec<f64>,
    /// Volumes of the closed parts that were removed \[m³\].
    pub removed_parts: Vec<f64>,
    /// Volume after the repair minus volume before \[m³\]; both count an open surface as if its holes were closed
    /// towards its first vertex.
    pub volume_change: f64,
}

impl Repair {
    /// Whether anything was changed.
    pub fn changed(&self) -> bool {
        self.mending.changed() || !self.holes.is_empty() || !self.removed_parts.is_empty()
    }

    /// What was done, one line each.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let Mending { repeated, fins, turned, .. } = self.mending;
        for (count, what) in [
            (repeated, "repeated triangles removed"),
            (fins, "triangles that stuck out removed"),
            (turned, "triangles turned"),
        ] {
            if count > 0 {
                lines.push(format!("{count} {what}"));
            }
        }
        for hole in &self.holes {
            let place = 1e3 * hole.place;
            lines.push(format!(
                "hole filled: rim {:.2} mm, area {:.2} mm², at ({:.1}, {:.1}, {:.1}) mm",
                1e3 * hole.rim,
                1e6 * hole.area,
                place.x,
                place.y,
                place.z
            ));
        }
        lines.extend(
            self.removed_parts.iter().map(|volume| format!("separate part of {:.2} mm³ removed", 1e9 * volume)),
        );
        lines.extend(
            self.left_open
                .iter()
                .map(|rim| format!("hole with a rim of {:.2} mm left open: larger than allowed", 1e3 * rim)),
        );
        if let Some(last) = lines.last_mut().filter(|_| self.changed()) {
            _ = write!(last, "; the volume changed by {:+.2} mm³ in all", 1e9 * self.volume_change);
        }
        lines
    }
}

/// The surface mended, its small parts removed and its small holes filled.
///
/// # Errors
/// When a surface still has edges of more than two triangles, or nothing is left.
pub fn repaired(mesh: TriangleMesh, limits: &RepairLimits) -> Result<(TriangleMesh, Repair), ImagingError> {
    let (before, _) = volume_and_area(mesh.vertices(), mesh.triangles());
    let (mesh, mending) = mesh.mended()?;
    if let Some(edge) = mending.crowded.first() {
        let place = 1e3 * edge.place;
        let rule = format!(
            "{} edges have more than two triangles, the first at ({:.1}, {:.1}, {:.1}) mm; remove what is inside \
             of the surface by hand",
            mending.crowded.len(),
            place.x,
            place.y,
            place.z
        );
        return Err(ImagingError::invalid("surface", rule));
    }
    let mut done = Repair { mending, ..Repair::default() };
    let mesh = without_small_parts(mesh, limits.smallest_part, &mut done)?;
    let mesh = with_holes_filled(mesh, limits.longest_rim, &mut done)?;
    done.volume_change = volume_and_area(mesh.vertices(), mesh.triangles()).0 - before;
    Ok((mesh, done))
}

fn without_small_parts(mesh: TriangleMesh, smallest: f64, done: &mut Repair) -> Result<TriangleMesh, ImagingError> {
    let parts = mesh.parts()?;
    if parts.len() < 2 {
        return Ok(mesh);
    }
    let volumes: Vec<f64> =
        parts.iter().map(|part| volume_and_area(part.vertices(), part.triangles()).0.abs()).collect();
    let largest = volumes.iter().copied().fold(0.0, f64::max);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (part, &volume) in parts.iter().zip(&volumes) {
        if volume < smallest * largest {
            done.removed_parts.push(volume);
            continue;
        }
        let first = vertices.len() as u32;
        vertices.extend_from_slice(part.vertices());
        triangles.extend(part.triangles().iter().map(|t| t.map(|v| v + first)));
    }
    if done.removed_parts.is_empty() { Ok(mesh) } else { Ok(TriangleMesh::new(vertices, triangles)?) }
}

/// Fills each hole with triangles to the middle of its rim.
fn with_holes_filled(mesh: TriangleMesh, longest: f64, done: &mut Repair) -> Result<TriangleMesh, ImagingError> {
    let topology = mesh.topology()?;
    let (mut vertices, mut triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
    for rim in topology.rims() {
        let point = |n: usize| mesh.vertices()[rim[n % rim.len()] as usize];
        let length: f64 = (0..rim.len()).map(|n| (point(n + 1) - point(n)).norm()).sum();
        if length > longest || rim.len() < 3 {
            done.left_open.push(length);
            continue;
        }
        let middle = (0..rim.len()).fold(Vec3::zeros(), |sum, n| sum + point(n)) / rim.len() as f64;
        let mut area = 0.0;
        match *rim.as_slice() {
            [a, b, c] => {
                area += 0.5 * (point(1) - point(0)).cross(&(point(2) - point(0))).norm();
                triangles.push([b, a, c]);
            }
            _ => {
                let centre = vertices.len() as u32;
                vertices.push(middle);
                for n in 0..rim.len() {
                    // the surface is to the left of its rim, the filling to the right
                    triangles.push([rim[(n + 1) % rim.len()], rim[n], centre]);
                    area += 0.5 * (point(n) - middle).cross(&(point(n + 1) - middle)).norm();
                }
            }
        }
        done.holes.push(FilledHole { place: middle, rim: length, area });
    }
    if done.holes.is_empty() { Ok(mesh) } else { Ok(TriangleMesh::cleaned(vertices, triangles, false)?.mesh) }
}
