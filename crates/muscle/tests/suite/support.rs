//! Scenes, models and paths that many tests use: general, asymmetric, nothing aligned.

use crate::wrap_facts::Fact;
use wolff_multibody::Model;
use wolff_multibody::spec::*;
use wolff_muscle::hill::*;
use wolff_muscle::path::wrap::{Problem, Touch, touch};
use wolff_muscle::path::*;
use wolff_numerics::{TimeFunction, function::Polynomial};
use wolff_spatial::{MassProperties, Mat3, Pose, Quaternion, Vec3};

/// Bodies at given poses, coordinates at given values.
pub struct Still {
    pub poses: Vec<Pose>,
    pub q: Vec<f64>,
}

impl Scene for Still {
    fn pose(&self, body: usize) -> Pose {
        self.poses[body]
    }

    fn coordinate(&self, i: usize) -> f64 {
        self.q[i]
    }
}

impl Still {
    pub fn ground() -> Self {
        Still { poses: vec![Pose::identity()], q: vec![] }
    }
}

pub fn turned(seed: f64, p: Vec3) -> Pose {
    let turn = Vec3::new(seed.sin(), (2.0 * seed).cos(), (3.0 * seed).sin());
    Pose::new(Quaternion::from_rotation_vector(&turn).matrix(), p)
}

pub fn polynomial(c: &[f64]) -> TimeFunction {
    Polynomial::new(0.0, c).unwrap().into()
}

/// A surface on `body` without a wanted half, for the whole path.
pub fn surface(body: &str, pose: Pose, surface: WrapSurface) -> WrapSpec {
    WrapSpec {
        name: "surface".into(),
        body: body.into(),
        pose,
        surface,
        quadrant: None,
        method: EllipsoidMethod::Hybrid,
        first: None,
        last: None,
    }
}

pub fn path_spec(points: Vec<PointSpec>, wraps: Vec<WrapSpec>) -> PathSpec {
    PathSpec { name: "muscle".into(), points, wraps, construction: Construction::Shortest }
}

/// Resolves a path whose bodies are `0`, `1`, ... and whose coordinates are `q0`, `q1`, ...
pub fn resolve(spec: &PathSpec) -> Path {
    let body = |name: &str| name.parse().ok();
    Path::resolve(spec, body, |name| name.strip_prefix('q').and_then(|n| n.parse().ok())).unwrap()
}

/// Length of a path that is fixed in ground.
pub fn length(spec: &PathSpec) -> f64 {
    resolve(spec).solve(&Still::ground(), None).length
}

/// The surface and the segment of a fact.
pub fn fact_problem(fact: &Fact, surface: WrapSurface, construction: Construction) -> Problem {
    let (quadrant, method, _, p1, p2, _) = *fact;
    let method = match method {
        "axial" => EllipsoidMethod::Axial,
        "midpoint" => EllipsoidMethod::Midpoint,
        _ => EllipsoidMethod::Hybrid,
    };
    Problem {
        surface,
        quadrant: Quadrant::from_name(quadrant),
        method,
        construction,
        alone: true,
        hint: None,
        p1: p1.into(),
        p2: p2.into(),
    }
}

/// Length of the way of a segment past its surface.
pub fn way(problem: &Problem) -> f64 {
    match touch(problem) {
        Touch::Beside(w) | Touch::Through(w) => w.length(&problem.p1, &problem.p2),
        Touch::Not | Touch::Inside => (problem.p2 - problem.p1).norm(),
    }
}

/// Worst difference [m] from the facts.
pub fn worst_fact(facts: &[Fact], surface: impl Fn(&[f64; 3]) -> WrapSurface) -> f64 {
    facts.iter().map(|f| (way(&fact_problem(f, surface(&f.2), Construction::OpenSim)) - f.5).abs()).fold(0.0, f64::max)
}

