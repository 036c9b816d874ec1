//! Coordinates of a subject: names, units and ranges.

use wolff_multibody::Model;
use wolff_multibody::spec::JointKind;

/// What a coordinate measures. Motion files in degrees have degrees for angles only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionType {
    /// An angle \[rad\].
    Rotational,
    /// A length \[m\].
    Translational,
    /// Several axes at once, or one axis by a function; never converted between degrees and radians.
    Coupled,
}

impl MotionType {
    /// The kind of motion of a speed of a model, decided by the joint that it belongs to.
    pub fn of_speed(model: &Model, speed: usize) -> Self {
        let Some(body) = model.bodies().iter().find(|b| b.joint_v().contains(&speed)) else { return Self::Coupled };
        let within = speed - body.joint_v().start;
        let first = |turns: usize| if within < turns { Self::Rotational } else { Self::Translational };
        match &body.joint {
            JointKind::Weld => Self::Coupled,
            JointKind::Pin { .. } | JointKind::Universal { .. } | JointKind::Gimbal { .. } | JointKind::Ball => {
                Self::Rotational
            }
            JointKind::Slider { .. } => Self::Translational,
            JointKind::Cylindrical { .. } => first(1),
            JointKind::Free => first(3),
            JointKind::Planar if within < 2 => Self::Translational,
            JointKind::Planar => Self::Rotational,
            JointKind::Custom(joint) => match joint.own_axis(within) {
                Some(0..3) => Self::Rotational,
                Some(_) => Self::Translational,
                None => Self::Coupled,
            },
        }
    }
}

/// A coordinate of a subject and its place in the solver's model.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// Name.
    pub name: String,
    /// Name of its joint.
    pub joint: String,
    /// Index of its speed in the solver's model.
    pub speed: usize,
    /// Index of its position in the solver's model.
    pub position: usize,
    /// What it measures.
    pub kind: MotionType,
    /// Value in the default pose \[rad or m\].
    pub default: f64,
    /// Range within which inverse kinematics keeps it \[rad or m\]; `None` for no limits.
    pub range: Option<[f64; 2]>,
}

impl Coordinate {
    /// Whether it is an angle.
    pub fn is_angle(&self) -> bool {
        self.kind == MotionType::Rotational
    }

    /// The coordinate of a speed, described by the model's joint, without a range.
    ///
    /// `None` where the speed is not the rate of a position, as the angular velocities of ball and free joints.
    pub fn of_speed(model: &Model, speed: usize) -> Option<Self> {
        let position = model.position_of_speed(speed)?;
        let body = model.bodies().iter().find(|b| b.v_range().contains(&speed))?;
        Some(Coordinate {
            name: model.coordinate_names().get(speed)?.clone(),
            joint: body.joint_name.clone(),
            speed,
            position,
            kind: MotionType::of_speed(model, speed),
            default: model.q0.get(position).copied()?,
            range: None,
        })
    }
}
