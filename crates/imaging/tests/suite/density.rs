//! Tests of density and mass on a shell of known mass.

use wolff_density::DensityKind;
use wolff_imaging::cortex::{CortexOptions, cortex};
use wolff_imaging::density::{Calibration, DensityField, DensityOptions};
use wolff_imaging::segment::{BoneOptions, bone};
use wolff_spatial::Vec3;

use crate::phantom::SHELL;

#[test]
fn mass_is_right_in_two_ways_and_densities_step_at_the_surfaces() {
    let image = SHELL.image();
    let bone = bone(&image, &BoneOptions::default()).unwrap();
    let cortex = cortex(&image, &bone, &CortexOptions::default()).unwrap();
    let calibration = Calibration::parse("0.02,0.001").unwrap();
    let field = DensityField::new(&image, &bone, cortex, &calibration, &DensityOptions::default()).unwrap();
    let ball = |r: f64| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    let inside = ball(SHELL.radius - SHELL.thickness);
    let exact = 1420.0 * (ball(SHELL.radius) - inside) + 320.0 * inside;
    let mass = field.mass();
    assert!((mass.total / exact - 1.0).abs() < 0.02, "{} {exact}", mass.total);
    assert!((mass.by_balance / exact - 1.0).abs() < 0.02, "{} {exact}", mass.by_balance);
    assert!((mass.centre - SHELL.centre()).norm() < 0.1e-3);
    let voxels: f64 = field.to_volume().unwrap().samples().to_f32().iter().map(|&x| f64::from(x)).sum();
    assert!((voxels * image.frame().voxel_volume() / mass.total - 1.0).abs() < 1e-4);
    let along = Vec3::new(0.6, -0.48, 0.64);
    let at = |r: f64| field.at(SHELL.centre() + r * along);
    assert_eq!(at(SHELL.radius + 0.3e-3), 0.0);
    for r in [SHELL.radius - 0.4e-3, SHELL.radius - 1.5e-3] {
        assert!((at(r) / 1420.0 - 1.0).abs() < 0.05, "{}", at(r));
    }
    for r in [0.0, 5e-3, SHELL.radius - SHELL.thickness - 0.5e-3] {
        assert!((at(r) / 320.0 - 1.0).abs() < 0.05, "{}", at(r));
    }
    assert_eq!(field.voxel([usize::MAX; 3]), 0.0);
    let other = image.cropped([1, 0, 0], [9, 9, 9]).unwrap();
    let refused = DensityField::new(&other, &bone, field.cortex().clone(), &calibration, &DensityOptions::default());
    assert!(refused.unwrap_err().to_string().contains("not the one"));
    let ash = Calibration::line(0.02, 0.001, DensityKind::Ash).unwrap();
    let refused = DensityField::new(&image, &bone, field.cortex().clone(), &ash, &DensityOptions::default());
    assert!(refused.unwrap_err().to_string().contains("apparent"));
}
