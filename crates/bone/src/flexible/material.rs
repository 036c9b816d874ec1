//! Materials by name.

use wolff_fem::FemError;
use wolff_fem::material::{Elasticity, Material};

/// Names of the materials, with a description.
pub const MATERIALS: [(&str, &str); 7] = [
    ("cortical", "17/10 GPa along and across, shear 5/3.5 GPa, Poisson 0.3 and 3/7"),
    ("cortical-printed", "the same with 10 and 5 GPa exchanged, as printed: Poisson across -2/7"),
    ("reilly-burstein", "human femur, mechanical tests, 1975"),
    ("ashman", "human femur, ultrasound, 1984, orthotropic"),
    ("rho", "human tibia, ultrasound, 1996, orthotropic"),
    ("trabecular", "ends of long bones as a continuum, 0.49 GPa"),
    ("isotropic", "with `young` and `poisson`"),
];

/// A material by name.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialChoice {
    /// One of [`MATERIALS`].
    pub name: String,
    /// Young's modulus of an isotropic material \[Pa\].
    pub young: f64,
    /// Poisson's ratio of an isotropic material.
    pub poisson: f64,
    /// Density \[kg/m³\]; `None` keeps that of the material.
    pub density: Option<f64>,
}

impl MaterialChoice {
    /// The named cortical bone.
    pub fn cortical() -> Self {
        MaterialChoice { name: "cortical".into(), young: 17e9, poisson: 0.3, density: None }
    }

    /// The material.
    ///
    /// # Errors
    /// When the name is unknown.
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
            unknown => {
                let known = MATERIALS.map(|(name, _)| name).join(", ");
                return Err(FemError::Mesh(format!("there is no material `{unknown}`; known: {known}")));
            }
        };
        material.density = self.density.unwrap_or(material.density);
        Ok(material)
    }
}
