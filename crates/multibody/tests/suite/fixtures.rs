//! Models that many tests use: general, asymmetric, nothing aligned.

use nalgebra::DMatrix;
use wolff_flexbody::{FlexBody, InertiaIntegrals, Node};
use wolff_multibody::Model;
use wolff_multibody::joint::{CoordinateFunction, CustomJoint};
use wolff_multibody::spec::*;
use wolff_numerics::{TimeFunction, function::Polynomial};
use wolff_spatial::{MassProperties, Mat3, Pose, Quaternion, Vec3};

pub fn unit(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z).normalize()
}

pub fn tilted(seed: f64, p: Vec3) -> Pose {
    let turn = Vec3::new((seed).sin(), (2.0 * seed).cos(), (3.0 * seed).sin());
    Pose::new(Quaternion::from_rotation_vector(&turn).matrix(), p)
}

/// A body without symmetry.
pub fn lump(seed: f64) -> MassProperties {
    let R = tilted(seed, Vec3::zeros()).R;
    let inertia = R * Mat3::from_diagonal(&Vec3::new(0.03, 0.05, 0.06)) * R.transpose();
    MassProperties::new(1.0 + 0.3 * seed.sin(), Vec3::new(0.1, -0.05, 0.02 * seed), inertia).unwrap()
}

pub fn polynomial(coefficients: &[f64]) -> TimeFunction {
    Polynomial::new(0.0, coefficients).unwrap().into()
}

/// A joint whose six axes depend on two coordinates.
pub fn custom_joint() -> JointKind {
    let f = |coordinate, c: &[f64]| CoordinateFunction { coordinate, function: polynomial(c) };
    let functions = [
        f(0, &[0.1, 1.0]),
        f(0, &[0.0, 0.3, -0.2]),
        f(1, &[0.0, 1.0, 0.0, 0.4]),
        f(0, &[0.02, -0.05, 0.03]),
        f(1, &[0.0, 0.2]),
        f(0, &[0.07]),
    ];
    let axes = [
        unit(0.0, 0.0, 1.0),
        unit(1.0, 0.2, 0.0),
        unit(0.1, 1.0, 0.3),
        unit(1.0, 0.0, 0.0),
        unit(0.0, 1.0, 0.2),
        unit(0.0, 0.3, 1.0),
    ];
    JointKind::Custom(Box::new(CustomJoint::new(2, axes, functions).unwrap()))
}

/// The same with its origin on an ellipsoid.
pub fn ellipsoid_joint() -> JointKind {
    let JointKind::Custom(custom) = custom_joint() else { unreachable!() };
    JointKind::Custom(Box::new(custom.on_ellipsoid(Vec3::new(0.1, 0.25, 0.18)).unwrap()))
}

/// Every kind of joint that can move.
pub fn all_kinds() -> Vec<JointKind> {
    let axis = unit(1.0, 2.0, -0.5);
    vec![
        JointKind::Pin { axis },
        JointKind::Slider { axis },
        JointKind::Cylindrical { axis },
        JointKind::Universal { axes: [axis, unit(0.2, -0.1, 1.0)] },
        JointKind::Gimbal { axes: [unit(0.0, 0.0, 1.0), unit(1.0, 0.1, 0.0), unit(0.0, 1.0, 0.2)] },
        JointKind::Ball,
        JointKind::Planar,
        JointKind::Free,
        custom_joint(),
    ]
}

/// A joint between frames that are nowhere aligned.
pub fn joint(name: &str, kind: JointKind, parent: &str, child: &str, seed: f64) -> JointSpec {
    JointSpec {
        name: name.into(),
        kind,
        parent: FrameSpec { body: parent.into(), pose: tilted(seed, Vec3::new(0.2, -0.1, 0.3)) },
        child: FrameSpec { body: child.into(), pose: tilted(seed + 0.7, Vec3::new(-0.1, 0.15, 0.05)) },
        coordinates: vec![],
        q0: vec![],
        v0: vec![],
    }
}

/// A branched tree with every kind of joint, a weld, and a second tree beside it.
pub fn zoo_spec() -> ModelSpec {
    let mut spec = ModelSpec { name: "zoo".into(), gravity: Vec3::new(0.5, -9.7, 1.2), ..Default::default() };
    let mut kinds = all_kinds();
    kinds.insert(4, JointKind::Weld);
    for (i, kind) in kinds.into_iter().enumerate() {
        let name = format!("b{i}");
        // b0 and b7 hang on ground; b3 branches
        let parent = match i {
            0 | 7 => GROUND.to_string(),
            6 => "b3".into(),
            _ => format!("b{}", i - 1),
        };
        let seed = 0.37 * (i as f64 + 1.0);
        spec.bodies.push(BodySpec::rigid(&name, lump(seed)));
        spec.joints.push(joint(&format!("j{i}"), kind, &parent, &name, seed));
    }
    spec
}

pub fn zoo() -> Model {
    Model::build(&zoo_spec()).unwrap()
}

