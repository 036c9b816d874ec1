//! Tests of the place of voxels in the patient.

use wolff_imaging::{Frame, Handedness};
use wolff_spatial::{Mat3, Vec3};

use crate::phantom::oblique;

#[test]
fn index_and_position_are_inverse() {
    let frame = oblique();
    for index in [Vec3::zeros(), Vec3::new(3.25, -1.5, 40.0)] {
        assert!((frame.index(&frame.position(&index)) - index).norm() < 1e-9);
    }
    let step = frame.position(&Vec3::new(0.0, 1.0, 0.0)) - frame.position(&Vec3::zeros());
    assert!((step.norm() - 0.7e-3).abs() < 1e-15);
    assert!((frame.voxel_volume() - 0.5e-3 * 0.7e-3 * 0.9e-3).abs() < 1e-20);
    assert_eq!(frame.handedness(), Handedness::Right);
    assert!(frame.is_orthogonal());
}

#[test]
fn a_mirrored_grid_is_told_and_exact() {
    let frame = oblique();
    let columns = frame.directions() * Mat3::from_diagonal(&Vec3::new(-0.5e-3, 0.7e-3, 0.9e-3));
    let mirrored = Frame::new(frame.origin(), columns).unwrap();
    assert_eq!(mirrored.handedness(), Handedness::Left);
    let (a, b) = (mirrored.position(&Vec3::new(-2.0, 1.0, 3.0)), frame.position(&Vec3::new(2.0, 1.0, 3.0)));
    assert!((a - b).norm() < 1e-15);
}

#[test]
fn impossible_frames_are_refused() {
    let unit = Mat3::identity() * 1e-3;
    let refused = |origin: Vec3, columns: Mat3, word: &str| {
        let message = Frame::new(origin, columns).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    refused(Vec3::zeros(), Mat3::zeros(), "distance between voxels");
    refused(Vec3::zeros(), Mat3::identity() * f64::NAN, "distance between voxels");
    refused(Vec3::new(f64::NAN, 0.0, 0.0), unit, "first voxel");
    refused(Vec3::new(1e9, 0.0, 0.0), unit, "first voxel");
    let flat = Mat3::new(1e-3, 1e-3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e-3);
    refused(Vec3::zeros(), flat, "in a plane");
}
