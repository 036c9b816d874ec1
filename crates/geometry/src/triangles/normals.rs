//! Normals at vertices, edges and in between, and the curvature they give.

use nalgebra::{Matrix3, Vector3};
use wolff_spatial::{Mat3, Vec3};

use super::mesh::{TriangleMesh, double_area};
use super::topology::Topology;

/// Unit normals of a mesh.
#[derive(Clone, Debug)]
pub(super) struct NormalField {
    /// Of every triangle.
    pub faces: Vec<Vec3>,
    /// Of the three corners of every triangle: the angle-weighted mean of the triangles at that vertex.
    pub corners: Vec<[Vec3; 3]>,
    /// Of the three edges of every triangle: the mean of the two triangles.
    pub edges: Vec<[Vec3; 3]>,
}

impl NormalField {
    /// Weighting by the angle at the vertex makes the sign of `n·(p - x)` right for the nearest point x of every p, also at edges
    /// and vertices, and does not depend on how a flat part is cut into triangles.
    /// Source: Bærentzen and Aanæs, Signed distance computation using the angle weighted pseudonormal, IEEE TVCG 11 (2005).
    pub fn new(mesh: &TriangleMesh, topology: &Topology) -> Self {
        let count = mesh.triangles().len();
        let faces: Vec<Vec3> = (0..count).map(|t| double_area(&mesh.corners(t)).normalize()).collect();
        let mut sums = vec![Vec3::zeros(); mesh.vertices().len()];
        for (t, triangle) in mesh.triangles().iter().enumerate() {
            let corners = mesh.corners(t);
            for i in 0..3 {
                let to = |j: usize| corners[(i + j) % 3] - corners[i];
                sums[triangle[i] as usize] += faces[t] * to(1).angle(&to(2));
            }
        }
        let unit = |sum: Vec3, t: usize| sum.try_normalize(1e-9).unwrap_or(faces[t]);
        let corners = (0..count).map(|t| mesh.triangles()[t].map(|v| unit(sums[v as usize], t))).collect();
        let edge = |t: usize, i: usize| {
            let beside = topology.neighbours()[t][i].map_or(faces[t], |s| faces[s as usize]);
            unit(faces[t] + beside, t)
        };
        let edges = (0..count).map(|t| [0, 1, 2].map(|i| edge(t, i))).collect();
        NormalField { faces, corners, edges }
    }

    /// The normal of the corners interpolated to the weights u, v.
    #[inline]
    pub fn smooth(&self, t: usize, u: f64, v: f64) -> Vec3 {
        let [a, b, c] = &self.corners[t];
        (a * (1.0 - u - v) + b * u + c * v).try_normalize(1e-9).unwrap_or(self.faces[t])
    }
}

/// The symmetric map W of a triangle that best gives the change of the normals along its three edges, `W e ≈ Δn`, in its plane.
///
/// The three numbers of W (xx, xy, yy in axes of the plane) solve the normal equations of the six scalar conditions.
/// Source: Rusinkiewicz, Estimating curvatures and their derivatives on triangle meshes, 3DPVT 2004, section 3.
/// Limits: first order in the edge length; noise of the vertices is amplified by 1/edge².
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
