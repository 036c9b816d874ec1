//! A heavy top as a free body tied by a spherical joint: constraints and multipliers on a manifold.

use nalgebra::{DMatrix, Matrix3, Quaternion, UnitQuaternion, Vector3};
use wolff_numerics::{
    ConstraintLevel, DenseStep, MechanicalMethod, MechanicalOptions, MechanicalSystem, Method, OdeError, OdeSystem,
    Options, integrate, integrate_mechanical,
};

use crate::observed_order;

/// Mass \[kg\], inertia about the centre \[kg m²\], weight \[N\] along -z.
const MASS: f64 = 2.0;
const WEIGHT: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81 * MASS);

/// `q = [position of the centre | quaternion]`, `v = [its velocity | angular velocity in the body]`; the joint at the
/// origin holds the centre at `arm` in the body: `φ = r - R arm`.
struct Top;

fn inertia() -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::new(0.05, 0.06, 0.03))
}

fn arm() -> Vector3<f64> {
    Vector3::new(0.1, -0.05, 0.4)
}

/// Inertia about the joint.
fn joint_inertia() -> Matrix3<f64> {
    let s = arm().cross_matrix();
    inertia() - MASS * s * s
}

fn attitude(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]))
}

/// `J ω' = -ω × J ω + arm × Rᵀ w` about the joint.
fn angular_acceleration(rotation: &UnitQuaternion<f64>, w: &Vector3<f64>) -> Vector3<f64> {
    let j = joint_inertia();
    let moment = arm().cross(&rotation.inverse_transform_vector(&WEIGHT)) - w.cross(&(j * w));
    j.try_inverse().unwrap() * moment
}

/// Joint force on the body is -λ: `m a = w - λ`.
fn centre_acceleration(rotation: &UnitQuaternion<f64>, w: &Vector3<f64>) -> Vector3<f64> {
    rotation * (angular_acceleration(rotation, w).cross(&arm()) + w.cross(&w.cross(&arm())))
}

impl MechanicalSystem for Top {
    fn nq(&self) -> usize {
        7
    }

    fn nv(&self) -> usize {
        6
    }

    fn nc(&self) -> usize {
        3
    }

