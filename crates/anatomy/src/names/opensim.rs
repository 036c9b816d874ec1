//! Bodies of OpenSim's models, and the segments that they belong to.

/// A body that OpenSim's models of the whole body or of the legs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelBody {
    /// Pelvis.
    Pelvis,
    /// Trunk above the pelvis.
    Torso,
    /// Thigh.
    Femur,
    /// Knee cap.
    Patella,
    /// Shank.
    Tibia,
    /// Between shank and foot.
    Talus,
    /// Foot without toes.
    Calcaneus,
    /// Toes.
    Toes,
    /// Upper arm.
    Humerus,
    /// Forearm, or one of its two bones.
    Forearm,
    /// Hand.
    Hand,
}

/// Part of a person that one or several bodies of a model represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BodyRegion {
    /// Pelvis.
    Pelvis,
    /// Trunk above the pelvis with the head, and with the arms where the model has no arms.
    Torso,
    /// Hip to knee.
    Thigh,
    /// Knee to ankle.
    Shank,
    /// Foot with toes.
    Foot,
    /// Shoulder to elbow.
    UpperArm,
    /// Elbow to wrist.
    Forearm,
    /// Hand.
    Hand,
}

/// Prefixes of body names in lower case, the most common first: gait2392 and related models, Rajagopal, Lai.
const BODIES: [(ModelBody, BodyRegion, &[&str]); 11] = [
    (ModelBody::Pelvis, BodyRegion::Pelvis, &["pelvis"]),
    (ModelBody::Torso, BodyRegion::Torso, &["torso", "thorax"]),
    (ModelBody::Femur, BodyRegion::Thigh, &["femur", "thigh"]),
    (ModelBody::Patella, BodyRegion::Thigh, &["patella"]),
    (ModelBody::Tibia, BodyRegion::Shank, &["tibia", "shank"]),
    (ModelBody::Talus, BodyRegion::Foot, &["talus"]),
    (ModelBody::Calcaneus, BodyRegion::Foot, &["calcn", "foot"]),
    (ModelBody::Toes, BodyRegion::Foot, &["toes"]),
    (ModelBody::Humerus, BodyRegion::UpperArm, &["humerus", "upper_arm"]),
    (ModelBody::Forearm, BodyRegion::Forearm, &["ulna", "radius", "forearm"]),
    (ModelBody::Hand, BodyRegion::Hand, &["hand"]),
];

impl ModelBody {
    /// The body by the prefix of its name, upper or lower case.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let begins = |names: &[&str]| names.iter().any(|start| name.starts_with(start));
        BODIES.iter().find(|(_, _, names)| begins(names)).map(|(body, _, _)| *body)
    }

    /// Its names in models, without a side, the most common first.
    pub fn names(self) -> &'static [&'static str] {
        BODIES.iter().find(|(body, _, _)| *body == self).map_or(&[], |(_, _, names)| names)
    }

    /// All names of all bodies.
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        BODIES.iter().flat_map(|(_, _, names)| names.iter().copied())
    }
}

impl BodyRegion {
    /// The region of a body by its name.
    pub fn of(name: &str) -> Option<Self> {
        let body = ModelBody::of(name)?;
        BODIES.iter().find(|(other, _, _)| *other == body).map(|(_, region, _)| *region)
    }
}
