//! Proximity of shapes in general positions.

use crate::support::{close, general_pose, rotation_matrix};
use proptest::prelude::*;
use wolff_contact::proximity::nearest_point_on_ellipsoid;
use wolff_contact::{Proximity, Shape, ShapePair};
use wolff_spatial::{Pose, Vec3};

/// Rounding of depths of order one.
const ROUNDING: f64 = 1e-13;

fn sphere(radius: f64) -> Shape {
    Shape::sphere(radius).unwrap()
}

fn cavity(radius: f64) -> Shape {
    Shape::cavity(radius).unwrap()
}

fn ellipsoid(x: f64, y: f64, z: f64) -> Shape {
    Shape::ellipsoid(Vec3::new(x, y, z)).unwrap()
}

/// Every supported pair, with A and B in both orders, and the distance of centres at which they touch lightly.
fn pairs() -> Vec<(Shape, Shape, f64)> {
    let mut pairs = vec![
        (sphere(0.3), sphere(0.5), 0.78),
        (sphere(0.3), cavity(0.9), 0.61),
        (Shape::Plane, sphere(0.4), 0.39),
        (Shape::Plane, ellipsoid(0.3, 0.5, 0.2), 0.2),
        (ellipsoid(0.3, 0.5, 0.2), sphere(0.4), 0.6),
        (ellipsoid(0.3, 0.5, 0.2), ellipsoid(0.25, 0.4, 0.6), 0.6),
    ];
    let reversed: Vec<_> = pairs.iter().map(|&(a, b, d)| (b, a, d)).collect();
    pairs.extend(reversed);
    pairs
}

/// A general pose of A, and of B at distance `d` in a direction that is up for planes on either side.
fn general_pair(a: &Shape, d: f64, seed: f64) -> (Pose, Pose) {
    let X_GA = general_pose(seed);
    let tilt = Vec3::new(0.3 * (2.0 * seed).sin(), 1.0, 0.4 * (3.0 * seed).cos()).normalize();
    let up = if *a == Shape::Plane { X_GA.R * tilt } else { general_pose(seed + 5.0).R * tilt };
    let mut X_GB = general_pose(seed + 0.7);
    X_GB.p = X_GA.p + up * d;
    (X_GA, X_GB)
}

fn touch(a: Shape, b: Shape, d: f64, seed: f64) -> (ShapePair, Pose, Pose) {
    let pair = ShapePair::new(a, b).unwrap();
    let (X_GA, mut X_GB) = general_pair(&a, d, seed);
    if b == Shape::Plane {
        // the plane looks at A
        X_GB.R = rotation_matrix(&Vec3::new(0.1, seed, 0.2)) * X_GB.R;
        X_GB.p = X_GA.p - X_GB.R * Vec3::new(0.2, 0.95, -0.1).normalize() * d;
    }
    (pair, X_GA, X_GB)
}

/// Value of the implicit function of a shape at a ground point: negative in the solid, zero on the surface.
fn implicit(shape: &Shape, X: &Pose, p: &Vec3) -> f64 {
    let x = X.inverse_point(p);
    match shape {
        Shape::Sphere { radius } => (x.norm() - radius.abs()) * radius.signum(),
        Shape::Plane => x.y,
        Shape::Ellipsoid { semi_axes } => x.component_div(semi_axes).norm() - 1.0,
    }
}

/// Outward surface normal at a point of the surface.
fn outward(shape: &Shape, X: &Pose, p: &Vec3) -> Vec3 {
    let x = X.inverse_point(p);
    X.R * match shape {
        Shape::Sphere { radius } => x.normalize() * radius.signum(),
        Shape::Plane => Vec3::y(),
        Shape::Ellipsoid { semi_axes } => x.component_div(semi_axes).component_div(semi_axes).normalize(),
    }
}

