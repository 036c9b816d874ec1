//! Reserve and residual actuators.

use super::xml::Reader;
use wolff_formats::FormatError;

/// A `ForceSet` of ideal actuators.
#[derive(Clone, Debug, PartialEq)]
pub struct ActuatorSet {
    /// Its name.
    pub name: String,
    /// The actuators.
    pub actuators: Vec<Actuator>,
}

/// A force or moment that is a control times a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Its name.
    pub name: String,
    /// Whether it is enabled.
    pub applies: bool,
    /// Force or moment at control 1 \[N or N m\].
    pub optimal_force: f64,
    /// Minimum and maximum control.
    pub control: [f64; 2],
    /// What it acts on.
    pub kind: ActuatorKind,
}

/// What an actuator acts on.
#[derive(Clone, Debug, PartialEq)]
pub enum ActuatorKind {
    /// A coordinate.
    Coordinate(String),
    /// A point of a body.
    Point {
        /// The body.
        body: String,
        /// The point \[m\].
        point: [f64; 3],
        /// Whether the point is given in ground.
        point_in_ground: bool,
        /// Direction of the force.
        direction: [f64; 3],
        /// Whether the direction is given in ground.
        direction_in_ground: bool,
    },
    /// A moment between two bodies.
    Torque {
        /// Body it acts on.
        body: String,
        /// Body it reacts on.
        other: String,
        /// Its axis.
        axis: [f64; 3],
        /// Whether the axis is given in ground.
        axis_in_ground: bool,
    },
}

impl ActuatorSet {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        Ok(Self { name: r.name(), actuators: r.own_objects(Actuator::read)? })
    }
}

impl Actuator {
    fn read(r: &Reader) -> Result<Option<Self>, FormatError> {
        let text = |name: &str| r.text(name).unwrap_or_default();
        let kind = match r.tag() {
            "CoordinateActuator" => ActuatorKind::Coordinate(text("coordinate")),
            "PointActuator" => ActuatorKind::Point {
                body: text("body"),
                point: r.numbers("point")?.unwrap_or_default(),
                point_in_ground: r.flag("point_is_global", false)?,
                direction: r.numbers("direction")?.unwrap_or_default(),
                direction_in_ground: r.flag("force_is_global", true)?,
            },
            "TorqueActuator" => ActuatorKind::Torque {
                body: text("bodyA"),
                other: text("bodyB"),
                axis: r.numbers("axis")?.unwrap_or_default(),
                axis_in_ground: r.flag("torque_is_global", true)?,
            },
            _ => return Ok(None),
        };
        let control =
            [r.number("min_control")?.unwrap_or(f64::NEG_INFINITY), r.number("max_control")?.unwrap_or(f64::INFINITY)];
        Ok(Some(Self {
            name: r.name(),
            applies: r.flag("appliesForce", true)? && !r.flag("isDisabled", false)?,
            optimal_force: r.number("optimal_force")?.unwrap_or(1.0),
            control,
            kind,
        }))
    }
}
