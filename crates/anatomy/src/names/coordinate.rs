//! What a coordinate moves.

use super::{Joint, Motion, Side, without_side};
use wolff_muscle::passive_defaults::{JointMotion, PassiveDefault, passive_default};

/// An axis of the world: X forward, Y up, Z to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// Forward.
    X,
    /// Up.
    Y,
    /// To the right.
    Z,
}

/// What a coordinate moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoordinateRole {
    /// Translation of the root \[m\].
    RootTranslation(Axis),
    /// Rotation of the root \[rad\].
    RootRotation(Axis),
    /// Rotation of a joint \[rad\].
    Joint {
        /// The joint.
        joint: Joint,
        /// The motion; `None` where a model uses another word for it.
        motion: Option<Motion>,
        /// Its side; `None` in the median plane.
        side: Option<Side>,
    },
    /// Rotation of a joint that this crate has no name for, such as one of an OpenSim model \[rad\].
    Other {
        /// Its side; `None` in the median plane.
        side: Option<Side>,
    },
}

/// Suffixes of the names of the root's translations.
const TRANSLATIONS: [(Axis, &str); 3] = [(Axis::X, "_tx"), (Axis::Y, "_ty"), (Axis::Z, "_tz")];

/// Names of the root's rotations.
const ROTATIONS: [(Axis, &str); 3] = [(Axis::Z, "pelvis_tilt"), (Axis::X, "pelvis_list"), (Axis::Y, "pelvis_rotation")];

impl CoordinateRole {
    /// The role of a coordinate name; `None` where the name is not known.
    pub fn of(name: &str) -> Option<Self> {
        if let Some((axis, _)) = TRANSLATIONS.iter().find(|(_, end)| name.ends_with(end)) {
            return Some(CoordinateRole::RootTranslation(*axis));
        }
        if let Some((axis, _)) = ROTATIONS.iter().find(|(_, rotation)| *rotation == name) {
            return Some(CoordinateRole::RootRotation(*axis));
        }
        let joint = Joint::of(name)?;
        let word = without_side(name).strip_prefix(joint.stem()).and_then(|rest| rest.strip_prefix('_'));
        Some(CoordinateRole::Joint { joint, motion: word.and_then(Motion::of), side: Side::of(name) })
    }

    /// The role of a coordinate name, or [`CoordinateRole::Other`].
    pub fn of_or_other(name: &str) -> Self {
        CoordinateRole::of(name).unwrap_or(CoordinateRole::Other { side: Side::of(name) })
    }

    /// The angle of a joint.
    pub fn angle(joint: Joint, motion: Motion, side: Option<Side>) -> Self {
        CoordinateRole::Joint { joint, motion: Some(motion), side }
    }

    /// Its name in skeletons of this crate; `None` where it has no name there.
    pub fn name(self) -> Option<String> {
        match self {
            CoordinateRole::RootTranslation(axis) => {
                TRANSLATIONS.iter().find(|(of, _)| *of == axis).map(|(_, end)| format!("pelvis{end}"))
            }
            CoordinateRole::RootRotation(axis) => {
                ROTATIONS.iter().find(|(of, _)| *of == axis).map(|(_, name)| name.to_string())
            }
            CoordinateRole::Joint { joint, motion, side } => {
                let stem = format!("{}_{}", joint.stem(), motion?.word());
                Some(side.map_or_else(|| stem.clone(), |side| side.name(&stem)))
            }
            CoordinateRole::Other { .. } => None,
        }
    }

    /// Whether it is a translation \[m\]; all others are angles \[rad\].
    pub fn is_translation(self) -> bool {
        matches!(self, CoordinateRole::RootTranslation(_))
    }

    /// Whether it is the forward translation of the root, which increases from cycle to cycle.
    pub fn is_forward(self) -> bool {
        self == CoordinateRole::RootTranslation(Axis::X)
    }

    /// Its joint; `None` for the root and for joints without a name.
    pub fn joint(self) -> Option<Joint> {
        match self {
            CoordinateRole::Joint { joint, .. } => Some(joint),
            CoordinateRole::RootTranslation(_) | CoordinateRole::RootRotation(_) | CoordinateRole::Other { .. } => None,
        }
    }

    /// Its joint and motion, where both have a name.
    pub fn joint_motion(self) -> Option<(Joint, Motion)> {
        match self {
            CoordinateRole::Joint { joint, motion, .. } => motion.map(|motion| (joint, motion)),
            CoordinateRole::RootTranslation(_) | CoordinateRole::RootRotation(_) | CoordinateRole::Other { .. } => None,
        }
    }

    /// Whether it is an angle of hip, knee or ankle.
    pub fn is_of_leg(self) -> bool {
        self.joint().is_some_and(Joint::is_of_leg)
    }

    /// Stiffness and damping of its joint's tissues by Al Nazer, thesis, Lappeenranta 2008, Table 4.2; `None` where the
    /// table has no row.
    pub fn passive(self) -> Option<&'static PassiveDefault> {
        use JointMotion::{Abduction, Flexion, Rotation};
        let (joint, motion) = match self.joint_motion()? {
            (Joint::Ankle, Motion::Flexion) => ("ankle", Flexion),
            (Joint::Ankle, Motion::Inversion) => ("ankle", Abduction),
            (Joint::Knee, Motion::Flexion) => ("knee", Flexion),
            (Joint::Hip, Motion::Flexion) => ("hip", Flexion),
            (Joint::Hip, Motion::Adduction) => ("hip", Abduction),
            (Joint::Hip, Motion::Rotation) => ("hip", Rotation),
            (Joint::Lumbar, Motion::Flexion) => ("lumbar", Flexion),
            (Joint::Thoracic, Motion::Flexion) => ("thoracic", Flexion),
            (Joint::Neck, Motion::Flexion) => ("lower neck", Flexion),
            (Joint::Shoulder, Motion::Flexion) => ("shoulder", Flexion),
            (Joint::Shoulder, Motion::Adduction) => ("shoulder", Abduction),
            (Joint::Elbow, Motion::Flexion) => ("elbow", Flexion),
            (Joint::Wrist, Motion::Flexion) => ("wrist", Flexion),
            // motions without a row in the table
            (Joint::Ankle, Motion::Adduction | Motion::Bending | Motion::Rotation)
            | (Joint::Hip, Motion::Bending | Motion::Inversion)
            | (Joint::Shoulder, Motion::Bending | Motion::Rotation | Motion::Inversion)
            | (
                Joint::Knee | Joint::Lumbar | Joint::Thoracic | Joint::Neck | Joint::Elbow | Joint::Wrist,
                Motion::Adduction | Motion::Bending | Motion::Rotation | Motion::Inversion,
            )
            | (Joint::Toe, _) => return None,
        };
        passive_default(joint, motion)
    }
}
