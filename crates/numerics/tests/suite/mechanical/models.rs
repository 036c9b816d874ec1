//! Mechanical systems with known solutions.

use nalgebra::{DMatrix, Quaternion, UnitQuaternion, Vector3};
use wolff_numerics::{Crossing, EventAction, MechanicalSystem, Method, OdeError, OdeSystem, Options, integrate};

pub const GRAVITY: f64 = 9.81;

/// Dimensions, names and a flat retraction, common to the planar models.
macro_rules! flat {
    ($nv:expr) => {
        fn nq(&self) -> usize {
            $nv
        }

        fn nv(&self) -> usize {
            $nv
        }

        fn retract(&self, q: &[f64], dq: &[f64], q_out: &mut [f64]) {
            for i in 0..q.len() {
                q_out[i] = q[i] + dq[i];
            }
        }

        fn coordinate_name(&self, i: usize) -> String {
            format!("coordinate {i}")
        }
    };
}

/// No constraints.
macro_rules! free {
    () => {
        fn nc(&self) -> usize {
            0
        }

        fn constraints(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), OdeError> {
            Ok(())
        }

        fn constraint_jacobian(&mut self, _: f64, _: &[f64], _: &mut DMatrix<f64>) -> Result<(), OdeError> {
            Ok(())
        }

        fn constraint_velocity(&mut self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) -> Result<(), OdeError> {
            Ok(())
        }

        fn constraint_name(&self, i: usize) -> String {
            format!("constraint {i}")
        }
    };
}

/// Point pendulum of unit mass and length by its angle from hanging: `θ'' = -g sin θ`.
pub struct AnglePendulum;

impl MechanicalSystem for AnglePendulum {
    flat!(1);
    free!();

