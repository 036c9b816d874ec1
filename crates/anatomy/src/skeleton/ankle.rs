//! Axes of the ankle: that of flexion between shank and talus, and the subtalar one of inversion.

use super::{Skeleton, mirror_axis};
use crate::names::{SegmentName, Side};
use wolff_spatial::Vec3;

/// Directions of the two axes of a right ankle in standing, as angles \[rad\]; both run through the ankle's centre.
///
/// ```text
/// flexion    (-cos θ sin ψ, -sin θ, cos θ cos ψ)      θ tilt: lateral end down,   ψ turn: lateral end backward
/// inversion  ( cos φ cos χ,  sin φ, -cos φ sin χ)     φ rise: front end up,       χ turn: front end to the middle
/// ```
/// Limits: the real subtalar axis passes about 4 cm below and behind the ankle's centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnkleAxes {
    /// θ.
    pub flexion_tilt: f64,
    /// ψ.
    pub flexion_turn: f64,
    /// φ.
    pub subtalar_rise: f64,
    /// χ.
    pub subtalar_turn: f64,
}

impl Default for AnkleAxes {
    /// Axes of the model from which the leg muscles come (Delp et al. 1990): 10, 6.1, 37.2 and 8.7 degrees. In people
    /// Isman and Inman 1969 found 10 ± 4, 6 ± 7, 41 ± 9 and 23 ± 11 degrees.
    fn default() -> Self {
        AnkleAxes { flexion_tilt: 0.1749, flexion_turn: 0.1068, subtalar_rise: 0.6494, subtalar_turn: 0.1525 }
    }
}

impl AnkleAxes {
    /// Unit vectors of flexion and inversion of the right side.
    pub fn directions(&self) -> [Vec3; 2] {
        let (tilt, rise) = (self.flexion_tilt.sin_cos(), self.subtalar_rise.sin_cos());
        let (turn, inward) = (self.flexion_turn.sin_cos(), self.subtalar_turn.sin_cos());
        [
            Vec3::new(-tilt.1 * turn.0, -tilt.0, tilt.1 * turn.1),
            Vec3::new(rise.1 * inward.1, rise.0, -rise.1 * inward.0),
        ]
    }
}

impl Skeleton {
    /// The same skeleton with other axes of its ankles; joints without exactly two rotations are not changed.
    pub fn with_ankle_axes(&self, axes: &AnkleAxes) -> Skeleton {
        let mut skeleton = self.clone();
        let right = axes.directions();
        for foot in skeleton.segments.iter_mut().filter(|s| s.turns.len() == 2) {
            let Some(SegmentName::Foot(side)) = SegmentName::of(&foot.name) else { continue };
            for (turn, axis) in foot.turns.iter_mut().zip(&right) {
                turn.axis = if side == Side::Left { mirror_axis(axis) } else { *axis };
            }
        }
        skeleton
    }
}
