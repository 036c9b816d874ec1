//! Vectors of a right bone on either side.

use wolff_anatomy::Side;
use wolff_spatial::Vec3;

/// A vector of a right bone on this side.
pub(crate) fn on_side(side: Side, right: Vec3) -> Vec3 {
    match side {
        Side::Right => right,
        Side::Left => Vec3::new(right.x, right.y, -right.z),
    }
}
