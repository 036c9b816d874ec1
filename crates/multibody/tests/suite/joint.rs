//! Joint columns and biases are the derivatives of the joint's pose.

use crate::fixtures::*;
use wolff_multibody::joint::{Columns, MAX_FREEDOMS};
use wolff_multibody::spec::JointKind;
use wolff_spatial::{Mat3, Motion, Pose, Vec3};

/// Central differences with this step leave about 1e-9 of error on values of order one.
const H: f64 = 1e-5;
const DIFFERENCE_TOLERANCE: f64 = 2e-9;

fn coordinates(kind: &JointKind, seed: f64) -> (Vec<f64>, Vec<f64>) {
    let mut q0 = vec![0.0; kind.nq()];
    kind.reference_position(&mut q0);
    let d: Vec<f64> = (0..kind.nv()).map(|i| 0.6 * (seed + i as f64).sin()).collect();
    let mut q = q0.clone();
    kind.retract(&q0, &d, &mut q);
    (q, (0..kind.nv()).map(|i| (seed - 0.8 * i as f64).cos()).collect())
}

fn advanced(kind: &JointKind, q: &[f64], v: &[f64], h: f64) -> Vec<f64> {
    let d: Vec<f64> = v.iter().map(|v| v * h).collect();
    let mut out = q.to_vec();
    kind.retract(q, &d, &mut out);
    out
}

fn velocity(kind: &JointKind, q: &[f64], v: &[f64]) -> Motion {
    let mut S: Columns = [Motion::ZERO; MAX_FREEDOMS];
    kind.columns(q, v, &mut S);
    S.iter().zip(v).fold(Motion::ZERO, |sum, (s, v)| sum + *s * *v)
}

/// Angular velocity of a pose that changes at the rate `dR`.
fn spin(dR: &Mat3, R: &Mat3) -> Vec3 {
    let W = dR * R.transpose();
    Vec3::new(W[(2, 1)] - W[(1, 2)], W[(0, 2)] - W[(2, 0)], W[(1, 0)] - W[(0, 1)]) * 0.5
}

#[test]
fn columns_are_the_rate_of_the_pose() {
    for kind in all_kinds().into_iter().chain([ellipsoid_joint()]) {
        let (q, v) = coordinates(&kind, 0.4);
        let at = |h: f64| -> Pose { kind.pose(&advanced(&kind, &q, &v, h)) };
        let (a, b, now) = (at(-H), at(H), at(0.0));
        let V = velocity(&kind, &q, &v);
        let w = spin(&((b.R - a.R) / (2.0 * H)), &now.R);
        assert!((V.w - w).norm() < DIFFERENCE_TOLERANCE, "{kind:?}: {} against {w}", V.w);
        assert!((V.v - (b.p - a.p) / (2.0 * H)).norm() < DIFFERENCE_TOLERANCE, "{kind:?}");
    }
}

#[test]
fn bias_is_the_acceleration_at_constant_speeds() {
    for kind in all_kinds().into_iter().chain([ellipsoid_joint()]) {
        let (q, v) = coordinates(&kind, 1.1);
        let mut S: Columns = [Motion::ZERO; MAX_FREEDOMS];
        let bias = kind.columns(&q, &v, &mut S);
        let (a, b) =
            (velocity(&kind, &advanced(&kind, &q, &v, -H), &v), velocity(&kind, &advanced(&kind, &q, &v, H), &v));
        let difference = (b - a) * (0.5 / H);
        assert!((bias.w - difference.w).norm() < DIFFERENCE_TOLERANCE, "{kind:?}");
        assert!((bias.v - difference.v).norm() < DIFFERENCE_TOLERANCE, "{kind:?}");
    }
}

#[test]
fn rates_agree_with_retraction() {
    for kind in all_kinds() {
        let (q, v) = coordinates(&kind, 2.3);
        let mut rate = vec![0.0; kind.nq()];
        kind.rates(&q, &v, &mut rate);
        let (a, b) = (advanced(&kind, &q, &v, -H), advanced(&kind, &q, &v, H));
        for i in 0..kind.nq() {
            let difference = (b[i] - a[i]) / (2.0 * H);
            assert!((rate[i] - difference).abs() < DIFFERENCE_TOLERANCE, "{kind:?} coordinate {i}");
        }
    }
}

#[test]
fn suffixes_name_every_speed() {
    for kind in all_kinds() {
        assert!(kind.coordinate_suffixes().len() >= kind.nv(), "{kind:?}");
    }
}

#[test]
fn custom_joint_refuses_nonsense() {
    use wolff_multibody::joint::{CoordinateFunction, CustomJoint};
    let f = || CoordinateFunction { coordinate: 3, function: polynomial(&[0.0, 1.0]) };
    let axes = [Vec3::x(); 6];
    let functions = [f(), f(), f(), f(), f(), f()];
    let message = CustomJoint::new(2, axes, functions.clone()).unwrap_err();
    assert!(message.contains("coordinate 4"), "{message}");
    let message = CustomJoint::new(4, [Vec3::zeros(); 6], functions.clone()).unwrap_err();
    assert!(message.contains("no length"), "{message}");
    for radius in [-1.0, f64::NAN, f64::INFINITY] {
        let joint = CustomJoint::new(4, axes, functions.clone()).unwrap();
        let message = joint.on_ellipsoid(Vec3::new(1.0, radius, 1.0)).unwrap_err();
        assert!(message.contains("half axes 1"), "{message}");
    }
}

/// Joints without quaternions are custom joints too, and a coordinate that is held is none: poses stay.
#[test]
fn joints_as_custom_joints_with_a_coordinate_held() {
    let (a, b, c) = (Vec3::x(), Vec3::new(0.0, 0.6, 0.8), Vec3::z());
    let kinds = [
        JointKind::Weld,
        JointKind::Pin { axis: b },
        JointKind::Slider { axis: b },
        JointKind::Cylindrical { axis: b },
        JointKind::Universal { axes: [a, b] },
        JointKind::Gimbal { axes: [a, b, c] },
        JointKind::Planar,
    ];
    for kind in &kinds {
        let (q, _) = coordinates(kind, 0.7);
        let custom = kind.as_custom().unwrap();
        let (X, Y) = (kind.pose(&q), custom.pose(&q));
        assert!((X.R - Y.R).norm() < 1e-15 && (X.p - Y.p).norm() < 1e-15, "{kind:?}");
        for k in 0..kind.nv() {
            let held = custom.holding(k, q[k]);
            let rest: Vec<f64> = q.iter().enumerate().filter(|(i, _)| *i != k).map(|(_, x)| *x).collect();
            let Y = held.pose(&rest);
            assert_eq!(held.freedoms(), kind.nv() - 1);
            assert!((X.R - Y.R).norm() < 1e-15 && (X.p - Y.p).norm() < 1e-15, "{kind:?} with {k} held");
        }
    }
    assert!(JointKind::Ball.as_custom().is_none() && JointKind::Free.as_custom().is_none());
}
