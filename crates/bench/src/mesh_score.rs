//! What a mesh of tetrahedra is worth, by the same measure for every program: angles, volume, distance to its surface.

use nalgebra::Vector3;
use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::TriMesh;
use std::io::{Read, Write};
use std::path::Path;

/// The six edges of a tetrahedron.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
/// The faces, outward, each opposite to the corner of its number.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Points \[mm\] and elements of N corners: a surface of triangles or a solid of tetrahedra.
#[derive(Clone)]
pub(super) struct Mesh<const N: usize> {
    pub x: Vec<Vector3<f64>>,
    pub elements: Vec<[u32; N]>,
}

impl<const N: usize> Mesh<N> {
    /// Writes the numbers of points and elements, then both, little-endian.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
        for count in [self.x.len(), self.elements.len()] {
            file.write_all(&(count as u64).to_le_bytes())?;
        }
        for c in self.x.iter().flat_map(|x| x.iter()) {
            file.write_all(&c.to_le_bytes())?;
        }
        for v in self.elements.iter().flatten() {
            file.write_all(&v.to_le_bytes())?;
        }
        file.flush()
    }

    /// Reads what [`Mesh::write`] or the other programs wrote.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut bytes = Vec::new();
        let mut file = std::fs::File::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
        file.read_to_end(&mut bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        parsed(&bytes).ok_or_else(|| format!("{} is no mesh of {N} corners", path.display()))
    }

    fn corners(&self, element: &[u32; N]) -> [Vector3<f64>; N] {
        element.map(|v| self.x[v as usize])
    }
}

fn parsed<const N: usize>(bytes: &[u8]) -> Option<Mesh<N>> {
    let (head, rest) = bytes.split_at_checked(16)?;
    let count = |at: usize| Some(u64::from_le_bytes(head.get(at..at + 8)?.try_into().ok()?) as usize);
    let (points, elements) = (count(0)?, count(8)?);
    let (places, corners) = rest.split_at_checked(points.checked_mul(24)?)?;
    let number = |chunk: &[u8]| chunk.try_into().map(f64::from_le_bytes).unwrap_or(f64::NAN);
    let x = places.chunks_exact(24).map(|row| Vector3::from_iterator(row.chunks_exact(8).map(number))).collect();
    let vertex = |chunk: &[u8]| chunk.try_into().map(u32::from_le_bytes).unwrap_or(u32::MAX);
    let corners: Vec<u32> = corners.chunks_exact(4).map(vertex).collect();
    let elements_read: Vec<[u32; N]> = corners.as_chunks::<N>().0.to_vec();
    let is_whole = elements_read.len() == elements && corners.iter().all(|&v| (v as usize) < points);
    is_whole.then_some(Mesh { x, elements: elements_read })
}

/// Angles in degrees, lengths in mm, the error of the volume in %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Score {
    pub tets: usize,
    pub mean_edge: f64,
    pub min_dihedral: f64,
    /// First percentile of the smallest angle of each tetrahedron.
    pub p1_dihedral: f64,
    pub volume_error: f64,
    /// Between both surfaces, weighted by area, mean of both ways.
    pub mean_distance: f64,
    /// From vertices and centroids of triangles, the larger of both ways.
    pub hausdorff: f64,
}

/// Scores a mesh against the surface it was made from.
pub(super) fn score(mesh: &Mesh<4>, surface: &Mesh<3>) -> Result<Score, String> {
    let mut angles: Vec<f64> = mesh.elements.iter().map(|tet| smallest_dihedral(&mesh.corners(tet))).collect();
    angles.sort_unstable_by(f64::total_cmp);
    let volume: f64 = mesh.elements.iter().map(|tet| six_volumes(&mesh.corners(tet)).abs() / 6.0).sum();
    let boundary = boundary(mesh);
    let (there, largest_there) = one_way(&boundary, surface)?;
    let (back, largest_back) = one_way(surface, &boundary)?;
    Ok(Score {
        tets: mesh.elements.len(),
        mean_edge: mean_edge(mesh),
        min_dihedral: angles.first().copied().unwrap_or(0.0),
        p1_dihedral: angles.get(angles.len() / 100).copied().unwrap_or(0.0),
        volume_error: 100.0 * (volume / enclosed(surface) - 1.0),
        mean_distance: 0.5 * (there + back),
        hausdorff: largest_there.max(largest_back),
    })
}

