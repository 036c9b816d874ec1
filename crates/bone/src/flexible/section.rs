//! Stiffness of the sections of a solid, each element with its own material.

use nalgebra::{Matrix2, Matrix3, Rotation3, Vector2, Vector3};
use wolff_fem::material::rotated_stiffness;
use wolff_fem::section::section_properties;
use wolff_fem::{FemError, TetMesh};
use wolff_spatial::{Mat3, Vec3};

use super::placed::Placed;

/// Shear coefficient of thin round tubes: with Poisson's ratio 0.3 Cowper 1966 (J. Appl. Mech. 33, 335-340) has
/// `2 (1 + ν)/(4 + 3 ν) = 0.53` and the theory of thin tubes 0.5. Solid sections have 0.85-0.89: their shear
/// stiffness is underestimated.
pub const SHEAR_COEFFICIENT: f64 = 0.55;

/// Distance between the nominal station and the cutting plane [m]: through a layer of nodes, rounding would decide
/// whether the elements on both sides are cut or none.
const BESIDE: f64 = 1e-7;

/// A section across the direction `e`, with `u × v = e`.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionStiffness {
    /// Columns u, v, e.
    pub axes: Mat3,
    /// Centroid weighted with Young's modulus \[m\].
    pub centroid: Vec3,
    /// `∫ E dA` \[N\].
    pub axial: f64,
    /// `∫ E [u², uv; uv, v²] dA` about the centroid \[N m²\].
    pub bending: Matrix2<f64>,
    /// `κ ∫ G dA` \[N\], κ of [`SHEAR_COEFFICIENT`].
    pub shear: f64,
    /// `∫ G (u² + v²) dA` [N m²]: the torsion stiffness of round sections, an upper bound of others.
    pub torsion: f64,
}

/// Unit vectors u, v, e as columns.
pub(crate) fn axes_across(e: &Vec3) -> Mat3 {
    // the axis of the mesh furthest from e
    let first = Vec3::ith(e.iamin(), 1.0);
    let u = (first - e * e.dot(&first)).normalize();
    Mat3::from_columns(&[u, e.cross(&u), *e])
}

impl SectionStiffness {
    /// Cuts the solid by the plane `e · x = station`.
    ///
    /// Every element is cut for itself (curved faces as in [`wolff_fem::section`]) and weighted with Young's modulus
    /// `E` along `e` and the mean `G` of the two shear moduli that turn `e`, so that cortical and trabecular bone
    /// count with their own stiffness.
    ///
    /// # Errors
    /// When the plane misses the solid.
    pub fn cut(solid: &Placed, axes: &Mat3, station: f64) -> Result<Self, FemError> {
        let [u, v, e] = [0, 1, 2].map(|k| axes.column(k).into_owned());
        let height = station + BESIDE;
        let point = e * height;
        let mut sums = Sums::default();
        for element in 0..solid.mesh.element_count() {
            let x = solid.corners(element);
            let heights = x.iter().map(|x| e.dot(x) - height);
            let (low, high) = heights.fold((f64::MAX, f64::MIN), |(l, h), d| (l.min(d), h.max(d)));
            if low >= 0.0 || high <= 0.0 {
                continue;
            }
            let count = x.len();
            let alone = TetMesh::new(solid.mesh.kind(), x, (0..count).collect())?;
            // a plane that only touches cuts nothing
            let Ok(part) = section_properties(&alone, &point, [u, v]) else { continue };
            let (young, shear) = moduli(solid, element, axes)?;
            let c = Vector2::new(u.dot(&part.centroid), v.dot(&part.centroid));
            let second = part.second_moments + c * c.transpose() * part.area;
            sums.add(part.area, c, second, young, shear);
        }
        sums.stiffness(axes, station)
    }
}

/// Integrals about the mesh's origin: weighted with `E` and with `G`.
#[derive(Default)]
struct Sums {
    axial: f64,
    first: Vector2<f64>,
    second: Matrix2<f64>,
    shear: f64,
    shear_first: Vector2<f64>,
    shear_polar: f64,
}

impl Sums {
    fn add(&mut self, area: f64, c: Vector2<f64>, second: Matrix2<f64>, young: f64, shear: f64) {
        self.axial += young * area;
        self.first += c * (young * area);
        self.second += second * young;
        self.shear += shear * area;
        self.shear_first += c * (shear * area);
        self.shear_polar += shear * second.trace();
    }

    fn stiffness(&self, axes: &Mat3, station: f64) -> Result<SectionStiffness, FemError> {
        if !(self.axial > 0.0) {
            return Err(FemError::Mesh(format!("the plane at {station} m along the axis cuts nothing from the solid")));
        }
        let c = self.first / self.axial;
        // polar moment about the same centroid
        let polar = self.shear_polar - 2.0 * c.dot(&self.shear_first) + c.norm_squared() * self.shear;
        Ok(SectionStiffness {
            axes: *axes,
            centroid: axes * Vec3::new(c.x, c.y, station),
            axial: self.axial,
            bending: self.second - c * c.transpose() * self.axial,
            shear: SHEAR_COEFFICIENT * self.shear,
            torsion: polar,
        })
    }
}

/// Young's modulus along the third of the axes and the mean of the shear moduli that turn it \[Pa\].
fn moduli(solid: &Placed, element: usize, axes: &Matrix3<f64>) -> Result<(f64, f64), FemError> {
    let turned = Rotation3::from_matrix_unchecked(axes.transpose());
    let stiffness = rotated_stiffness(solid.materials.stiffness(element), &turned);
    let compliance = stiffness
        .try_inverse()
        .ok_or_else(|| FemError::Mesh(format!("the elasticity of element {element} has no inverse")))?;
    Ok((1.0 / compliance[(2, 2)], 0.5 * (1.0 / compliance[(4, 4)] + 1.0 / compliance[(5, 5)])))
}

impl SectionStiffness {
    /// Curvatures `(κ_u, κ_v)` from moments: `∫ E [v², -uv; -uv, u²] dA`.
    pub fn moment_matrix(&self) -> Matrix2<f64> {
        let b = &self.bending;
        Matrix2::new(b[(1, 1)], -b[(0, 1)], -b[(0, 1)], b[(0, 0)])
    }

    /// Place of a point in the section, from the centroid along u and v.
    pub fn offset(&self, point: &Vector3<f64>) -> Vector2<f64> {
        let r = self.axes.tr_mul(&(point - self.centroid));
        Vector2::new(r.x, r.y)
    }
}
