use super::reference::{CYLINDER_CLOSEST, ClosestRow, SPHERE_CLOSEST, TORUS_CLOSEST, TWO_SPHERE_GAP};
use super::support::{Numbers, pose, sampled_distance, set, wavy};
use std::f64::consts::PI;
use wolff_geometry::nurbs::{Direction, Mask, NurbsCurve, NurbsPatchSet, NurbsSurface};
use wolff_geometry::{Place, Surface};
use wolff_spatial::{Pose, Vec3};

/// Tolerance of the reference file.
const REFERENCE: f64 = 1e-10;

#[test]
fn closest_points_match_the_reference() {
    let cases: [(NurbsSurface, &[ClosestRow]); 3] = [
        (NurbsSurface::sphere(Vec3::zeros(), 25.0).unwrap(), &SPHERE_CLOSEST),
        (NurbsSurface::cylinder(Vec3::zeros(), Vec3::z() * 40.0, 12.0).unwrap(), &CYLINDER_CLOSEST),
        (NurbsSurface::torus(Vec3::zeros(), 30.0, 8.0).unwrap(), &TORUS_CLOSEST),
    ];
    for (surface, rows) in cases {
        let set = set(&surface);
        for row in rows {
            let p = Vec3::from(row.query);
            // cold, and warm from far away across the seams
            let starts = set.patches().len() as u32;
            let warm = (0..starts).map(|patch| set.closest_from(&p, &Place { patch, u: 0.4, v: 0.7 }).unwrap());
            for (k, found) in std::iter::once(set.closest(&p).unwrap()).chain(warm).enumerate() {
                assert!(
                    (found.position - Vec3::from(row.closest)).norm() < REFERENCE,
                    "start {k}: {p} {}",
                    found.position
                );
                assert!((found.normal - Vec3::from(row.normal)).norm() < REFERENCE);
                assert!((found.signed_distance(&p) - row.signed_distance).abs() < REFERENCE);
                assert!(!found.on_rim);
            }
        }
    }
}

#[test]
fn the_gap_of_two_spheres_is_found_from_their_closest_points() {
    let centre = Vec3::new(30.0, 20.0, -18.0);
    let (a, b) =
        (set(&NurbsSurface::sphere(Vec3::zeros(), 25.0).unwrap()), set(&NurbsSurface::sphere(centre, 20.0).unwrap()));
    // least signed distance from a over b: there the normals are opposite; go half the way to that each time
    let (mut p, mut normal) = (Vec3::new(10.0, 0.0, 0.0), Vec3::x());
    for _ in 0..60 {
        normal = (normal + a.closest(&p).unwrap().normal).normalize();
        p = b.closest(&(centre - normal * 100.0)).unwrap().position;
    }
    let gap = a.closest(&p).unwrap().signed_distance(&p);
    assert!((gap - TWO_SPHERE_GAP).abs() < REFERENCE, "{gap}");
}

#[test]
fn on_wavy_surfaces_the_closest_point_is_the_global_one_and_perpendicular() {
    let mut numbers = Numbers(77);
    for seed in 0..6 {
        let surface = wavy(seed, if seed % 2 == 0 { 3e-3 } else { 9e-3 }, seed % 3 == 0);
        let set = set(&surface);
        for _ in 0..25 {
            let foot = surface.jet(numbers.next(), numbers.next()).unwrap();
            let p = foot.s + numbers.vector(0.012);
            let found = set.closest(&p).unwrap();
            let distance = (found.position - p).norm();
            assert!(distance <= sampled_distance(&surface, &p, 120) + 1e-12, "a sampled point is nearer");
            let at = set.at(&found.place).unwrap();
            assert!((at.position - found.position).norm() < 1e-13 && (at.normal - found.normal).norm() < 1e-9);
            if !found.on_rim {
                let sine = found.normal.cross(&(p - found.position)).norm() / distance;
                assert!(sine < 1e-9, "not perpendicular: {sine:e} at distance {distance:e}");
            }
        }
    }
}