fn six_volumes([a, b, c, d]: &[Vector3<f64>; 4]) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a))
}

/// The volume that a closed surface encloses.
fn enclosed(surface: &Mesh<3>) -> f64 {
    let origin = surface.x.first().copied().unwrap_or_default();
    let six = |[a, b, c]: [Vector3<f64>; 3]| (a - origin).dot(&(b - origin).cross(&(c - origin)));
    surface.elements.iter().map(|triangle| six(surface.corners(triangle))).sum::<f64>().abs() / 6.0
}

fn smallest_dihedral(corners: &[Vector3<f64>; 4]) -> f64 {
    let normals = FACES.map(|[i, j, k]| (corners[j] - corners[i]).cross(&(corners[k] - corners[i])));
    let angle = |[i, j]: [usize; 2]| {
        let cosine = -normals[i].dot(&normals[j]) / (normals[i].norm() * normals[j].norm());
        cosine.clamp(-1.0, 1.0).acos().to_degrees()
    };
    EDGES.into_iter().map(angle).fold(f64::INFINITY, f64::min)
}

fn mean_edge(mesh: &Mesh<4>) -> f64 {
    let sorted = |tet: &[u32; 4]| EDGES.map(|[i, j]| [tet[i].min(tet[j]), tet[i].max(tet[j])]);
    let mut edges: Vec<[u32; 2]> = mesh.elements.iter().flat_map(sorted).collect();
    edges.sort_unstable();
    edges.dedup();
    let length = |[a, b]: &[u32; 2]| (mesh.x[*a as usize] - mesh.x[*b as usize]).norm();
    edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64
}

/// The faces that belong to one tetrahedron only.
fn boundary(mesh: &Mesh<4>) -> Mesh<3> {
    let mut faces: Vec<([u32; 3], [u32; 3])> = Vec::with_capacity(4 * mesh.elements.len());
    for tet in &mesh.elements {
        for face in FACES.map(|face| face.map(|i| tet[i])) {
            let mut key = face;
            key.sort_unstable();
            faces.push((key, face));
        }
    }
    faces.sort_unstable();
    let single = faces.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() == 1).map(|equal| equal[0].1);
    Mesh { x: mesh.x.clone(), elements: single.collect() }
}

/// Mean and largest distance of the triangles of one surface from the other.
fn one_way(from: &Mesh<3>, to: &Mesh<3>) -> Result<(f64, f64), String> {
    let vector = |x: &Vector3<f64>| Vector::new(x.x, x.y, x.z);
    let tree = TriMesh::new(to.x.iter().map(vector).collect(), to.elements.clone()).map_err(|e| e.to_string())?;
    let distance = |x: &Vector3<f64>| (tree.project_local_point(vector(x), false).point - vector(x)).length();
    let (mut sum, mut area, mut largest) = (0.0, 0.0, 0.0_f64);
    for triangle in &from.elements {
        let [a, b, c] = from.corners(triangle);
        let weight = (b - a).cross(&(c - a)).norm();
        let at_centre = distance(&((a + b + c) / 3.0));
        sum += weight * at_centre;
        area += weight;
        largest = largest.max(at_centre);
    }
    let mut used: Vec<u32> = from.elements.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let at_vertices = used.iter().map(|&v| distance(&from.x[v as usize])).fold(0.0, f64::max);
    Ok((sum / area.max(f64::MIN_POSITIVE), largest.max(at_vertices)))
}
