//! Measures of a state of strain: principal values, maximum shear, equivalent strain.

use std::f64::consts::SQRT_2;

use nalgebra::{Matrix3, SymmetricEigen, Vector6};

/// What a rosette of strain gauges on a surface with the axes `y, z` tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaneStrain {
    /// Larger principal strain.
    pub first: f64,
    /// Smaller principal strain.
    pub second: f64,
    /// Largest engineering shear in the plane, `ε₁ - ε₂`.
    pub max_shear: f64,
    /// Direction of the larger one from `y` towards `z`, rad, in (-π/2, π/2]; 0 where all directions are alike.
    pub angle: f64,
}

/// Principal strains in a plane: `ε₁,₂ = (ε_y + ε_z)/2 ± √((ε_y - ε_z)² + γ²)/2`, with engineering shear γ.
pub fn in_plane(strain_y: f64, strain_z: f64, shear: f64) -> PlaneStrain {
    let diameter = (strain_y - strain_z).hypot(shear);
    let centre = 0.5 * (strain_y + strain_z);
    PlaneStrain {
        first: centre + 0.5 * diameter,
        second: centre - 0.5 * diameter,
        max_shear: diameter,
        angle: 0.5 * shear.atan2(strain_y - strain_z),
    }
}

/// The strain tensor of a vector `xx, yy, zz, xy, yz, zx` with engineering shear.
pub fn tensor(strain: &Vector6<f64>) -> Matrix3<f64> {
    let [xx, yy, zz, xy, yz, zx] = [0, 1, 2, 3, 4, 5].map(|i| strain[i]);
    Matrix3::new(xx, 0.5 * xy, 0.5 * zx, 0.5 * xy, yy, 0.5 * yz, 0.5 * zx, 0.5 * yz, zz)
}

/// Principal strains, largest first.
pub fn principal(strain: &Vector6<f64>) -> [f64; 3] {
    let values = SymmetricEigen::new(tensor(strain)).eigenvalues;
    let mut values = [values[0], values[1], values[2]];
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// Largest engineering shear in any plane, `ε₁ - ε₃`.
pub fn max_shear(strain: &Vector6<f64>) -> f64 {
    let [first, _, third] = principal(strain);
    first - third
}

/// Von Mises equivalent strain `√(2/3 e:e)` of the deviator `e`; not the stress divided by a modulus.
pub fn von_mises(strain: &Vector6<f64>) -> f64 {
    let tensor = tensor(strain);
    let deviator = tensor - Matrix3::identity() * (tensor.trace() / 3.0);
    deviator.norm() * SQRT_2 / 3f64.sqrt()
}
