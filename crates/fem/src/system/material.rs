//! Linear elastic materials, and which one each element is made of.
//!
//! Constants are engineering constants in local axes (1, 2, 3); for bone, axis 3 runs along the shaft. Strain and
//! stress are in the order `11, 22, 33, 12, 23, 31` with engineering shear. The compliance of an orthotropic material
//! is
//!
//! ```text
//!     | 1/E1    -ν12/E1  -ν13/E1                  |
//!     | -ν12/E1  1/E2    -ν23/E2                  |       ν_ij = -ε_j / ε_i under stress σ_i
//! S = | -ν13/E1 -ν23/E2   1/E3                    |       ν_ij / E_i = ν_ji / E_j
//!     |                          1/G12            |
//!     |                                1/G23      |
//!     |                                      1/G31|
//! ```
//!
//! and the stiffness is its inverse (Cowin 2001, Bone Mechanics Handbook, ch. 6). A material is admissible when S is
//! positive definite: no state of strain may release energy.

mod field;

pub use field::MaterialField;

use nalgebra::{Matrix3, Matrix6, Rotation3, SymmetricEigen, Vector3};

use crate::error::FemError;

/// Elastic constants, Pa and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Elasticity {
    /// The same in all directions.
    Isotropic {
        /// Young's modulus, Pa.
        young: f64,
        /// Poisson's ratio, `-1 < ν < 1/2`.
        poisson: f64,
    },
    /// The same in all directions across axis 3. The transverse shear modulus follows: `G_t = E_t / (2 (1 + ν_t))`.
    TransverselyIsotropic {
        /// Young's modulus along axis 3, Pa.
        young_axial: f64,
        /// Young's modulus across, Pa.
        young_transverse: f64,
        /// Shear modulus of the planes 23 and 31, Pa.
        shear_axial: f64,
        /// `ν_l = -ε_t / ε_l` under axial stress; `ν_l² < (1 - ν_t) E_l / (2 E_t)`.
        poisson_axial: f64,
        /// `ν_t` within the plane 12; `|ν_t| < 1`.
        poisson_transverse: f64,
    },
    /// Three planes of symmetry.
    Orthotropic {
        /// `E1, E2, E3`, Pa.
        young: [f64; 3],
        /// `G12, G23, G31`, Pa.
        shear: [f64; 3],
        /// `ν12, ν23, ν13`; `ν_ij² < E_i / E_j` and the determinant condition.
        poisson: [f64; 3],
    },
}

/// Elasticity and density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Elastic constants in local axes.
    pub elasticity: Elasticity,
    /// Density, kg/m³.
    pub density: f64,
}

/// Density of human femoral cortical bone, kg/m³ (Cowin 2001, Bone Mechanics Handbook, ch. 10: 1.85-2.0 g/cm³).
pub const CORTICAL_DENSITY: f64 = 1900.0;

/// Axial Poisson's ratio given to cortical bone here: strain-gauge ratios on the tibia are 0.31-0.36, ultrasound gives
/// 0.24-0.38; 0.3 is admissible with both sets of moduli below.
pub const CORTICAL_POISSON_AXIAL: f64 = 0.3;

impl Material {
    /// Cortical bone with the moduli as usually quoted for strain studies of the tibia: `E = 17` (axial) and `10`,
    /// `G = 5` (axial) and `3.5` GPa (after Dong and Guo 2004, J. Biomech. 37, 1281-1287).
    ///
    /// Poisson's ratios are not quoted with them. Isotropy across the shaft leaves no choice for the transverse one:
    /// `ν_t = E_t / (2 G_t) - 1 = 3/7`; the axial one is [`CORTICAL_POISSON_AXIAL`] (bound: 0.697).
    pub fn cortical_bone() -> Self {
        Self::cortical(10e9, 5e9)
    }

    /// Cortical bone with 10 and 5 GPa exchanged, as printed in the studies this program reproduces: "17 and 10 GPa
    /// axial, 5 and 3.5 GPa transverse" read as `E_t = 5`, `G_l = 10`, `G_t = 3.5` GPa.
    ///
    /// Then `ν_t = E_t / (2 G_t) - 1 = -2/7`: admissible, but the bone would widen across when pulled across. Kept for
    /// comparison; prefer [`Material::cortical_bone`].
    pub fn cortical_bone_as_printed() -> Self {
        Self::cortical(5e9, 10e9)
    }

    fn cortical(young_transverse: f64, shear_axial: f64) -> Self {
        let elasticity = Elasticity::TransverselyIsotropic {
            young_axial: 17e9,
            young_transverse,
            shear_axial,
            poisson_axial: CORTICAL_POISSON_AXIAL,
            poisson_transverse: young_transverse / (2.0 * 3.5e9) - 1.0,
        };
        Self { elasticity, density: CORTICAL_DENSITY }
    }

