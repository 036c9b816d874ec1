//! Fewer triangles within a bound on the deviation.
//!
//! Edges are drawn together where it costs least, the cost being the sum of the squared distances of the new vertex
//! from the planes of all triangles that went into it. The sum is at least the square of the largest of these
//! distances, so no new vertex is farther from any of those planes than the bound. Source: Garland and Heckbert,
//! Surface simplification using quadric error metrics, SIGGRAPH 1997.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use nalgebra::{Matrix3, Matrix4, Vector4};
use wolff_geometry::TriangleMesh;
use wolff_spatial::Vec3;

use crate::error::ImagingError;

/// A triangle may not turn by more than this cosine.
const LEAST_COSINE: f64 = 0.3;
/// Double area of a triangle over the sum of its squared edges, at least: thinner ones are not made.
const LEAST_SHAPE: f64 = 0.03;

/// How far triangles may be drawn together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decimation {
    /// Bound on the distance of a new vertex from the planes of the triangles that went into it \[m\].
    pub deviation: f64,
    /// No new edge is longer \[m\].
    pub longest_edge: f64,
}

/// A mesh of fewer triangles, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Decimated {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// The largest distance of a new vertex from planes that went into it, from above \[m\].
    pub deviation: f64,
}

struct Collapse {
    cost: f64,
    ends: [u32; 2],
    /// How often each end had changed when the cost was computed.
    stamps: [u32; 2],
    place: Vec3,
}

impl PartialEq for Collapse {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Collapse {}

impl PartialOrd for Collapse {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Collapse {
    /// The cheapest is the greatest, so that it comes first.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .cost
            .total_cmp(&self.cost)
            .then_with(|| other.ends.cmp(&self.ends))
            .then_with(|| other.stamps.cmp(&self.stamps))
    }
}

struct Work {
    vertices: Vec<Vec3>,
    quadrics: Vec<Matrix4<f64>>,
    stamps: Vec<u32>,
    triangles: Vec<Option<[u32; 3]>>,
    at_vertex: Vec<Vec<u32>>,
    limits: Decimation,
    heap: BinaryHeap<Collapse>,
    worst: f64,
}

/// The closed mesh with edges drawn together as far as the limits allow.
///
/// # Errors
/// When the mesh is open or not manifold.
pub fn decimated(mesh: &TriangleMesh, limits: Decimation) -> Result<Decimated, ImagingError> {
    if !mesh.report()?.is_closed() {
        return Err(ImagingError::invalid("surface", "it is open; only closed surfaces are decimated: close it first"));
    }
    let mut work = Work::new(mesh, limits);
    while let Some(collapse) = work.heap.pop() {
        work.collapse(&collapse);
    }
    let triangles = work.triangles.into_iter().flatten().collect();
    let mesh = TriangleMesh::cleaned(work.vertices, triangles, false)?.mesh;
    Ok(Decimated { mesh, deviation: work.worst.sqrt() })
}

fn plane_quadric([a, b, c]: [Vec3; 3]) -> Matrix4<f64> {
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or(Vec3::zeros());
    let plane = Vector4::new(normal.x, normal.y, normal.z, -normal.dot(&a));
    plane * plane.transpose()
}

impl Work {
    fn new(mesh: &TriangleMesh, limits: Decimation) -> Self {
        let count = mesh.vertices().len();
        let mut work = Work {
            vertices: mesh.vertices().to_vec(),
            quadrics: vec![Matrix4::zeros(); count],
            stamps: vec![0; count],
            triangles: mesh.triangles().iter().map(|t| Some(*t)).collect(),
            at_vertex: vec![Vec::with_capacity(6); count],
            limits,
            heap: BinaryHeap::new(),
            worst: 0.0,
        };
        for (t, triangle) in mesh.triangles().iter().enumerate() {
            let quadric = plane_quadric(mesh.corners(t));
            for &v in triangle {
                work.quadrics[v as usize] += quadric;
                work.at_vertex[v as usize].push(t as u32);
            }
        }
        for &[a, b, c] in mesh.triangles() {
            for [u, v] in [[a, b], [b, c], [c, a]] {
                if u < v {
                    work.offer(u, v);
                }
            }
        }
        work
    }

