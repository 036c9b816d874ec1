//! Normals at vertices, edges and in between, and the curvature they give.

use nalgebra::{Matrix3, Vector3};
use wolff_spatial::{Mat3, Vec3};

use super::mesh::{TriangleMesh, double_area};
use super::topology::Topology;

/// A sum of normals shorter than this has no direction, as in a sharp fold; the normal of the triangle takes its place.
const SMALLEST_SUM: f64 = 1e-9;

/// Unit normals of a mesh.
#[derive(Clone, Debug)]
pub(super) struct NormalField {
    /// Of every triangle.
    pub faces: Vec<Vec3>,
    /// Of the three corners of every triangle: the angle-weighted mean of the triangles at that vertex.
    pub corners: Vec<[Vec3; 3]>,
    /// Of the three corners of every triangle, for interpolation.
    pub smooth: Vec<[Vec3; 3]>,
    /// Of the three edges of every triangle: the mean of the two triangles.
    pub edges: Vec<[Vec3; 3]>,
}

impl NormalField {
    /// Weighting by the angle at the vertex makes the sign of `n·(p - x)` right for the nearest point x of every p,
    /// also at edges and vertices, and does not depend on how a flat part is cut into triangles. Source: Bærentzen and
    /// Aanæs, Signed distance computation using the angle weighted pseudonormal, IEEE TVCG 11 (2005).
    ///
    /// The normals that are interpolated weight the cross product of the two edges a, b at the vertex by
    /// `1/(|a|²|b|²)`, which is exact where the vertices lie on a sphere, whatever the triangles; angles would leave a
    /// first-order error, and with it an error of the curvature that does not vanish under refinement. Source: Max,
    /// Weights for computing vertex normals from facet normals, J Graphics Tools 4 (1999).
    pub fn new(mesh: &TriangleMesh, topology: &Topology) -> Self {
        let count = mesh.triangles().len();
        let faces: Vec<Vec3> = (0..count).map(|t| double_area(&mesh.corners(t)).normalize()).collect();
        let unit = |sum: Vec3, t: usize| sum.try_normalize(SMALLEST_SUM).unwrap_or(faces[t]);
        let at_corners = |weighted: &dyn Fn(usize, Vec3, Vec3) -> Vec3| {
            let sums = sums_at_vertices(mesh, weighted);
            (0..count).map(|t| mesh.triangles()[t].map(|v| unit(sums[v as usize], t))).collect()
        };
        let edge = |t: usize, i: usize| {
            let beside = topology.neighbours()[t][i].map_or(faces[t], |s| faces[s as usize]);
            unit(faces[t] + beside, t)
        };
        // area of a mean triangle: a unit in which the weights are about one
        let unit_area = (0..count).map(|t| double_area(&mesh.corners(t)).norm()).sum::<f64>() / (2 * count) as f64;
        let sphere_weight = |a: Vec3, b: Vec3| unit_area * a.cross(&b).norm() / (a.norm_squared() * b.norm_squared());
        NormalField {
            corners: at_corners(&|t, a, b| faces[t] * a.angle(&b)),
            smooth: at_corners(&|t, a, b| faces[t] * sphere_weight(a, b)),
            edges: (0..count).map(|t| [0, 1, 2].map(|i| edge(t, i))).collect(),
            faces,
        }
    }

    /// The smooth normal at the weights u, v.
    #[inline]
    pub fn interpolated(&self, t: usize, u: f64, v: f64) -> Vec3 {
        let [a, b, c] = &self.smooth[t];
        (a * (1.0 - u - v) + b * u + c * v).try_normalize(SMALLEST_SUM).unwrap_or(self.faces[t])
    }
}

/// At every vertex the sum over its triangles of what `weighted` gives for the triangle and its two edges there.
fn sums_at_vertices(mesh: &TriangleMesh, weighted: &dyn Fn(usize, Vec3, Vec3) -> Vec3) -> Vec<Vec3> {
    let mut sums = vec![Vec3::zeros(); mesh.vertices().len()];
    for (t, triangle) in mesh.triangles().iter().enumerate() {
        let corners = mesh.corners(t);
        for i in 0..3 {
            let to = |j: usize| corners[(i + j) % 3] - corners[i];
            sums[triangle[i] as usize] += weighted(t, to(1), to(2));
        }
    }
    sums
}

/// The symmetric map W of a triangle that best gives the change of the normals along its three edges, `W e ≈ Δn`, in
/// its plane.
///
/// The three numbers of W (xx, xy, yy in axes of the plane) solve the normal equations of the six scalar conditions.
/// Source: Rusinkiewicz, Estimating curvatures and their derivatives on triangle meshes, 3DPVT 2004, section 3. Limits:
/// first order in the edge length on the mean; near irregular vertices of surfaces that are no sphere an error of some
/// per cent stays, and noise of the vertices is amplified by 1/edge².
pub(super) fn shape_operator(corners: &[Vec3; 3], normals: &[Vec3; 3], face: &Vec3) -> Mat3 {
    let x = (corners[1] - corners[0]).normalize();
    let y = face.cross(&x);
    let (mut matrix, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for i in 0..3 {
        let e = corners[(i + 1) % 3] - corners[i];
        let dn = normals[(i + 1) % 3] - normals[i];
        let (ex, ey) = (e.dot(&x), e.dot(&y));
        for (row, value) in [(Vector3::new(ex, ey, 0.0), dn.dot(&x)), (Vector3::new(0.0, ex, ey), dn.dot(&y))] {
            matrix += row * row.transpose();
            right += row * value;
        }
    }
    let w = matrix.cholesky().map_or(Vector3::zeros(), |factor| factor.solve(&right));
    x * x.transpose() * w[0] + (x * y.transpose() + y * x.transpose()) * w[1] + y * y.transpose() * w[2]
}
