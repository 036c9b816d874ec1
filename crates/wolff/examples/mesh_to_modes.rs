//! A bar of cortical bone, 10 mm wide and 200 mm long, is clamped at one end. What is its lowest frequency?
//!
//! A slender beam gives `f = 1.8751² / (2π L²) √(E I / (ρ A))`; shear and rotary inertia lower it by less than one per cent here.

use std::f64::consts::TAU;
use wolff::fem::assembly::assemble;
use wolff::fem::dofs::Constraints;
use wolff::fem::generate::bar;
use wolff::fem::material::{Elasticity, Material, MaterialField};
use wolff::fem::modes::{ModeOptions, vibration_modes};
use wolff::fem::{ElementKind, FemError};

pub(crate) fn main() -> Result<(), FemError> {
    let (width, length) = (0.01, 0.2);
    let (young, density) = (17e9, 1900.0);
    let mesh = bar(ElementKind::Tet10, width, length, 2, 20)?;
    let material = Material { elasticity: Elasticity::Isotropic { young, poisson: 0.3 }, density };
    let system = assemble(&mesh, &MaterialField::uniform(&mesh, &material)?)?;
    let clamped = Constraints::default().clamp(mesh.node_set("start")?);
    let modes = vibration_modes(&mesh, &system, &clamped, 2, &ModeOptions::default())?;

    // I/A of a square section is the square of its width over 12
    let slender = 1.875_104_f64.powi(2) / (TAU * length * length) * f64::sqrt(young * width * width / (12.0 * density));
    let found = modes.frequencies()[0];
    println!("lowest frequency {found:.2} Hz, of a slender beam {slender:.2} Hz");

    assert!((found / slender - 1.0).abs() < 0.01);
    Ok(())
}
