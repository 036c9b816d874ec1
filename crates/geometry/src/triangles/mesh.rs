//! Vertices and triangles as a plain value: checked, cleaned, turned, moved.

use std::collections::HashMap;

use wolff_spatial::{Mat3, Pose, Vec3};

use super::report::MeshReport;
use super::topology::{Topology, oriented};
use crate::error::GeometryError;

/// A triangle whose double area is below this part of its longest edge squared has no normal: about the height, in
/// edges, that rounding of 64-bit coordinates leaves behind.
const FLAT: f64 = 1e-12;

/// Triangles over shared vertices \[m\], each counter-clockwise seen from outside.
///
/// Every triangle names vertices that exist, is finite and has an area. Whether neighbours agree on the outside and how
/// many meet at an edge is asked of [`TriangleMesh::topology`].
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// A cleaned mesh and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Cleaned {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// Vertices that were put together with an equal one, or that no triangle used.
    pub vertices_removed: usize,
    /// Triangles without area that were left out.
    pub triangles_removed: usize,
}

impl TriangleMesh {
    /// A mesh as it is given.
    ///
    /// # Errors
    /// When there is no triangle, an index is out of range, a coordinate is not finite or a triangle has no area.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, GeometryError> {
        require_sound(&vertices, &triangles)?;
        let mesh = TriangleMesh { vertices, triangles };
        let flat = (0..mesh.triangles.len()).find(|&t| is_flat(&mesh.corners(t)));
        match flat {
            None => Ok(mesh),
            Some(triangle) => {
                let corners = mesh.corners(triangle);
                let (area, edge) = (0.5 * double_area(&corners).norm(), longest_edge(&corners));
                Err(GeometryError::DegenerateTriangle { triangle, area, edge })
            }
        }
    }

    /// A mesh with equal vertices put together (`weld`: those with exactly the same coordinates), vertices without
    /// triangles and triangles without area left out. The order of what stays is kept.
    ///
    /// # Errors
    /// When nothing remains, an index is out of range or a coordinate is not finite.
    pub fn cleaned(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>, weld: bool) -> Result<Cleaned, GeometryError> {
        require_sound(&vertices, &triangles)?;
        let first = if weld { first_equals(&vertices) } else { (0..vertices.len() as u32).collect() };
        let mut kept = Vec::new();
        let mut number = vec![u32::MAX; vertices.len()];
        let mut solid = Vec::with_capacity(triangles.len());
        for triangle in &triangles {
            let old = triangle.map(|v| first[v as usize]);
            if is_flat(&old.map(|v| vertices[v as usize])) {
                continue;
            }
            solid.push(old.map(|v| {
                let new = &mut number[v as usize];
                if *new == u32::MAX {
                    *new = kept.len() as u32;
                    kept.push(vertices[v as usize]);
                }
                *new
            }));
        }
        if solid.is_empty() {
            return Err(GeometryError::NoTriangles);
        }
        Ok(Cleaned {
            vertices_removed: vertices.len() - kept.len(),
            triangles_removed: triangles.len() - solid.len(),
            mesh: TriangleMesh { vertices: kept, triangles: solid },
        })
    }

    /// The vertices \[m\].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles, as numbers of vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle \[m\]; panics, as slices do, where there is no such triangle.
    #[inline]
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Who is beside whom.
    ///
    /// # Errors
    /// When more than two triangles meet at an edge, or neighbours disagree on the outside.
    pub fn topology(&self) -> Result<Topology, GeometryError> {
        Topology::new(&self.triangles, self.vertices.len())
    }

    /// Area, volume, rims and bounds.
    ///
    /// # Errors
    /// As [`TriangleMesh::topology`].
    pub fn report(&self) -> Result<MeshReport, GeometryError> {
        Ok(MeshReport::new(self, &self.topology()?))
    }

    /// The connected parts, each a mesh of its own; parts are connected through edges.
    ///
    /// # Errors
    /// As [`TriangleMesh::topology`].
    pub fn parts(&self) -> Result<Vec<TriangleMesh>, GeometryError> {
        let (part_of, count) = self.topology()?.parts();
        let mut parts = vec![Vec::new(); count];
        for (triangle, &part) in self.triangles.iter().zip(&part_of) {
            parts[part as usize].push(*triangle);
        }
        let part = |triangles| Ok(TriangleMesh::cleaned(self.vertices.clone(), triangles, false)?.mesh);
        parts.into_iter().map(part).collect()
    }

    /// The same surface inside out.
    pub fn flipped(mut self) -> TriangleMesh {
        for [_, b, c] in &mut self.triangles {
            std::mem::swap(b, c);
        }
        self
    }

    /// Neighbours turned so that they agree on the outside: each part follows its first triangle, closed parts enclose
    /// a positive volume.
    ///
    /// # Errors
    /// When more than two triangles meet at an edge, or a part has one side only (a Möbius strip).
    pub fn oriented(mut self) -> Result<TriangleMesh, GeometryError> {
        oriented(&mut self.triangles, &self.vertices)?;
        Ok(self)
    }

    /// Scaled about the origin: 1e-3 for a mesh in mm.
    ///
    /// # Errors
    /// When the factor is not positive and finite, or lets triangles vanish.
    pub fn scaled(self, factor: f64) -> Result<TriangleMesh, GeometryError> {
        GeometryError::positive("triangle mesh", "scale [-]", factor)?;
        self.mapped(|x| x * factor)
    }

    /// Moved from its own frame M to a frame B by the pose `X_BM`.
    ///
    /// # Errors
    /// When the pose is not finite.
    pub fn transformed(self, X_BM: &Pose) -> Result<TriangleMesh, GeometryError> {
        self.mapped(|x| X_BM.point(x))
    }

    /// Every vertex mapped by a linear map, such as a stretch along the axes; a mirror turns the triangles too.
    ///
    /// # Errors
    /// When the map is not finite or lets triangles vanish.
    pub fn stretched(self, map: &Mat3) -> Result<TriangleMesh, GeometryError> {
        let mirror = map.determinant() < 0.0;
        let mesh = self.mapped(|x| map * x)?;
        Ok(if mirror { mesh.flipped() } else { mesh })
    }

    fn mapped(self, map: impl Fn(&Vec3) -> Vec3) -> Result<TriangleMesh, GeometryError> {
        TriangleMesh::new(self.vertices.iter().map(map).collect(), self.triangles)
    }
}