#[test]
fn points_lie_on_the_surfaces_and_share_the_normal() {
    for (a, b, d) in pairs() {
        for k in 0..40 {
            let (pair, X_GA, X_GB) = touch(a, b, d, 0.37 * f64::from(k));
            let p = pair.proximity(&X_GA, &X_GB, None);
            assert!(implicit(&a, &X_GA, &p.point_a).abs() < 1e-12, "{a}, {b}: {p:?}");
            assert!(implicit(&b, &X_GB, &p.point_b).abs() < 1e-12, "{a}, {b}: {p:?}");
            close(p.normal.norm(), 1.0, ROUNDING, "unit normal");
            assert!((p.point_a - p.point_b - p.normal * p.depth).norm() < 1e-10, "{a}, {b}: {p:?}");
            // common normal: out of A, into B; to the accuracy at which Newton stops on the depth
            assert!((outward(&a, &X_GA, &p.point_a) - p.normal).norm() < 1e-8, "{a}, {b}: {p:?}");
            assert!((outward(&b, &X_GB, &p.point_b) + p.normal).norm() < 1e-8, "{a}, {b}: {p:?}");
        }
    }
}

#[test]
fn exchange_of_bodies_only_turns_the_normal() {
    for (a, b, d) in pairs() {
        let (pair, X_GA, X_GB) = touch(a, b, d, 1.9);
        let p = pair.proximity(&X_GA, &X_GB, None);
        let q = ShapePair::new(b, a).unwrap().proximity(&X_GB, &X_GA, None);
        close(p.depth, q.depth, 1e-12, "depth");
        assert!((p.normal + q.normal).norm() < 1e-9 && (p.point_a - q.point_b).norm() < 1e-9);
    }
}

#[test]
fn moves_with_the_observer() {
    for (a, b, d) in pairs() {
        let (pair, X_GA, X_GB) = touch(a, b, d, 0.8);
        let p = pair.proximity(&X_GA, &X_GB, None);
        let X = general_pose(4.4);
        let q = pair.proximity(&(X * X_GA), &(X * X_GB), None);
        close(q.depth, p.depth, 1e-11, "depth");
        assert!((q.normal - X.R * p.normal).norm() < 1e-8);
        assert!((q.point_a - X.point(&p.point_a)).norm() < 1e-8);
    }
}

/// `d depth/dt = n · (v_A - v_B)` at the contact points, for any motion of A: the depth rate of the force element.
#[test]
fn gradient_of_the_depth_is_the_normal() {
    for (a, b, d) in pairs() {
        for seed in [0.2, 1.1, 2.7] {
            let (pair, X_GA, X_GB) = touch(a, b, d, seed);
            let p = pair.proximity(&X_GA, &X_GB, None);
            let (v, w) = (Vec3::new(0.3, -0.8, 0.5), Vec3::new(-0.7, 0.4, 0.9));
            let h = 1e-5;
            let depth = |s: f64| {
                let moved = Pose::new(rotation_matrix(&(w * s)) * X_GA.R, X_GA.p + v * s);
                pair.proximity(&moved, &X_GB, Some(p.normal)).depth
            };
            let difference = (depth(h) - depth(-h)) / (2.0 * h);
            let rate = p.normal.dot(&(v + w.cross(&(p.point_a - X_GA.p))));
            // truncation h² times third derivatives of order 10, rounding 1e-16/h
            close(difference, rate, 1e-8 / rate.abs(), &format!("{a}, {b}"));
        }
    }
}

#[test]
fn spheres_by_hand() {
    let at = |x: f64| Pose::new(general_pose(1.0).R, Vec3::new(x, 0.0, 0.0));
    let pair = ShapePair::new(sphere(0.3), sphere(0.5)).unwrap();
    let p = pair.proximity(&at(0.1), &at(0.8), None);
    let expected = Proximity {
        depth: 0.1,
        normal: Vec3::x(),
        point_a: Vec3::new(0.4, 0.0, 0.0),
        point_b: Vec3::new(0.3, 0.0, 0.0),
    };
    close(p.depth, expected.depth, ROUNDING, "depth");
    assert!(
        (p.normal - expected.normal).norm()
            + (p.point_a - expected.point_a).norm()
            + (p.point_b - expected.point_b).norm()
            < 1e-15
    );
    // a sphere of 0.3 m, 0.65 m off the centre of a cavity of 0.9 m: 0.05 m too far
    let pair = ShapePair::new(sphere(0.3), cavity(0.9)).unwrap();
    let p = pair.proximity(&at(0.65), &at(0.0), None);
    close(p.depth, 0.05, 1e-13, "depth in the cavity");
    assert!((p.normal - Vec3::x()).norm() < 1e-15);
    assert!((p.point_a.x - 0.95).abs() + (p.point_b.x - 0.9).abs() < 1e-15);
    // coinciding centres: finite, and the warm normal decides
    let p = pair.proximity(&at(0.0), &at(0.0), Some(Vec3::new(0.0, 0.0, -2.0)));
    assert_eq!((p.depth, p.normal), (0.3 - 0.9, -Vec3::z()));
}

