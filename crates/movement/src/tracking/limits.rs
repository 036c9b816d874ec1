//! Ranges of the joints of the legs, and the exponential passive moments at their ends.

use crate::error::MovementError;
use wolff_anatomy::{CoordinateRole, Joint, Motion};
use wolff_multibody::force::{PassiveJointTorque, PassiveParameters};

/// Exponential passive moments towards the limits of the joints (Al Nazer 2008, section 3.2: small in the range, steep
/// near its ends, so that no joint goes beyond what it can).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitSettings {
    /// Moment at a limit \[N m\].
    pub moment: f64,
    /// Angle in which it grows by a factor e \[rad\].
    pub width: f64,
}

/// Ranges \[deg\] in the directions of the skeletons of this program: flexion, dorsiflexion, adduction, internal
/// rotation and inversion are positive. Clinical ranges of adults, rounded; tables differ by 5 to 10 degrees (chosen
/// here, the thesis prints none).
const RANGES: [(Joint, Motion, [f64; 2]); 6] = [
    (Joint::Hip, Motion::Flexion, [-30.0, 120.0]),
    (Joint::Hip, Motion::Adduction, [-45.0, 30.0]),
    (Joint::Hip, Motion::Rotation, [-45.0, 45.0]),
    (Joint::Knee, Motion::Flexion, [0.0, 135.0]),
    (Joint::Ankle, Motion::Flexion, [-50.0, 20.0]),
    (Joint::Ankle, Motion::Inversion, [-20.0, 35.0]),
];

/// The moment at the limits of a coordinate, zero at the middle of its range; `None` where it has no range here.
pub(super) fn limits_of(
    role: CoordinateRole,
    settings: Option<LimitSettings>,
) -> Result<Option<PassiveJointTorque>, MovementError> {
    let (Some(settings), Some(motion)) = (settings, role.joint_motion()) else { return Ok(None) };
    let Some((_, _, range)) = RANGES.iter().find(|(joint, of, _)| (*joint, *of) == motion) else { return Ok(None) };
    let limits = range.map(f64::to_radians);
    let parameters = PassiveParameters {
        stiffness: 0.0,
        damping: 0.0,
        neutral: 0.5 * (limits[0] + limits[1]),
        limits,
        limit_torque: settings.moment,
        width: settings.width,
    };
    let torque = PassiveJointTorque::new("limits of a joint", 0, parameters);
    torque.map(Some).map_err(|e| MovementError::rule("limits of a joint", e.to_string()))
}