    /// Cortical bone of the human femur by tensile, compressive and torsion tests: `E = 17.0` (axial) and `11.5`,
    /// `G = 3.28` GPa (axial), `ν = 0.46` (axial) and `0.58` (transverse).
    ///
    /// Reilly and Burstein 1975, J. Biomech. 8, 393-405. The density is [`CORTICAL_DENSITY`].
    pub fn cortical_reilly_burstein() -> Self {
        let elasticity = Elasticity::TransverselyIsotropic {
            young_axial: 17.0e9,
            young_transverse: 11.5e9,
            shear_axial: 3.28e9,
            poisson_axial: 0.46,
            poisson_transverse: 0.58,
        };
        Self { elasticity, density: CORTICAL_DENSITY }
    }

    /// Cortical bone of the human femur by ultrasound; axis 1 radial, 2 around, 3 along the shaft.
    ///
    /// `E = 12.0, 13.4, 20.0`, `G12, G23, G31 = 4.53, 6.23, 5.61` GPa, `ν12, ν23, ν13 = 0.376, 0.235, 0.222`: Ashman,
    /// Cowin, Van Buskirk and Rice 1984, J. Biomech. 17, 349-361. The density is [`CORTICAL_DENSITY`]. Ultrasound
    /// measures faster than walking strains bone, so moduli are upper values.
    pub fn cortical_ashman() -> Self {
        let elasticity = Elasticity::Orthotropic {
            young: [12.0e9, 13.4e9, 20.0e9],
            shear: [4.53e9, 6.23e9, 5.61e9],
            poisson: [0.376, 0.235, 0.222],
        };
        Self { elasticity, density: CORTICAL_DENSITY }
    }

    /// Cortical bone of the human tibia by ultrasound; axes as for [`Material::cortical_ashman`].
    ///
    /// `E = 11.7, 12.2, 20.7`, `G12, G23, G31 = 4.1, 5.7, 5.17` GPa, `ν12, ν23, ν13 = 0.420, 0.231, 0.237`: Rho 1996,
    /// Ultrasonics 34, 777-783. The density is [`CORTICAL_DENSITY`].
    pub fn cortical_rho() -> Self {
        let elasticity = Elasticity::Orthotropic {
            young: [11.7e9, 12.2e9, 20.7e9],
            shear: [4.1e9, 5.7e9, 5.17e9],
            poisson: [0.420, 0.231, 0.237],
        };
        Self { elasticity, density: CORTICAL_DENSITY }
    }

    /// Trabecular bone of the ends of long bones as a continuum: isotropic, `E = 0.49` GPa, `ν = 0.3`, 1160 kg/m³.
    ///
    /// E is the mean of the proximal tibia, about the same in tension and compression (Røhl et al. 1991, J. Biomech.
    /// 24, 1143-1149); single specimens spread from 0.05 to 1.5 GPa. ν is assumed. The density is chosen: one fifth
    /// bone of 1900, the rest marrow of 980 kg/m³. The modulus of the trabeculae themselves is ten to twenty times
    /// larger (Rho, Ashman and Turner 1993, J. Biomech. 26, 111-119) and must not be used for the continuum.
    pub fn trabecular_bone() -> Self {
        Self { elasticity: Elasticity::Isotropic { young: 0.49e9, poisson: 0.3 }, density: 1160.0 }
    }

    /// Refuses a density that is not positive and finite.
    ///
    /// # Errors
    /// [`FemError::Material`] with the bound.
    pub fn check_density(&self) -> Result<(), FemError> {
        require("density", self.density, self.density > 0.0 && self.density.is_finite(), "density > 0 kg/m³ and finite")
    }
}

impl Elasticity {
    /// Refuses constants whose compliance is not positive definite.
    ///
    /// # Errors
    /// [`FemError::Material`] naming the constant and the bound in numbers.
    pub fn check(&self) -> Result<(), FemError> {
        match *self {
            Self::Isotropic { young, poisson } => {
                require_modulus("Young's modulus", young)?;
                require("Poisson's ratio", poisson, poisson > -1.0 && poisson < 0.5, "-1 < ν < 0.5")
            }
            Self::TransverselyIsotropic {
                young_axial,
                young_transverse,
                shear_axial,
                poisson_axial,
                poisson_transverse,
            } => {
                require_modulus("axial Young's modulus", young_axial)?;
                require_modulus("transverse Young's modulus", young_transverse)?;
                require_modulus("axial shear modulus", shear_axial)?;
                require("transverse Poisson's ratio", poisson_transverse, poisson_transverse.abs() < 1.0, "|ν_t| < 1")?;
                let bound = ((1.0 - poisson_transverse) * young_axial / (2.0 * young_transverse)).sqrt();
                let rule = format!("|ν_l| < √((1 - ν_t) E_l / (2 E_t)) = {bound:.4}");
                require("axial Poisson's ratio", poisson_axial, poisson_axial.abs() < bound, &rule)
            }
            Self::Orthotropic { young, shear, poisson } => check_orthotropic(young, shear, poisson),
        }
    }

