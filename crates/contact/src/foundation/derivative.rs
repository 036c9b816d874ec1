//! How force and moment change with pose and velocity.

use super::local::{Found, Local, Shift, Spot};
use super::pair::FoundationPair;
use super::solver::FoundationMemory;
use nalgebra::{Matrix6, Vector6};
use wolff_spatial::{Mat3, Motion, Pose, Vec3};

/// Derivatives of force and moment about the fixed origin on the moving body.
///
/// Rows: force [N], moment [N m]. Columns of `pose`: translation of the moving origin [m], rotation vector about it [rad], fixed
/// axes; the velocity is held. Columns of `velocity`: velocity of the moving origin [m/s], angular velocity [rad/s].
///
/// On the local models they are exact where the moving surface has constant curvature; elsewhere they miss a part of the
/// order of (element size)². The thickness of a moving layer is taken as constant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FoundationJacobian {
    /// By the pose.
    pub pose: Matrix6<f64>,
    /// By the velocity.
    pub velocity: Matrix6<f64>,
}

/// Traction at a point with its derivatives by depth, direction, rate vector and velocity.
struct Traction {
    /// Elastic pressure and its slope.
    p: f64,
    slope: f64,
    /// Viscous factor, and damping where it acts.
    factor: f64,
    damping: f64,
    /// Velocity of the moving body, rate vector of the depth, and friction: force per pressure, derivative by the sliding velocity.
    u: Vec3,
    rate: Vec3,
    per_pressure: Vec3,
    by_slip: Mat3,
}

impl FoundationPair {
    /// Derivatives at the pose and velocity of the last evaluation; zero before the first. No new distance queries.
    pub fn jacobian(&self, memory: &FoundationMemory) -> FoundationJacobian {
        let mut jacobian = FoundationJacobian::default();
        let Some((X_FM, V_FM)) = memory.last(self) else { return jacobian };
        for (chunk, state) in self.chunks.iter().zip(&memory.chunks) {
            for (index, element) in chunk.elements.clone().zip(&state.elements) {
                if let Some((found, local)) = &element.found {
                    self.add_derivatives(index, (found, local), X_FM, V_FM, &mut jacobian);
                }
            }
        }
        jacobian
    }

    fn add_derivatives(
        &self,
        index: usize,
        (found, local): (&Found, &Local),
        X_FM: &Pose,
        V_FM: &Motion,
        out: &mut FoundationJacobian,
    ) {
        let element = &self.set.elements[index];
        let method = self.method();
        let shifts: [Shift; 6] = std::array::from_fn(|k| {
            let axis = Vec3::ith(k % 3, 1.0);
            let (translation, rotation) = if k < 3 { (axis, Vec3::zeros()) } else { (Vec3::zeros(), axis) };
            Shift { origin: X_FM.p, translation, rotation }
        });
        let changes = shifts.map(|shift| Local::change(element, found, self.settings.distance, &shift));
        self.visit(index, local, |at, weight| {
            let spot = Spot::new(element, local, method, at);
            let traction = self.traction(&spot, found.thickness, X_FM, V_FM);
            let dA = weight * spot.area;
            for k in 0..6 {
                let (dd, d_nu, d_rate) = spot.change(&changes[k], method, at);
                // the velocity of the moving origin is held while the origin shifts
                let du = -V_FM.w.cross(&shifts[k].translation);
                let by_pose = traction.change(&spot, (dd, d_nu, d_rate, du));
                let by_velocity = traction.change(&spot, (0.0, Vec3::zeros(), Vec3::zeros(), shifts[k].at(&spot.y)));
                add_column(&mut out.pose, k, &spot.y, by_pose * dA);
                add_column(&mut out.velocity, k, &spot.y, by_velocity * dA);
            }
        });
    }

    fn traction(&self, spot: &Spot, h: f64, X_FM: &Pose, V_FM: &Motion) -> Traction {
        let (p, slope) = self.material.response(spot.d, h);
        let u = V_FM.at(&(spot.y - X_FM.p)).v;
        let rate = spot.rate(self.method());
        let factor = 1.0 + self.material.damping() * rate.dot(&u);
        let (factor, damping) = if factor > 0.0 { (factor, self.material.damping()) } else { (0.0, 0.0) };
        let slip = u - spot.nu * spot.nu.dot(&u);
        let (per_pressure, by_slip) = match &self.settings.friction {
            Some(friction) => (friction.force(1.0, &slip), friction.force_jacobian(p * factor, &slip)),
            None => (Vec3::zeros(), Mat3::zeros()),
        };
        Traction { p, slope, factor, damping, u, rate, per_pressure, by_slip }
    }
}

impl Traction {
    /// Change of the traction with changes of depth, direction, rate vector and velocity.
    fn change(&self, spot: &Spot, (dd, d_nu, d_rate, du): (f64, Vec3, Vec3, Vec3)) -> Vec3 {
        let d_factor = self.damping * (d_rate.dot(&self.u) + self.rate.dot(&du));
        let dp = self.slope * dd * self.factor + self.p * d_factor;
        let across = spot.nu.dot(&self.u);
        let d_slip = du - d_nu * across - spot.nu * (d_nu.dot(&self.u) + spot.nu.dot(&du));
        (self.per_pressure - spot.nu) * dp - d_nu * (self.p * self.factor) + self.by_slip * d_slip
    }
}

fn add_column(matrix: &mut Matrix6<f64>, k: usize, y: &Vec3, f: Vec3) {
    let n = y.cross(&f);
    let mut column = matrix.column_mut(k);
    column += Vector6::new(f.x, f.y, f.z, n.x, n.y, n.z);
}
