//! Tests of the cortex fit on shells with known walls.

use wolff_geometry::{Normals, TriangleSurface};
use wolff_imaging::cortex::model::{fit, normal, value};
use wolff_imaging::cortex::{Cortex, CortexOptions, Profile, Shared, Wall, cortex};
use wolff_imaging::segment::{Bone, BoneOptions, bone};

use crate::phantom::{SHELL, Shell};

fn fitted(shell: &Shell) -> (Bone, Cortex) {
    let image = shell.image();
    let bone = bone(&image, &BoneOptions::default()).unwrap();
    let cortex = cortex(&image, &bone, &CortexOptions::default()).unwrap();
    (bone, cortex)
}

const WALL: Wall =
    Wall { depth: 0.3e-3, thickness: 1.4e-3, outside: 40.0, inside: 350.0, residual: 0.0, is_seen: true };

#[test]
fn the_normal_distribution_is_that_of_tables() {
    for (z, p) in [(0.0, 0.5), (1.0, 0.841344746), (-1.96, 0.024997895), (3.0, 0.998650102)] {
        assert!((normal(z).0 - p).abs() < 1e-7, "{z}");
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let (y1, sigma, s) = (1500.0, 0.8e-3, 0.7e-3);
    let (_, by) = value(&WALL, y1, sigma, s);
    type Change = fn(&mut Wall, f64);
    let steps: [(Change, f64); 4] = [
        (|w, e| w.depth += e, 1e-8),
        (|w, e| w.thickness += e, 1e-8),
        (|w, e| w.outside += e, 1e-2),
        (|w, e| w.inside += e, 1e-2),
    ];
    for (n, (change, e)) in steps.into_iter().enumerate() {
        let at = |e: f64| {
            let mut wall = WALL;
            change(&mut wall, e);
            value(&wall, y1, sigma, s).0
        };
        let slope = (at(e) - at(-e)) / (2.0 * e);
        // the distribution function has errors of 7.5e-8
        assert!((slope - by.own[n]).abs() < 2e-2 * by.own[n].abs().max(1e-3), "{n}: {slope} {}", by.own[n]);
    }
    let by_level = (value(&WALL, y1 + 1.0, sigma, s).0 - value(&WALL, y1 - 1.0, sigma, s).0) / 2.0;
    assert!((by_level - by.shared.x).abs() < 1e-6);
    let e = 1e-8;
    let by_sigma = (value(&WALL, y1, sigma + e, s).0 - value(&WALL, y1, sigma - e, s).0) / (2.0 * e);
    assert!((by_sigma / by.shared.y - 1.0).abs() < 2e-2, "{by_sigma} {}", by.shared.y);
}

#[test]
fn a_perfect_profile_gives_back_its_wall() {
    let shared = Shared { blur: 0.7e-3, cortical: 1500.0 };
    let depths: Vec<f64> = (-12..40).map(|n| n as f64 * 0.25e-3).collect();
    let mut profile = Profile { depths, values: Vec::new(), grid_variance: 0.09e-6 };
    let sigma = shared.deviation(&profile);
    profile.values = profile.depths.iter().map(|s| value(&WALL, 1500.0, sigma, *s).0).collect();
    let found = fit(&shared, &profile, None).unwrap();
    assert!((found.depth - WALL.depth).abs() < 1e-6 && (found.thickness - WALL.thickness).abs() < 1e-6, "{found:?}");
    assert!((found.inside - WALL.inside).abs() < 0.5 && found.is_seen);
    profile.depths.truncate(5);
    profile.values.truncate(5);
    assert!(fit(&shared, &profile, None).is_none());
}

#[test]
fn walls_of_shells_are_found_without_the_bias_of_thresholds() {
    for shell in [SHELL, Shell { thickness: 4e-3, mirrored: true, ..SHELL }] {
        let (bone, cortex) = fitted(&shell);
        let exact = 4.0 / 3.0 * std::f64::consts::PI * shell.radius.powi(3);
        let volume = cortex.outer.report().unwrap().volume.unwrap();
        assert!((volume / exact - 1.0).abs() < 0.01, "{volume} {exact}");
        let surface = TriangleSurface::new(bone.surface, Normals::Facets).unwrap();
        assert!(surface.signed_distance(&shell.centre()).unwrap() < -shell.radius);
        let count = cortex.thickness.len() as f64;
        let thickness = cortex.thickness.iter().sum::<f64>() / count;
        assert!((thickness - shell.thickness).abs() < 0.15e-3, "{thickness}");
        let apart = |x: &wolff_spatial::Vec3| ((x - shell.centre()).norm() - shell.radius).abs();
        let mean = cortex.outer.vertices().iter().map(apart).sum::<f64>() / count;
        assert!(mean < 0.08e-3, "{mean}");
        assert!((cortex.shared.blur / shell.blur - 1.0).abs() < 0.1, "{:?}", cortex.shared);
        assert!(cortex.resolved.iter().filter(|r| **r).count() as f64 > 0.9 * count);
    }
}

#[test]
fn the_inner_surface_is_below_the_wall() {
    let (bone, cortex) = fitted(&SHELL);
    let inner = cortex.inner(&bone).unwrap();
    assert!(inner.faults().is_sound());
    let exact = 4.0 / 3.0 * std::f64::consts::PI * (SHELL.radius - SHELL.thickness).powi(3);
    let volume = inner.report().unwrap().volume.unwrap();
    assert!((volume / exact - 1.0).abs() < 0.05, "{volume} {exact}");
}