#[test]
fn a_warm_search_follows_a_moving_point() {
    for seed in 0..6 {
        let surface = wavy(seed, 3e-3, seed % 2 == 0);
        let set = set(&surface);
        let mut place = set.place(0, 0.3, 0.3).unwrap();
        for k in 0..400 {
            // a path 0.5 mm over the surface, across many patches
            let angle = k as f64 * 0.02;
            let (u, v) = (0.5 + 0.4 * angle.cos(), 0.5 + 0.4 * (1.7 * angle).sin());
            let p = surface.point(u, v).unwrap() + surface.normal(u, v).unwrap() * 5e-4;
            let warm = set.closest_from(&p, &place).unwrap();
            let cold = set.closest(&p).unwrap();
            assert!((warm.position - cold.position).norm() < 1e-14, "step {k}: {} {}", warm.position, cold.position);
            assert!((warm.signed_distance(&p) - 5e-4).abs() < 1e-15, "the point is a foot by construction");
            place = warm.place;
        }
    }
}

#[test]
fn spheres_and_rings_are_exact_everywhere_turned_and_moved() {
    let mut numbers = Numbers(5);
    for _ in 0..4 {
        let X_AB = pose(&mut numbers);
        let sphere = set(&NurbsSurface::sphere(Vec3::zeros(), 0.025).unwrap().transformed(&X_AB));
        let torus = set(&NurbsSurface::torus(Vec3::zeros(), 0.03, 0.008).unwrap().transformed(&X_AB));
        let mut memory = Place::default();
        for k in 0..150 {
            // every third point close to the polar axis
            let r = if k % 3 == 0 {
                numbers.vector(1e-4) + Vec3::z() * numbers.between(-0.04, 0.04)
            } else {
                numbers.vector(0.04)
            };
            let p = X_AB.point(&r);
            if r.norm() > 1e-3 {
                for found in [sphere.closest(&p).unwrap(), sphere.closest_from(&p, &memory).unwrap()] {
                    assert!((found.signed_distance(&p) - (r.norm() - 0.025)).abs() < 1e-13, "{r}");
                    assert!((found.position - X_AB.point(&(r * (0.025 / r.norm())))).norm() < 1e-12, "{r}");
                    memory = found.place;
                }
            }
            let rho = r.x.hypot(r.y);
            let found = torus.closest(&p).unwrap();
            assert!((found.signed_distance(&p) - ((rho - 0.03).hypot(r.z) - 0.008)).abs() < 1e-13, "{r}");
        }
    }
}

#[test]
fn the_poles_have_a_normal_and_a_curvature() {
    let sphere = set(&NurbsSurface::sphere(Vec3::zeros(), 0.025).unwrap());
    for side in [-1.0, 1.0] {
        let p = Vec3::z() * (0.03 * side);
        let found = sphere.closest(&p).unwrap();
        assert!((found.normal - Vec3::z() * side).norm() < 1e-9 && !found.on_rim);
        let w = sphere.shape_operator(&found.place);
        assert!((w.trace() - 80.0).abs() < 1e-4, "2/R, taken a little off the pole");
        assert!(sphere.closest_from(&Vec3::new(1e-3, 2e-3, 0.03 * side), &found.place).is_some());
    }
}

#[test]
fn beyond_the_rim_the_nearest_rim_point_is_flagged() {
    let tube = set(&NurbsSurface::cylinder(Vec3::zeros(), Vec3::z() * 0.04, 0.012).unwrap());
    let found = tube.closest(&Vec3::new(0.015, 0.0, 0.05)).unwrap();
    assert!(found.on_rim && (found.position - Vec3::new(0.012, 0.0, 0.04)).norm() < 1e-15);
    let warm = tube.closest_from(&Vec3::new(0.0, 0.015, 0.05), &found.place).unwrap();
    assert!(warm.on_rim && (warm.position - Vec3::new(0.0, 0.012, 0.04)).norm() < 1e-14, "along the rim");
    let back = tube.closest_from(&Vec3::new(0.0, 0.015, 0.03), &warm.place).unwrap();
    assert!(!back.on_rim && (back.position - Vec3::new(0.0, 0.012, 0.03)).norm() < 1e-15);
}