#[test]
fn ellipsoids_degenerate_to_spheres() {
    for seed in [0.3, 1.4, 2.2] {
        let (X_GA, X_GB) = general_pair(&sphere(1.0), 0.9, seed);
        let exact = ShapePair::new(sphere(0.4), sphere(0.55)).unwrap().proximity(&X_GA, &X_GB, None);
        for (a, b) in [
            (ellipsoid(0.4, 0.4, 0.4), sphere(0.55)),
            (sphere(0.4), ellipsoid(0.55, 0.55, 0.55)),
            (ellipsoid(0.4, 0.4, 0.4), ellipsoid(0.55, 0.55, 0.55)),
        ] {
            let p = ShapePair::new(a, b).unwrap().proximity(&X_GA, &X_GB, None);
            close(p.depth, exact.depth, 1e-12, "depth");
            assert!((p.normal - exact.normal).norm() < 1e-9 && (p.point_a - exact.point_a).norm() < 1e-9);
        }
    }
}

#[test]
fn sphere_against_ellipsoid_two_ways() {
    // the closest-point method and the common-normal method are different codes
    for k in 0..200 {
        let seed = 0.17 * f64::from(k);
        let (X_GA, X_GB) = general_pair(&sphere(1.0), 0.45 + 0.4 * seed.cos().abs(), seed);
        let axes = ellipsoid(0.3, 0.5, 0.2);
        let p = ShapePair::new(axes, sphere(0.25)).unwrap().proximity(&X_GA, &X_GB, None);
        let q = ShapePair::new(axes, ellipsoid(0.25, 0.25, 0.25)).unwrap().proximity(&X_GA, &X_GB, None);
        assert!((p.depth - q.depth).abs() < 1e-12, "{p:?} {q:?}");
    }
}

/// Directions spread evenly over the sphere (golden spiral).
fn directions(n: i32) -> impl Iterator<Item = Vec3> {
    (0..n).map(move |k| {
        let y = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(n);
        let angle = f64::from(k) * std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let r = (1.0 - y * y).sqrt();
        Vec3::new(r * angle.cos(), y, r * angle.sin())
    })
}

fn support(X: &Pose, axes: &Vec3, n: &Vec3) -> f64 {
    X.R.tr_mul(n).component_mul(axes).norm()
}

/// Overlap by brute force: the least of h_A + h_B - n·d over many directions, refined around the best by shrinking caps.
fn brute_force(X_GA: &Pose, a: &Vec3, X_GB: &Pose, b: &Vec3) -> f64 {
    let overlap = |n: &Vec3| support(X_GA, a, n) + support(X_GB, b, n) - n.dot(&(X_GB.p - X_GA.p));
    let mut best = directions(20_000).min_by(|m, n| overlap(m).total_cmp(&overlap(n))).unwrap();
    let mut radius = 0.05;
    for _ in 0..40 {
        let around = directions(200).map(|e| (best + e * radius).normalize());
        let candidate = around.min_by(|m, n| overlap(m).total_cmp(&overlap(n))).unwrap();
        if overlap(&candidate) < overlap(&best) {
            best = candidate;
        } else {
            radius *= 0.5;
        }
    }
    overlap(&best)
}

#[test]
fn ellipsoids_agree_with_brute_force() {
    let (a, b) = (Vec3::new(0.3, 0.5, 0.2), Vec3::new(0.25, 0.4, 0.7));
    let pair = ShapePair::new(Shape::Ellipsoid { semi_axes: a }, Shape::Ellipsoid { semi_axes: b }).unwrap();
    // far apart, near, touching, overlapping by up to half of the smallest axis
    for k in 0..60 {
        let seed = 0.29 * f64::from(k);
        let (X_GA, X_GB) = general_pair(&Shape::Ellipsoid { semi_axes: a }, 0.5 + 0.05 * f64::from(k % 20), seed);
        let p = pair.proximity(&X_GA, &X_GB, None);
        let brute = brute_force(&X_GA, &a, &X_GB, &b);
        assert!((p.depth - brute).abs() < 1e-8, "case {k}: {} against {brute}", p.depth);
    }
}