    fn residual(
        &mut self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        a: &[f64],
        _lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError> {
        r[0] = a[0] + GRAVITY * q[0].sin();
        Ok(())
    }

    fn mass_matrix(&mut self, _q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError> {
        m[(0, 0)] = 1.0;
        Ok(())
    }

    fn accelerations(
        &mut self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        a: &mut [f64],
        _lambda: &mut [f64],
    ) -> Result<(), OdeError> {
        a[0] = -GRAVITY * q[0].sin();
        Ok(())
    }
}

struct AngleOde;

impl OdeSystem for AngleOde {
    fn dim(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        dy.copy_from_slice(&[y[1], -GRAVITY * y[0].sin()]);
        Ok(())
    }
}

/// Angle and angular velocity of the pendulum at `t`, by Dop853 to 1e-13.
pub fn pendulum_angle(start: [f64; 2], t: f64) -> [f64; 2] {
    let mut y = start;
    integrate(&mut AngleOde, Method::Dop853, &Options::tolerances(1e-13, 1e-13), 0.0, &mut y, t, &mut ()).unwrap();
    y
}

/// The same pendulum by the Cartesian coordinates of its mass `m`, with the rod as constraint `(x² + y² - 1)/2 = 0`
/// given `copies` times.
pub struct CartesianPendulum {
    pub mass: f64,
    pub copies: usize,
    /// Whether the model offers its own tangent.
    pub own_tangent: bool,
}

impl CartesianPendulum {
    pub fn state([angle, rate]: [f64; 2]) -> ([f64; 2], [f64; 2]) {
        let (s, c) = angle.sin_cos();
        ([s, -c], [rate * c, rate * s])
    }

    /// The rod force over the length, `m (|v|² - g y)`.
    pub fn multiplier(&self, q: &[f64], v: &[f64]) -> f64 {
        self.mass * (v[0] * v[0] + v[1] * v[1] - GRAVITY * q[1])
    }
}

impl MechanicalSystem for CartesianPendulum {
    flat!(2);

    fn nc(&self) -> usize {
        self.copies
    }

    fn residual(
        &mut self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        a: &[f64],
        lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError> {
        let force: f64 = lambda.iter().sum();
        r[0] = self.mass * a[0] + q[0] * force;
        r[1] = self.mass * (a[1] + GRAVITY) + q[1] * force;
        Ok(())
    }

    fn mass_matrix(&mut self, _q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError> {
        m.fill_with_identity();
        *m *= self.mass;
        Ok(())
    }

    fn constraints(&mut self, _t: f64, q: &[f64], phi: &mut [f64]) -> Result<(), OdeError> {
        phi.fill(0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0));
        Ok(())
    }

    fn constraint_jacobian(&mut self, _t: f64, q: &[f64], g: &mut DMatrix<f64>) -> Result<(), OdeError> {
        for i in 0..self.copies {
            g[(i, 0)] = q[0];
            g[(i, 1)] = q[1];
        }
        Ok(())
    }

    fn constraint_velocity(&mut self, _t: f64, q: &[f64], v: &[f64], phidot: &mut [f64]) -> Result<(), OdeError> {
        phidot.fill(q[0] * v[0] + q[1] * v[1]);
        Ok(())
    }

    fn accelerations(
        &mut self,
        _t: f64,
        q: &[f64],
        v: &[f64],
        a: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<(), OdeError> {
        let force = self.multiplier(q, v) / (q[0] * q[0] + q[1] * q[1]);
        lambda.fill(force / self.copies as f64);
        a[0] = -q[0] * force / self.mass;
        a[1] = -q[1] * force / self.mass - GRAVITY;
        Ok(())
    }

    fn constraint_name(&self, i: usize) -> String {
        format!("rod {i}")
    }

    fn tangent(
        &mut self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _a: &[f64],
        lambda: &[f64],
        _velocity_gain: f64,
        displacement_gain: f64,
        s: &mut DMatrix<f64>,
    ) -> Result<bool, OdeError> {
        s.fill_with_identity();
        *s *= self.mass + displacement_gain * lambda.iter().sum::<f64>();
        Ok(self.own_tangent)
    }
}

/// Free rigid body: unit quaternion (w, x, y, z) to the world, angular velocity in the body, `J ω' = (J ω) × ω`.
pub struct FreeBody;

pub const INERTIA: [f64; 3] = [1.0, 2.0, 3.5];

impl FreeBody {
    fn attitude(q: &[f64]) -> UnitQuaternion<f64> {
        UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]))
    }

    /// Angular momentum in the world, which is constant.
    pub fn momentum(q: &[f64], w: &[f64]) -> Vector3<f64> {
        let body = Vector3::new(INERTIA[0] * w[0], INERTIA[1] * w[1], INERTIA[2] * w[2]);
        Self::attitude(q) * body
    }

    fn angular_acceleration(w: &[f64]) -> [f64; 3] {
        let [a, b, c] = INERTIA;
        [(b - c) / a * w[1] * w[2], (c - a) / b * w[2] * w[0], (a - b) / c * w[0] * w[1]]
    }

    /// Attitude and angular velocity at `t`, by Dop853 to 1e-13.
    pub fn reference(q: [f64; 4], w: [f64; 3], t: f64) -> ([f64; 4], [f64; 3]) {
        struct Ode;
        impl OdeSystem for Ode {
            fn dim(&self) -> usize {
                7
            }
            fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
                let rate = Quaternion::new(y[0], y[1], y[2], y[3]) * Quaternion::new(0.0, y[4], y[5], y[6]) * 0.5;
                dy[..4].copy_from_slice(&[rate.w, rate.i, rate.j, rate.k]);
                dy[4..].copy_from_slice(&FreeBody::angular_acceleration(&y[4..]));
                Ok(())
            }
        }
        let mut y = [q[0], q[1], q[2], q[3], w[0], w[1], w[2]];
        integrate(&mut Ode, Method::Dop853, &Options::tolerances(1e-13, 1e-13), 0.0, &mut y, t, &mut ()).unwrap();
        ([y[0], y[1], y[2], y[3]], [y[4], y[5], y[6]])
    }
}

impl MechanicalSystem for FreeBody {
    free!();

    fn nq(&self) -> usize {
        4
    }

    fn nv(&self) -> usize {
        3
    }

