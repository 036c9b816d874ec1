//! Flexible bodies: the floating frame of reference with constant inertia integrals.
//!
//! A point of the body is at `p + R x(η)` (see [`wolff_flexbody`]), so its velocity is `v + ω × r + R ∂x/∂η η'`. With
//! the body's spatial velocity `V`, the momentum is `I(η) V + Σ H_i η_i'`, and Newton's and Lagrange's equations read
//!
//! ```text
//! F     = I A + Σ H_i η_i'' + V ×* I V + b          b:   Coriolis forces of the deformation
//! Q_i   = H_i · A + Σ_j M_ij η_j'' + b_i            b_i: centrifugal and Coriolis terms, K η + D η'
//!
//! b     = [ 2 (tr D 1 - Dᵀ) ω + Σ axial(B2_ij) η_i' η_j' ;  2 ω × Σ S̃_i η_i' + Σ S2_ij η_i' η_j' ]   D = Σ E_i η_i'
//! b_i   = S̃_i · (ω × v) + ω · E_i ω - ω² tr E_i + 2 ω · Σ_j axial(C_ji) η_j'
//! ```
//!
//! in the body's axes about its origin; `S̃_i = S_i + Σ S2_ij η_j`. The cost is `O(n²)` in the modes and does not know
//! the mesh. A node of the body is carried in the tree as a massless body without joint speeds of its own (`node`), so
//! that joints, constraints, forces and contacts attach to it as to any other.

mod node;

pub(crate) use node::node_motion;

use std::sync::Arc;

use nalgebra::DMatrix;
use wolff_flexbody::FlexBody;
use wolff_flexbody::inertia::axial;
use wolff_spatial::{Force, MassProperties, Mat3, Motion, Pose, SpatialInertia, Vec3};

/// A flexible body laid out for the step loop.
#[derive(Clone, Debug)]
pub struct Flexible {
    /// The body as it was given.
    pub data: Arc<FlexBody>,
    /// `C_ji + B2_ij` at `j n + i`: `∂E_i/∂η_j`.
    E_rate: Vec<Mat3>,
    /// `axial(C_ji)` at `i n + j`.
    C_axial: Vec<Vec3>,
    /// Modal mass.
    pub mass: DMatrix<f64>,
}

/// What the deformation contributes at one instant, in ground axes about the tree's point unless said otherwise.
#[derive(Clone, Debug)]
pub struct FlexKinematics {
    /// Momentum a modal speed.
    pub H: Vec<Force>,
    /// Velocity terms, stiffness and damping of the modal equations.
    pub modal_bias: Vec<f64>,
    /// Coriolis forces of the deformation on the body.
    pub bias: Force,
    /// Momentum of the deformation, `Σ H_i η_i'`.
    pub momentum: Force,
    /// Kinetic energy beyond that of the body as if rigid: `V · Σ H_i η_i' + ½ Σ M_ij η_i' η_j'` \[J\].
    pub kinetic_energy: f64,
    /// The tree's point in ground.
    pub origin: Vec3,
    /// Centre of mass in the body's frame.
    pub com: Vec3,
    /// `E_i`, body axes.
    E: Vec<Mat3>,
    /// `S̃_i`, body axes.
    S: Vec<Vec3>,
}

impl FlexKinematics {
    /// Memory for a body with `modes` modes.
    pub fn new(modes: usize) -> Self {
        FlexKinematics {
            H: vec![Force::ZERO; modes],
            modal_bias: vec![0.0; modes],
            bias: Force::ZERO,
            momentum: Force::ZERO,
            kinetic_energy: 0.0,
            origin: Vec3::zeros(),
            com: Vec3::zeros(),
            E: vec![Mat3::zeros(); modes],
            S: vec![Vec3::zeros(); modes],
        }
    }
}

/// Position and velocity of a flexible body, as its integrals need them.
pub(crate) struct FlexState<'a> {
    /// Modal coordinates.
    pub eta: &'a [f64],
    /// Modal speeds.
    pub eta_dot: &'a [f64],
    /// Pose in ground.
    pub X_GB: &'a Pose,
    /// Tree's point to the body's origin, ground axes.
    pub r: Vec3,
    /// Spatial velocity about the tree's point.
    pub V: Motion,
}

impl Flexible {
    /// Lays out a body.
    pub fn new(data: Arc<FlexBody>) -> Self {
        let i = &data.inertia;
        let mut E_rate = i.C.clone();
        for (rate, second) in E_rate.iter_mut().zip(&i.B2) {
            *rate += second;
        }
        let n = data.modes();
        let C_axial = (0..n * n).map(|k| axial(&i.C[(k % n) * n + k / n])).collect();
        let mass = i.modal_mass();
        Flexible { E_rate, C_axial, mass, data }
    }

    /// Number of modes.
    pub fn modes(&self) -> usize {
        self.data.modes()
    }