#[test]
fn ellipsoid_nearest_point_agrees_with_brute_force() {
    let axes = Vec3::new(0.3, 0.5, 0.2);
    for k in 0..60 {
        let y = general_pose(0.31 * f64::from(k)).p * 0.6;
        let (x, normal) = nearest_point_on_ellipsoid(&axes, &y, None);
        close(x.component_div(&axes).norm(), 1.0, ROUNDING, "on the surface");
        let least = directions(40_000).map(|e| (e.component_mul(&axes) - y).norm()).fold(f64::INFINITY, f64::min);
        let distance = (x - y).norm();
        // no sample is nearer; the samples lie 9 mm apart
        assert!(distance <= least + 1e-12 && distance > least - 9e-3, "{distance} against {least}");
        // y lies on the normal
        assert!((y - x).cross(&normal).norm() < 1e-13);
    }
}

#[test]
fn ellipsoid_nearest_point_from_degenerate_places() {
    let axes = Vec3::new(0.3, 0.5, 0.2);
    // the centre: the ends of the shortest axis, on the side of the hint
    let (x, normal) = nearest_point_on_ellipsoid(&axes, &Vec3::zeros(), Some(-Vec3::z()));
    assert!((x + Vec3::z() * 0.2).norm() < 1e-15 && (normal + Vec3::z()).norm() < 1e-15);
    // on the plane of symmetry inside the medial disc: x_1 = s_1² y_1/(s_1² - s_3²)
    let (x, _) = nearest_point_on_ellipsoid(&axes, &Vec3::new(0.05, 0.0, 0.0), None);
    close(x.x, 0.09 * 0.05 / (0.09 - 0.04), 1e-14, "x");
    close(x.component_div(&axes).norm(), 1.0, 1e-14, "surface");
    // next to it, on either side, it is continuous up to the side
    let (near, _) = nearest_point_on_ellipsoid(&axes, &Vec3::new(0.05, 0.0, 1e-200), None);
    assert!((near - x).norm() < 1e-12);
    // the centre of a sphere, and points on the surface and on the axes
    let (x, _) = nearest_point_on_ellipsoid(&Vec3::repeat(0.7), &Vec3::zeros(), None);
    close(x.norm(), 0.7, 1e-14, "sphere");
    for i in 0..3 {
        for factor in [0.95, 1.0, 1.3, 1e6] {
            let mut y = Vec3::zeros();
            y[i] = -axes[i] * factor;
            let (x, _) = nearest_point_on_ellipsoid(&axes, &y, None);
            if factor >= 1.0 {
                assert!((x - y / factor).norm() < 1e-14, "axis {i}, factor {factor}: {x}");
            }
            close(x.component_div(&axes).norm(), 1.0, 1e-14, "surface");
        }
    }
}

proptest! {
    /// Slender ellipsoids anywhere: points on the surfaces, common normal, no direction parts them by less.
    #[test]
    fn slender_ellipsoids(
        a in prop::array::uniform3(0.02..1.0_f64), b in prop::array::uniform3(0.02..1.0_f64),
        seed in 0.0..50.0_f64, distance in 0.02..3.0_f64,
    ) {
        let (a, b) = (Vec3::from(a), Vec3::from(b));
        let (shape_a, shape_b) = (Shape::Ellipsoid { semi_axes: a }, Shape::Ellipsoid { semi_axes: b });
        let (X_GA, X_GB) = general_pair(&shape_a, distance, seed);
        let p = ShapePair::new(shape_a, shape_b).unwrap().proximity(&X_GA, &X_GB, None);
        prop_assert!(implicit(&shape_a, &X_GA, &p.point_a).abs() < 1e-12);
        prop_assert!(implicit(&shape_b, &X_GB, &p.point_b).abs() < 1e-12);
        prop_assert!((p.point_a - p.point_b - p.normal * p.depth).norm() < 1e-7, "{:?}", p);
        // separated bodies have one minimum only, and so have light overlaps
        let smallest = a.min().min(b.min());
        if p.depth < 0.2 * smallest {
            let overlap = |n: &Vec3| support(&X_GA, &a, n) + support(&X_GB, &b, n) - n.dot(&(X_GB.p - X_GA.p));
            let least = directions(3000).map(|n| overlap(&n)).fold(f64::INFINITY, f64::min);
            prop_assert!(p.depth <= least + 1e-12, "{} against {}", p.depth, least);
        }
    }
}
