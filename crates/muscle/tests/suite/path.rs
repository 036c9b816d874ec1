//! Paths from specifications: names are resolved, nonsense is refused with its reason.

use crate::support::*;
use wolff_muscle::MuscleError;
use wolff_muscle::path::*;
use wolff_spatial::{Pose, Vec3};

fn two_points() -> Vec<PointSpec> {
    vec![PointSpec::fixed("0", Vec3::zeros()), PointSpec::fixed("0", Vec3::new(0.0, 0.3, 0.4))]
}

fn refused(spec: &PathSpec) -> String {
    let known = |name: &str| (name == "0" || name == "q0").then_some(0);
    Path::resolve(spec, known, known).unwrap_err().to_string()
}

#[test]
fn a_straight_path_has_the_distance_of_its_points() {
    assert!((length(&path_spec(two_points(), vec![])) - 0.5).abs() < 1e-15);
}

#[test]
fn moving_points_follow_their_functions() {
    let axis = |coordinate: Option<&str>, c: &[f64]| AxisSpec {
        coordinate: coordinate.map(Into::into),
        function: polynomial(c),
    };
    let place = PlaceSpec::Moving(Box::new([
        axis(Some("q0"), &[0.1, 0.5]),
        axis(Some("q1"), &[0.0, 0.0, 1.0]),
        axis(None, &[0.3]),
    ]));
    let mut points = two_points();
    points[1].place = place;
    let path = resolve(&path_spec(points, vec![]));
    let scene = Still { poses: vec![Pose::identity()], q: vec![0.4, -0.5] };
    let expected = Vec3::new(0.3, 0.25, 0.3).norm();
    assert!((path.solve(&scene, None).length - expected).abs() < 1e-15);
}

#[test]
fn conditional_points_come_and_go_at_the_ends_of_their_range() {
    let mut points = two_points();
    points.insert(1, PointSpec::fixed("0", Vec3::new(0.1, 0.0, 0.2)));
    points[1].active = Some(RangeSpec { coordinate: "q0".into(), min: -0.5, max: 1.0 });
    let path = resolve(&path_spec(points, vec![]));
    let solve = |q: f64| path.solve(&Still { poses: vec![Pose::identity()], q: vec![q] }, None);
    for (q, stations) in [(-0.51, 2), (-0.5, 3), (0.3, 3), (1.0, 3), (1.01, 2)] {
        assert_eq!(solve(q).stations().len(), stations, "{q}");
    }
    assert_eq!(path.jump(&solve(0.9), &solve(1.1)), Some(Jump::Point(1)));
    assert_eq!(path.jump(&solve(0.9), &solve(0.8)), None);
}

#[test]
fn quadrants_have_the_names_of_opensim() {
    let named = |name| Quadrant::from_name(name).map(|q| (q.axis, q.positive));
    assert_eq!(named("x"), Some((0, true)));
    assert_eq!(named("+Y"), Some((1, true)));
    assert_eq!(named("-z"), Some((2, false)));
    assert_eq!(named("all"), None);
}

#[test]
fn nonsense_is_refused_with_its_reason() {
    let mut lonely = path_spec(two_points(), vec![]);
    lonely.points[0].active = Some(RangeSpec { coordinate: "q0".into(), min: 0.0, max: 1.0 });
    assert!(refused(&lonely).contains("two or more"));

    let unknown = path_spec(vec![PointSpec::fixed("femur", Vec3::zeros()), two_points().remove(1)], vec![]);
    assert!(refused(&unknown).contains("no body `femur`"));

    let mut backwards = path_spec(two_points(), vec![]);
    backwards.points.push(PointSpec::fixed("0", Vec3::zeros()));
    backwards.points[0].active = Some(RangeSpec { coordinate: "q0".into(), min: 2.0, max: 1.0 });
    assert!(refused(&backwards).contains("upper end"));

    let not_a_number =
        path_spec(vec![PointSpec::fixed("0", Vec3::new(f64::NAN, 0.0, 0.0)), two_points().remove(1)], vec![]);
    assert!(matches!(
        Path::resolve(&not_a_number, |_| Some(0), |_| None),
        Err(MuscleError::Parameter { quantity: "a point's position [m]", .. })
    ));
    for (shape, part) in [
        (WrapSurface::Sphere { radius: -0.1 }, "radius"),
        (WrapSurface::Cylinder { radius: 0.1, length: 0.0 }, "length"),
        (WrapSurface::Ellipsoid { radii: Vec3::new(0.1, f64::NAN, 0.1) }, "half axis"),
        (WrapSurface::Torus { ring_radius: 0.1, tube_radius: 0.2 }, "hole"),
    ] {
        let spec = path_spec(two_points(), vec![surface("0", Pose::identity(), shape)]);
        assert!(refused(&spec).contains(part), "{}", refused(&spec));
    }
    let mut range = surface("0", Pose::identity(), WrapSurface::Sphere { radius: 0.1 });
    range.last = Some(2);
    assert!(refused(&path_spec(two_points(), vec![range])).contains("points 0 to 2"));
}
