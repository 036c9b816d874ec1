//! The whole path: several surfaces, symmetry, continuity.

use crate::support::*;
use proptest::prelude::*;
use wolff_muscle::path::*;
use wolff_spatial::{Pose, Quaternion, Vec3};

/// Two cylinders in a row, both in the way.
fn two_surfaces(construction: Construction) -> PathSpec {
    let pipe = |x: f64, y: f64, seed: f64| {
        let turn = Quaternion::from_rotation_vector(&Vec3::new(seed, -0.5 * seed, 0.3)).matrix();
        surface("0", Pose::new(turn, Vec3::new(x, y, 0.0)), WrapSurface::Cylinder { radius: 0.03, length: 0.5 })
    };
    let points =
        vec![PointSpec::fixed("0", Vec3::new(-0.15, 0.0, 0.02)), PointSpec::fixed("0", Vec3::new(0.2, 0.01, -0.05))];
    let mut spec = path_spec(points, vec![pipe(-0.05, 0.0, 0.1), pipe(0.06, -0.01, 0.2)]);
    spec.construction = construction;
    spec
}

/// After the sweeps each straight part is tangent to both surfaces it joins.
#[test]
fn several_surfaces_settle_on_tangents() {
    let path = resolve(&two_surfaces(Construction::Shortest));
    let geometry = path.solve(&Still::ground(), None);
    assert!(geometry.converged && geometry.touches(0) && geometry.touches(1), "{geometry:?}");
    let specs = two_surfaces(Construction::Shortest).wraps;
    for (a, b, u) in geometry.straight_parts() {
        for station in [a, b] {
            let (StationKind::Arrives(w) | StationKind::Leaves(w)) = station.kind else { continue };
            let local = specs[w].pose.inverse_point(&station.p_G);
            let normal = specs[w].pose.R * Vec3::new(local.x, local.y, 0.0) / 0.03;
            assert!(normal.dot(&u).abs() < 1e-6, "{}", normal.dot(&u));
        }
    }
}

/// OpenSim stops its sweeps early, so its path is longer, by less than its tolerance.
#[test]
fn settled_paths_are_shorter_than_opensims() {
    let (ours, theirs) = (length(&two_surfaces(Construction::Shortest)), length(&two_surfaces(Construction::OpenSim)));
    assert!(ours <= theirs + 1e-12 && theirs - ours < 5e-4, "{ours} {theirs}");
}

#[test]
fn only_segments_in_range_are_bent() {
    let points: Vec<PointSpec> =
        [-0.2, -0.1, 0.1, 0.2].iter().map(|x| PointSpec::fixed("0", Vec3::new(*x, 0.001, 0.0))).collect();
    let mut spec = path_spec(points, vec![surface("0", Pose::identity(), WrapSurface::Sphere { radius: 0.05 })]);
    assert!(length(&spec) > 0.401);
    (spec.wraps[0].first, spec.wraps[0].last) = (Some(2), Some(3));
    assert!((length(&spec) - 0.4).abs() < 1e-12);
}

/// A ring that the first segment threads asks nothing of the segment behind the next surface.
#[test]
fn a_ring_is_threaded_once() {
    let ends = [Vec3::new(0.01, 0.0, 0.1), Vec3::new(0.0, 0.001, -0.15)];
    let ring = surface("0", Pose::identity(), WrapSurface::Torus { ring_radius: 0.04, tube_radius: 0.005 });
    let ball = surface("0", Pose::translation(Vec3::new(0.0, 0.005, -0.08)), WrapSurface::Sphere { radius: 0.03 });
    let points = || ends.map(|p| PointSpec::fixed("0", p)).to_vec();
    let both = resolve(&path_spec(points(), vec![ring, ball.clone()])).solve(&Still::ground(), None);
    assert!(both.converged && !both.touches(0) && both.touches(1), "{:?}", both.stations());
    assert!((both.length - length(&path_spec(points(), vec![ball]))).abs() < 1e-14);
}

