//! Materials for finite elements from the tissue of elements.

use nalgebra::Rotation3;
use wolff_fem::TetMesh;
use wolff_fem::material::{Elasticity, Material, MaterialField};

use crate::DensityError;
use crate::mapped::{MARROW_DENSITY, Mapped, TISSUE_DENSITY};

/// How the modulus of the scan becomes elastic constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Symmetry {
    /// The same in all directions.
    Isotropic {
        /// Poisson's ratio.
        poisson: f64,
    },
    /// A known material whose moduli are scaled, all by the same factor, so that the one along its axis 3 is that of
    /// the scan.
    Scaled {
        /// The material.
        pattern: Elasticity,
        /// Its axes as columns, in the frame of the mesh; the third runs along the bone.
        axes: Rotation3<f64>,
    },
}

/// What fills the pores, for the mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pores {
    /// Nothing: dry bone.
    Empty,
    /// Marrow, as in the living: `ρ = ρ_app + (1 - ρ_app/ρ_tissue) ρ_marrow`.
    Marrow,
}

/// How tissue becomes materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialOptions {
    /// Directions.
    pub symmetry: Symmetry,
    /// Mass of the pores.
    pub pores: Pores,
    /// At most so many different materials; nothing for one per element.
    pub classes: Option<usize>,
}

impl Default for MaterialOptions {
    /// Isotropic with Poisson's ratio 0.3, marrow in the pores, one material per element.
    fn default() -> Self {
        Self { symmetry: Symmetry::Isotropic { poisson: 0.3 }, pores: Pores::Marrow, classes: None }
    }
}

/// The materials of a mesh and what grouping cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Materials {
    /// For assembly, reduction and recovery.
    pub field: MaterialField,
    /// Class of every element.
    pub class: Vec<usize>,
    /// Modulus, Pa, and density, kg/m³, of every class.
    pub classes: Vec<(f64, f64)>,
    /// Largest relative change of a modulus by grouping.
    pub largest_change: f64,
}

impl Mapped {
    /// The materials of the mesh this was made for.
    ///
    /// With a number of classes the range of moduli is divided into so many parts of equal ratio; a class has the mean
    /// modulus and density of its volume, so that grouping changes no mass.
    ///
    /// # Errors
    /// When the mesh has another number of elements, no class is asked for, or constants are not admissible.
    pub fn materials(&self, mesh: &TetMesh, options: &MaterialOptions) -> Result<Materials, DensityError> {
        let count = self.elements.len();
        if mesh.element_count() != count {
            return Err(DensityError::invalid(
                "materials from a scan",
                format!("they are for {count} elements, the mesh has {}; map this mesh", mesh.element_count()),
            ));
        }
        let class = match options.classes {
            None => (0..count).collect(),
            Some(0) => return Err(DensityError::invalid("materials from a scan", "0 classes; give at least one")),
            Some(most) => self.grouped(most),
        };
        let classes = self.class_means(&class, options.pores);
        let change = |(e, &c): (&crate::ElementTissue, &usize)| (classes[c].0 / e.modulus - 1.0).abs();
        let largest_change = self.elements.iter().zip(&class).map(change).fold(0.0, f64::max);
        let materials: Vec<Material> = classes.iter().map(|&(e, rho)| material(e, rho, &options.symmetry)).collect();
        let axes = match options.symmetry {
            Symmetry::Isotropic { .. } => Rotation3::identity(),
            Symmetry::Scaled { axes, .. } => axes,
        };
        let field = MaterialField::grouped(mesh, &materials, &axes, class.clone())?;
        Ok(Materials { field, class, classes, largest_change })
    }

    /// Density of the living tissue, kg/m³.
    fn density(&self, apparent: f64, pores: Pores) -> f64 {
        let marrow = match pores {
            Pores::Empty => 0.0,
            Pores::Marrow => (1.0 - apparent / TISSUE_DENSITY).max(0.0) * MARROW_DENSITY,
        };
        // an element of nothing would make the mass matrix singular
        (apparent + marrow).max(1.0)
    }

    fn grouped(&self, most: usize) -> Vec<usize> {
        let log = |e: &crate::ElementTissue| e.modulus.ln();
        let low = self.elements.iter().map(log).fold(f64::INFINITY, f64::min);
        let high = self.elements.iter().map(log).fold(f64::NEG_INFINITY, f64::max);
        let width = (high - low) / most as f64;
        let bin = |e| if width > 0.0 { (((log(e) - low) / width) as usize).min(most - 1) } else { 0 };
        let bins: Vec<usize> = self.elements.iter().map(bin).collect();
        // number only the classes that have an element
        let mut number = vec![usize::MAX; most];
        let mut used: Vec<usize> = bins.clone();
        used.sort_unstable();
        used.dedup();
        for (new, &old) in used.iter().enumerate() {
            number[old] = new;
        }
        bins.into_iter().map(|old| number[old]).collect()
    }

    fn class_means(&self, class: &[usize], pores: Pores) -> Vec<(f64, f64)> {
        let count = class.iter().max().map_or(0, |last| last + 1);
        let mut sums = vec![(0.0, 0.0, 0.0); count];
        for ((e, &volume), &c) in self.elements.iter().zip(&self.volumes).zip(class) {
            let sum = &mut sums[c];
            sum.0 += volume;
            sum.1 += volume * e.modulus;
            sum.2 += volume * self.density(e.apparent_density, pores);
        }
        sums.into_iter().map(|(volume, e, rho)| (e / volume, rho / volume)).collect()
    }
}

fn material(modulus: f64, density: f64, symmetry: &Symmetry) -> Material {
    let elasticity = match symmetry {
        Symmetry::Isotropic { poisson } => Elasticity::Isotropic { young: modulus, poisson: *poisson },
        Symmetry::Scaled { pattern, .. } => scaled(pattern, modulus),
    };
    Material { elasticity, density }
}

/// All moduli by the factor that makes the one along axis 3 this one.
fn scaled(pattern: &Elasticity, modulus: f64) -> Elasticity {
    match *pattern {
        Elasticity::Isotropic { poisson, .. } => Elasticity::Isotropic { young: modulus, poisson },
        Elasticity::TransverselyIsotropic {
            young_axial,
            young_transverse,
            shear_axial,
            poisson_axial,
            poisson_transverse,
        } => Elasticity::TransverselyIsotropic {
            young_axial: modulus,
            young_transverse: young_transverse * modulus / young_axial,
            shear_axial: shear_axial * modulus / young_axial,
            poisson_axial,
            poisson_transverse,
        },
        Elasticity::Orthotropic { young, shear, poisson } => {
            let factor = modulus / young[2];
            Elasticity::Orthotropic { young: young.map(|e| e * factor), shear: shear.map(|g| g * factor), poisson }
        }
    }
}
