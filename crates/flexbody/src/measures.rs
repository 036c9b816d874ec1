//! Measures of a state of strain or stress, and their rates.
//!
//! Strain and stress are vectors `xx, yy, zz, xy, yz, zx`; shear strain is engineering shear. At a gauge, x lies in the
//! surface along the bone, y in the surface across it, z along the outward normal; the two in-plane normal strains and
//! the shear are what a rosette of strain gauges tells. Studies of the tibia call the same plane YZ, so that their
//! `ε_y, ε_z, γ_yz` are the `xx, yy, xy` of here.
//!
//! A rate is the derivative to the right, `lim (m(ε + h ε̇) - m(ε)) / h` for `h ↓ 0`. It exists everywhere, also where
//! principal strains are equal or an equivalent strain is zero and the two-sided derivative does not.

use nalgebra::{Matrix3, SymmetricEigen, Vector6};

/// Relative distance under which two principal strains count as one: their directions are rounding.
const EQUAL: f64 = 1e-10;

/// Principal strains in the plane of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaneStrain {
    /// Larger principal strain `ε₁`.
    pub first: f64,
    /// Smaller principal strain `ε₂`.
    pub second: f64,
    /// Largest engineering shear in the plane, `ε₁ - ε₂`.
    pub max_shear: f64,
    /// Direction of the larger one from x (along the bone) towards y, rad, in (-π/2, π/2]; 0 where all directions are
    /// alike.
    pub angle: f64,
}

/// Principal strains in a plane, with engineering shear γ:
///
/// ```text
/// ε₁,₂ = (ε_x + ε_y)/2 ± √((ε_x - ε_y)² + γ²)/2        γ_max = ε₁ - ε₂        tan 2θ = γ / (ε_x - ε_y)
/// ```
///
/// These are equations 4.15 and 4.16 of the studies of tibial strain (there with the axes y, z).
pub fn in_plane(strain_x: f64, strain_y: f64, shear: f64) -> PlaneStrain {
    let diameter = (strain_x - strain_y).hypot(shear);
    let centre = 0.5 * (strain_x + strain_y);
    PlaneStrain {
        first: centre + 0.5 * diameter,
        second: centre - 0.5 * diameter,
        max_shear: diameter,
        angle: 0.5 * shear.atan2(strain_x - strain_y),
    }
}

/// Rates of [`in_plane`] for the strain `[ε_x, ε_y, γ]` and its rate.
///
/// With `d = ε_x - ε_y` and the diameter `D = √(d² + γ²)`: `Ḋ = (d ḋ + γ γ̇)/D`, and `√(ḋ² + γ̇²)` where `D = 0`;
/// `θ̇ = (d γ̇ - γ ḋ)/(2 D²)`, 0 where `D = 0`.
pub fn in_plane_rate([x, y, shear]: [f64; 3], [x_rate, y_rate, shear_rate]: [f64; 3]) -> PlaneStrain {
    let (d, d_rate) = (x - y, x_rate - y_rate);
    let diameter = d.hypot(shear);
    let (cos, sin) = if diameter > 0.0 { (d / diameter, shear / diameter) } else { (0.0, 0.0) };
    let diameter_rate = if diameter > 0.0 { cos * d_rate + sin * shear_rate } else { d_rate.hypot(shear_rate) };
    let centre_rate = 0.5 * (x_rate + y_rate);
    PlaneStrain {
        first: centre_rate + 0.5 * diameter_rate,
        second: centre_rate - 0.5 * diameter_rate,
        max_shear: diameter_rate,
        angle: if diameter > 0.0 { (cos * shear_rate - sin * d_rate) / (2.0 * diameter) } else { 0.0 },
    }
}

/// What the three grids of a rectangular rosette read: at 0, 45 and 90 degrees from x towards y.
pub fn rosette(strain_x: f64, strain_y: f64, shear: f64) -> [f64; 3] {
    [strain_x, 0.5 * (strain_x + strain_y + shear), strain_y]
}

/// `[ε_x, ε_y, γ]` from the three grids: the inverse of [`rosette`].
pub fn from_rosette([at_0, at_45, at_90]: [f64; 3]) -> [f64; 3] {
    [at_0, at_90, 2.0 * at_45 - at_0 - at_90]
}

/// The strain tensor of a vector `xx, yy, zz, xy, yz, zx` with engineering shear.
pub fn tensor(strain: &Vector6<f64>) -> Matrix3<f64> {
    let [xx, yy, zz, xy, yz, zx] = [0, 1, 2, 3, 4, 5].map(|i| strain[i]);
    Matrix3::new(xx, 0.5 * xy, 0.5 * zx, 0.5 * xy, yy, 0.5 * yz, 0.5 * zx, 0.5 * yz, zz)
}