/// A segment that slides over the middle of a sphere flips the path to the other side, and one that lifts off leaves it: both are told.
#[test]
fn flips_and_lift_offs_are_told() {
    let spec = |y: f64| {
        let ends = [Vec3::new(-0.1, y, 0.0), Vec3::new(0.1, y, 0.0)];
        let wrap = surface("0", Pose::identity(), WrapSurface::Sphere { radius: 0.05 });
        path_spec(ends.map(|p| PointSpec::fixed("0", p)).to_vec(), vec![wrap])
    };
    let path = resolve(&spec(0.0));
    let solve = |y: f64| resolve(&spec(y)).solve(&Still::ground(), None);
    assert_eq!(path.jump(&solve(0.002), &solve(0.001)), None);
    assert_eq!(path.jump(&solve(0.001), &solve(-0.001)), Some(Jump::Side(0)));
    assert_eq!(path.jump(&solve(0.049), &solve(0.051)), Some(Jump::Surface(0)));
}

/// A path of random ends past a random surface, none inside.
fn random_path() -> impl Strategy<Value = PathSpec> {
    let coordinate = || -0.15..0.15_f64;
    let point = move || (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    let shape = prop_oneof![
        (0.01..0.06).prop_map(|radius| WrapSurface::Sphere { radius }),
        (0.01..0.06).prop_map(|radius| WrapSurface::Cylinder { radius, length: 0.2 }),
        (0.01..0.06, 0.01..0.06).prop_map(|(x, y)| WrapSurface::Ellipsoid { radii: Vec3::new(x, y, 0.04) }),
        (0.03..0.06).prop_map(|ring_radius| WrapSurface::Torus { ring_radius, tube_radius: 0.01 }),
    ];
    let quadrant = prop_oneof![Just(None), Just(Quadrant::from_name("x")), Just(Quadrant::from_name("-y"))];
    (point(), point(), shape, quadrant, -0.05..0.05_f64).prop_map(|(a, b, shape, quadrant, x)| {
        let mut wrap = surface("0", turned(5.0 * x, Vec3::new(x, 0.0, -x)), shape);
        wrap.quadrant = quadrant;
        path_spec(vec![PointSpec::fixed("0", a), PointSpec::fixed("0", b)], vec![wrap])
    })
}

proptest! {
    /// Lengths are finite and at least the straight ones; walking backwards is as long.
    #[test]
    fn lengths_are_sane_and_symmetric(spec in random_path()) {
        let mut backwards = spec.clone();
        backwards.points.reverse();
        let straight = length(&PathSpec { wraps: vec![], ..spec.clone() });
        let (there, back) = (length(&spec), length(&backwards));
        prop_assert!(there.is_finite() && there >= straight - 1e-12);
        // with a wanted half (a ring always has one: its hole) the first end decides before the last, as in OpenSim
        let ring = matches!(spec.wraps[0].surface, WrapSurface::Torus { .. });
        if spec.wraps[0].quadrant.is_none() && !ring {
            // geodesics are integrated numerically
            let tolerance = if matches!(spec.wraps[0].surface, WrapSurface::Ellipsoid { .. }) { 1e-6 } else { 1e-12 };
            prop_assert!((there - back).abs() < tolerance, "{} {}", there, back);
        }
    }

    /// Moving an end by a little changes the length by no more, as long as the path does not jump.
    #[test]
    fn lengths_are_continuous(spec in random_path(), dx in -1e-5..1e-5_f64, dy in -1e-5..1e-5_f64) {
        let mut moved = spec.clone();
        let d = Vec3::new(dx, dy, -dx);
        if let PlaceSpec::Fixed(p) = &mut moved.points[0].place { *p += d }
        let (path, near) = (resolve(&spec), resolve(&moved));
        let before = path.solve(&Still::ground(), None);
        let after = near.solve(&Still::ground(), Some(&before));
        // the wanted half of an ellipsoid mirrors the guide of its path, which jumps with it
        let mirrored = matches!(spec.wraps[0].surface, WrapSurface::Ellipsoid { .. }) && spec.wraps[0].quadrant.is_some();
        if path.jump(&before, &after).is_none() && !mirrored {
            // the cylinder that stands for a ring moves with the segment, so its path is not the shortest
            let ring = matches!(spec.wraps[0].surface, WrapSurface::Torus { .. });
            let most = d.norm() * if ring { 20.0 } else { 1.0 + 1e-6 };
            prop_assert!((after.length - before.length).abs() <= most + 1e-9);
        }
    }
}
