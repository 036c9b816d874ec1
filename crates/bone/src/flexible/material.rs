//! Materials by name.

use wolff_fem::FemError;
use wolff_fem::material::{Elasticity, Material};

/// Names of the materials, with a description.
pub const MATERIALS: [(&str, &str); 8] = [
    ("cortical", "17/10 GPa along and across, shear 5/3.5 GPa, Poisson 0.3 and 3/7"),
    ("cortical-printed", "the same with 10 and 5 GPa exchanged, as printed: Poisson across -2/7"),
    ("reilly-burstein", "human femur, mechanical tests, 1975"),
    ("ashman", "human femur, ultrasound, 1984, orthotropic"),
    ("rho", "human tibia, ultrasound, 1996, orthotropic"),
    ("trabecular", "ends of long bones as a continuum, 0.49 GPa"),
    ("isotropic", "with `young` and `poisson`"),
    (
        "transversely-isotropic",
        "with `young_axial`, `young_transverse`, `shear_axial`, `poisson_axial` and `poisson_transverse`",
    ),
];

/// Own constants of a transversely isotropic material; axial is along the bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transverse {
    /// Young's modulus along the bone `E_l` \[Pa\].
    pub young_axial: f64,
    /// Young's modulus across `E_t` \[Pa\].
    pub young_transverse: f64,
    /// Shear modulus of planes along the bone `G_l` \[Pa\].
    pub shear_axial: f64,
    /// Contraction across over extension along, under a stress along the bone: `ν_l = ν_lt = ν_tl E_l / E_t`.
    pub poisson_axial: f64,
    /// Poisson's ratio within the plane across `ν_t`.
    pub poisson_transverse: f64,
}

impl Default for Transverse {
    /// Those of the material `cortical`.
    fn default() -> Self {
        Self {
            young_axial: 17e9,
            young_transverse: 10e9,
            shear_axial: 5e9,
            poisson_axial: wolff_fem::material::CORTICAL_POISSON_AXIAL,
            poisson_transverse: 3.0 / 7.0,
        }
    }
}

/// A material by name.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialChoice {
    /// One of [`MATERIALS`].
    pub name: String,
    /// Young's modulus of an isotropic material \[Pa\].
    pub young: f64,
    /// Poisson's ratio of an isotropic material.
    pub poisson: f64,
    /// Constants of a transversely isotropic material.
    pub transverse: Transverse,
    /// Density \[kg/m³\]; `None` keeps that of the material.
    pub density: Option<f64>,
}

impl MaterialChoice {
    /// The named cortical bone.
    pub fn cortical() -> Self {
        let transverse = Transverse::default();
        MaterialChoice { name: "cortical".into(), young: 17e9, poisson: 0.3, transverse, density: None }
    }

    /// The material.
    ///
    /// # Errors
    /// When the name is unknown, or the constants are those of no material: the strain energy must be positive for
    /// every strain.
    pub fn material(&self) -> Result<Material, FemError> {
        let mut material = match self.name.as_str() {
            "cortical" => Material::cortical_bone(),
            "cortical-printed" => Material::cortical_bone_as_printed(),
            "reilly-burstein" => Material::cortical_reilly_burstein(),
            "ashman" => Material::cortical_ashman(),
            "rho" => Material::cortical_rho(),
            "trabecular" => Material::trabecular_bone(),
            "isotropic" => Material {
                elasticity: Elasticity::Isotropic { young: self.young, poisson: self.poisson },
                density: wolff_fem::material::CORTICAL_DENSITY,
            },
            "transversely-isotropic" => Material {
                elasticity: Elasticity::TransverselyIsotropic {
                    young_axial: self.transverse.young_axial,
                    young_transverse: self.transverse.young_transverse,
                    shear_axial: self.transverse.shear_axial,
                    poisson_axial: self.transverse.poisson_axial,
                    poisson_transverse: self.transverse.poisson_transverse,
                },
                density: wolff_fem::material::CORTICAL_DENSITY,
            },
            unknown => {
                let known = MATERIALS.map(|(name, _)| name).join(", ");
                return Err(FemError::Mesh(format!("there is no material `{unknown}`; known: {known}")));
            }
        };
        material.density = self.density.unwrap_or(material.density);
        material.elasticity.check()?;
        Ok(material)
    }
}
