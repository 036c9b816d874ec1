//! Rotations, poses, spatial vectors and inertia: fixed size, no allocation, `f64`.
//!
//! Names check themselves: `X_GB` is the pose of frame B in G, `R_GB` its rotation, `p_GB` the position of B's origin in G;
//! in `X_GB = X_GP * X_PB` neighbouring letters match. A spatial vector stacks an angular and a linear part *about a stated
//! point and in stated axes*; two of them may be added only when both agree, which is why the dynamics keeps everything about
//! one point per tree in ground axes.
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
