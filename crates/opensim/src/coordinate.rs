//! Coordinates of the file.

use wolff_formats::osim::{OsimAxis, OsimCoordinate, OsimFunction, OsimJoint, OsimJointKind, OsimModel};
use wolff_motion::MotionType;

/// A coordinate of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateSpec {
    /// Name.
    pub name: String,
    /// Whether it is an angle or a length.
    pub motion: MotionType,
    /// Range of values \[rad or m\].
    pub range: [f64; 2],
    /// Value in the default pose \[rad or m\].
    pub default_value: f64,
    /// Whether its range is enforced in inverse kinematics.
    pub clamped: bool,
    /// Whether it keeps its default value.
    pub locked: bool,
    /// Name of its joint.
    pub joint: String,
}

/// All coordinates of a model.
pub(crate) fn convert(model: &OsimModel) -> Vec<CoordinateSpec> {
    let of_joint = |joint: &OsimJoint| -> Vec<CoordinateSpec> {
        let spec = |(i, c): (usize, &OsimCoordinate)| CoordinateSpec {
            name: c.name.clone(),
            motion: motion(joint, i, c),
            range: c.range,
            default_value: c.default_value,
            clamped: c.clamped,
            locked: c.locked,
            joint: joint.name.clone(),
        };
        joint.coordinates.iter().enumerate().map(spec).collect()
    };
    model.joints.iter().flat_map(of_joint).collect()
}

/// Whether the coordinate of that name is an angle.
pub(crate) fn is_turn(coordinates: &[CoordinateSpec], name: &str) -> bool {
    coordinates.iter().any(|c| c.name == name && c.motion == MotionType::Rotational)
}

/// As OpenSim decides: by the joint's class, and in a custom joint by the axis whose angle or displacement is the
/// coordinate itself, possibly with the opposite sign.
fn motion(joint: &OsimJoint, i: usize, coordinate: &OsimCoordinate) -> MotionType {
    let first = |turns: usize| if i < turns { MotionType::Rotational } else { MotionType::Translational };
    match &joint.kind {
        OsimJointKind::Slider => MotionType::Translational,
        OsimJointKind::Planar => first(1),
        OsimJointKind::Free => first(3),
        OsimJointKind::Custom(axes) => custom(axes, &coordinate.name),
        _ => MotionType::Rotational,
    }
}

fn custom(axes: &[OsimAxis; 6], name: &str) -> MotionType {
    let is_itself = |axis: &OsimAxis| match &axis.function {
        None => true,
        Some(OsimFunction::Linear { slopes, intercept }) => {
            matches!(slopes[..], [m] if m.abs() == 1.0) && *intercept == 0.0
        }
        Some(_) => false,
    };
    let found = axes.iter().position(|a| a.coordinates[..] == [name.to_string()] && is_itself(a));
    match found {
        Some(k) if k < 3 => MotionType::Rotational,
        Some(_) => MotionType::Translational,
        None => MotionType::Coupled,
    }
}
