//! Tests of the spatial crate, a file for each source file.
#![allow(non_snake_case)]

mod inertia;
mod pose;
mod rotation;
mod vector;

use proptest::prelude::*;
use wolff_spatial::{Pose, Quaternion, Vec3};

/// Rounding of a few products of numbers of order ten.
pub const ROUNDING: f64 = 1e-12;

/// Any vector of a few metres.
pub fn vector() -> impl Strategy<Value = Vec3> {
    [-3.0..3.0, -3.0..3.0, -3.0..3.0f64].prop_map(|[x, y, z]| Vec3::new(x, y, z))
}

/// Any pose.
pub fn pose() -> impl Strategy<Value = Pose> {
    (vector(), vector()).prop_map(|(turn, p)| Pose::new(Quaternion::from_rotation_vector(&turn).matrix(), p))
}