#[test]
fn split_surfaces_answer_like_the_whole() {
    let whole = wavy(21, 4e-3, false);
    let one = set(&whole);
    let mut numbers = Numbers(9);
    for (rows, columns) in [(3, 4), (4, 6), (8, 12)] {
        let many = NurbsPatchSet::new(&whole.split(rows, columns).unwrap(), 1e-9).unwrap();
        let mut place = Place::default();
        for _ in 0..60 {
            let (u, v) = (numbers.between(0.05, 0.95), numbers.between(0.05, 0.95));
            let p = whole.point(u, v).unwrap() + numbers.vector(1.5e-3);
            let (a, b) = (one.closest(&p).unwrap(), many.closest(&p).unwrap());
            assert!((a.position - b.position).norm() < 1e-13);
            assert!(!b.on_rim, "inner borders are no rims");
            let warm = many.closest_from(&(p + numbers.vector(1e-5)), &b.place).unwrap();
            assert!((warm.position - b.position).norm() < 5e-5 && !warm.on_rim);
            place = warm.place;
        }
        assert!((place.patch as usize) < many.patches().len());
    }
}

#[test]
fn a_mask_takes_parts_away() {
    let plate = wavy(2, 1e-3, false);
    let mask = Mask::new(2, 1, vec![true, false]).unwrap();
    let set = set(&plate).with_mask(0, mask.clone()).unwrap();
    for (u, kept) in [(0.2, true), (0.8, false)] {
        let (x, n) = (plate.point(u, 0.4).unwrap(), plate.normal(u, 0.4).unwrap());
        assert_eq!(set.closest(&(x + n * 1e-3)).unwrap().on_rim, !kept);
        assert_eq!(set.ray(&(x + n * 1e-3), &-n, (0.0, 2e-3)).is_some(), kept);
    }
    assert!(set.with_mask(3, mask).is_err() && Mask::new(2, 2, vec![true]).is_err());
}

#[test]
fn what_is_not_finite_gives_nothing() {
    let plate = set(&wavy(1, 2e-3, false));
    let place = Place { patch: 0, u: 0.5, v: 0.5 };
    for bad in [f64::NAN, f64::INFINITY] {
        let p = Vec3::new(0.0, bad, 0.0);
        assert!(plate.closest(&p).is_none() && plate.closest_from(&p, &place).is_none());
        assert!(
            plate.ray(&p, &Vec3::x(), (-1.0, 1.0)).is_none() && plate.ray(&Vec3::zeros(), &p, (-1.0, 1.0)).is_none()
        );
        assert!(plate.ray_from(&p, &Vec3::x(), (-1.0, 1.0), &place).is_none());
        assert!(plate.at(&Place { patch: 0, u: bad, v: 0.5 }).is_none() && plate.place(0, f64::NAN, 0.2).is_none());
        // a spoilt memory is replaced by a search from scratch
        assert!(plate.closest_from(&Vec3::zeros(), &Place { patch: 0, u: bad, v: 0.0 }).is_some());
    }
    assert!(plate.at(&Place { patch: 99_999, u: 0.5, v: 0.5 }).is_none());
    assert!(plate.closest_from(&Vec3::zeros(), &Place { patch: 99_999, u: 0.5, v: 0.5 }).is_some());
    let lost = wavy(1, 1e-3, false).transformed(&Pose::translation(Vec3::repeat(f64::NAN)));
    assert!(NurbsPatchSet::new(&[lost], 1e-9).is_err());
    assert!(NurbsPatchSet::new(&[], 1e-9).is_err() && NurbsPatchSet::new(&[wavy(1, 1e-3, false)], f64::NAN).is_err());
}

