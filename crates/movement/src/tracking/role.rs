//! Which controller acts on a coordinate.

use super::limits::limits_of;
use super::{ControllerSettings, PassiveRest, Tissue};
use crate::error::MovementError;
use wolff_anatomy::{Axis, CoordinateRole, Joint, Motion};
use wolff_muscle::passive_defaults::{JointMotion, PassiveDefault};

/// Stiffness and damping of a servo that holds a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ServoStiffness {
    /// \[N m/rad\].
    pub stiffness: f64,
    /// \[N m s/rad\].
    pub damping: f64,
}

/// Toes. Chosen here: soft, because the foot rolls over them.
const TOE_SERVO: ServoStiffness = ServoStiffness { stiffness: 30.0, damping: 0.5 };

/// Joints of the trunk. Chosen here: stiff, because they carry the weight of the trunk.
const TRUNK_SERVO: ServoStiffness = ServoStiffness { stiffness: 1000.0, damping: 100.0 };

/// Neck and arms. Chosen here: softer than the trunk, because they are light.
const ARM_SERVO: ServoStiffness = ServoStiffness { stiffness: 60.0, damping: 6.0 };

/// Joints without a name in this program, such as forearm rotation of an imported model. Chosen here: as neck and arms;
/// joints of the legs are renamed on import.
const OTHER_SERVO: ServoStiffness = ServoStiffness { stiffness: 60.0, damping: 6.0 };

/// Damping of ankle inversion divided by its stiffness \[s\]; chosen here.
const INVERSION_DAMPING_TIME: f64 = 0.1;

/// What acts on a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Actuation {
    /// Height of the root: no controller; the floor carries it.
    Free,
    /// Forward position of the root: the tracking agent.
    AgentForward,
    /// Sideways position of the root: the tracking agent.
    AgentSideways,
    /// Rotation of the root: the tracking agent.
    AgentRotation,
    /// Muscles, and passive tissues where their stiffness is known.
    Muscles(Option<&'static PassiveDefault>),
    /// A servo, with the part of the inverse dynamics moment that muscles do not carry as feed-forward.
    Servo(ServoStiffness),
}

impl Actuation {
    /// What acts on a coordinate; `upper`: whether muscles carry the joints of the upper body too.
    pub fn of(role: CoordinateRole, upper: bool) -> Actuation {
        match role {
            CoordinateRole::RootTranslation(Axis::X) => Actuation::AgentForward,
            CoordinateRole::RootTranslation(Axis::Y) => Actuation::Free,
            CoordinateRole::RootTranslation(Axis::Z) => Actuation::AgentSideways,
            CoordinateRole::RootRotation(_) => Actuation::AgentRotation,
            CoordinateRole::Joint { .. } if has_muscles(role, upper) => Actuation::Muscles(role.passive()),
            CoordinateRole::Joint { joint, motion, .. } => Actuation::Servo(servo_of(joint, motion)),
            CoordinateRole::Other { .. } => Actuation::Servo(OTHER_SERVO),
        }
    }
}

/// Whether muscles of the skeletons of this program carry a coordinate.
fn has_muscles(role: CoordinateRole, upper: bool) -> bool {
    let Some((joint, motion)) = role.joint_motion() else { return false };
    match joint {
        Joint::Hip => matches!(motion, Motion::Flexion | Motion::Adduction | Motion::Rotation),
        Joint::Ankle => matches!(motion, Motion::Flexion | Motion::Inversion),
        Joint::Knee => motion == Motion::Flexion,
        Joint::Lumbar | Joint::Thoracic | Joint::Neck | Joint::Elbow | Joint::Wrist => {
            upper && motion == Motion::Flexion
        }
        Joint::Shoulder => upper && matches!(motion, Motion::Flexion | Motion::Adduction),
        Joint::Toe => false,
    }
}

/// The servo of a joint that muscles do not carry.
fn servo_of(joint: Joint, motion: Option<Motion>) -> ServoStiffness {
    match joint {
        Joint::Toe if motion == Some(Motion::Flexion) => TOE_SERVO,
        Joint::Lumbar | Joint::Thoracic => TRUNK_SERVO,
        Joint::Neck | Joint::Shoulder | Joint::Elbow | Joint::Wrist => ARM_SERVO,
        // motions that this program has no name for, such as varus of a knee
        Joint::Hip | Joint::Knee | Joint::Ankle | Joint::Toe => OTHER_SERVO,
    }
}

/// Tissues of the joints that muscles carry, by speed, as far as they carry a part of the reference moments: springs
/// about standing, and the limits of the joints.
pub(super) fn tissues(roles: &[CoordinateRole], settings: &ControllerSettings) -> Result<Vec<Tissue>, MovementError> {
    let mut tissues = Vec::new();
    for (speed, &role) in roles.iter().enumerate() {
        let Actuation::Muscles(row) = Actuation::of(role, settings.upper_muscles) else { continue };
        let row = row.filter(|_| settings.passive == PassiveRest::Standing);
        let limits = limits_of(role, settings.limits)?;
        if row.is_some() || limits.is_some() {
            let (stiffness, damping) = row.map_or((0.0, 0.0), |d| passive_values(role, d, settings));
            tissues.push(Tissue { speed, stiffness, damping, limits });
        }
    }
    Ok(tissues)
}

/// Stiffness of ankle inversion of Al Nazer, thesis, Lappeenranta 2008, Table 4.2 [N m/rad]: chosen there to keep the
/// ankle stable.
pub fn published_inversion() -> f64 {
    let row = wolff_muscle::passive_defaults::passive_default("ankle", JointMotion::Abduction);
    row.map_or(0.0, |row| row.stiffness)
}

/// Stiffness \[N m/rad\] and damping \[N m s/rad\] of a coordinate that muscles carry.
pub(super) fn passive_values(role: CoordinateRole, d: &PassiveDefault, settings: &ControllerSettings) -> (f64, f64) {
    if role.joint_motion() == Some((Joint::Ankle, Motion::Inversion)) {
        return (settings.inversion_stiffness, INVERSION_DAMPING_TIME * settings.inversion_stiffness);
    }
    (d.stiffness, d.damping)
}
