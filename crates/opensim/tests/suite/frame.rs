//! Names and paths of frames.

use crate::data::leg;
use wolff_opensim::{Frames, OpensimError, xyz_rotation};
use wolff_spatial::{Mat3, Vec3};

#[test]
fn paths_lead_to_bodies() {
    let model = leg();
    let frames = Frames::new(&model);
    let knee = ["jointset", "knee"];
    for (name, body, p) in [
        ("/ground", "ground", [0.0; 3]),
        ("../../ground", "ground", [0.0; 3]),
        ("/bodyset/tibia", "tibia", [0.0; 3]),
        ("tibia", "tibia", [0.0; 3]),
        ("bodyset/tibia", "tibia", [0.0; 3]),
        ("/bodyset/femur/condyles", "femur", [0.0, -0.4, 0.0]),
        ("condyles", "femur", [0.0, -0.4, 0.0]),
        ("/bodyset/femur/condyles/medial", "femur", [0.0, -0.4, -0.02]),
        ("femur_offset", "femur", [0.01, -0.4, 0.0]),
        ("/jointset/knee/femur_offset", "femur", [0.01, -0.4, 0.0]),
    ] {
        let frame = frames.resolve(&knee, name).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(frame.body, body, "{name}");
        assert!((frame.pose.p - Vec3::from(p)).norm() < 1e-16, "{name}: {}", frame.pose.p);
    }
    assert_eq!(frames.resolve(&knee, "femur_offset").unwrap().pose.R, xyz_rotation(&[0.1, 0.2, 0.3]));
}

#[test]
fn paths_that_lead_nowhere_are_refused() {
    let mut model = leg();
    let error = Frames::new(&model).resolve(&["jointset", "knee"], "/bodyset/fibula").unwrap_err();
    assert_eq!(error.to_string(), "knee: frame `/bodyset/fibula` does not exist; correct its name");
    // a frame that hangs on itself
    model.joints[1].frames[0].parent = "/jointset/knee/femur_offset".into();
    let error = Frames::new(&model).resolve(&["jointset", "knee"], "femur_offset").unwrap_err();
    assert!(matches!(error, OpensimError::Frame { .. }) && error.to_string().contains("itself"));
}

/// Body-fixed turns: x moves first, z is the last that is carried along.
#[test]
fn turns_are_body_fixed() {
    let R = xyz_rotation(&[0.3, -0.5, 0.8]);
    assert!((R.transpose() * R - Mat3::identity()).amax() < 1e-15);
    // sin of the second angle is the xz element, the z axis does not see the third
    assert!((R[(0, 2)] - (-0.5_f64).sin()).abs() < 1e-16);
    assert!((R[(1, 2)] + 0.3_f64.sin() * 0.5_f64.cos()).abs() < 1e-16);
}
