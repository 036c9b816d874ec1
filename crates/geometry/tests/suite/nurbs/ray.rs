use super::reference::{CYLINDER_RAYS, RayRow, SPHERE_RAYS, TORUS_RAYS};
use super::support::{Numbers, set, wavy};
use wolff_geometry::Surface;
use wolff_geometry::nurbs::NurbsSurface;
use wolff_spatial::Vec3;

/// Tolerance of the reference file.
const REFERENCE: f64 = 1e-10;
const EVERYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

#[test]
fn all_hits_match_the_reference() {
    let cases: [(NurbsSurface, &[RayRow]); 3] = [
        (NurbsSurface::sphere(Vec3::zeros(), 25.0).unwrap(), &SPHERE_RAYS),
        (NurbsSurface::cylinder(Vec3::zeros(), Vec3::z() * 40.0, 12.0).unwrap(), &CYLINDER_RAYS),
        (NurbsSurface::torus(Vec3::zeros(), 30.0, 8.0).unwrap(), &TORUS_RAYS),
    ];
    for (surface, rows) in cases {
        let set = set(&surface);
        for row in rows {
            let (origin, direction) = (Vec3::from(row.origin), Vec3::from(row.direction));
            let hits = set.all_hits(&origin, &direction, EVERYWHERE);
            assert_eq!(hits.len(), row.t.len(), "{:?}", hits.iter().map(|h| h.t).collect::<Vec<_>>());
            for (hit, (t, point)) in hits.iter().zip(row.t.iter().zip(row.points)) {
                assert!((hit.t - t).abs() < REFERENCE && (hit.point.position - Vec3::from(*point)).norm() < REFERENCE);
                let warm = set.ray_from(&origin, &direction, EVERYWHERE, &hit.point.place).unwrap();
                assert!((warm.t - t).abs() < REFERENCE, "an earlier hit is found again");
            }
            let first = set.ray(&origin, &direction, EVERYWHERE).unwrap();
            let least = row.t.iter().copied().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
            assert!((first.t - least).abs() < REFERENCE);
        }
    }
}

#[test]
fn hits_lie_on_the_line_and_on_the_surface_and_none_is_missed() {
    let mut numbers = Numbers(31);
    for seed in 0..5 {
        let surface = wavy(seed, if seed % 2 == 0 { 3e-3 } else { 9e-3 }, seed % 2 == 1);
        let set = set(&surface);
        for _ in 0..40 {
            // through a known point of the surface, in any direction
            let (u, v) = (numbers.between(0.02, 0.98), numbers.between(0.02, 0.98));
            let x = surface.point(u, v).unwrap();
            let direction = numbers.vector(1.0).normalize();
            let t = numbers.between(-0.05, 0.05);
            let hits = set.all_hits(&(x - direction * t), &direction, EVERYWHERE);
            let nearest = hits.iter().map(|hit| (hit.t - t).abs()).fold(f64::INFINITY, f64::min);
            let slope = surface.normal(u, v).unwrap().dot(&direction).abs();
            // along a tangent the hit is known to the root of the tolerance only
            assert!(nearest < 1e-11 / slope.max(1e-6), "missed by {nearest:e}, slope {slope}");
            for hit in &hits {
                let on_line = x + direction * (hit.t - t);
                assert!((hit.point.position - on_line).norm() < 1e-11);
                assert!((set.at(&hit.point.place).unwrap().position - on_line).norm() < 1e-11);
            }
        }
    }
}

#[test]
fn tangents_and_misses() {
    let sphere = set(&NurbsSurface::sphere(Vec3::zeros(), 0.025).unwrap());
    let across = Vec3::new(0.6, 0.8, 0.0);
    let height = |h: f64| sphere.all_hits(&(Vec3::new(-0.8, 0.6, 0.0) * h - across * 0.1), &across, (0.0, 1.0));
    assert!(height(0.0251).is_empty());
    let pair = height(0.025 * (1.0 - 1e-6));
    assert_eq!(pair.len(), 2);
    let half = 0.025 * (2e-6_f64 - 1e-12).sqrt();
    assert!((pair[0].t - (0.1 - half)).abs() < 1e-9 && (pair[1].t - (0.1 + half)).abs() < 1e-9);
    // exactly tangent: touching points are found up to the root of rounding, all next to each other
    assert!(height(0.025).iter().all(|hit| (hit.t - 0.1).abs() < 1e-6));
}

#[test]
fn a_warm_ray_follows_a_moving_line() {
    for seed in 0..4 {
        let surface = wavy(seed, 3e-3, seed % 2 == 0);
        let set = set(&surface);
        let mut place = set.place(0, 0.9, 0.5).unwrap();
        for k in 0..300 {
            let angle = k as f64 * 0.02;
            let (u, v) = (0.5 + 0.4 * angle.cos(), 0.5 + 0.4 * (1.7 * angle).sin());
            let (x, n) = (surface.point(u, v).unwrap(), surface.normal(u, v).unwrap());
            let hit = set.ray_from(&(x + n * 1e-3), &n, (-0.01, 0.01), &place).unwrap();
            assert!((hit.t + 1e-3).abs() < 1e-14, "step {k}: {}", hit.t);
            place = hit.point.place;
        }
    }
}
