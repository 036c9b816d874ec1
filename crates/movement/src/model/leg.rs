//! A leg as a mechanism: which changes of its angles displace its foot by a given amount.

use crate::error::MovementError;
use nalgebra::{DMatrix, DVector, Vector6};
use wolff_anatomy::{CoordinateRole, Joint, Motion, SegmentName, Side};
use wolff_multibody::{Instant, Model};

/// Joint angles of a leg from the hip down, and whether each is optional: some models lock all but flexion.
const JOINTS: [(Joint, Motion, bool); 6] = [
    (Joint::Hip, Motion::Flexion, false),
    (Joint::Hip, Motion::Adduction, true),
    (Joint::Hip, Motion::Rotation, true),
    (Joint::Knee, Motion::Flexion, false),
    (Joint::Ankle, Motion::Flexion, false),
    (Joint::Ankle, Motion::Inversion, true),
];

/// Lever that makes a rotation of the foot comparable with a displacement \[m\]; chosen here.
pub(crate) const LEVER: f64 = 0.1;

/// Regularisation weight of leg angles \[m²/rad²\] in the damped least squares of the foot displacement: bounds the
/// step of an almost straight knee, which cannot lengthen the leg.
const ANGLE_REGULARISATION: f64 = 1e-3;

/// The angles of a leg and its foot in a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leg {
    /// Names of the angles that the model has, up to six.
    pub names: Vec<String>,
    /// Their speeds.
    pub speeds: Vec<usize>,
    /// The body of the foot.
    pub body: usize,
}

impl Leg {
    /// The leg of a side.
    pub fn new(model: &Model, side: Side) -> Result<Self, MovementError> {
        let missing = |what, name: &str| MovementError::Missing { what, name: name.into(), purpose: "moving a foot" };
        let (mut names, mut speeds) = (Vec::new(), Vec::new());
        for (joint, motion, dispensable) in JOINTS {
            let name = CoordinateRole::angle(joint, motion, Some(side)).name().unwrap_or_default();
            match model.coordinate_index(&name) {
                Some(speed) => {
                    names.push(name);
                    speeds.push(speed);
                }
                None if dispensable => (),
                None => return Err(missing("coordinate", &name)),
            }
        }
        let foot = SegmentName::Foot(side).name();
        let body = model.body_index(foot).ok_or_else(|| missing("body", foot))?;
        Ok(Leg { names, speeds, body })
    }

    /// Angles that turn the foot about its ankle (times [`LEVER`], first three) and displace the ankle \[m\] by the
    /// given amounts, by damped least squares.
    pub fn angles(&self, at: &Instant<'_>, displacement: &Vector6<f64>) -> DVector<f64> {
        let body = &at.kin.bodies[self.body];
        let ankle = body.X_GB.p - body.origin;
        let n = self.speeds.len();
        let mut J = DMatrix::zeros(6, n);
        for (column, k) in self.speeds.iter().enumerate() {
            let S = at.kin.S[*k].at(&ankle);
            for axis in 0..3 {
                J[(axis, column)] = S.w[axis] * LEVER;
                J[(3 + axis, column)] = S.v[axis];
            }
        }
        let normal = J.transpose() * &J + DMatrix::identity(n, n) * ANGLE_REGULARISATION;
        normal.cholesky().map_or_else(|| DVector::zeros(n), |c| c.solve(&(J.transpose() * displacement)))
    }
}
