//! A bar of bone, clamped at one end, carries 50 N across its other end. What does a strain gauge in its middle read?
//!
//! Beam theory: bending moment `M = F L/2`, strain `ε = M c / (E I)` on the surface at `c = w/2` with `I = w⁴/12`.

use nalgebra::Vector3;
use wolff::fem::assembly::assemble;
use wolff::fem::dofs::Constraints;
use wolff::fem::gauge::{GaugePlace, GaugeSite, GaugeSpec};
use wolff::fem::generate::bar;
use wolff::fem::locate::Locator;
use wolff::fem::material::{Elasticity, Material, MaterialField};
use wolff::fem::recovery::Recovery;
use wolff::fem::solve::{Loads, Statics};
use wolff::fem::{ElementKind, FemError};

pub(crate) fn main() -> Result<(), FemError> {
    let (width, length, force, young) = (0.01, 0.2, 50.0, 17e9);
    let mesh = bar(ElementKind::Tet10, width, length, 4, 40)?;
    let material = Material { elasticity: Elasticity::Isotropic { young, poisson: 0.3 }, density: 1900.0 };
    let materials = MaterialField::uniform(&mesh, &material)?;
    let system = assemble(&mesh, &materials)?;

    // the free end is a rigid interface that carries the force
    let held = Constraints::default().clamp(mesh.node_set("start")?);
    let held = held.tie("tip", Vector3::new(0.0, 0.0, length), mesh.node_set("end")?);
    let mut loads = Loads::none(&mesh, 1);
    loads.interface[0] = [force, 0.0, 0.0, 0.0, 0.0, 0.0];
    let answer = Statics::new(&mesh, &system, &held)?.solve(&loads)?;

    // the gauge lies on the side that the force stretches, along the bar
    let point = Vector3::new(-0.5 * width, 0.0, 0.5 * length);
    let place = GaugePlace::Point { point, tolerance: 1e-6 };
    let spec = GaugeSpec { name: "middle".into(), place, along: Vector3::z() };
    let gauge = GaugeSite::place(&spec, &Recovery::new(&mesh), &Locator::new(&mesh)?, &materials)?;
    let strain = gauge.strain(&answer.displacement)[0];

    let beam = force * 0.5 * length * 0.5 * width / (young * width.powi(4) / 12.0);
    println!("strain {:.1} microstrain, of a beam {:.1}", 1e6 * strain, 1e6 * beam);
    assert!((strain / beam - 1.0).abs() < 0.005);
    Ok(())
}
