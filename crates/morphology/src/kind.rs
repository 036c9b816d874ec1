//! The bones that are known by their shape.

/// A bone of the leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoneKind {
    /// Thigh bone.
    Femur,
    /// Shin bone.
    Tibia,
    /// Calf bone.
    Fibula,
    /// Knee cap.
    Patella,
}

impl BoneKind {
    /// All of them.
    pub const ALL: [BoneKind; 4] = [BoneKind::Femur, BoneKind::Tibia, BoneKind::Fibula, BoneKind::Patella];

    /// The word in messages.
    pub fn word(self) -> &'static str {
        match self {
            BoneKind::Femur => "femur",
            BoneKind::Tibia => "tibia",
            BoneKind::Fibula => "fibula",
            BoneKind::Patella => "patella",
        }
    }

    /// The kind of a word.
    pub fn of(word: &str) -> Option<Self> {
        BoneKind::ALL.into_iter().find(|kind| kind.word() == word.to_ascii_lowercase())
    }

    /// Lengths of adult bones along their longest axis \[m\]: wide bounds of the living, own choice.
    pub fn lengths(self) -> [f64; 2] {
        match self {
            BoneKind::Femur => [0.33, 0.58],
            BoneKind::Tibia => [0.27, 0.48],
            BoneKind::Fibula => [0.26, 0.47],
            BoneKind::Patella => [0.03, 0.06],
        }
    }
}