/// The zoo with bones that bend: b0 at the root, b3 where it branches, b8 in the second tree; with second-order terms or without.
pub fn flexible_zoo_spec(stiffening: bool) -> ModelSpec {
    let mut spec = zoo_spec();
    for (k, i) in [0, 3, 8].into_iter().enumerate() {
        let name = format!("b{i}");
        let body = soft_lump(&name, 2 + k, 0.6 + k as f64, stiffening);
        spec.bodies[i] = BodySpec::flexible(&name, std::sync::Arc::new(body));
    }
    let bends = |body: &str| ["b0", "b3", "b8"].contains(&body);
    for (i, joint) in spec.joints.iter_mut().enumerate() {
        if bends(&joint.child.body) {
            joint.child.body += [".p1", ".base"][i % 2];
        }
        if bends(&joint.parent.body) {
            joint.parent.body += [".p2", ".p4"][i % 2];
        }
    }
    spec
}

/// Rigid and flexible trees that every algorithm must treat alike.
pub fn zoos() -> [Model; 3] {
    let flexible = |stiffening| Model::build(&flexible_zoo_spec(stiffening)).unwrap();
    [zoo(), flexible(false), flexible(true)]
}

/// Six point masses with arbitrary shapes, a node on each (`p0` to `p5`) that turns too.
pub fn soft_lump(name: &str, modes: usize, seed: f64, stiffening: bool) -> FlexBody {
    let wave = |k: f64| ((12.9898 * (seed + k)).sin() * 437.58).fract();
    let shape =
        |k: f64, scale: f64| DMatrix::from_fn(3, modes, |i, j| scale * wave(k + 0.31 * i as f64 + 1.7 * j as f64));
    let vector = |k: f64, scale: f64| Vec3::new(wave(k), wave(k + 0.4), wave(k + 0.9)) * scale;
    let points: Vec<f64> = (0..6).map(|p| 3.1 * f64::from(p)).collect();
    let masses: Vec<f64> = points.iter().map(|p| 0.2 + 0.1 * wave(*p)).collect();
    let positions: Vec<Vec3> = points.iter().map(|p| vector(p + 0.13, 0.3)).collect();
    let shapes: Vec<_> = points.iter().map(|p| shape(p + 0.2, 0.1)).collect();
    let mut integrals = InertiaIntegrals::lumped(&masses, &positions, &shapes).unwrap();
    let symmetric = |p: f64| -> Vec<Vec3> {
        (0..modes * modes).map(|k| vector(p + (k / modes + k % modes) as f64, 0.02)).collect()
    };
    let mut nodes = Vec::new();
    for (k, p) in points.iter().enumerate() {
        let mut node = Node::new(&format!("p{k}"), positions[k], shapes[k].clone(), shape(p + 0.6, 0.3));
        let axes = tilted(*p, Vec3::zeros()).R;
        node.axes = std::array::from_fn(|i| std::array::from_fn(|j| axes[(i, j)]));
        if stiffening {
            node.second = symmetric(*p);
            node.second_rotation = symmetric(p + 0.5);
        }
        nodes.push(node);
    }
    if stiffening {
        integrals.S2 = vec![Vec3::zeros(); modes * modes];
        integrals.B2 = vec![Mat3::zeros(); modes * modes];
        for ((m, X), node) in masses.iter().zip(&positions).zip(&nodes) {
            for (k, g) in node.second.iter().enumerate() {
                integrals.S2[k] += g * *m;
                integrals.B2[k] += X * g.transpose() * *m;
            }
        }
    }
    let stiffness = DMatrix::from_fn(modes, modes, |i, j| if i == j { 9.0 + i as f64 } else { 0.5 });
    FlexBody::new(name, integrals, stiffness, nodes, vec![]).unwrap()
}

/// The zoo with its two trees tied together at a point.
pub fn looped_zoo() -> Model {
    looped(zoo_spec())
}

/// The same with bodies that bend.
pub fn looped_flexible_zoo() -> Model {
    looped(flexible_zoo_spec(false))
}

fn looped(mut spec: ModelSpec) -> Model {
    let kind = ConstraintKind::Spherical {
        a: FrameSpec::at("b6", Vec3::new(0.1, 0.2, 0.3)),
        b: FrameSpec::at("b9", Vec3::zeros()),
    };
    spec.constraints.push(ConstraintSpec { name: "loop".into(), kind });
    Model::build(&spec).unwrap()
}

/// A general state: coordinates moved off the reference, all speeds different.
pub fn state(model: &Model, seed: f64) -> (Vec<f64>, Vec<f64>) {
    let d: Vec<f64> = (0..model.nv()).map(|i| 0.4 * (seed + 1.3 * i as f64).sin()).collect();
    let mut q = model.q0.clone();
    model.retract(&model.q0, &d, &mut q);
    let v = (0..model.nv()).map(|i| (seed * 2.0 + 0.9 * i as f64).cos()).collect();
    (q, v)
}

/// `q` after moving for a time `h` with constant speeds.
pub fn moved(model: &Model, q: &[f64], v: &[f64], h: f64) -> Vec<f64> {
    let d: Vec<f64> = v.iter().map(|v| v * h).collect();
    let mut out = q.to_vec();
    model.retract(q, &d, &mut out);
    out
}

pub fn worst(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
