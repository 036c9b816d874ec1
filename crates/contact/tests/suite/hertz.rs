//! Hertzian stiffness.

use crate::support::close;
use wolff_contact::hertz::{Material, sphere_plane_stiffness, sphere_sphere_stiffness};

#[test]
fn published_spheres() {
    // two spheres of 20 mm; independent reference values for aluminium and steel
    for (young, poisson, expected) in [(70e9, 0.33, 5236973029.588898), (207e9, 0.3, 15164835164.835165)] {
        let material = Material::new(young, poisson).unwrap();
        let stiffness = sphere_sphere_stiffness((0.02, &material), (0.02, &material)).unwrap();
        close(stiffness, expected, 1e-14, "stiffness");
    }
    // the 5.5e9 N/m^1.5 used with the colliding spheres belongs to E of about 73.5 GPa
    let material = Material::new(73.5e9, 0.33).unwrap();
    close(sphere_sphere_stiffness((0.02, &material), (0.02, &material)).unwrap(), 5.5e9, 2e-3, "published K");
}

#[test]
fn plane_is_a_very_large_sphere_and_a_very_large_cavity() {
    let (bone, steel) = (Material::new(17e9, 0.3).unwrap(), Material::new(207e9, 0.29).unwrap());
    let plane = sphere_plane_stiffness(0.013, &bone, &steel).unwrap();
    // the next term of the expansion is R_i/(2 R_j) = 6.5e-10
    for huge in [1e7, -1e7] {
        close(sphere_sphere_stiffness((0.013, &bone), (huge, &steel)).unwrap(), plane, 1e-9, "limit");
    }
}

#[test]
fn cavity_is_stiffer_than_plane_and_plane_than_sphere() {
    let material = Material::new(1e9, 0.4).unwrap();
    let cavity = sphere_sphere_stiffness((0.02, &material), (-0.03, &material)).unwrap();
    let plane = sphere_plane_stiffness(0.02, &material, &material).unwrap();
    let sphere = sphere_sphere_stiffness((0.02, &material), (0.03, &material)).unwrap();
    assert!(cavity > plane && plane > sphere);
    // R_i R_j/(R_i + R_j) with signs: 0.06 m and 0.012 m
    close(cavity / plane, (0.06_f64 / 0.02).sqrt(), 1e-14, "cavity");
    close(sphere / plane, (0.012_f64 / 0.02).sqrt(), 1e-14, "sphere");
}

#[test]
fn nonsense_is_refused_by_name() {
    for (young, poisson) in [(0.0, 0.3), (-1.0, 0.3), (f64::NAN, 0.3), (1e9, 0.51), (1e9, -1.0), (1e9, f64::NAN)] {
        assert!(Material::new(young, poisson).is_err(), "E = {young}, ν = {poisson}");
    }
    let material = Material::new(1e9, 0.5).unwrap();
    for (a, b) in [(0.02, -0.02), (0.02, -0.01), (-0.02, -0.03), (0.0, 0.1), (f64::NAN, 0.1)] {
        assert!(sphere_sphere_stiffness((a, &material), (b, &material)).is_err(), "{a}, {b}");
    }
    let message = sphere_sphere_stiffness((0.02, &material), (-0.01, &material)).unwrap_err().to_string();
    assert!(message.contains("larger than the sphere"), "{message}");
    assert!(sphere_plane_stiffness(-0.1, &material, &material).is_err());
}