/// Thigh (ball joint), shank (pin) and foot (two freedoms) hanging on ground.
pub fn leg() -> Model {
    let mass = |seed: f64| {
        let R = turned(seed, Vec3::zeros()).R;
        let inertia = R * Mat3::from_diagonal(&Vec3::new(0.03, 0.05, 0.06)) * R.transpose();
        MassProperties::new(1.0 + 0.3 * seed.sin(), Vec3::new(0.02, -0.2, 0.01 * seed), inertia).unwrap()
    };
    let joint = |name: &str, kind, parent: &str, child: &str, p: Vec3, seed: f64| JointSpec {
        name: name.into(),
        kind,
        parent: FrameSpec { body: parent.into(), pose: turned(seed, p) },
        child: FrameSpec { body: child.into(), pose: turned(seed, Vec3::new(0.01, 0.02, -0.01)) },
        coordinates: vec![],
        q0: vec![],
        v0: vec![],
    };
    let axis = Vec3::new(0.1, -0.2, 1.0).normalize();
    let spec = ModelSpec {
        name: "leg".into(),
        gravity: Vec3::new(0.0, -9.81, 0.0),
        bodies: vec![
            BodySpec::rigid("thigh", mass(0.3)),
            BodySpec::rigid("shank", mass(0.8)),
            BodySpec::rigid("foot", mass(1.7)),
        ],
        joints: vec![
            joint("hip", JointKind::Ball, "ground", "thigh", Vec3::new(0.0, 1.0, 0.1), 0.4),
            joint("knee", JointKind::Pin { axis }, "thigh", "shank", Vec3::new(0.01, -0.4, 0.0), 0.0),
            joint(
                "ankle",
                JointKind::Universal { axes: [axis, Vec3::new(1.0, 0.2, 0.1).normalize()] },
                "shank",
                "foot",
                Vec3::new(0.0, -0.42, 0.02),
                0.2,
            ),
        ],
        constraints: vec![],
    };
    Model::build(&spec).unwrap()
}

/// A general pose and motion of [`leg`]; `s` moves it.
pub fn leg_state(model: &Model, s: f64) -> (Vec<f64>, Vec<f64>) {
    let displacement: Vec<f64> = (0..model.nv()).map(|k| 0.25 * (1.3 * k as f64 + s).sin()).collect();
    let mut q = vec![0.0; model.nq()];
    model.retract(&model.q0, &displacement, &mut q);
    (q, (0..model.nv()).map(|k| (0.9 * k as f64 - s).cos()).collect())
}

/// The muscle of the facts.
pub fn fact_muscle(curves: Curves, rigid_tendon: bool, damping: f64) -> HillMuscle {
    let parameters =
        HillParameters { pennation_angle: 0.3, rigid_tendon, damping, ..HillParameters::new(1234.0, 0.08, 0.15) };
    HillMuscle::new("muscle", parameters, curves).unwrap()
}

pub fn millard() -> Curves {
    Curves::Millard(Box::new(MillardCurves::new("muscle", &MillardShape::default()).unwrap()))
}

pub fn schutte() -> Curves {
    Curves::Schutte(Box::new(SchutteCurves::new().unwrap()))
}

/// All models with an elastic tendon, with damping where they have it.
pub fn elastic_muscles() -> Vec<HillMuscle> {
    [millard(), Curves::Thelen(ThelenCurves::default()), Curves::DeGroote(DeGrooteCurves::default()), schutte()]
        .into_iter()
        .map(|curves| fact_muscle(curves, false, 0.1))
        .collect()
}

/// Asserts that `found` is `expected` to a relative error, or to the same part of `scale`.
#[track_caller]
pub fn close(found: f64, expected: f64, relative: f64, scale: f64) {
    let error = (found - expected).abs();
    assert!(error <= relative * expected.abs().max(scale), "{found} should be {expected}, off by {error:e}");
}

/// A slope agrees with central differences of the values.
#[track_caller]
pub fn slope_is_derivative(f: impl Fn(f64) -> Slope, points: &[f64], tolerance: f64) {
    let h = 1e-6;
    for x in points {
        let difference = (f(x + h).value - f(x - h).value) / (2.0 * h);
        close(f(*x).slope, difference, tolerance, 1.0);
    }
}
