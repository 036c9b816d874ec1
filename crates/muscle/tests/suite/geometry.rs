//! Speed, moment arms and forces: derivatives of the length, and consistent with each other.

use crate::support::*;
use wolff_multibody::force::ForceElement;
use wolff_multibody::{Instant, Loads, Model, System};
use wolff_muscle::path::*;
use wolff_spatial::{Pose, Vec3};

/// Points on all bodies, a moving one, and a surface in the way of two segments.
pub fn spec(model: &Model, shape: Option<WrapSurface>) -> PathSpec {
    let knee = model.coordinate_names()[3].clone();
    let axis = |coordinate: &str, c: &[f64]| AxisSpec { coordinate: Some(coordinate.into()), function: polynomial(c) };
    let moving = PointSpec {
        body: "shank".into(),
        place: PlaceSpec::Moving(Box::new([
            axis(&knee, &[0.04, 0.01, 0.02]),
            axis(&knee, &[-0.06, -0.02]),
            axis(&model.coordinate_names()[4], &[0.01, 0.03]),
        ])),
        active: None,
    };
    let points = vec![
        PointSpec::fixed("ground", Vec3::new(0.06, 1.05, 0.12)),
        PointSpec::fixed("thigh", Vec3::new(0.05, -0.1, 0.02)),
        PointSpec::fixed("thigh", Vec3::new(0.06, -0.33, 0.01)),
        moving,
        PointSpec::fixed("foot", Vec3::new(0.05, -0.08, 0.03)),
    ];
    let wraps = shape.map(|s| surface("thigh", turned(3.1, Vec3::new(0.035, -0.41, 0.01)), s)).into_iter().collect();
    path_spec(points, wraps)
}

fn shapes() -> Vec<Option<WrapSurface>> {
    vec![
        None,
        Some(WrapSurface::Sphere { radius: 0.05 }),
        Some(WrapSurface::Cylinder { radius: 0.05, length: 0.4 }),
        Some(WrapSurface::Ellipsoid { radii: Vec3::new(0.05, 0.04, 0.06) }),
    ]
}

fn with_instant<T>(model: &Model, s: f64, f: impl FnOnce(&Instant<'_>) -> T) -> T {
    let (q, v) = leg_state(model, s);
    let mut system = System::new(model);
    system.update_kinematics(&q, &v);
    f(&system.instant(0.0, &q, &v, None))
}

/// Central differences of the length along every speed agree with the gradient; the error is that of the differences.
#[test]
fn the_gradient_is_the_derivative_of_the_length() {
    let model = leg();
    for shape in shapes() {
        let path = Path::new(&spec(&model, shape), &model).unwrap();
        let (q, _) = leg_state(&model, 0.7);
        let rest = vec![0.0; model.nv()];
        let mut system = System::new(&model);
        let mut length_at = |k: usize, h: f64| {
            let mut d = rest.clone();
            d[k] = h;
            let mut moved = q.clone();
            model.retract(&q, &d, &mut moved);
            system.update_kinematics(&moved, &rest);
            let geometry = path.solve(&system.instant(0.0, &moved, &rest, None), None);
            assert_eq!(geometry.touches(0), shape.is_some());
            geometry.length
        };
        let h = 1e-5;
        let differences: Vec<f64> = (0..model.nv()).map(|k| (length_at(k, h) - length_at(k, -h)) / (2.0 * h)).collect();
        let mut gradient = vec![0.0; model.nv()];
        with_instant(&model, 0.7, |at| {
            let geometry = path.solve(at, None);
            path.length_gradient(&geometry, at, &mut gradient);
            for k in 0..model.nv() {
                assert!((path.moment_arm(&geometry, at, k) + gradient[k]).abs() < 1e-15);
            }
        });
        for (g, d) in gradient.iter().zip(&differences) {
            // geodesics are integrated numerically
            let tolerance = if matches!(shape, Some(WrapSurface::Ellipsoid { .. })) { 1e-7 } else { 1e-9 };
            assert!((g - d).abs() < tolerance, "{shape:?}: {gradient:?} {differences:?}");
        }
    }
}

#[test]
fn the_speed_is_the_gradient_along_the_motion() {
    let model = leg();
    for shape in shapes() {
        let path = Path::new(&spec(&model, shape), &model).unwrap();
        with_instant(&model, 0.7, |at| {
            let geometry = path.solve(at, None);
            let mut gradient = vec![0.0; model.nv()];
            path.length_gradient(&geometry, at, &mut gradient);
            let expected: f64 = gradient.iter().zip(at.v).map(|(g, v)| g * v).sum();
            assert!((path.speed(&geometry, at) - expected).abs() < 1e-13);
        });
    }
}

#[derive(Debug)]
struct Pull(Path);

impl ForceElement for Pull {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        self.0.pull(&self.0.solve(at, None), 250.0, at, out);
    }
}

/// What the dynamics sees of a tension is tension times moment arm, to rounding.
#[test]
fn generalised_forces_are_tension_times_moment_arm() {
    for shape in shapes() {
        let mut pulled = leg();
        let path = Path::new(&spec(&pulled, shape), &pulled).unwrap();
        let (q, v) = leg_state(&pulled, 0.7);
        let residual = |model: &Model| {
            let (a, mut r) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
            System::new(model).residual(0.0, &q, &v, &a, &[], &mut r);
            r
        };
        let free = residual(&pulled);
        pulled.add_force(Box::new(Pull(path.clone()))).unwrap();
        let loaded = residual(&pulled);
        with_instant(&pulled, 0.7, |at| {
            let geometry = path.solve(at, None);
            for k in 0..pulled.nv() {
                let tau = free[k] - loaded[k];
                let expected = 250.0 * path.moment_arm(&geometry, at, k);
                assert!((tau - expected).abs() < 1e-10, "{shape:?} {k}: {tau} {expected}");
            }
        });
    }
}

/// Turning and moving the whole world changes nothing.
#[test]
fn lengths_do_not_depend_on_where_the_world_is() {
    let model = leg();
    let path = Path::new(&spec(&model, shapes()[2]), &model).unwrap();
    with_instant(&model, 0.3, |at| {
        let here = path.solve(at, None);
        let shift = turned(2.2, Vec3::new(3.0, -2.0, 1.0));
        let poses: Vec<Pose> =
            (0..4).map(|b| shift * at.pose(&wolff_multibody::Frame { body: b, X_BF: Pose::identity() })).collect();
        let q = (0..model.nv()).map(|k| at.coordinate(k)).collect();
        let there = path.solve(&Still { poses, q }, None);
        assert!((here.length - there.length).abs() < 1e-13);
    });
}
