//! Cost, gradient and Newton matrix of markers on a tree.

use nalgebra::DMatrix;
use wolff_multibody::{Kinematics, Model};
use wolff_spatial::{Force, Mat3, Motion, SpatialInertia, Vec3};

/// A marker of the model with its weight in the present frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Its body.
    pub body: usize,
    /// Its position on the body \[m\].
    pub p_B: Vec3,
    /// Its fraction of the weight of all visible markers; zero where it is missing.
    pub weight: f64,
    /// Its measured position \[m\].
    pub target: Vec3,
}

/// Work memory for the normal equations of all speeds.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    /// `Jᵀ W J`, with or without the curvature of the marker paths; both triangles.
    pub H: DMatrix<f64>,
    /// `Jᵀ W r`.
    pub g: Vec<f64>,
    composite: Vec<Composite>,
}

/// Sums over the markers that a body carries.
#[derive(Clone, Copy, Debug)]
struct Composite {
    /// Point masses w.
    inertia: SpatialInertia,
    /// Forces `w r`.
    force: Force,
    /// `Σ w c rᵀ`, c from the reference point to the marker.
    moments: Mat3,
}

impl Composite {
    fn nothing() -> Self {
        Composite { inertia: SpatialInertia::ZERO, force: Force::ZERO, moments: Mat3::zeros() }
    }

    fn add(&mut self, other: &Composite) {
        self.inertia += other.inertia;
        self.force += other.force;
        self.moments += other.moments;
    }

    /// `Σ w u × r` with `u = v + w × c` the velocity of each marker for the motion S.
    fn couple(&self, S: &Motion) -> Vec3 {
        S.v.cross(&self.force.f) + self.moments * S.w - S.w * self.moments.trace()
    }
}

/// The matrix to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Curvature {
    /// Gauss-Newton: positive definite wherever markers determine the pose.
    Without,
    /// Newton: converges fast also where markers stay far from the model.
    With,
}

/// Half the weighted sum of squared distances.
pub(super) fn cost(kin: &Kinematics, points: &[Point]) -> f64 {
    let one = |m: &Point| m.weight * (kin.bodies[m.body].X_GB.point(&m.p_B) - m.target).norm_squared();
    0.5 * points.iter().filter(|m| m.weight > 0.0).map(one).sum::<f64>()
}

impl Normal {
    pub fn new(model: &Model) -> Self {
        Self {
            H: DMatrix::zeros(model.nv(), model.nv()),
            g: vec![0.0; model.nv()],
            composite: vec![Composite::nothing(); model.bodies().len()],
        }
    }

    /// Fills `H` and `g`.
    ///
    /// With `u_k(p) = v_k + w_k × p` the velocity of a point per unit of speed k, `H_kl = Σ w u_k·u_l` over the markers
    /// that both move: the mass matrix of point masses w. Each body collects them and the forces `w r` of those beyond
    /// it. Curvature adds `Σ w r·∂u_k/∂q_l = w_l · Σ w u_k × r` for l inboard of k, as the turn of l turns all
    /// velocities beyond it.
    ///
    /// Limits of the curvature: the columns of a joint are assumed not to depend on the coordinates of the same joint
    /// except its rotations, of which those listed first are inboard. Where this does not hold (a knee that slides as
    /// it bends), convergence is a little slower.
    pub fn compute(&mut self, model: &Model, kin: &Kinematics, points: &[Point], curvature: Curvature) {
        self.collect(kin, points);
        self.H.fill(0.0);
        for (i, body) in model.bodies().iter().enumerate().skip(1).rev() {
            let sums = self.composite[i];
            if body.parent != 0 {
                self.composite[body.parent].add(&sums);
            }
            for k in body.v_range() {
                let S = &kin.S[k];
                self.g[k] = S.dot(&sums.force);
                let momentum = sums.inertia.apply(S);
                let couple = if curvature == Curvature::With { sums.couple(S) } else { Vec3::zeros() };
                let slides = S.w == Vec3::zeros();
                kin.powers(model, i, &momentum, |l, power| {
                    // a joint slides along axes of its parent body, which its own rotations do not move
                    let turns = !(slides && body.v_range().contains(&l));
                    let entry = if turns { power + kin.S[l].w.dot(&couple) } else { power };
                    self.H[(k, l)] = entry;
                    self.H[(l, k)] = entry;
                });
            }
        }
    }

    /// Sums over the markers on each body itself.
    fn collect(&mut self, kin: &Kinematics, points: &[Point]) {
        self.composite.fill(Composite::nothing());
        for m in points.iter().filter(|m| m.weight > 0.0) {
            let at = &kin.bodies[m.body];
            let p = at.X_GB.point(&m.p_B);
            let c = p - at.origin;
            let pull = (p - m.target) * m.weight;
            let sums = &mut self.composite[m.body];
            sums.inertia += point_mass(m.weight, &c);
            sums.force += Force::through(&c, pull);
            sums.moments += c * pull.transpose();
        }
    }
}

/// Inertia of a mass at `c` about the reference point.
fn point_mass(mass: f64, c: &Vec3) -> SpatialInertia {
    let h = c * mass;
    SpatialInertia { mass, h, I: Mat3::identity() * c.dot(&h) - h * c.transpose() }
}
