//! Joints: the motion they leave between frame F on the parent and frame M on the child.
//!
//! A joint answers three questions, all in the axes of F: where M is (`X_FM(q)`), how M moves for a unit speed (columns
//! `S_i`, angular velocity and velocity of M's origin), and what acceleration of M remains when the speeds are constant
//! (`bias`, classical acceleration of M's origin).

mod custom;
mod rotations;

pub use custom::{CoordinateFunction, CustomJoint, itself, still};

use crate::spec::JointKind;
pub(crate) use rotations::about;
use rotations::sequence;
use wolff_spatial::{Mat3, Motion, Pose, Quaternion, Vec3};

/// The most freedoms a joint can have.
pub const MAX_FREEDOMS: usize = 6;

/// Columns of a joint, in F's axes at M's origin.
pub type Columns = [Motion; MAX_FREEDOMS];

impl JointKind {
    /// Number of position coordinates.
    pub fn nq(&self) -> usize {
        match self {
            JointKind::Ball => 4,
            JointKind::Free => 7,
            other => other.nv(),
        }
    }

    /// Number of speeds.
    pub fn nv(&self) -> usize {
        match self {
            JointKind::Weld => 0,
            JointKind::Pin { .. } | JointKind::Slider { .. } => 1,
            JointKind::Cylindrical { .. } | JointKind::Universal { .. } => 2,
            JointKind::Gimbal { .. } | JointKind::Ball | JointKind::Planar => 3,
            JointKind::Free => 6,
            JointKind::Custom(custom) => custom.freedoms(),
        }
    }

    /// The same freedoms as a custom joint; none where coordinates are a quaternion.
    pub fn as_custom(&self) -> Option<CustomJoint> {
        /// Axes with the coordinates that move along or about them.
        type Motions<'a> = &'a [(Vec3, usize)];
        let (turns, slides): (Motions<'_>, Motions<'_>) = match self {
            JointKind::Weld => (&[], &[]),
            JointKind::Pin { axis } => (&[(*axis, 0)], &[]),
            JointKind::Slider { axis } => (&[], &[(*axis, 0)]),
            JointKind::Cylindrical { axis } => (&[(*axis, 0)], &[(*axis, 1)]),
            JointKind::Universal { axes: [a, b] } => (&[(*a, 0), (*b, 1)], &[]),
            JointKind::Gimbal { axes: [a, b, c] } => (&[(*a, 0), (*b, 1), (*c, 2)], &[]),
            JointKind::Planar => (&[(Vec3::z(), 2)], &[(Vec3::x(), 0), (Vec3::y(), 1)]),
            JointKind::Custom(custom) => return Some(custom.as_ref().clone()),
            JointKind::Ball | JointKind::Free => return None,
        };
        let motion = |k: usize| if k < 3 { turns.get(k) } else { slides.get(k - 3) };
        let axes = std::array::from_fn(|k| motion(k).map_or(Vec3::x(), |(axis, _)| *axis));
        let functions = std::array::from_fn(|k| motion(k).map_or_else(still, |(_, coordinate)| itself(*coordinate)));
        CustomJoint::new(self.nv(), axes, functions).ok()
    }

    /// Whether the coordinates begin with a unit quaternion.
    pub fn has_quaternion(&self) -> bool {
        matches!(self, JointKind::Ball | JointKind::Free)
    }

    /// Coordinates of the reference position, in which F and M coincide.
    pub fn reference_position(&self, q: &mut [f64]) {
        q.fill(0.0);
        if self.has_quaternion() {
            q[0] = 1.0;
        }
    }

