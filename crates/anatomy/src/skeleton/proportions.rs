//! A skeleton with the proportions of one person instead of a table's mean.

use super::{Side, Skeleton};
use crate::error::{AnatomyError, positive};

/// Lengths of the lower body that measurements or a scaled model tell [m].
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

impl Skeleton {
    /// The same person with other legs: each segment is scaled as a whole by its length, its mass stays.
    pub fn with_proportions(&self, wanted: &Proportions) -> Result<Skeleton, AnatomyError> {
        let missing =
            |name: &str| AnatomyError::rule(name, "the skeleton has no such segment; take one with legs and toes");
        let length = |name: &str| self.length(name).ok_or_else(|| missing(name));
        positive("hips", "half their distance [m]", wanted.half_hips)?;
        let forefoot = self.segment("toes_r").ok_or_else(|| missing("toes_r"))?.joint.x;
        let foot = positive("foot", "ankle to toe joint [m]", wanted.forefoot)? / forefoot;
        let factors = [
            ("thigh", positive("thigh", "length [m]", wanted.thigh)? / length("thigh_r")?),
            ("shank", positive("shank", "length [m]", wanted.shank)? / length("shank_r")?),
            ("foot", foot),
            ("toes", foot),
        ];
        let mut person = self.clone();
        for segment in person.segments.iter_mut().filter(|s| s.name.starts_with("thigh")) {
            let outward = if Side::of(&segment.name) == Side::Left { -1.0 } else { 1.0 };
            segment.joint.z = outward * wanted.half_hips;
        }
        for (stem, factor) in factors {
            for end in ["_r", "_l"] {
                person.stretch(&format!("{stem}{end}"), factor);
            }
        }
        Ok(person)
    }

    /// Scales all lengths of a segment, what it carries moves along.
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