/// Twice the area of a triangle along its normal \[m²\].
#[inline]
pub(super) fn double_area([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a))
}

fn longest_edge([a, b, c]: &[Vec3; 3]) -> f64 {
    (b - a).norm().max((c - b).norm()).max((a - c).norm())
}

fn is_flat(corners: &[Vec3; 3]) -> bool {
    !(double_area(corners).norm() > FLAT * longest_edge(corners).powi(2))
}

/// Coordinates beyond this \[m\] are no lengths, and the areas between them are not finite.
const LARGEST: f64 = 1e50;

fn require_sound(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), GeometryError> {
    if triangles.is_empty() {
        return Err(GeometryError::NoTriangles);
    }
    for (what, count) in [("vertices", vertices.len()), ("triangles", triangles.len())] {
        if count >= u32::MAX as usize {
            return Err(GeometryError::TooMany { what, count });
        }
    }
    // products of larger coordinates have no finite area
    if let Some(vertex) = vertices.iter().position(|x| !x.iter().all(|c| c.abs() < LARGEST)) {
        return Err(GeometryError::NonFiniteVertex { vertex, position: vertices[vertex].into() });
    }
    let count = vertices.len();
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
            return Err(GeometryError::VertexIndex { triangle, vertex, count });
        }
    }
    Ok(())
}

/// For every vertex the first one with the same coordinates.
fn first_equals(vertices: &[Vec3]) -> Vec<u32> {
    // adding zero makes one of both zeros
    let bits = |x: &Vec3| [x.x, x.y, x.z].map(|c| (c + 0.0).to_bits());
    let mut first = HashMap::with_capacity(vertices.len());
    vertices.iter().enumerate().map(|(i, x)| *first.entry(bits(x)).or_insert(i as u32)).collect()
}
