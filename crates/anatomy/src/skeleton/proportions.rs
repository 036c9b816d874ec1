//! A skeleton with individual proportions instead of the mean ones of a table.

use super::Skeleton;
use crate::error::{AnatomyError, positive};
use crate::names::SegmentName::{self, Foot, Shank, Thigh, Toes};
use crate::names::Side;

/// Lengths of the lower body from measurements or from a scaled model \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportions {
    /// Half the distance of the hips.
    pub half_hips: f64,
    /// Hip to knee.
    pub thigh: f64,
    /// Knee to ankle.
    pub shank: f64,
    /// Ankle forward to the toe joint.
    pub forefoot: f64,
}

/// A segment of a limb, given its side.
type OnSide = fn(Side) -> SegmentName;

impl Skeleton {
    /// The same person with other legs: each segment is scaled as a whole by its length, its mass is not changed.
    pub fn with_proportions(&self, lengths: &Proportions) -> Result<Skeleton, AnatomyError> {
        let missing = |name: SegmentName| {
            AnatomyError::rule(name.name(), "the skeleton has no such segment; use one with legs and toes")
        };
        let length = |name: SegmentName| self.length(name.name()).ok_or_else(|| missing(name));
        positive("hips", "half their distance [m]", lengths.half_hips)?;
        let forefoot = self.segment(Toes(Side::Right).name()).ok_or_else(|| missing(Toes(Side::Right)))?.joint.x;
        let foot = positive("foot", "ankle to toe joint [m]", lengths.forefoot)? / forefoot;
        let factors: [(OnSide, f64); 4] = [
            (Thigh, positive("thigh", "length [m]", lengths.thigh)? / length(Thigh(Side::Right))?),
            (Shank, positive("shank", "length [m]", lengths.shank)? / length(Shank(Side::Right))?),
            (Foot, foot),
            (Toes, foot),
        ];
        let mut person = self.clone();
        for segment in &mut person.segments {
            if let Some(Thigh(side)) = SegmentName::of(&segment.name) {
                segment.joint.z = side.outward() * lengths.half_hips;
            }
        }
        for (segment, factor) in factors {
            for side in Side::BOTH {
                person.stretch(segment(side).name(), factor);
            }
        }
        Ok(person)
    }

    /// Scales all lengths of a segment; its children move along.
    fn stretch(&mut self, name: &str, factor: f64) {
        for segment in &mut self.segments {
            if segment.name == name {
                segment.mass.com *= factor;
                segment.mass.inertia *= factor * factor;
            }
            if segment.parent == name {
                segment.joint *= factor;
            }
        }
        for point in self.contacts.iter_mut().filter(|c| c.segment == name) {
            point.point *= factor;
        }
    }
}
