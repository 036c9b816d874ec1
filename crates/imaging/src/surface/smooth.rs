//! Smoothing and offsets that keep the volume.

use rayon::prelude::*;
use wolff_geometry::TriangleMesh;
use wolff_spatial::Vec3;

use crate::error::ImagingError;

/// Steps of Taubin's filter: shrinking and swelling. Waves longer than about ten edges pass.
const STEPS: [f64; 2] = [0.5, -0.53];

/// Rounds of the offset that restores a volume, and the relative error it stops at.
const MOST_ROUNDS: usize = 20;
const VOLUME_ERROR: f64 = 1e-6;

/// The neighbours of every vertex, in rising order.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Neighbours {
    pub fn new(mesh: &TriangleMesh) -> Self {
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(6 * mesh.triangles().len());
        for &[a, b, c] in mesh.triangles() {
            pairs.extend([(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)]);
        }
        pairs.par_sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; mesh.vertices().len() + 1];
        pairs.iter().for_each(|(a, _)| starts[*a as usize + 1] += 1);
        for n in 1..starts.len() {
            starts[n] += starts[n - 1];
        }
        Neighbours { starts, list: pairs.into_iter().map(|(_, b)| b).collect() }
    }

    pub fn of(&self, vertex: usize) -> &[u32] {
        &self.list[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// Unit normals at the vertices, weighted by the areas of the triangles.
pub(crate) fn vertex_normals(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::zeros(); vertices.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| vertices[v as usize]);
        let normal = (b - a).cross(&(c - a));
        triangle.iter().for_each(|&v| sums[v as usize] += normal);
    }
    sums.iter().map(|sum| sum.try_normalize(0.0).unwrap_or(Vec3::zeros())).collect()
}

/// Volume \[m³\] and area \[m²\].
pub(crate) fn volume_and_area(vertices: &[Vec3], triangles: &[[u32; 3]]) -> (f64, f64) {
    let middle = vertices.first().copied().unwrap_or_default();
    let mut sums = (0.0, 0.0);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| vertices[v as usize] - middle);
        sums.0 += a.dot(&b.cross(&c)) / 6.0;
        sums.1 += 0.5 * (b - a).cross(&(c - a)).norm();
    }
    sums
}

/// The mesh after rounds of Taubin's filter, which smooths steps of voxels without shrinking; what it changes of the
/// volume is put back. Source: Taubin, A signal processing approach to fair surface design, SIGGRAPH 1995.
///
/// # Errors
/// When a triangle vanishes.
pub fn smoothed(mesh: &TriangleMesh, rounds: usize) -> Result<TriangleMesh, ImagingError> {
    let neighbours = Neighbours::new(mesh);
    let mut vertices = mesh.vertices().to_vec();
    for step in (0..rounds).flat_map(|_| STEPS) {
        vertices =
            vertices.par_iter().enumerate().map(|(v, x)| x + step * to_mean(&vertices, &neighbours, v, x)).collect();
    }
    let (target, _) = volume_and_area(mesh.vertices(), mesh.triangles());
    with_volume(&TriangleMesh::new(vertices, mesh.triangles().to_vec())?, target)
}

fn to_mean(vertices: &[Vec3], neighbours: &Neighbours, v: usize, x: &Vec3) -> Vec3 {
    let beside = neighbours.of(v);
    let sum = beside.iter().fold(Vec3::zeros(), |sum, &u| sum + vertices[u as usize]);
    if beside.is_empty() { Vec3::zeros() } else { sum / beside.len() as f64 - x }
}

/// The closed mesh moved along its normals by one distance, so that it encloses `volume` \[m³\] to 1e-6.
///
/// # Errors
/// When the mesh is open, or cannot be brought to that volume without folding.
pub fn with_volume(mesh: &TriangleMesh, volume: f64) -> Result<TriangleMesh, ImagingError> {
    if !mesh.report()?.is_closed() {
        return Err(ImagingError::invalid("surface", "it is open and encloses no volume; close it first"));
    }
    let mut vertices = mesh.vertices().to_vec();
    let mut error = f64::INFINITY;
    for _ in 0..MOST_ROUNDS {
        let (found, area) = volume_and_area(&vertices, mesh.triangles());
        error = (found / volume - 1.0).abs();
        if error < VOLUME_ERROR {
            return Ok(TriangleMesh::new(vertices, mesh.triangles().to_vec())?);
        }
        let offset = (volume - found) / area;
        let normals = vertex_normals(&vertices, mesh.triangles());
        vertices.iter_mut().zip(normals).for_each(|(x, n)| *x += offset * n);
    }
    let rule = format!(
        "it cannot be brought to {:.3} mm³ by an offset (off by {:.2} %); it is too thin for its triangles",
        1e9 * volume,
        100.0 * error
    );
    Err(ImagingError::invalid("surface", rule))
}