    fn residual(
        &mut self,
        _t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError> {
        let (w, wdot) = (Vector3::from_row_slice(&v[3..]), Vector3::from_row_slice(&a[3..]));
        let lambda = Vector3::from_row_slice(lambda);
        let linear = MASS * Vector3::from_row_slice(&a[..3]) - WEIGHT + lambda;
        let torque = arm().cross(&attitude(&q[3..]).inverse_transform_vector(&lambda));
        let angular = inertia() * wdot + w.cross(&(inertia() * w)) - torque;
        r[..3].copy_from_slice(linear.as_slice());
        r[3..].copy_from_slice(angular.as_slice());
        Ok(())
    }

    fn mass_matrix(&mut self, _q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError> {
        m.fill(0.0);
        m.view_mut((0, 0), (3, 3)).copy_from(&(Matrix3::identity() * MASS));
        m.view_mut((3, 3), (3, 3)).copy_from(&inertia());
        Ok(())
    }

    fn constraints(&mut self, _t: f64, q: &[f64], phi: &mut [f64]) -> Result<(), OdeError> {
        let gap = Vector3::from_row_slice(&q[..3]) - attitude(&q[3..]) * arm();
        phi.copy_from_slice(gap.as_slice());
        Ok(())
    }

    fn constraint_jacobian(&mut self, _t: f64, q: &[f64], g: &mut DMatrix<f64>) -> Result<(), OdeError> {
        let turning = attitude(&q[3..]).to_rotation_matrix().into_inner() * arm().cross_matrix();
        g.view_mut((0, 0), (3, 3)).copy_from(&Matrix3::identity());
        g.view_mut((0, 3), (3, 3)).copy_from(&turning);
        Ok(())
    }

    fn constraint_velocity(&mut self, _t: f64, q: &[f64], v: &[f64], phidot: &mut [f64]) -> Result<(), OdeError> {
        let w = Vector3::from_row_slice(&v[3..]);
        let gap = Vector3::from_row_slice(&v[..3]) - attitude(&q[3..]) * w.cross(&arm());
        phidot.copy_from_slice(gap.as_slice());
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
        let (rotation, w) = (attitude(&q[3..]), Vector3::from_row_slice(&v[3..]));
        let centre = centre_acceleration(&rotation, &w);
        a[..3].copy_from_slice(centre.as_slice());
        a[3..].copy_from_slice(angular_acceleration(&rotation, &w).as_slice());
        lambda.copy_from_slice((WEIGHT - MASS * centre).as_slice());
        Ok(())
    }

    fn retract(&self, q: &[f64], dq: &[f64], q_out: &mut [f64]) {
        for i in 0..3 {
            q_out[i] = q[i] + dq[i];
        }
        let turned = attitude(&q[3..]) * UnitQuaternion::from_scaled_axis(Vector3::from_row_slice(&dq[3..]));
        q_out[3..].copy_from_slice(&[turned.w, turned.i, turned.j, turned.k]);
    }

    fn coordinate_name(&self, i: usize) -> String {
        format!("velocity {i}")
    }

    fn constraint_name(&self, i: usize) -> String {
        format!("joint {i}")
    }
}

/// The same top by attitude and angular velocity about the fixed point.
struct Reference;

impl OdeSystem for Reference {
    fn dim(&self) -> usize {
        7
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        let rate = Quaternion::new(y[0], y[1], y[2], y[3]) * Quaternion::new(0.0, y[4], y[5], y[6]) * 0.5;
        dy[..4].copy_from_slice(&[rate.w, rate.i, rate.j, rate.k]);
        let w = Vector3::from_row_slice(&y[4..]);
        dy[4..].copy_from_slice(angular_acceleration(&attitude(y), &w).as_slice());
        Ok(())
    }
}

const SPIN: [f64; 3] = [1.0, -2.0, 9.0];
const T_END: f64 = 0.8;

/// Errors of the centre's position, the angular velocity and the joint force at the end.
fn errors(level: ConstraintLevel, h: f64) -> [f64; 3] {
    let mut y = [0.9, 0.3, -0.2, 0.1, SPIN[0], SPIN[1], SPIN[2]];
    let start = attitude(&y[..4]);
    y[..4].copy_from_slice(&[start.w, start.i, start.j, start.k]);
    let centre = start * arm();
    let velocity = start * Vector3::from(SPIN).cross(&arm());
    let mut q = [centre.x, centre.y, centre.z, start.w, start.i, start.j, start.k];
    let mut v = [velocity.x, velocity.y, velocity.z, SPIN[0], SPIN[1], SPIN[2]];

    let method = MechanicalMethod::GeneralizedAlpha { rho_inf: 0.7 };
    let options = MechanicalOptions { method, level, h, newton_tolerance: 1e-12, ..MechanicalOptions::default() };
    let mut force = Vector3::zeros();
    let mut observer = |step: &DenseStep| force = Vector3::from_row_slice(&step.algebraic()[6..]);
    integrate_mechanical(&mut Top, &options, 0.0, &mut q, &mut v, T_END, &mut observer).unwrap();

    let tight = Options::tolerances(1e-12, 1e-12);
    integrate(&mut Reference, Method::Dop853, &tight, 0.0, &mut y, T_END, &mut ()).unwrap();
    let (rotation, w) = (attitude(&y[..4]), Vector3::from_row_slice(&y[4..]));
    let exact_force = WEIGHT - MASS * centre_acceleration(&rotation, &w);
    [
        (Vector3::from_row_slice(&q[..3]) - rotation * arm()).norm(),
        (Vector3::from_row_slice(&v[3..]) - w).norm(),
        (force - exact_force).norm(),
    ]
}

#[test]
fn order_2_on_every_level_also_for_the_joint_force() {
    for level in [ConstraintLevel::Index3, ConstraintLevel::Index2, ConstraintLevel::Index1] {
        let all: Vec<[f64; 3]> = [4e-3, 2e-3, 1e-3].iter().map(|&h| errors(level, h)).collect();
        for (k, name) in ["position", "angular velocity", "joint force"].iter().enumerate() {
            let order = observed_order(&all.iter().map(|e| e[k]).collect::<Vec<_>>());
            assert!((order - 2.0).abs() < 0.2, "{level:?} {name}: order {order}, errors {all:?}");
        }
    }
}
