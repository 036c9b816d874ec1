//! Speed, moment arms and forces: derivatives of the length, and consistent with each other.

use crate::support::*;
use wolff_multibody::force::ForceElement;
use wolff_multibody::spec::*;
use wolff_multibody::{Instant, Loads, Model, System};
use wolff_muscle::path::*;
use wolff_spatial::{MassProperties, Pose, Quaternion, Vec3};

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

/// Two links with pins and a path with a moving point over a surface, as built in OpenSim 4.6 for [`OPENSIM_ARMS`].
fn two_links(shape: WrapSurface) -> (Model, Path) {
    let mass = MassProperties::point(1.0, Vec3::new(0.0, -0.2, 0.0)).unwrap();
    let pin = |name: &str, parent: &str, child: &str, p: Vec3| JointSpec {
        name: name.into(),
        kind: JointKind::Pin { axis: Vec3::z() },
        parent: FrameSpec::at(parent, p),
        child: FrameSpec::at(child, Vec3::zeros()),
        coordinates: vec![],
        q0: vec![],
        v0: vec![],
    };
    let spec = ModelSpec {
        name: "links".into(),
        gravity: Vec3::zeros(),
        bodies: vec![BodySpec::rigid("b1", mass), BodySpec::rigid("b2", mass)],
        joints: vec![
            pin("hip", "ground", "b1", Vec3::new(0.0, 1.0, 0.0)),
            pin("knee", "b1", "b2", Vec3::new(0.0, -0.4, 0.01)),
        ],
        constraints: vec![],
    };
    let model = Model::build(&spec).unwrap();
    let axis = |c: &[f64]| AxisSpec { coordinate: Some("knee".into()), function: polynomial(c) };
    let place = PlaceSpec::Moving(Box::new([axis(&[0.04, 0.02]), axis(&[-0.12, -0.03]), axis(&[0.01])]));
    let points = vec![
        PointSpec::fixed("ground", Vec3::new(0.06, 1.05, 0.02)),
        PointSpec::fixed("b1", Vec3::new(0.05, -0.15, 0.0)),
        PointSpec { body: "b2".into(), place, active: None },
    ];
    let turn = |axis: Vec3, angle: f64| Quaternion::from_rotation_vector(&(axis * angle)).matrix();
    let pose = Pose::new(turn(Vec3::x(), 0.1) * turn(Vec3::y(), 0.2), Vec3::new(0.005, -0.4, 0.0));
    let path = PathSpec { construction: Construction::OpenSim, ..path_spec(points, vec![surface("b1", pose, shape)]) };
    let path = Path::new(&path, &model).unwrap();
    (model, path)
}

/// Hip and knee angle, length, moment arms about hip and knee, lengthening speed at hip and knee speeds of 1.3 and -0.7 rad/s; in the last
/// two poses the path is off the surface.
type Arms = [[f64; 6]; 4];
#[rustfmt::skip]
const OPENSIM_ARMS: [(WrapSurface, Arms, f64); 3] = [
    (WrapSurface::Sphere { radius: 0.045 }, [
        [0.0, -0.2, 0.5753545973238927, 0.05714395942499462, 0.012797987209462184, -0.0653285562058695],
        [0.5, -0.6, 0.5330778778544835, 0.07272464466920214, -0.06353355299084962, -0.13901552516355745],
        [-0.3, -1.2, 0.5369221395988596, 0.04459208682275845, -0.08461924478851496, -0.11720318422154646],
        [0.2, 0.3, 0.5507046677429012, 0.06433670798888885, 0.046789698462876186, -0.05088493146154219],
    ], 1e-12),
    (WrapSurface::Cylinder { radius: 0.045, length: 0.3 }, [
        [0.0, -0.2, 0.577787692718695, 0.05714395942499462, 0.0260274069847324, -0.056067962363180346],
        [0.5, -0.6, 0.5341207912602682, 0.07272464466920214, -0.07281286849857721, -0.14551104601896675],
        [-0.3, -1.2, 0.5369221395988596, 0.04459208682275845, -0.08461924478851496, -0.11720318422154646],
        [0.2, 0.3, 0.5507046677429012, 0.06433670798888885, 0.046789698462876186, -0.05088493146154219],
    ], 1e-12),
    // OpenSim finds touching points to about 1e-6 m
    (WrapSurface::Ellipsoid { radii: Vec3::new(0.04, 0.05, 0.06) }, [
        [0.0, -0.2, 0.5755056813271358, 0.05714395942499462, 0.018612587973971702, -0.06125833567071284],
        [0.5, -0.6, 0.5323425482960341, 0.07272464466920209, -0.0662273825651748, -0.14090120586558508],
        [-0.3, -1.2, 0.5369221395988596, 0.04459208682275845, -0.08461924478851496, -0.11720318422154646],
        [0.2, 0.3, 0.5507046677429012, 0.06433670798888885, 0.046789698462876186, -0.05088493146154219],
    ], 1e-5),
];

#[test]
fn lengths_speeds_and_moment_arms_are_those_of_opensim() {
    for (shape, rows, tolerance) in OPENSIM_ARMS {
        let (model, path) = two_links(shape);
        let mut system = System::new(&model);
        for [hip, knee, length, hip_arm, knee_arm, speed] in rows {
            let (q, v) = ([hip, knee], [1.3, -0.7]);
            system.update_kinematics(&q, &v);
            let at = system.instant(0.0, &q, &v, None);
            let geometry = path.solve(&at, None);
            close(geometry.length, length, tolerance, 1.0);
            close(path.moment_arm(&geometry, &at, 0), hip_arm, tolerance, 1.0);
            close(path.moment_arm(&geometry, &at, 1), knee_arm, tolerance, 1.0);
            close(path.speed(&geometry, &at), speed, tolerance, 1.0);
        }
    }
}
