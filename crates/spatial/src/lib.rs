//! Rotations, poses, spatial vectors and inertia: fixed size, no allocation, `f64`.
//!
//! Names check themselves: `X_GB` is the pose of frame B in G, `R_GB` its rotation, `p_GB` the position of B's origin
//! in G; in `X_GB = X_GP * X_PB` neighbouring letters match. A spatial vector stacks an angular and a linear part
//! *about a stated point and in stated axes*; two of them may be added only when both agree, which is why the dynamics
//! keeps everything about one point per tree in ground axes.
//!
//! A thigh of 0.43 m hangs straight down, the knee is flexed by 90°. Where is the ankle, 0.42 m from the knee?
//!
//! ```
//! use std::f64::consts::FRAC_PI_2;
//! use wolff_spatial::{Pose, Quaternion, Vec3};
//!
//! // T thigh, S shank, origins at hip and knee; x forward, y up, z to the right
//! let X_GT = Pose::identity();
//! let flexion = Quaternion::from_rotation_vector(&Vec3::new(0.0, 0.0, -FRAC_PI_2));
//! let X_TS = Pose::new(flexion.matrix(), Vec3::new(0.0, -0.43, 0.0));
//! let X_GS = X_GT * X_TS;
//! let ankle = X_GS.point(&Vec3::new(0.0, -0.42, 0.0));
//! assert!((ankle - Vec3::new(-0.42, -0.43, 0.0)).norm() < 1e-15);
//! ```
#![allow(non_snake_case)]

mod inertia;
mod pose;
mod rotation;
mod vector;

pub use inertia::{ArticulatedInertia, InertiaError, MassProperties, SpatialInertia};
pub use pose::Pose;
pub use rotation::Quaternion;
pub use vector::{Force, Motion};

/// A column of three numbers.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A three by three matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;

/// The matrix of the cross product: `skew(a) * b == a.cross(&b)`.
#[inline]
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}
