//! Which material each element is made of.

use nalgebra::{Matrix6, Rotation3};

use super::{Material, require, rotated_stiffness};
use crate::error::FemError;
use crate::mesh::TetMesh;

/// Stiffness in global axes and density of every element.
#[derive(Debug, Clone, PartialEq)]
pub struct MaterialField {
    stiffness: Vec<Matrix6<f64>>,
    density: Vec<f64>,
    element_material: Vec<usize>,
}

impl MaterialField {
    /// One material everywhere, local axes = global axes.
    ///
    /// # Errors
    /// When the material is not admissible.
    pub fn uniform(mesh: &TetMesh, material: &Material) -> Result<Self, FemError> {
        Self::uniform_along(mesh, material, &Rotation3::identity())
    }

    /// One material everywhere, with the local axes as the columns of `axes`.
    ///
    /// # Errors
    /// When the material is not admissible.
    pub fn uniform_along(mesh: &TetMesh, material: &Material, axes: &Rotation3<f64>) -> Result<Self, FemError> {
        Self::of(std::iter::once((material, axes)), vec![0; mesh.element_count()])
    }

    /// A material and local axes for every element.
    ///
    /// # Errors
    /// When a list does not have one entry per element, or a material is not admissible.
    pub fn per_element(mesh: &TetMesh, materials: &[Material], axes: &[Rotation3<f64>]) -> Result<Self, FemError> {
        let count = mesh.element_count();
        if materials.len() != count || axes.len() != count {
            return Err(FemError::Mesh(format!(
                "{count} elements need as many materials and axes, not {} and {}",
                materials.len(),
                axes.len()
            )));
        }
        Self::of(materials.iter().zip(axes), (0..count).collect())
    }

    /// Some materials with common local axes, and the number of the material of every element.
    ///
    /// # Errors
    /// When a number is not given for every element, there is no such material, or one is not admissible.
    pub fn grouped(
        mesh: &TetMesh,
        materials: &[Material],
        axes: &Rotation3<f64>,
        element_material: Vec<usize>,
    ) -> Result<Self, FemError> {
        let (count, last) = (mesh.element_count(), materials.len());
        if element_material.len() != count || element_material.iter().any(|&m| m >= last) {
            return Err(FemError::Mesh(format!("{count} elements need as many numbers of materials below {last}")));
        }
        Self::of(materials.iter().zip(std::iter::repeat(axes)), element_material)
    }

    /// Materials in their axes; every number in `element_material` is below their count.
    fn of<'a>(
        materials: impl Iterator<Item = (&'a Material, &'a Rotation3<f64>)>,
        element_material: Vec<usize>,
    ) -> Result<Self, FemError> {
        let mut field = Self { stiffness: Vec::new(), density: Vec::new(), element_material };
        for (material, axes) in materials {
            material.check_density()?;
            field.stiffness.push(rotated_stiffness(&material.elasticity.stiffness()?, axes));
            field.density.push(material.density);
        }
        Ok(field)
    }

    /// Materials by stiffness in global axes \[Pa\] and density \[kg/m³\], and the number of the material of every
    /// element.
    ///
    /// # Errors
    /// When a number is missing or too large, or a stiffness or a density is not positive.
    pub fn of_stiffness(
        mesh: &TetMesh,
        materials: Vec<(Matrix6<f64>, f64)>,
        element_material: Vec<usize>,
    ) -> Result<Self, FemError> {
        let (count, last) = (mesh.element_count(), materials.len());
        if element_material.len() != count || element_material.iter().any(|&m| m >= last) {
            return Err(FemError::Mesh(format!("{count} elements need as many numbers of materials below {last}")));
        }
        for (stiffness, density) in &materials {
            require("density", *density, *density > 0.0, "a density > 0 kg/m³")?;
            let positive = stiffness.cholesky().is_some();
            require("stiffness", stiffness.trace(), positive, "positive strain energy in every state of strain")?;
        }
        let (stiffness, density) = materials.into_iter().unzip();
        Ok(Self { stiffness, density, element_material })
    }

    /// The materials turned with their body: `turn` takes old axes to new ones.
    pub fn turned(&self, turn: &Rotation3<f64>) -> Self {
        let stiffness = self.stiffness.iter().map(|c| rotated_stiffness(c, turn)).collect();
        Self { stiffness, ..self.clone() }
    }

    /// Stiffness \[Pa\] and density \[kg/m³\] of all materials.
    pub fn materials(&self) -> impl Iterator<Item = (&Matrix6<f64>, f64)> {
        self.stiffness.iter().zip(self.density.iter().copied())
    }

    /// The number of the material of every element.
    pub fn element_material(&self) -> &[usize] {
        &self.element_material
    }

    /// The same with all densities scaled so that the mesh weighs `mass` kg.
    ///
    /// # Errors
    /// When the mass is not positive and finite.
    pub fn weighing(mut self, mesh: &TetMesh, mass: f64) -> Result<Self, FemError> {
        require("mass", mass, mass > 0.0 && mass.is_finite(), "mass > 0 kg and finite")?;
        let factor = mass / self.mass(mesh);
        self.density.iter_mut().for_each(|density| *density *= factor);
        Ok(self)
    }

    /// Mass of the mesh, kg.
    pub fn mass(&self, mesh: &TetMesh) -> f64 {
        mesh.volumes().enumerate().map(|(element, volume)| volume * self.density(element)).sum()
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.element_material.len()
    }

    /// Stiffness in global axes, Pa, of an element (which must exist).
    pub fn stiffness(&self, element: usize) -> &Matrix6<f64> {
        &self.stiffness[self.element_material[element]]
    }

    /// Density, kg/m³, of an element (which must exist).
    pub fn density(&self, element: usize) -> f64 {
        self.density[self.element_material[element]]
    }
}
