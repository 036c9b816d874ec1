//! Six generalised coordinates and their rates as pose and velocity.

use crate::error::CapiError;
use nalgebra::{Matrix6, Rotation3};
use wolff_contact::foundation::FoundationJacobian;
use wolff_spatial::{Force, Mat3, Motion, Pose, Vec3};

/// Pose and velocity of the moving body, from coordinates q and rates u = dq/dt.
///
/// ```text
/// X_FM:  p = (q1, q2, q3)      R = R1(q4) R2(q5) R3(q6)
/// V_FM:  v = (u1, u2, u3)      w = N (u4, u5, u6)      N = [e1, R1 e2, R1 R2 e3]
/// ```
///
/// p position [m] of the moving origin in the fixed frame F, q4 to q6 angles [rad] of turns about the body's own axes
/// 1, 2, 3 one after the other (body-three 1-2-3), v and w velocity of the moving origin [m/s] and angular velocity
/// [rad/s] in fixed axes. N is the matrix of the turning axes.
///
/// Source: Kane, Likins and Levinson, Spacecraft Dynamics (1983); the sequence that Bei and Fregly (2004) pass to their
/// library. Limits: at q5 = ±90° two axes coincide. Nothing here divides by cos q5, so forces stay right; but rates u
/// can then not describe every rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    /// Pose of the moving body in the fixed one.
    pub X_FM: Pose,
    /// Its velocity, fixed axes.
    pub V_FM: Motion,
    /// N: axes of the three turns as columns.
    axes: Mat3,
    /// ∂w/∂(q4, q5, q6) at constant u [rad/s per rad].
    turning: Mat3,
}

impl Coordinates {
    /// From q [m, rad] and u [m/s, rad/s].
    pub fn new(q: &[f64; 6], u: &[f64; 6]) -> Result<Self, CapiError> {
        for (argument, values) in [("q", q), ("u", u)] {
            require_finite(argument, values)?;
        }
        let turn = |axis, angle| Rotation3::from_axis_angle(&axis, angle).into_inner();
        let (R1, R2, R3) = (turn(Vec3::x_axis(), q[3]), turn(Vec3::y_axis(), q[4]), turn(Vec3::z_axis(), q[5]));
        let (e1, e2, e3) = (Vec3::x(), R1 * Vec3::y(), R1 * R2 * Vec3::z());
        let axes = Mat3::from_columns(&[e1, e2, e3]);
        // each rotation also rotates the axes of the following ones
        let turning = Mat3::from_columns(&[e1.cross(&(e2 * u[4] + e3 * u[5])), e2.cross(&e3) * u[5], Vec3::zeros()]);
        Ok(Coordinates {
            X_FM: Pose::new(R1 * R2 * R3, Vec3::new(q[0], q[1], q[2])),
            V_FM: Motion::new(axes * Vec3::new(u[3], u[4], u[5]), Vec3::new(u[0], u[1], u[2])),
            axes,
            turning,
        })
    }

    /// Generalised forces: `Q·u` is the power of the force and the moment about the fixed origin [N, N m].
    pub fn generalized(&self, on_moving: &Force) -> [f64; 6] {
        let turns = self.axes.tr_mul(&on_moving.at(&self.X_FM.p).n);
        [on_moving.f.x, on_moving.f.y, on_moving.f.z, turns.x, turns.y, turns.z]
    }

    /// Derivatives by q and by u of what `jacobian` derives by pose and velocity.
    ///
    /// ```text
    /// ∂F/∂q = F_X [1 0; 0 N] + F_V [0 0; 0 ∂w/∂q]      ∂F/∂u = F_V [1 0; 0 N]
    /// ```
    pub fn chain(&self, jacobian: &FoundationJacobian) -> (Matrix6<f64>, Matrix6<f64>) {
        let mut map = Matrix6::identity();
        map.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.axes);
        let mut turning = Matrix6::zeros();
        turning.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.turning);
        (jacobian.pose * map + jacobian.velocity * turning, jacobian.velocity * map)
    }
}

/// Refuses NaN and infinity.
pub fn require_finite(argument: &'static str, values: &[f64]) -> Result<(), CapiError> {
    match values.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(index) => Err(CapiError::NotFinite { argument, index, value: values[index] }),
    }
}
