//! Cost, gradient and Gauss-Newton matrix of markers on a tree.

use nalgebra::DMatrix;
use wolff_multibody::{Kinematics, Model};
use wolff_spatial::{Force, Mat3, SpatialInertia, Vec3};

/// A marker of the model with its weight in the present frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// The body it is on.
    pub body: usize,
    /// Its place on the body [m].
    pub p_B: Vec3,
    /// Its share of the weight of all markers seen; zero where it was not.
    pub weight: f64,
    /// Where it was seen [m].
    pub target: Vec3,
}

/// Memory for the normal equations of all speeds.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    /// `Jᵀ W J`, both triangles.
    pub H: DMatrix<f64>,
    /// `Jᵀ W r`.
    pub g: Vec<f64>,
    composite: Vec<(SpatialInertia, Force)>,
}

/// Half the weighted sum of squared distances.
pub(super) fn cost(kin: &Kinematics, points: &[Point]) -> f64 {
    let one = |m: &Point| m.weight * (kin.bodies[m.body].X_GB.point(&m.p_B) - m.target).norm_squared();
    0.5 * points.iter().filter(|m| m.weight > 0.0).map(one).sum::<f64>()
}

impl Normal {
    pub fn new(model: &Model) -> Self {
        let nothing = (SpatialInertia::ZERO, Force::ZERO);
        Self {
            H: DMatrix::zeros(model.nv(), model.nv()),
            g: vec![0.0; model.nv()],
            composite: vec![nothing; model.bodies().len()],
        }
    }

    /// Fills `H` and `g`.
    ///
    /// With `u_k(p) = v_k + w_k × p` the velocity of a point per unit of speed k, `H_kl = Σ w u_k·u_l` over the markers that both
    /// move: the mass matrix of point masses w. Each body collects them and the forces `w r` of those beyond it.
    pub fn compute(&mut self, model: &Model, kin: &Kinematics, points: &[Point]) {
        self.composite.fill((SpatialInertia::ZERO, Force::ZERO));
        for m in points.iter().filter(|m| m.weight > 0.0) {
            let at = &kin.bodies[m.body];
            let p = at.X_GB.point(&m.p_B);
            let c = p - at.origin;
            let (inertia, force) = &mut self.composite[m.body];
            *inertia += point_mass(m.weight, &c);
            *force += Force::through(&c, (p - m.target) * m.weight);
        }
        self.H.fill(0.0);
        for (i, body) in model.bodies().iter().enumerate().skip(1).rev() {
            let (inertia, force) = self.composite[i];
            if body.parent != 0 {
                self.composite[body.parent].0 += inertia;
                self.composite[body.parent].1 += force;
            }
            for k in body.v_range() {
                self.g[k] = kin.S[k].dot(&force);
                let momentum = inertia.apply(&kin.S[k]);
                kin.powers(model, i, &momentum, |l, power| {
                    self.H[(k, l)] = power;
                    self.H[(l, k)] = power;
                });
            }
        }
    }
}

/// Inertia of a mass at `c` about the reference point.
fn point_mass(mass: f64, c: &Vec3) -> SpatialInertia {
    let h = c * mass;
    SpatialInertia { mass, h, I: Mat3::identity() * c.dot(&h) - h * c.transpose() }
}
