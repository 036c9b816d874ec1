//! A leg as a mechanism: which angles move its foot as wanted.

use crate::error::WalkError;
use nalgebra::{Matrix6, Vector6};
use wolff_multibody::{Instant, Model};

/// Joints of a leg from the hip down, without their side.
const JOINTS: [&str; 6] =
    ["hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_flexion", "ankle_inversion"];

/// Lever [m] that makes a turn comparable with a displacement.
pub(crate) const LEVER: f64 = 0.1;

/// Price of a radian of leg angle against a metre of foot displacement: a straight knee must not be asked for the impossible.
const STIFF_LEG: f64 = 1e-3;

/// The six angles of a leg and its foot in a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leg {
    /// Names of the angles.
    pub names: [String; 6],
    /// Their speeds.
    pub speeds: [usize; 6],
    /// The foot's body.
    pub foot: usize,
}

impl Leg {
    /// The leg of a side, `r` or `l`.
    pub fn new(model: &Model, side: &str) -> Result<Self, WalkError> {
        let missing = |what, name: &str| WalkError::Missing { what, name: name.into(), purpose: "moving a foot" };
        let names = JOINTS.map(|joint| format!("{joint}_{side}"));
        let mut speeds = [0; 6];
        for (speed, name) in speeds.iter_mut().zip(&names) {
            *speed = model.coordinate_index(name).ok_or_else(|| missing("coordinate", name))?;
        }
        let foot = format!("foot_{side}");
        let foot = model.body_index(&foot).ok_or_else(|| missing("body", &foot))?;
        Ok(Leg { names, speeds, foot })
    }

    /// Angles that turn the foot about its ankle (times [`LEVER`], first three) and displace the ankle [m] as wanted, by damped least
    /// squares.
    pub fn angles(&self, at: &Instant<'_>, wanted: &Vector6<f64>) -> Vector6<f64> {
        let body = &at.kin.bodies[self.foot];
        let ankle = body.X_GB.p - body.origin;
        let mut J = Matrix6::zeros();
        for (column, k) in self.speeds.iter().enumerate() {
            let S = at.kin.S[*k].at(&ankle);
            for axis in 0..3 {
                J[(axis, column)] = S.w[axis] * LEVER;
                J[(3 + axis, column)] = S.v[axis];
            }
        }
        let normal = J.transpose() * J + Matrix6::identity() * STIFF_LEG;
        normal.cholesky().map_or(Vector6::zeros(), |c| c.solve(&(J.transpose() * wanted)))
    }
}
