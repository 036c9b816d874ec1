//! Every kind of joint: coordinates keep the file's names and places.

use crate::data::leg;
use wolff_formats::osim::{OsimCoordinate, OsimJointKind, OsimModel};
use wolff_multibody::System;
use wolff_opensim::convert;
use wolff_spatial::{Pose, Vec3};

/// The leg with another hip.
fn with_hip(kind: OsimJointKind, values: &[f64]) -> OsimModel {
    let mut model = leg();
    let first = model.joints[0].coordinates[0].clone();
    let named =
        |(i, value): (usize, &f64)| OsimCoordinate { name: format!("h{i}"), default_value: *value, ..first.clone() };
    model.joints[0].coordinates = values.iter().enumerate().map(named).collect();
    model.joints[0].kind = kind;
    model
}

/// Pose of the femur, which sits in the hip with its own frame, in the default pose.
fn femur(kind: OsimJointKind, values: &[f64]) -> Pose {
    let model = convert(&with_hip(kind, values)).unwrap().build().unwrap();
    let mut system = System::new(&model);
    for (i, value) in values.iter().enumerate() {
        let speed = model.coordinate_index(&format!("h{i}")).unwrap();
        assert_eq!(model.q0[model.position_of_speed(speed).unwrap()], *value, "h{i}");
    }
    system.update_kinematics(&model.q0, &model.v0);
    system.kin.bodies[model.body_index("femur").unwrap()].X_GB
}

fn assert_same(a: Pose, R: wolff_spatial::Mat3, p: [f64; 3]) {
    assert!((a.R - R).amax() < 1e-15 && (a.p - Vec3::from(p)).norm() < 1e-15, "{a:?}");
}

#[test]
fn poses_of_all_kinds() {
    use wolff_opensim::xyz_rotation as turn;
    assert_same(femur(OsimJointKind::Weld, &[]), turn(&[0.0; 3]), [0.0; 3]);
    assert_same(femur(OsimJointKind::Pin, &[0.4]), turn(&[0.0, 0.0, 0.4]), [0.0; 3]);
    assert_same(femur(OsimJointKind::Slider, &[0.4]), turn(&[0.0; 3]), [0.4, 0.0, 0.0]);
    assert_same(femur(OsimJointKind::Universal, &[0.4, 0.2]), turn(&[0.4, 0.2, 0.0]), [0.0; 3]);
    assert_same(femur(OsimJointKind::Gimbal, &[0.4, 0.2, 0.3]), turn(&[0.4, 0.2, 0.3]), [0.0; 3]);
    assert_same(femur(OsimJointKind::Ball, &[0.4, 0.2, 0.3]), turn(&[0.4, 0.2, 0.3]), [0.0; 3]);
    // the angle comes first in OpenSim
    assert_same(femur(OsimJointKind::Planar, &[0.4, 0.2, 0.3]), turn(&[0.0, 0.0, 0.4]), [0.2, 0.3, 0.0]);
    let free = femur(OsimJointKind::Free, &[0.4, 0.2, 0.3, 1.0, 2.0, 3.0]);
    assert_same(free, turn(&[0.4, 0.2, 0.3]), [1.0, 2.0, 3.0]);
}

/// The origin is on the ellipsoid, at half axes times the z axis.
#[test]
fn an_ellipsoid_joint_glides() {
    let radii = [0.1, 0.2, 0.3];
    let X = femur(OsimJointKind::Ellipsoid { radii }, &[0.4, 0.2, 0.3]);
    let R = wolff_opensim::xyz_rotation(&[0.4, 0.2, 0.3]);
    assert_same(X, R, std::array::from_fn(|k| radii[k] * R[(k, 2)]));
    let on: f64 = (0..3).map(|k| (X.p[k] / radii[k]).powi(2)).sum();
    assert!((on - 1.0).abs() < 1e-14);
}

/// At rest the blade is where its frame is on the ellipsoid; winging leaves the points of its axis where they are.
#[test]
fn a_shoulder_blade_wings_about_its_axis() {
    let kind = |winging_direction| OsimJointKind::Scapulothoracic {
        radii: [0.1, 0.2, 0.3],
        winging_origin: [0.04, -0.03],
        winging_direction,
    };
    let rest = femur(kind(0.7), &[0.0, 0.0, 0.0, 0.0]);
    assert_same(rest, wolff_opensim::xyz_rotation(&[0.0; 3]), [0.0, 0.0, 0.3]);
    let (still, winged) = (femur(kind(0.7), &[0.3, 0.2, 0.1, 0.0]), femur(kind(0.7), &[0.3, 0.2, 0.1, 0.5]));
    let origin = Vec3::new(0.04, -0.03, 0.0);
    for along in [-0.1, 0.2] {
        let p = origin + Vec3::new(-0.7_f64.sin(), 0.7_f64.cos(), 0.0) * along;
        assert!((still.point(&p) - winged.point(&p)).norm() < 1e-15);
    }
    let moved = (still.point(&Vec3::zeros()) - winged.point(&Vec3::zeros())).norm();
    assert!(moved > 1e-3, "{moved}");
}

#[test]
fn coordinates_without_a_name_get_one() {
    let model = convert(&with_hip(OsimJointKind::Ball, &[0.1])).unwrap();
    assert_eq!(model.spec.joints[0].coordinates, ["h0", "hip_coord_1", "hip_coord_2"]);
    assert_eq!(model.spec.joints[0].q0, [0.1, 0.0, 0.0]);
}

#[test]
fn joints_that_are_missing_say_so() {
    let refused = |model: &OsimModel| convert(model).unwrap_err()[0].to_string();
    let ellipsoid = OsimJointKind::Ellipsoid { radii: [0.1, -0.2, 0.3] };
    assert!(refused(&with_hip(ellipsoid, &[0.0; 3])).contains("half axes 0.1, -0.2, 0.3"));
    let strange = OsimJointKind::Unsupported("StrangeJoint".into());
    assert!(refused(&with_hip(strange, &[])).contains("`StrangeJoint`"));
    assert!(refused(&with_hip(OsimJointKind::Pin, &[0.0; 2])).contains("2 coordinates for 1 degrees of freedom"));
    let mut model = leg();
    let OsimJointKind::Custom(axes) = &mut model.joints[1].kind else { panic!("the knee is a custom joint") };
    axes[0].coordinates = vec!["hip_x".into()];
    assert!(refused(&model).contains("not a coordinate of the joint"));
}
