//! How force and moment change with pose and velocity.

use super::local::{Found, Local, Shift, Spot};
use super::memory::FoundationMemory;
use super::nodes::{NODES, dot4, shapes};
use super::pair::FoundationPair;
use super::quadratic::Domain;
use super::strips::positive_part;
use nalgebra::{Matrix6, Vector6};
use wolff_spatial::{Mat3, Motion, Pose, Vec3};

/// Derivatives of force and moment about the fixed origin on the moving body.
///
/// Rows: force \[N\], moment \[N m\]. Columns of `pose`: translation of the moving origin \[m\], rotation vector about
/// it \[rad\], fixed axes; the velocity is held. Columns of `velocity`: velocity of the moving origin \[m/s\], angular
/// velocity \[rad/s\].
///
/// On the local models they are exact where the moving surface has constant curvature; elsewhere they miss a part of
/// the order of (element size)². The thickness of a moving layer is taken as constant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FoundationJacobian {
    /// By the pose.
    pub pose: Matrix6<f64>,
    /// By the velocity.
    pub velocity: Matrix6<f64>,
}

/// Changes at a node with the six displacements.
type Changes<T> = [T; 6];

/// Traction at a point with its derivatives by pressure, direction, rate vector and velocity.
struct Traction {
    /// Elastic pressure.
    p: f64,
    /// Viscous factor, and damping where it acts.
    factor: f64,
    damping: f64,
    /// Velocity of the moving body, rate vector of the depth, and friction: force per pressure, derivative by the
    /// sliding velocity.
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
        let mut add = |spot: &Spot, p: f64, dp: &Changes<f64>, turned: &Changes<(f64, Vec3, Vec3)>| {
            let traction = self.traction(spot, p, X_FM, V_FM);
            for k in 0..6 {
                let (_, d_nu, d_rate) = turned[k];
                // the velocity of the moving origin is held while the origin shifts
                let du = -V_FM.w.cross(&shifts[k].translation);
                let by_pose = traction.change(spot, (dp[k], d_nu, d_rate, du));
                let by_velocity = traction.change(spot, (0.0, Vec3::zeros(), Vec3::zeros(), shifts[k].at(&spot.y)));
                add_column(&mut out.pose, k, &spot.y, by_pose * spot.area);
                add_column(&mut out.velocity, k, &spot.y, by_velocity * spot.area);
            }
        };
        if let Some(spots) = self.spots(index, local) {
            let turned: [Changes<(f64, Vec3, Vec3)>; 4] =
                std::array::from_fn(|g| changes.map(|change| spots[g].change(&change, method, NODES[g])));
            let thin = self.thinness(index, found.thickness);
            let (p, dp) = self.gather_changes((local, found.thickness), (&spots, &thin), &changes, &turned);
            (0..4).for_each(|g| add(&spots[g], p[g], &dp[g], &turned[g]));
            return;
        }
        self.visit(index, local, self.integrand(), |at, weight| {
            let spot = Spot::new(element, local, method, at);
            let (p, slope) = self.material.response(spot.d(), found.thickness);
            let turned = changes.map(|change| spot.change(&change, method, at));
            let dd = |k: usize| spot.gain * changes[k].depth.value(at.0, at.1) + spot.D * turned[k].0;
            add(&spot, weight * p, &std::array::from_fn(|k| weight * slope * dd(k)), &turned);
        });
    }

    /// Integrals over the part in contact of pressure and shape function, and their changes.
    fn gather_changes(
        &self,
        (local, h): (&Local, f64),
        (spots, thin): (&[Spot; 4], &[f64; 4]),
        changes: &Changes<Local>,
        turned: &[Changes<(f64, Vec3, Vec3)>; 4],
    ) -> ([f64; 4], [Changes<f64>; 4]) {
        let gains: [f64; 4] = std::array::from_fn(|g| spots[g].gain * thin[g]);
        let d_gains: Changes<[f64; 4]> = std::array::from_fn(|k| std::array::from_fn(|g| turned[g][k].0 * thin[g]));
        let (mut p, mut dp) = ([0.0; 4], [[0.0; 6]; 4]);
        positive_part(&local.depth, Domain::Square, self.integrand(), |(a, b), weight| {
            let (n, D) = (shapes(a, b), local.depth.value(a, b));
            let gain = dot4(&n, &gains);
            let (pressure, slope) = self.material.response(D * gain, h);
            let change = |k: usize| slope * (gain * changes[k].depth.value(a, b) + D * dot4(&n, &d_gains[k]));
            let changed: Changes<f64> = std::array::from_fn(change);
            for g in 0..4 {
                p[g] += weight * pressure * n[g];
                (0..6).for_each(|k| dp[g][k] += weight * changed[k] * n[g]);
            }
        });
        (p, dp)
    }

    fn traction(&self, spot: &Spot, p: f64, X_FM: &Pose, V_FM: &Motion) -> Traction {
        let u = V_FM.at(&(spot.y - X_FM.p)).v;
        let rate = spot.rate(self.method());
        let factor = 1.0 + self.material.damping() * rate.dot(&u);
        let (factor, damping) = if factor > 0.0 { (factor, self.material.damping()) } else { (0.0, 0.0) };
        let slip = u - spot.nu * spot.nu.dot(&u);
        let (per_pressure, by_slip) = match &self.settings.friction {
            Some(friction) => (friction.force(1.0, &slip), friction.force_jacobian(1.0, &slip) * (p * factor)),
            None => (Vec3::zeros(), Mat3::zeros()),
        };
        Traction { p, factor, damping, u, rate, per_pressure, by_slip }
    }
}

impl Traction {
    /// Change of the traction with changes of elastic pressure, direction, rate vector and velocity.
    fn change(&self, spot: &Spot, (dp, d_nu, d_rate, du): (f64, Vec3, Vec3, Vec3)) -> Vec3 {
        let d_factor = self.damping * (d_rate.dot(&self.u) + self.rate.dot(&du));
        let dp = dp * self.factor + self.p * d_factor;
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