    /// The compliance S in local axes, 1/Pa.
    pub fn compliance(&self) -> Matrix6<f64> {
        match *self {
            Self::Isotropic { young, poisson } => {
                let shear = young / (2.0 * (1.0 + poisson));
                compliance([young; 3], [shear; 3], [poisson; 3])
            }
            Self::TransverselyIsotropic {
                young_axial,
                young_transverse,
                shear_axial,
                poisson_axial,
                poisson_transverse,
            } => {
                let shear_transverse = young_transverse / (2.0 * (1.0 + poisson_transverse));
                let poisson_across = poisson_axial * young_transverse / young_axial;
                compliance(
                    [young_transverse, young_transverse, young_axial],
                    [shear_transverse, shear_axial, shear_axial],
                    [poisson_transverse, poisson_across, poisson_across],
                )
            }
            Self::Orthotropic { young, shear, poisson } => compliance(young, shear, poisson),
        }
    }

    /// The stiffness `D = S⁻¹` in local axes, Pa.
    ///
    /// # Errors
    /// When the constants are not admissible.
    pub fn stiffness(&self) -> Result<Matrix6<f64>, FemError> {
        self.check()?;
        let d = self.compliance().cholesky().map(|factor| factor.inverse());
        d.ok_or_else(|| FemError::LinearAlgebra(format!("the compliance of {self:?} cannot be inverted")))
    }
}

fn compliance(e: [f64; 3], g: [f64; 3], [nu12, nu23, nu13]: [f64; 3]) -> Matrix6<f64> {
    let mut s = Matrix6::zeros();
    for i in 0..3 {
        s[(i, i)] = 1.0 / e[i];
        s[(3 + i, 3 + i)] = 1.0 / g[i];
    }
    for (i, j, ratio) in [(0, 1, nu12), (1, 2, nu23), (0, 2, nu13)] {
        s[(i, j)] = -ratio / e[i];
        s[(j, i)] = s[(i, j)];
    }
    s
}

fn check_orthotropic(young: [f64; 3], shear: [f64; 3], poisson: [f64; 3]) -> Result<(), FemError> {
    for (name, value) in ["E1", "E2", "E3"].into_iter().zip(young) {
        require_modulus(name, value)?;
    }
    for (name, value) in ["G12", "G23", "G31"].into_iter().zip(shear) {
        require_modulus(name, value)?;
    }
    for (name, i, j, ratio) in [("ν12", 0, 1, poisson[0]), ("ν23", 1, 2, poisson[1]), ("ν13", 0, 2, poisson[2])] {
        let bound = (young[i] / young[j]).sqrt();
        require(name, ratio, ratio.abs() < bound, &format!("|{name}| < √(E_i / E_j) = {bound:.4}"))?;
    }
    // Scaled to a unit diagonal, the normal block must keep positive eigenvalues.
    let scaled: Matrix3<f64> = {
        let s = compliance(young, shear, poisson);
        Matrix3::from_fn(|i, j| s[(i, j)] * (young[i] * young[j]).sqrt())
    };
    let smallest = SymmetricEigen::new(scaled).eigenvalues.min();
    let rule = "1 - ν12 ν21 - ν23 ν32 - ν31 ν13 - 2 ν21 ν32 ν13 > 0: reduce Poisson's ratios";
    require("smallest scaled eigenvalue of the compliance", smallest, smallest > 1e-12, rule)
}

fn require_modulus(constant: &'static str, value: f64) -> Result<(), FemError> {
    require(constant, value, value > 0.0 && value.is_finite(), "modulus > 0 Pa and finite")
}

fn require(constant: &'static str, value: f64, holds: bool, bound: &str) -> Result<(), FemError> {
    if holds { Ok(()) } else { Err(FemError::Material { constant, value, bound: bound.to_owned() }) }
}

/// Stiffness in global axes, Pa, of a material whose local axes are the columns of `axes` (global components).
///
/// `D = Tᵀ D_local T` with `ε_local = T ε_global`, the strain transformation with engineering shear.
pub fn rotated_stiffness(local: &Matrix6<f64>, axes: &Rotation3<f64>) -> Matrix6<f64> {
    let r = axes.matrix();
    // Tensor pairs in the order of the strain vector.
    const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];
    let t = Matrix6::from_fn(|row, col| {
        let ((a, b), (i, j)) = (PAIRS[row], PAIRS[col]);
        let engineering = if row < 3 { 1.0 } else { 2.0 };
        if i == j {
            engineering * r[(i, a)] * r[(i, b)]
        } else {
            0.5 * engineering * (r[(i, a)] * r[(j, b)] + r[(j, a)] * r[(i, b)])
        }
    });
    t.transpose() * local * t
}

/// Local axes whose third is along `axis`; the turn about it is arbitrary, which suits transverse isotropy.
///
/// # Errors
/// When `axis` has no direction.
pub fn axes_along(axis: &Vector3<f64>) -> Result<Rotation3<f64>, FemError> {
    let axis = axis.try_normalize(0.0).filter(|a| a.iter().all(|c| c.is_finite()));
    let axis = axis.ok_or_else(|| FemError::NonFinite("the direction of a material axis of zero length".into()))?;
    let half_turn = Rotation3::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
    Ok(Rotation3::rotation_between(&Vector3::z(), &axis).unwrap_or(half_turn))
}
