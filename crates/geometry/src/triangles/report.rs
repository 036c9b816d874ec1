//! Area, volume, rims and bounds of a mesh.

use wolff_spatial::Vec3;

use super::mesh::{TriangleMesh, double_area};
use super::topology::{Topology, signed_volume};
use crate::surface::Bounds;

/// What can be said of a mesh at a glance.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshReport {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Connected parts.
    pub parts: usize,
    /// Area \[m²\].
    pub area: f64,
    /// Enclosed volume \[m³\] of a closed mesh, negative when it is inside out; `None` for an open one.
    pub volume: Option<f64>,
    /// The rims of an open mesh, each a closed chain of vertices.
    pub rims: Vec<Vec<u32>>,
    /// Box around the triangles.
    pub bounds: Bounds,
}

impl MeshReport {
    pub(super) fn new(mesh: &TriangleMesh, topology: &Topology) -> Self {
        let corners = || (0..mesh.triangles().len()).map(|t| mesh.corners(t));
        let bounds = bounds(mesh);
        // about the middle of the box, so that a mesh far from the origin loses no digits
        let middle = 0.5 * (bounds.min + bounds.max);
        let volume = || corners().map(|t| signed_volume(t.map(|x| x - middle))).sum();
        MeshReport {
            triangles: mesh.triangles().len(),
            vertices: mesh.vertices().len(),
            parts: topology.parts().1,
            area: corners().map(|t| 0.5 * double_area(&t).norm()).sum(),
            volume: topology.rims().is_empty().then(volume),
            rims: topology.rims().to_vec(),
            bounds,
        }
    }

    /// Whether the mesh encloses a volume.
    pub fn is_closed(&self) -> bool {
        self.volume.is_some()
    }
}

/// The box around the triangles.
pub(super) fn bounds(mesh: &TriangleMesh) -> Bounds {
    let empty = Bounds { min: Vec3::repeat(f64::INFINITY), max: Vec3::repeat(f64::NEG_INFINITY) };
    let corners = (0..mesh.triangles().len()).flat_map(|t| mesh.corners(t));
    corners.fold(empty, |b, x| Bounds { min: b.min.inf(&x), max: b.max.sup(&x) })
}