    fn residual(
        &mut self,
        _t: f64,
        _q: &[f64],
        v: &[f64],
        a: &[f64],
        _lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError> {
        let exact = Self::angular_acceleration(v);
        for i in 0..3 {
            r[i] = INERTIA[i] * (a[i] - exact[i]);
        }
        Ok(())
    }

    fn mass_matrix(&mut self, _q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError> {
        m.fill(0.0);
        for i in 0..3 {
            m[(i, i)] = INERTIA[i];
        }
        Ok(())
    }

    fn accelerations(
        &mut self,
        _t: f64,
        _q: &[f64],
        v: &[f64],
        a: &mut [f64],
        _lambda: &mut [f64],
    ) -> Result<(), OdeError> {
        a.copy_from_slice(&Self::angular_acceleration(v));
        Ok(())
    }

    fn retract(&self, q: &[f64], dq: &[f64], q_out: &mut [f64]) {
        let turned = Self::attitude(q) * UnitQuaternion::from_scaled_axis(Vector3::new(dq[0], dq[1], dq[2]));
        q_out.copy_from_slice(&[turned.w, turned.i, turned.j, turned.k]);
    }

    fn coordinate_name(&self, i: usize) -> String {
        format!("angular velocity {i}")
    }
}

/// A unit mass falling on a rigid floor (restitution e), or on a spring of stiffness k if there is one.
pub struct FallingMass {
    pub restitution: f64,
    pub stiffness: Option<f64>,
}

impl FallingMass {
    fn acceleration(&self, height: f64) -> f64 {
        self.stiffness.map_or(0.0, |k| k * (-height).max(0.0)) - GRAVITY
    }
}

impl MechanicalSystem for FallingMass {
    flat!(1);
    free!();

    fn residual(
        &mut self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        a: &[f64],
        _lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError> {
        r[0] = a[0] - self.acceleration(q[0]);
        Ok(())
    }

    fn mass_matrix(&mut self, _q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError> {
        m[(0, 0)] = 1.0;
        Ok(())
    }

    fn accelerations(
        &mut self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        a: &mut [f64],
        _lambda: &mut [f64],
    ) -> Result<(), OdeError> {
        a[0] = self.acceleration(q[0]);
        Ok(())
    }

    fn event_count(&self) -> usize {
        1
    }

    fn events(&mut self, _t: f64, q: &[f64], _v: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        g[0] = q[0];
        Ok(())
    }

    fn on_event(
        &mut self,
        _index: usize,
        _direction: Crossing,
        _t: f64,
        _q: &mut [f64],
        v: &mut [f64],
    ) -> Result<EventAction, OdeError> {
        if self.stiffness.is_none() {
            v[0] *= -self.restitution;
        }
        Ok(EventAction::Restart)
    }
}

/// The pendulum on a spring of natural length 1 instead of a rod, unit mass.
pub struct SpringPendulum {
    pub stiffness: f64,
}

impl SpringPendulum {
    fn acceleration(&self, q: &[f64]) -> [f64; 2] {
        let length = q[0].hypot(q[1]);
        let pull = self.stiffness * (length - 1.0) / length;
        [-pull * q[0], -pull * q[1] - GRAVITY]
    }

    pub fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        0.5 * (v[0] * v[0] + v[1] * v[1]) + GRAVITY * q[1] + 0.5 * self.stiffness * (q[0].hypot(q[1]) - 1.0).powi(2)
    }
}

impl MechanicalSystem for SpringPendulum {
    flat!(2);
    free!();

    fn residual(
        &mut self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        a: &[f64],
        _lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError> {
        let exact = self.acceleration(q);
        for i in 0..2 {
            r[i] = a[i] - exact[i];
        }
        Ok(())
    }

    fn mass_matrix(&mut self, _q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError> {
        m.fill_with_identity();
        Ok(())
    }

    fn accelerations(
        &mut self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        a: &mut [f64],
        _lambda: &mut [f64],
    ) -> Result<(), OdeError> {
        a.copy_from_slice(&self.acceleration(q));
        Ok(())
    }
}

/// A block on two one-sided springs, `k d²` each, that rocks: height and angle, load and moment about its middle.
pub struct Rocker {
    pub load: f64,
    pub moment: f64,
}

impl Rocker {
    const MASS: f64 = 0.35;
    const INERTIA: f64 = 1.4e-4;
    const ARM: f64 = 0.02;
    const STIFFNESS: f64 = 1e11;

    /// Forces of the springs at -arm and +arm.
    pub fn springs(q: &[f64]) -> [f64; 2] {
        [-Self::ARM, Self::ARM].map(|arm| Self::STIFFNESS * (-(q[0] + arm * q[1])).max(0.0).powi(2))
    }

    /// What the springs carry at rest.
    pub fn shares(&self) -> [f64; 2] {
        [-1.0, 1.0].map(|side| 0.5 * self.load - side * 0.5 * self.moment / Self::ARM)
    }

    fn acceleration(&self, q: &[f64]) -> [f64; 2] {
        let [left, right] = Self::springs(q);
        [(left + right - self.load) / Self::MASS, (Self::ARM * (right - left) + self.moment) / Self::INERTIA]
    }
}

impl MechanicalSystem for Rocker {
    flat!(2);
    free!();

    fn residual(
        &mut self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        a: &[f64],
        _lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError> {
        let [up, turn] = self.acceleration(q);
        (r[0], r[1]) = (Self::MASS * (a[0] - up), Self::INERTIA * (a[1] - turn));
        Ok(())
    }

    fn mass_matrix(&mut self, _q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError> {
        m.fill(0.0);
        (m[(0, 0)], m[(1, 1)]) = (Self::MASS, Self::INERTIA);
        Ok(())
    }

    fn accelerations(
        &mut self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        a: &mut [f64],
        _lambda: &mut [f64],
    ) -> Result<(), OdeError> {
        a.copy_from_slice(&self.acceleration(q));
        Ok(())
    }
}