    /// What the speeds are called, appended to the joint's name when it has several.
    pub fn coordinate_suffixes(&self) -> &'static [&'static str] {
        match self {
            JointKind::Weld => &[],
            JointKind::Pin { .. } | JointKind::Slider { .. } => &[""],
            JointKind::Cylindrical { .. } => &["angle", "travel"],
            JointKind::Universal { .. } => &["angle1", "angle2"],
            JointKind::Gimbal { .. } => &["angle1", "angle2", "angle3"],
            JointKind::Ball => &["wx", "wy", "wz"],
            JointKind::Planar => &["x", "y", "angle"],
            JointKind::Free => &["wx", "wy", "wz", "x", "y", "z"],
            JointKind::Custom(_) => &["q1", "q2", "q3", "q4", "q5", "q6"],
        }
    }

    /// Whether speed `i` is the rate of a position coordinate, and of which one. Angular velocities of quaternion
    /// joints are the rate of none.
    pub fn position_of_speed(&self, i: usize) -> Option<usize> {
        match self {
            JointKind::Ball => None,
            JointKind::Free => (i >= 3).then_some(i + 1),
            _ => Some(i),
        }
    }

    /// Pose `X_FM`.
    #[inline]
    pub fn pose(&self, q: &[f64]) -> Pose {
        match self {
            JointKind::Pin { axis } => Pose::new(about(axis, q[0]), Vec3::zeros()),
            JointKind::Slider { axis } => Pose::translation(axis * q[0]),
            JointKind::Weld => Pose::identity(),
            JointKind::Cylindrical { axis } => Pose::new(about(axis, q[0]), axis * q[1]),
            JointKind::Universal { axes } => Pose::new(about(&axes[0], q[0]) * about(&axes[1], q[1]), Vec3::zeros()),
            JointKind::Gimbal { axes } => {
                Pose::new(about(&axes[0], q[0]) * about(&axes[1], q[1]) * about(&axes[2], q[2]), Vec3::zeros())
            }
            JointKind::Ball => Pose::new(rotation_matrix(q), Vec3::zeros()),
            JointKind::Planar => Pose::new(about(&Vec3::z(), q[2]), Vec3::new(q[0], q[1], 0.0)),
            JointKind::Free => Pose::new(rotation_matrix(q), Vec3::new(q[4], q[5], q[6])),
            JointKind::Custom(custom) => custom.pose(q),
        }
    }

    /// Fills the columns `S_i` (F's axes, at M's origin) and returns the bias acceleration for speeds `v`.
    #[inline]
    pub fn columns(&self, q: &[f64], v: &[f64], S: &mut Columns) -> Motion {
        match self {
            JointKind::Pin { axis } => S[0] = turn(*axis),
            JointKind::Slider { axis } => S[0] = slide(*axis),
            JointKind::Weld => {}
            JointKind::Cylindrical { axis } => {
                S[0] = turn(*axis);
                S[1] = slide(*axis);
            }
            JointKind::Universal { axes } => return sequence(axes, q, v, S),
            JointKind::Gimbal { axes } => return sequence(axes, q, v, S),
            JointKind::Ball => unit_columns(S, turn, 0),
            JointKind::Planar => {
                S[0] = slide(Vec3::x());
                S[1] = slide(Vec3::y());
                S[2] = turn(Vec3::z());
            }
            JointKind::Free => {
                unit_columns(S, turn, 0);
                unit_columns(S, slide, 3);
            }
            JointKind::Custom(custom) => return custom.columns(q, v, S),
        }
        Motion::ZERO
    }

    /// Rates `q'` of the coordinates for speeds `v`.
    pub fn rates(&self, q: &[f64], v: &[f64], rate: &mut [f64]) {
        match self {
            JointKind::Ball | JointKind::Free => {
                Quaternion::from_slice(q).rate(&Vec3::new(v[0], v[1], v[2])).write(rate);
                if let JointKind::Free = self {
                    rate[4..7].copy_from_slice(&v[3..6]);
                }
            }
            _ => rate.copy_from_slice(v),
        }
    }

    /// `q ⊕ d`: moves by the displacement `d` (a speed times a time) along the manifold.
    pub fn retract(&self, q: &[f64], d: &[f64], out: &mut [f64]) {
        match self {
            JointKind::Ball | JointKind::Free => {
                let turn = Quaternion::from_rotation_vector(&Vec3::new(d[0], d[1], d[2]));
                let moved = turn.times(&Quaternion::from_slice(q));
                moved.normalized().unwrap_or(moved).write(out);
                if let JointKind::Free = self {
                    for k in 0..3 {
                        out[4 + k] = q[4 + k] + d[3 + k];
                    }
                }
            }
            _ => {
                for i in 0..q.len() {
                    out[i] = q[i] + d[i];
                }
            }
        }
    }
}

#[inline]
fn turn(axis: Vec3) -> Motion {
    Motion::new(axis, Vec3::zeros())
}

#[inline]
fn slide(axis: Vec3) -> Motion {
    Motion::new(Vec3::zeros(), axis)
}

#[inline]
fn unit_columns(S: &mut Columns, make: fn(Vec3) -> Motion, start: usize) {
    S[start] = make(Vec3::x());
    S[start + 1] = make(Vec3::y());
    S[start + 2] = make(Vec3::z());
}

/// Rotation of a stored quaternion; integrator stages are off unit norm by their error, which is removed here.
#[inline]
fn rotation_matrix(q: &[f64]) -> Mat3 {
    let quaternion = Quaternion::from_slice(q);
    quaternion.normalized().unwrap_or(quaternion).matrix()
}
