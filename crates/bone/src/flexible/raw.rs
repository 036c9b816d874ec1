//! The modes of a reduction before they are made orthonormal: the fixed-interface modes, and the constraint modes, each
//! the static shape for a unit displacement or rotation of one interface while the others are held.

use super::Recipe;
use crate::BoneError;
use std::f64::consts::TAU;
use wolff_fem::TetMesh;
use wolff_fem::assembly::assemble;
use wolff_fem::craig_bampton::craig_bampton;
use wolff_fem::material::MaterialField;
use wolff_fem::modes::ModeOptions;
use wolff_fem::reduction::surface_of_shapes;
use wolff_flexbody::Surface;

/// Unit motions of an interface, in the order of its coordinates.
const MOTIONS: [&str; 6] =
    ["displacement x", "displacement y", "displacement z", "rotation x", "rotation y", "rotation z"];

/// One mode.
#[derive(Clone, Debug, PartialEq)]
pub struct RawMode {
    /// What it is.
    pub name: String,
    /// Its frequency with all interfaces held \[Hz\]; none of a constraint mode, which is static.
    pub frequency: Option<f64>,
}

/// The modes, fixed-interface modes first, and their shapes on the surface.
#[derive(Clone, Debug)]
pub struct RawModes {
    /// The modes in the order of the columns of the surface.
    pub modes: Vec<RawMode>,
    /// The surface.
    pub surface: Surface,
}

impl Recipe {
    /// The fixed-interface and constraint modes of the interfaces; points and inertia relief add none.
    ///
    /// # Errors
    /// Without interfaces, or as [`Recipe::reduce`].
    pub fn raw_modes(&self, mesh: &TetMesh, materials: &MaterialField) -> Result<RawModes, BoneError> {
        let interfaces = self.constraints(mesh)?;
        let system = assemble(mesh, materials)?;
        let reduced = craig_bampton(mesh, &system, &interfaces, self.solver.fixed_modes, &ModeOptions::default())?;
        let fixed = reduced.fixed_interface.iter().enumerate();
        let mut modes: Vec<RawMode> = fixed
            .map(|(i, lambda)| RawMode {
                name: format!("fixed interfaces, mode {}", i + 1),
                frequency: Some(lambda.max(0.0).sqrt() / TAU),
            })
            .collect();
        let constraint = |name: &str, motion: &str| RawMode { name: format!("{name}, {motion}"), frequency: None };
        for (name, _) in interfaces.references() {
            modes.extend(MOTIONS.iter().map(|motion| constraint(name, motion)));
        }
        let surface = surface_of_shapes(mesh, reduced.basis.as_ref())?;
        Ok(RawModes { modes, surface })
    }
}
