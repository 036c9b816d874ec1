use super::support::{Numbers, set, wavy};
use std::f64::consts::PI;
use wolff_geometry::Surface;
use wolff_geometry::nurbs::{Base, FitOptions, fit_grid, fit_points, fit_scattered, refit};
use wolff_spatial::Vec3;

/// A saddle-like bone surface over 50 x 40 mm.
fn bone(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 8.0 * x * x - 5.0 * y * y + 1e-3 * (80.0 * x).sin() * (60.0 * y).cos())
}

fn grid(rows: usize, columns: usize) -> Vec<Vec3> {
    let at = |k: usize| {
        bone(0.05 * (k / columns) as f64 / (rows - 1) as f64, 0.04 * (k % columns) as f64 / (columns - 1) as f64)
    };
    (0..rows * columns).map(at).collect()
}

#[test]
fn a_surface_with_few_knots_is_recovered_from_its_samples() {
    // points of a known spline with its own parameters: the exact answer has its knots
    let known = wavy(8, 4e-3, false);
    let mut numbers = Numbers(2);
    let parameters: Vec<(f64, f64)> = (0..2500).map(|_| (numbers.next(), numbers.next())).collect();
    let points: Vec<Vec3> = parameters.iter().map(|(u, v)| known.point(*u, *v).unwrap()).collect();
    let fit =
        fit_points(&points, &parameters, &FitOptions { reduce: false, ..FitOptions::to_tolerance(5e-5) }).unwrap();
    assert!(fit.within_tolerance && fit.errors.max <= 5e-5);
    assert!(fit.errors.mean <= fit.errors.max && fit.errors.deviation < fit.errors.max);
    let set = set(&fit.surface);
    for _ in 0..300 {
        let p = known.point(numbers.between(0.02, 0.98), numbers.between(0.02, 0.98)).unwrap();
        assert!(
            (set.closest(&p).unwrap().position - p).norm() < 6e-5,
            "between the samples, three times the tolerance"
        );
    }
}

#[test]
fn a_grid_is_fitted_within_the_tolerance_and_tighter_ones_need_more_knots() {
    let points = grid(40, 35);
    let counts: Vec<usize> = [1e-4, 1e-5, 1e-6]
        .iter()
        .map(|tolerance| {
            let fit = fit_grid(&points, 35, &FitOptions::to_tolerance(*tolerance)).unwrap();
            assert!(fit.within_tolerance && fit.errors.max <= *tolerance, "{:?}", fit.errors);
            fit.surface.net().len()
        })
        .collect();
    assert!(counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
    assert!(counts[2] < points.len() / 2, "fewer control points than points");
    assert!(fit_grid(&points, 34, &FitOptions::to_tolerance(1e-4)).is_err());
}

#[test]
fn reduction_takes_out_knots_and_keeps_the_tolerance() {
    let points = grid(40, 35);
    for tolerance in [1e-5, 1e-6] {
        let options = FitOptions::to_tolerance(tolerance);
        let full = fit_grid(&points, 35, &FitOptions { reduce: false, ..options }).unwrap();
        let few = fit_grid(&points, 35, &options).unwrap();
        assert!(few.within_tolerance && few.surface.net().len() < full.surface.net().len());
    }
}

#[test]
fn scattered_points_with_a_hole_are_bridged() {
    let mut numbers = Numbers(3);
    let mut points = Vec::new();
    while points.len() < 3000 {
        let (x, y) = (numbers.between(0.0, 0.05), numbers.between(0.0, 0.04));
        if (x - 0.02).hypot(y - 0.02) > 0.004 {
            points.push(bone(x, y));
        }
    }
    let base = Base::plane_of(&points).unwrap();
    let fit = fit_scattered(&points, &base, &FitOptions { smoothing: 1e-7, ..FitOptions::to_tolerance(2e-5) }).unwrap();
    assert!(fit.within_tolerance, "{:?}", fit.errors);
    let set = set(&fit.surface);
    let middle = bone(0.02, 0.02);
    assert!((set.closest(&middle).unwrap().position - middle).norm() < 1e-3, "the hole of 8 mm is filled smoothly");
}

#[test]
fn points_on_most_of_a_cylinder_are_fitted_over_a_cylinder() {
    let mut numbers = Numbers(4);
    let axis = Vec3::new(0.1, 0.2, 0.97).normalize();
    let (e1, origin) = (axis.cross(&Vec3::x()).normalize(), Vec3::new(0.02, 0.01, -0.03));
    let e2 = axis.cross(&e1);
    let points: Vec<Vec3> = (0..4000)
        .map(|_| {
            let (angle, z) = (numbers.between(-0.8, 0.8) * PI, numbers.between(0.0, 0.03));
            let r = 0.02 + 2e-3 * (2.0 * angle).cos();
            origin + (e1 * angle.cos() + e2 * angle.sin()) * r + axis * z
        })
        .collect();
    let base = Base::cylinder_about(&points, origin, axis).unwrap();
    let fit = fit_scattered(&points, &base, &FitOptions::to_tolerance(2e-5)).unwrap();
    assert!(fit.within_tolerance, "{:?}", fit.errors);
}

#[test]
fn refitting_needs_fewer_knots_and_keeps_the_side() {
    let dense =
        fit_grid(&grid(40, 35), 35, &FitOptions { reduce: false, ..FitOptions::to_tolerance(1e-7) }).unwrap().surface;
    let fit = refit(&dense.clone().reversed(), 5e-5).unwrap();
    assert!(
        fit.within_tolerance && fit.surface.net().len() < dense.net().len() / 2,
        "{} {}",
        fit.surface.net().len(),
        dense.net().len()
    );
    assert!(fit.surface.is_reversed());
}

#[test]
fn points_that_cannot_be_fitted_are_refused_or_reported() {
    let options = FitOptions::to_tolerance(1e-5);
    let mut points = grid(10, 10);
    assert!(fit_grid(&points, 10, &FitOptions { tolerance: f64::NAN, ..options }).is_err());
    assert!(fit_points(&points, &[(0.5, 0.5)], &options).is_err());
    assert!(fit_points(&points, &vec![(0.5, f64::NAN); 100], &options).is_err());
    // one span only: the answer says that it is not good enough
    let coarse = fit_grid(&points, 10, &FitOptions { max_spans: 1, ..options }).unwrap();
    assert!(!coarse.within_tolerance && coarse.errors.max > 1e-5);
    points[7].y = f64::INFINITY;
    assert!(fit_grid(&points, 10, &options).unwrap_err().to_string().contains("point 7"));
    assert!(Base::plane_of(&points).is_err() && fit_grid(&points[..3], 3, &options).is_err());
}
