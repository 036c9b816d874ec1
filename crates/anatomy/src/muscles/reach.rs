//! The joints that a muscle spans, and the muscles that span no joint.

use super::{HumanMuscle, MuscleSet};
use crate::skeleton::Skeleton;

impl HumanMuscle {
    /// Coordinates of the joints that lie between the segments of its path, in the order of the skeleton.
    ///
    /// Its length depends on no others. Where the list is empty, both ends are fixed to the same rigid part: the length
    /// of the muscle is constant, and it does no work.
    pub fn spans(&self, skeleton: &Skeleton) -> Vec<String> {
        let mut between: Vec<&str> = Vec::new();
        for pair in self.path.points.windows(2) {
            let [a, b] = [0, 1].map(|end| ancestry(skeleton, &pair[end].body));
            between.extend(a.iter().filter(|s| !b.contains(s)));
            between.extend(b.iter().filter(|s| !a.contains(s)));
        }
        let spanned = skeleton.segments.iter().filter(|s| between.contains(&s.name.as_str()));
        spanned.flat_map(|s| s.turns.iter().map(|t| t.coordinate.clone())).collect()
    }
}

/// Names of a segment and of all its ancestors, up to the root.
fn ancestry<'a>(skeleton: &'a Skeleton, name: &str) -> Vec<&'a str> {
    let carried = std::iter::successors(skeleton.segment(name), |s| skeleton.segment(&s.parent));
    carried.map(|s| s.name.as_str()).collect()
}

impl MuscleSet {
    /// Muscles that can do no work on a skeleton because they span none of its joints.
    ///
    /// On [`Skeleton::full_body`] these are pectoralis minor, subclavius and the lower two parts of trapezius, which in
    /// life move the shoulder blade and the clavicle; here both are fixed on the thorax.
    pub fn idle(&self, skeleton: &Skeleton) -> Vec<&HumanMuscle> {
        self.muscles.iter().filter(|m| m.spans(skeleton).is_empty()).collect()
    }

    /// The muscles that are not [idle](MuscleSet::idle).
    pub fn working(mut self, skeleton: &Skeleton) -> Self {
        self.muscles.retain(|m| !m.spans(skeleton).is_empty());
        self
    }
}
