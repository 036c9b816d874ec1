//! Elements that need not be asked again although the bodies move.

use wolff_spatial::Vec3;

/// An element near the moving surface that did not touch, in moving axes.
///
/// When its centre has moved by u and the element turned by θ, the depth anywhere on it has grown by no more than
/// `-n·u + |W| |u| (½ |u| + r + |W| |u|²) + r θ`, n normal and W shape operator of the parallel surface through the
/// centre, r radius of the element; the last term in the bracket stands for curvatures that change over lengths like
/// their radii. It holds where the place found is a good start, as another part of the surface is not looked for. Own
/// derivation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clear {
    /// Centre of the element then \[m\].
    pub centre: Vec3,
    /// n
    pub normal: Vec3,
    /// |W| \[1/m\].
    pub bend: f64,
    /// Depth that was missing \[m\].
    pub margin: f64,
    /// Turn of the chunk then \[rad\].
    pub turn: f64,
}

/// Farther around the moving surface a [`Clear`] does not hold \[rad\].
const LARGEST_ANGLE: f64 = 0.3;

impl Clear {
    /// What is left of the margin \[m\] when the centre is at `A_M` and the chunk has turned up to `turn`.
    #[inline]
    pub fn left(&self, A_M: &Vec3, turn: f64, radius: f64) -> f64 {
        let u = A_M - self.centre;
        let (way, angle) = (u.norm(), self.bend * u.norm());
        if !(angle < LARGEST_ANGLE) {
            return 0.0;
        }
        let growth = angle * (0.5 * way + radius + angle * way) + radius * (turn - self.turn) - self.normal.dot(&u);
        self.margin - growth
    }
}
