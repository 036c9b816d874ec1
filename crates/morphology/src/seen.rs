//! A surface seen in the axes of its bone: anterior, up and lateral.

use wolff_anatomy::Side;
use wolff_geometry::TriangleMesh;
use wolff_spatial::{Mat3, Vec3};

/// A surface in anatomical coordinates: x anterior, y up from the lowest point, z lateral. A left bone appears as a
/// right one.
pub(crate) struct Seen<'a> {
    mesh: &'a TriangleMesh,
    to_bone: Mat3,
    origin: Vec3,
    pub points: Vec<Vec3>,
    /// Height of the highest point.
    pub length: f64,
}

/// Anatomical directions as (anterior, up, lateral).
pub(crate) const ANTERIOR: Vec3 = Vec3::new(1.0, 0.0, 0.0);
pub(crate) const UP: Vec3 = Vec3::new(0.0, 1.0, 0.0);
pub(crate) const LATERAL: Vec3 = Vec3::new(0.0, 0.0, 1.0);

impl<'a> Seen<'a> {
    /// `axes` has the columns anterior, up, right.
    pub fn new(mesh: &'a TriangleMesh, axes: &Mat3, centre: &Vec3, side: Side) -> Self {
        let mirror = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, side.outward()));
        let to_bone = mirror * axes.transpose();
        let heights = || mesh.vertices().iter().map(|x| (to_bone * (x - centre)).y);
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        let origin = centre + to_bone.transpose() * UP * low;
        let points = mesh.vertices().iter().map(|x| to_bone * (x - origin)).collect();
        Self { mesh, to_bone, origin, points, length: high - low }
    }

    /// A point in the frame of the mesh.
    pub fn back(&self, point: &Vec3) -> Vec3 {
        self.origin + self.to_bone.transpose() * point
    }

    /// A point of the frame of the mesh in these coordinates.
    pub fn there(&self, point: &Vec3) -> Vec3 {
        self.to_bone * (point - self.origin)
    }

    /// A direction in the frame of the mesh.
    pub fn back_direction(&self, direction: &Vec3) -> Vec3 {
        self.to_bone.transpose() * direction
    }

    /// The farthest point in a direction between two heights, which are parts of the length. Rounding at the ends does
    /// not leave a point out.
    pub fn farthest(&self, direction: &Vec3, [low, high]: [f64; 2]) -> Option<Vec3> {
        const ROUNDING: f64 = 1e-9;
        let within = (low - ROUNDING) * self.length..=(high + ROUNDING) * self.length;
        self.farthest_where(direction, |x| within.contains(&x.y))
    }

    /// The farthest point in a direction among some.
    pub fn farthest_where(&self, direction: &Vec3, holds: impl Fn(&Vec3) -> bool) -> Option<Vec3> {
        let some = self.points.iter().filter(|x| holds(x));
        some.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction))).copied()
    }

    /// The farthest point in a direction of the section at a height, which is a part of the length.
    pub fn farthest_at(&self, direction: &Vec3, height: f64) -> Option<Vec3> {
        let level = height * self.length;
        let edges = self.mesh.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let crossings = edges.filter_map(|edge| {
            let [p, q] = edge.map(|v| self.points[v as usize]);
            ((p.y >= level) != (q.y >= level)).then(|| p + (q - p) * ((level - p.y) / (q.y - p.y)))
        });
        crossings.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)))
    }

    /// Centre, unit normal and area of a triangle.
    pub fn facet(&self, triangle: usize) -> (Vec3, Vec3, f64) {
        let [a, b, c] = self.mesh.triangles()[triangle].map(|v| self.points[v as usize]);
        // the mirror of a left bone turns the triangles inside out
        let double = (b - a).cross(&(c - a)) * self.to_bone.determinant().signum();
        ((a + b + c) / 3.0, double.normalize(), 0.5 * double.norm())
    }

    /// The triangles whose centre and normal fulfil a condition. Slivers are left out: their normals are rounding.
    pub fn triangles(&self, holds: impl Fn(&Vec3, &Vec3) -> bool) -> Vec<u32> {
        /// Height over the longest edge.
        const SLIVER: f64 = 1e-3;
        let all = 0..self.mesh.triangles().len();
        let some = all.filter(|&t| {
            let (centre, normal, area) = self.facet(t);
            let [a, b, c] = self.mesh.triangles()[t].map(|v| self.points[v as usize]);
            let edge = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
            2.0 * area > SLIVER * edge && holds(&centre, &normal)
        });
        some.map(|t| t as u32).collect()
    }

    /// Centre of area of some triangles; `None` for none.
    pub fn centre(&self, triangles: &[u32]) -> Option<Vec3> {
        let (mut sum, mut area) = (Vec3::zeros(), 0.0);
        for &t in triangles {
            let (centre, _, a) = self.facet(t as usize);
            sum += centre * a;
            area += a;
        }
        (area > 0.0).then(|| sum / area)
    }

    /// The connected part of some triangles, through shared vertices, that holds the one nearest to a point.
    pub fn connected(&self, triangles: &[u32], near: &Vec3) -> Vec<u32> {
        let distance = |t: &&u32| (self.facet(**t as usize).0 - near).norm();
        let Some(&first) = triangles.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))) else {
            return Vec::new();
        };
        let mut of_vertex: std::collections::HashMap<u32, Vec<u32>> = std::collections::HashMap::new();
        for &t in triangles {
            for v in self.mesh.triangles()[t as usize] {
                of_vertex.entry(v).or_default().push(t);
            }
        }
        let mut found = std::collections::BTreeSet::from([first]);
        let mut open = vec![first];
        while let Some(t) = open.pop() {
            let beside = self.mesh.triangles()[t as usize].into_iter().filter_map(|v| of_vertex.get(&v)).flatten();
            open.extend(beside.copied().filter(|&next| found.insert(next)));
        }
        found.into_iter().collect()
    }
}
