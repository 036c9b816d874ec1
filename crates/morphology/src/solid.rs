//! Volume, centre and principal axes of the solid within a surface.

use nalgebra::SymmetricEigen;
use wolff_geometry::TriangleMesh;
use wolff_spatial::{Mat3, Vec3};

use crate::MorphologyError;

/// Volume, centre and principal axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solid {
    /// Volume, positive.
    pub volume: f64,
    /// Centre of volume.
    pub centre: Vec3,
    /// Principal axes of `∫x xᵀ dV` as columns, the one of the largest spread first.
    pub axes: Mat3,
    /// Root-mean-square spread along them.
    pub spread: [f64; 3],
}

impl Solid {
    /// The solid within a surface by the divergence theorem: sums over the tetrahedra between triangles and a point.
    ///
    /// # Errors
    /// When the surface encloses no volume.
    pub fn of(mesh: &TriangleMesh) -> Result<Self, MorphologyError> {
        let count = mesh.vertices().len() as f64;
        // close to the solid, so that little cancels
        let near: Vec3 = mesh.vertices().iter().sum::<Vec3>() / count;
        let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        let mut outer = 0.0;
        for t in 0..mesh.triangles().len() {
            let [a, b, c] = mesh.corners(t).map(|x| x - near);
            let v = a.dot(&b.cross(&c)) / 6.0;
            let s = a + b + c;
            volume += v;
            outer += v.abs();
            first += s * (v / 4.0);
            second += (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose()) * (v / 20.0);
        }
        if !(volume.abs() > 0.05 * outer) {
            return Err(MorphologyError::invalid(
                "bone surface",
                "it encloses no volume; give the closed outer surface of a bone, with all triangles wound alike",
            ));
        }
        let centre = first / volume;
        let about = second / volume - centre * centre.transpose();
        let eigen = SymmetricEigen::new(about);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| eigen.eigenvalues[j].total_cmp(&eigen.eigenvalues[i]));
        let axes = Mat3::from_columns(&order.map(|i| eigen.eigenvectors.column(i).into_owned()));
        let spread = order.map(|i| eigen.eigenvalues[i].max(0.0).sqrt());
        Ok(Solid { volume: volume.abs(), centre: near + centre, axes, spread })
    }
}
