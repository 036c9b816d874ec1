//! The smooth deformation of least bending through matched points.

use nalgebra::{DMatrix, Matrix4x3};
use wolff_spatial::Vec3;

use crate::MorphologyError;

/// `x -> a + A x + Σ w_i |x - p_i|`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spline {
    centres: Vec<Vec3>,
    weights: Vec<Vec3>,
    affine: Matrix4x3<f64>,
}

impl Spline {
    /// The spline that maps first points to second ones, up to a smoothing (a length: the larger, the smoother).
    pub fn through(pairs: &[(Vec3, Vec3)], smoothing: f64) -> Result<Self, MorphologyError> {
        if pairs.len() < 5 {
            return Ok(Self { centres: Vec::new(), weights: Vec::new(), affine: straight() });
        }
        let n = pairs.len();
        let mut system = DMatrix::zeros(n + 4, n + 4);
        let mut target = DMatrix::zeros(n + 4, 3);
        for (i, (p, q)) in pairs.iter().enumerate() {
            for (j, (other, _)) in pairs.iter().enumerate() {
                system[(i, j)] = (p - other).norm();
            }
            // distances are negative definite on what the affine part leaves, so smoothing is taken away
            system[(i, i)] = -smoothing;
            let row = [1.0, p.x, p.y, p.z];
            for (k, value) in row.into_iter().enumerate() {
                system[(i, n + k)] = value;
                system[(n + k, i)] = value;
            }
            for d in 0..3 {
                target[(i, d)] = q[d];
            }
        }
        let solution = system.lu().solve(&target).filter(|s| s.iter().all(|x| x.is_finite())).ok_or_else(|| {
            MorphologyError::invalid("registration of bones", "matched points lie in a plane; give closed surfaces")
        })?;
        let row = |i: usize| Vec3::new(solution[(i, 0)], solution[(i, 1)], solution[(i, 2)]);
        Ok(Self {
            centres: pairs.iter().map(|p| p.0).collect(),
            weights: (0..n).map(row).collect(),
            affine: Matrix4x3::from_fn(|k, d| solution[(n + k, d)]),
        })
    }

    pub fn apply(&self, x: &Vec3) -> Vec3 {
        let linear = nalgebra::Vector4::new(1.0, x.x, x.y, x.z);
        let bent: Vec3 = self.centres.iter().zip(&self.weights).map(|(p, w)| w * (x - p).norm()).sum();
        self.affine.transpose() * linear + bent
    }
}

/// The affine part that changes nothing.
fn straight() -> Matrix4x3<f64> {
    Matrix4x3::from_fn(|k, d| if k == d + 1 { 1.0 } else { 0.0 })
}