    /// Fills `out` and returns the inertia of the deformed body about the tree's point.
    pub(crate) fn update(&self, at: &FlexState<'_>, out: &mut FlexKinematics) -> SpatialInertia {
        let mass = self.moments(at.eta, out);
        let R = &at.X_GB.R;
        out.momentum = Force::ZERO;
        for (k, H) in out.H.iter_mut().enumerate() {
            *H = Force::new(axial(&out.E[k]), out.S[k]).rotated(R).at(&-at.r);
            out.momentum += *H * at.eta_dot[k];
        }
        out.kinetic_energy = at.V.dot(&out.momentum) + quadratic(&self.mass, at.eta_dot) / 2.0;
        out.origin = at.X_GB.p - at.r;
        let w = R.tr_mul(&at.V.w);
        let v = R.tr_mul(&at.V.at(&at.r).v);
        out.bias = self.coriolis(at.eta_dot, &w, out).rotated(R).at(&-at.r);
        self.modal_bias(at, &w, &v, out);
        out.com = mass.com;
        mass.spatial(R, &at.r)
    }

    /// `E_i`, `S̃_i` and the mass properties for `η`.
    fn moments(&self, eta: &[f64], out: &mut FlexKinematics) -> MassProperties {
        let (n, i) = (self.modes(), &self.data.inertia);
        out.E.copy_from_slice(&i.B);
        out.S.copy_from_slice(&i.S);
        for (j, eta) in eta.iter().enumerate() {
            for (E, rate) in out.E.iter_mut().zip(&self.E_rate[j * n..(j + 1) * n]) {
                *E += rate * *eta;
            }
            if i.has_stiffening() {
                for (S, rate) in out.S.iter_mut().zip(&i.S2[j * n..(j + 1) * n]) {
                    *S += rate * *eta;
                }
            }
        }
        // s = s₀ + ½ (S + S̃) η, P = P₀ + ½ (B η + E η + transposed)
        let (mut s, mut half) = (i.first, Mat3::zeros());
        for (k, eta) in eta.iter().enumerate() {
            s += (i.S[k] + out.S[k]) * (0.5 * eta);
            half += (i.B[k] + out.E[k]) * (0.5 * eta);
        }
        let P = i.second + half + half.transpose();
        let com = s / i.mass;
        let central = P - com * s.transpose();
        MassProperties { mass: i.mass, com, inertia: Mat3::identity() * central.trace() - central }
    }

    /// `b` in the body's axes about its origin.
    fn coriolis(&self, eta_dot: &[f64], w: &Vec3, at: &FlexKinematics) -> Force {
        let (mut D, mut u) = (Mat3::zeros(), Vec3::zeros());
        for (k, speed) in eta_dot.iter().enumerate() {
            D += at.E[k] * *speed;
            u += at.S[k] * *speed;
        }
        let mut b = Force::new((w * D.trace() - D.tr_mul(w)) * 2.0, w.cross(&u) * 2.0);
        let i = &self.data.inertia;
        if i.has_stiffening() {
            let n = self.modes();
            for (k, (S2, B2)) in i.S2.iter().zip(&i.B2).enumerate() {
                let product = eta_dot[k / n] * eta_dot[k % n];
                b += Force::new(axial(B2), *S2) * product;
            }
        }
        b
    }

    /// `b_i`.
    fn modal_bias(&self, at: &FlexState<'_>, w: &Vec3, v: &Vec3, out: &mut FlexKinematics) {
        let n = self.modes();
        let carried = w.cross(v);
        let w2 = w.norm_squared();
        for i in 0..n {
            let E = &out.E[i];
            let row = i * n..(i + 1) * n;
            let (K, D) = (&self.data.stiffness.as_slice()[row.clone()], &self.data.damping.as_slice()[row.clone()]);
            let mut coriolis = Vec3::zeros();
            for (C, speed) in self.C_axial[row].iter().zip(at.eta_dot) {
                coriolis += C * *speed;
            }
            let mut elastic = 0.0;
            for ((k, d), (eta, speed)) in K.iter().zip(D).zip(at.eta.iter().zip(at.eta_dot)) {
                elastic += k * eta + d * speed;
            }
            let centrifugal = w.dot(&(E * w)) - w2 * E.trace();
            out.modal_bias[i] = out.S[i].dot(&carried) + centrifugal + 2.0 * w.dot(&coriolis) + elastic;
        }
    }

    /// Energy stored in the deformation, `½ ηᵀ K η` \[J\].
    pub fn elastic_energy(&self, eta: &[f64]) -> f64 {
        quadratic(&self.data.stiffness, eta) / 2.0
    }
}

/// `xᵀ A x`.
fn quadratic(A: &DMatrix<f64>, x: &[f64]) -> f64 {
    let product = |column: &[f64]| column.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    x.iter().zip(A.as_slice().chunks_exact(x.len().max(1))).map(|(x, column)| x * product(column)).sum()
}