/// The strain in axes that are the columns of `axes`: `εₗ = Rᵀ ε R`.
pub fn rotated(strain: &Vector6<f64>, axes: &Matrix3<f64>) -> Vector6<f64> {
    let e = axes.transpose() * tensor(strain) * axes;
    Vector6::new(e[(0, 0)], e[(1, 1)], e[(2, 2)], 2.0 * e[(0, 1)], 2.0 * e[(1, 2)], 2.0 * e[(2, 0)])
}

/// Principal strains, largest first.
pub fn principal(strain: &Vector6<f64>) -> [f64; 3] {
    let values = SymmetricEigen::new(tensor(strain)).eigenvalues;
    descending([values[0], values[1], values[2]])
}

/// Rates of [`principal`]: `vᵀ ε̇ v` for a simple principal strain with direction `v`; the eigenvalues of `Vᵀ ε̇ V` for
/// equal ones with directions `V` (Magnus 1985, Econometric Theory 1, 179-191; Lancaster 1964, Numer. Math. 6,
/// 377-387).
pub fn principal_rate(strain: &Vector6<f64>, rate: &Vector6<f64>) -> [f64; 3] {
    let eigen = SymmetricEigen::new(tensor(strain));
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[j].total_cmp(&eigen.eigenvalues[i]));
    let value = |k: usize| eigen.eigenvalues[order[k]];
    let directions = Matrix3::from_fn(|i, k| eigen.eigenvectors[(i, order[k])]);
    let turned = directions.transpose() * tensor(rate) * directions;
    let near = EQUAL * value(0).abs().max(value(2).abs());
    match (value(0) - value(1) <= near, value(1) - value(2) <= near) {
        (false, false) => [turned[(0, 0)], turned[(1, 1)], turned[(2, 2)]],
        (true, false) => {
            let [first, second] = eigenvalues_2(&turned, 0, 1);
            [first, second, turned[(2, 2)]]
        }
        (false, true) => {
            let [second, third] = eigenvalues_2(&turned, 1, 2);
            [turned[(0, 0)], second, third]
        }
        (true, true) => principal(rate),
    }
}

/// Eigenvalues of the rows and columns `i, j` of a symmetric matrix, larger first.
fn eigenvalues_2(a: &Matrix3<f64>, i: usize, j: usize) -> [f64; 2] {
    let plane = in_plane(a[(i, i)], a[(j, j)], 2.0 * a[(i, j)]);
    [plane.first, plane.second]
}

fn descending(mut values: [f64; 3]) -> [f64; 3] {
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
    (2.0f64 / 3.0).sqrt() * deviator(&tensor(strain)).norm()
}

/// Rate of [`von_mises`].
pub fn von_mises_rate(strain: &Vector6<f64>, rate: &Vector6<f64>) -> f64 {
    (2.0f64 / 3.0).sqrt() * norm_rate(&deviator(&tensor(strain)), &deviator(&tensor(rate)))
}

/// Von Mises stress `√(3/2 s:s)` of the deviator `s` \[Pa\].
pub fn von_mises_stress(stress: &Vector6<f64>) -> f64 {
    1.5f64.sqrt() * deviator(&stress_tensor(stress)).norm()
}

/// Rate of [`von_mises_stress`] \[Pa/s\].
pub fn von_mises_stress_rate(stress: &Vector6<f64>, rate: &Vector6<f64>) -> f64 {
    1.5f64.sqrt() * norm_rate(&deviator(&stress_tensor(stress)), &deviator(&stress_tensor(rate)))
}

fn deviator(a: &Matrix3<f64>) -> Matrix3<f64> {
    a - Matrix3::identity() * (a.trace() / 3.0)
}

/// Derivative of `‖a‖`: `a:ȧ / ‖a‖`, or `‖ȧ‖` at zero.
fn norm_rate(a: &Matrix3<f64>, rate: &Matrix3<f64>) -> f64 {
    let norm = a.norm();
    if norm > 0.0 { a.dot(rate) / norm } else { rate.norm() }
}

/// The stress tensor of a vector `xx, yy, zz, xy, yz, zx`.
fn stress_tensor(stress: &Vector6<f64>) -> Matrix3<f64> {
    let [xx, yy, zz, xy, yz, zx] = [0, 1, 2, 3, 4, 5].map(|i| stress[i]);
    Matrix3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz)
}
