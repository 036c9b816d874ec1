//! Side of the body.

use wolff_spatial::Vec3;

/// Side of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Right.
    Right,
    /// Left: mirror image of the right.
    Left,
}

/// The sign of z on the lateral side.
pub(crate) fn lateral_sign(side: Side) -> f64 {
    match side {
        Side::Right => 1.0,
        Side::Left => -1.0,
    }
}

/// A vector of a right bone on this side.
pub(crate) fn on_side(side: Side, right: Vec3) -> Vec3 {
    match side {
        Side::Right => right,
        Side::Left => Vec3::new(right.x, right.y, -right.z),
    }
}
