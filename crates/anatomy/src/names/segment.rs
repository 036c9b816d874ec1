//! Segments of a skeleton.

use super::Side;

/// A segment that skeletons of this crate have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SegmentName {
    /// The root.
    Pelvis,
    /// Middle trunk.
    Abdomen,
    /// Upper trunk.
    Thorax,
    /// Between thorax and head.
    Neck,
    /// Head.
    Head,
    /// Shoulder blade.
    Scapula(Side),
    /// Shoulder to elbow.
    UpperArm(Side),
    /// Elbow to wrist.
    Forearm(Side),
    /// Hand.
    Hand(Side),
    /// Hip to knee.
    Thigh(Side),
    /// Knee to ankle.
    Shank(Side),
    /// Foot, without its toes where these are a segment of their own.
    Foot(Side),
    /// Toes.
    Toes(Side),
}

use SegmentName::*;
use Side::{Left, Right};

/// All names, root first.
const NAMES: [(SegmentName, &str); 21] = [
    (Pelvis, "pelvis"),
    (Abdomen, "abdomen"),
    (Thorax, "thorax"),
    (Neck, "neck"),
    (Head, "head"),
    (Scapula(Right), "scapula_r"),
    (Scapula(Left), "scapula_l"),
    (UpperArm(Right), "upper_arm_r"),
    (UpperArm(Left), "upper_arm_l"),
    (Forearm(Right), "forearm_r"),
    (Forearm(Left), "forearm_l"),
    (Hand(Right), "hand_r"),
    (Hand(Left), "hand_l"),
    (Thigh(Right), "thigh_r"),
    (Thigh(Left), "thigh_l"),
    (Shank(Right), "shank_r"),
    (Shank(Left), "shank_l"),
    (Foot(Right), "foot_r"),
    (Foot(Left), "foot_l"),
    (Toes(Right), "toes_r"),
    (Toes(Left), "toes_l"),
];

impl SegmentName {
    /// The segment of a name; `None` where skeletons of this crate have no such segment.
    pub fn of(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, text)| *text == name).map(|(segment, _)| *segment)
    }

    /// Its name in skeletons and models.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(segment, _)| *segment == self).map_or("", |(_, text)| text)
    }

    /// Its side; `None` in the median plane.
    pub fn side(self) -> Option<Side> {
        Side::of(self.name())
    }

    /// Whether it is thigh, shank or foot.
    pub fn is_of_leg(self) -> bool {
        matches!(self, Thigh(_) | Shank(_) | Foot(_))
    }
}