    /// Computes what drawing an edge together costs and puts it on the heap if it is allowed.
    fn offer(&mut self, a: u32, b: u32) {
        let ends = [a.min(b), a.max(b)];
        let [p, q] = ends.map(|v| self.vertices[v as usize]);
        if (p - q).norm() > self.limits.longest_edge {
            return;
        }
        let quadric = self.quadrics[a as usize] + self.quadrics[b as usize];
        let cost = |x: &Vec3| {
            let x = Vector4::new(x.x, x.y, x.z, 1.0);
            x.dot(&(quadric * x)).max(0.0)
        };
        let middle = 0.5 * (p + q);
        let matrix: Matrix3<f64> = quadric.fixed_view::<3, 3>(0, 0).into();
        let right: Vec3 = -quadric.fixed_view::<3, 1>(0, 3);
        // flat parts do not say where along them: stay near the middle of the edge
        let held = matrix + Matrix3::identity() * (1e-3 * matrix.trace());
        let shift = held.cholesky().map_or(Vec3::zeros(), |factor| factor.solve(&(right - matrix * middle)));
        let best = middle + shift;
        let near = (best - middle).norm() < (p - q).norm();
        let place = if near && cost(&best) <= cost(&middle) { best } else { middle };
        let cost = cost(&place);
        if cost <= self.limits.deviation.powi(2) {
            let stamps = ends.map(|v| self.stamps[v as usize]);
            self.heap.push(Collapse { cost, ends, stamps, place });
        }
    }

    fn collapse(&mut self, collapse: &Collapse) {
        let [a, b] = collapse.ends;
        if collapse.ends.map(|v| self.stamps[v as usize]) != collapse.stamps || !self.is_allowed(a, b, &collapse.place)
        {
            return;
        }
        self.vertices[a as usize] = collapse.place;
        let quadric = self.quadrics[b as usize];
        self.quadrics[a as usize] += quadric;
        self.worst = self.worst.max(collapse.cost);
        for t in std::mem::take(&mut self.at_vertex[b as usize]) {
            let Some(triangle) = self.triangles[t as usize].as_mut() else { continue };
            if triangle.contains(&a) {
                let corners = *triangle;
                self.triangles[t as usize] = None;
                for v in corners.into_iter().filter(|&v| v != b) {
                    self.at_vertex[v as usize].retain(|&other| other != t);
                }
            } else {
                triangle.iter_mut().filter(|v| **v == b).for_each(|v| *v = a);
                self.at_vertex[a as usize].push(t);
            }
        }
        self.stamps[a as usize] += 1;
        self.stamps[b as usize] += 1;
        for v in self.ring(a) {
            self.offer(a, v);
        }
    }

    /// The vertices around a vertex, in rising order.
    fn ring(&self, v: u32) -> Vec<u32> {
        let triangles = self.at_vertex[v as usize].iter().filter_map(|&t| self.triangles[t as usize]);
        let mut ring: Vec<u32> = triangles.flatten().filter(|&u| u != v).collect();
        ring.sort_unstable();
        ring.dedup();
        ring
    }

    /// Whether the surface stays manifold, no triangle turns over or gets thin, and no edge gets too long.
    fn is_allowed(&self, a: u32, b: u32, place: &Vec3) -> bool {
        let (ring_a, ring_b) = (self.ring(a), self.ring(b));
        let common = ring_a.iter().filter(|v| ring_b.binary_search(v).is_ok()).count();
        if common != 2 || ring_a.len() + ring_b.len() < 9 {
            return false;
        }
        let long = |v: &u32| (self.vertices[*v as usize] - place).norm() > self.limits.longest_edge;
        if ring_a.iter().chain(&ring_b).filter(|v| **v != a && **v != b).any(long) {
            return false;
        }
        let moved = |from: u32, other: u32| {
            let triangles = self.at_vertex[from as usize].iter().filter_map(|&t| self.triangles[t as usize]);
            triangles.filter(move |t| !t.contains(&other)).map(move |t| (t, t.map(|v| v == from)))
        };
        moved(a, b).chain(moved(b, a)).all(|(triangle, changes)| self.stays_good(triangle, changes, place))
    }

    fn stays_good(&self, triangle: [u32; 3], changes: [bool; 3], place: &Vec3) -> bool {
        let old = triangle.map(|v| self.vertices[v as usize]);
        let new = [0, 1, 2].map(|i| if changes[i] { *place } else { old[i] });
        let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(&(c - a));
        let (before, after) = (normal(old), normal(new));
        let edges: f64 = (0..3).map(|i| (new[i] - new[(i + 1) % 3]).norm_squared()).sum();
        after.norm() > LEAST_SHAPE * edges && before.dot(&after) > LEAST_COSINE * before.norm() * after.norm()
    }
}