/// Two flat plates that meet in a ridge along y, sloping down to both sides by 30 degrees.
fn roof() -> NurbsPatchSet {
    let flank = |side: f64| {
        let line = NurbsCurve::line(Vec3::zeros(), Vec3::new(0.03 * side, 0.0, -0.03 * (PI / 6.0).tan())).unwrap();
        let plate = NurbsSurface::extruded(&line, Vec3::y() * 0.04).unwrap();
        if side > 0.0 { plate } else { plate.reversed() }
    };
    NurbsPatchSet::new(&[flank(1.0), flank(-1.0)], 1e-9).unwrap()
}

#[test]
fn a_crease_holds_the_points_that_see_neither_flank() {
    let roof = roof();
    for x in [-2e-3, 0.0, 2e-3] {
        let p = Vec3::new(x, 0.013, 0.01);
        for start in 0..2 {
            let warm = roof.closest_from(&p, &Place { patch: start, u: 0.6, v: 0.8 }).unwrap();
            for found in [roof.closest(&p).unwrap(), warm] {
                assert!((found.position - Vec3::new(0.0, 0.013, 0.0)).norm() < 1e-15, "{}", found.position);
                assert!(!found.on_rim && found.normal.z > 0.0);
            }
        }
    }
    // below, each flank has its own foot; the nearer one is found from either start
    let found = roof.closest(&Vec3::new(1e-3, 0.02, -0.02)).unwrap();
    let slope = Vec3::new((PI / 6.0).cos(), 0.0, -(PI / 6.0).sin());
    let expected = slope * slope.dot(&Vec3::new(1e-3, 0.0, -0.02)) + Vec3::y() * 0.02;
    assert!((found.position - expected).norm() < 1e-15 && !found.on_rim);
}

#[test]
fn sides_that_match_only_in_parts_are_no_rims() {
    // the left half in one piece, the right half cut in three along v at other places than the knots of the left
    let whole = wavy(12, 3e-3, false);
    let left = whole.part(Direction::U, (0.0, 0.5)).unwrap();
    let right = whole.part(Direction::U, (0.5, 1.0)).unwrap();
    let mut parts = vec![left];
    for range in [(0.0, 0.29), (0.29, 0.71), (0.71, 1.0)] {
        parts.push(right.part(Direction::V, range).unwrap());
    }
    let (set, one) = (NurbsPatchSet::new(&parts, 1e-9).unwrap(), set(&whole));
    let mut place = Place::default();
    for k in 0..80 {
        // back and forth over the shared edge
        let (u, v) = (0.5 + 0.1 * (k as f64).sin(), 0.1 + 0.01 * k as f64);
        let p = whole.point(u, v).unwrap() + whole.normal(u, v).unwrap() * 5e-4;
        let (cold, warm, expected) =
            (set.closest(&p).unwrap(), set.closest_from(&p, &place).unwrap(), one.closest(&p).unwrap());
        assert!(
            (cold.position - expected.position).norm() < 1e-13 && (warm.position - expected.position).norm() < 1e-13
        );
        assert!(!cold.on_rim && !warm.on_rim);
        place = warm.place;
    }
}

#[test]
fn queries_do_not_allocate() {
    let (surface, sphere) = (wavy(6, 3e-3, true), NurbsSurface::sphere(Vec3::zeros(), 0.02).unwrap());
    for set in [set(&surface), set(&sphere)] {
        let place = set.place(0, 0.4, 0.6).unwrap();
        let at = set.at(&place).unwrap();
        let p = at.position + at.normal * 1e-3;
        let along = at.normal.cross(&Vec3::x()).normalize();
        let counted = allocation_counter::measure(|| {
            let found = (set.closest(&p), set.closest_from(&p, &place), set.ray(&p, &at.normal, (-1.0, 1.0)));
            assert!(found.0.is_some() && found.1.is_some() && found.2.is_some());
            std::hint::black_box((set.ray_from(&p, &at.normal, (-1.0, 1.0), &place), set.shape_operator(&place)));
            // grazing, which divides cells
            std::hint::black_box(set.ray(&at.position, &along, (-1.0, 1.0)));
        });
        assert_eq!(counted.count_total, 0);
    }
}
