//! Joints and their motions.

/// A joint that gives its coordinates their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Joint {
    /// Pelvis and thigh.
    Hip,
    /// Thigh and shank.
    Knee,
    /// Shank and foot.
    Ankle,
    /// Foot and toes.
    Toe,
    /// Pelvis and abdomen, or pelvis and trunk.
    Lumbar,
    /// Abdomen and thorax.
    Thoracic,
    /// Thorax and neck.
    Neck,
    /// Thorax and upper arm.
    Shoulder,
    /// Upper arm and forearm.
    Elbow,
    /// Forearm and hand.
    Wrist,
}

/// Prefixes of coordinate names.
const JOINTS: [(Joint, &str); 10] = [
    (Joint::Hip, "hip"),
    (Joint::Knee, "knee"),
    (Joint::Ankle, "ankle"),
    (Joint::Toe, "toe"),
    (Joint::Lumbar, "lumbar"),
    (Joint::Thoracic, "thorax"),
    (Joint::Neck, "neck"),
    (Joint::Shoulder, "shoulder"),
    (Joint::Elbow, "elbow"),
    (Joint::Wrist, "wrist"),
];

impl Joint {
    /// The joint that a coordinate's name begins with.
    pub fn of(name: &str) -> Option<Self> {
        JOINTS.iter().find(|(_, stem)| name.starts_with(stem)).map(|(joint, _)| *joint)
    }

    /// Prefix of the names of its coordinates.
    pub fn stem(self) -> &'static str {
        JOINTS.iter().find(|(joint, _)| *joint == self).map_or("", |(_, stem)| stem)
    }

    /// Whether it is hip, knee or ankle.
    pub fn is_of_leg(self) -> bool {
        matches!(self, Joint::Hip | Joint::Knee | Joint::Ankle)
    }
}

/// Motion of a joint about one of its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Motion {
    /// About the axis from side to side.
    Flexion,
    /// Of a limb about the forward axis.
    Adduction,
    /// Of the trunk about the forward axis.
    Bending,
    /// About the long axis.
    Rotation,
    /// Of a foot about an oblique forward axis.
    Inversion,
}

const MOTIONS: [(Motion, &str); 5] = [
    (Motion::Flexion, "flexion"),
    (Motion::Adduction, "adduction"),
    (Motion::Bending, "bending"),
    (Motion::Rotation, "rotation"),
    (Motion::Inversion, "inversion"),
];

impl Motion {
    /// The motion of a word.
    pub fn of(word: &str) -> Option<Self> {
        MOTIONS.iter().find(|(_, text)| *text == word).map(|(motion, _)| *motion)
    }

    /// Its word in names of coordinates.
    pub fn word(self) -> &'static str {
        MOTIONS.iter().find(|(motion, _)| *motion == self).map_or("", |(_, text)| text)
    }
}
