use wolff_geometry::knee::{Condyle, Plateau};
use wolff_geometry::{NurbsPatchSet, Surface};
use wolff_spatial::Vec3;

fn condyle() -> Condyle {
    Condyle {
        middle: -0.024,
        distal_radius: 0.034,
        posterior_radius: 0.022,
        transition: (0.1, 0.9),
        coronal_radius: 0.021,
        sagittal_range: (-0.7, 2.1),
        coronal_reach: 0.9,
    }
}

#[test]
fn the_tangents_of_a_condyle_are_perpendicular_to_its_normal() {
    let (c, h) = (condyle().checked().unwrap(), 1e-6);
    for theta in [-0.5, 0.0, 0.1, 0.3, 0.7, 0.9, 1.5] {
        for phi in [-0.8, 0.0, 0.4] {
            let along = (c.point(theta + h, phi, 0.0) - c.point(theta - h, phi, 0.0)) / (2.0 * h);
            let across = (c.point(theta, phi + h, 0.0) - c.point(theta, phi - h, 0.0)) / (2.0 * h);
            let n = c.normal(theta, phi);
            assert!(along.dot(&n).abs() < 1e-10 && across.dot(&n).abs() < 1e-10, "{theta} {phi}: central differences");
            assert!(across.cross(&along).dot(&n).abs() > 1e-4, "no fold");
        }
    }
}

#[test]
fn a_condyle_has_its_radii_in_front_and_behind() {
    let (c, h) = (condyle(), 1e-5);
    for (theta, radius) in [(-0.3, 0.034), (0.0, 0.034), (0.5, 0.028), (1.2, 0.022)] {
        let speed = (c.point(theta + h, 0.0, 0.0) - c.point(theta - h, 0.0, 0.0)).norm() / (2.0 * h);
        assert!((speed - radius).abs() < 1e-9, "dP/dθ = ρ at {theta}: {speed}");
    }
    let middle = Vec3::new(0.0, 0.0, -0.024);
    assert!(((c.point(1.5, 0.0, 0.0) - middle).norm() - 0.022).abs() < 1e-15, "the posterior arc is about the origin");
}

#[test]
fn a_layer_of_a_condyle_has_its_thickness_along_the_normal() {
    let c = condyle();
    let (top, bottom) = (c.point(0.4, 0.3, 0.0), c.point(0.4, 0.3, 0.002));
    assert!((top - bottom - c.normal(0.4, 0.3) * 0.002).norm() < 1e-17);
}

#[test]
fn a_plateau_is_part_of_a_torus() {
    let p = Plateau {
        middle: Vec3::new(0.002, 0.01, -0.024),
        sagittal_curvature: 1.0 / 0.06,
        coronal_curvature: 1.0 / 0.025,
        half_size: (0.02, 0.012),
    };
    let p = p.checked().unwrap();
    for (a, b) in [(0.0, 0.0), (0.7, -0.4), (-1.0, 1.0)] {
        let r = p.point(a, b) - p.middle;
        // circle of radius 60 - 25 mm about an axis along z, 60 mm above the middle; tube of 25 mm
        let ring = (r.x * r.x + (0.06 - r.y).powi(2)).sqrt() - (0.06 - 0.025);
        assert!((ring * ring + r.z * r.z - 0.025 * 0.025).abs() < 1e-15, "on the torus");
    }
    let flat = Plateau { sagittal_curvature: 0.0, coronal_curvature: 0.0, ..p };
    assert_eq!(flat.point(1.0, 1.0).y, 0.01);
}

#[test]
fn knees_that_fold_are_refused() {
    let message = Condyle { coronal_reach: 2.5, coronal_radius: 0.03, ..condyle() }.checked().unwrap_err().to_string();
    assert!(message.contains("room for the coronal arc"), "{message}");
    assert!(Condyle { distal_radius: f64::NAN, ..condyle() }.checked().is_err());
    let p =
        Plateau { middle: Vec3::zeros(), sagittal_curvature: 60.0, coronal_curvature: 0.0, half_size: (0.02, 0.01) };
    assert!(p.checked().is_err());
}

#[test]
fn fitted_knees_are_within_their_tolerance_and_face_outwards() {
    let (c, tolerance) = (condyle(), 2e-6);
    let set = NurbsPatchSet::new(&[c.surface(0.0, tolerance).unwrap()], 1e-6).unwrap();
    for (theta, phi) in [(-0.5, 0.3), (0.05, -0.6), (0.33, 0.0), (1.7, 0.7)] {
        let (p, n) = (c.point(theta, phi, -0.001), c.normal(theta, phi));
        let found = set.closest(&p).unwrap();
        assert!(
            (found.signed_distance(&p) - 0.001).abs() < 2.0 * tolerance,
            "twice the tolerance between the points of the fit"
        );
        assert!(found.normal.dot(&n) > 1.0 - 1e-5);
    }
    let p = Plateau {
        middle: Vec3::new(0.0, 0.01, 0.0),
        sagittal_curvature: 16.0,
        coronal_curvature: -20.0,
        half_size: (0.02, 0.012),
    };
    let set = NurbsPatchSet::new(&[p.surface(tolerance).unwrap()], 1e-6).unwrap();
    let above = p.point(0.3, -0.2) + Vec3::new(0.0, 0.004, 0.0);
    assert!(set.closest(&above).unwrap().normal.y > 0.9, "the normal of a plateau points up");
}
