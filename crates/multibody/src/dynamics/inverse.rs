//! Inverse dynamics of the tree: Newton-Euler, outward then inward, O(n).

use super::bias::add_columns;
use crate::kinematics::Kinematics;
use crate::model::Model;
use wolff_spatial::{Force, Motion, Vec3};

/// Memory of [`inverse_dynamics`].
#[derive(Clone, Debug)]
pub struct InverseWorkspace {
    /// Spatial acceleration of each body, less gravity.
    pub A: Vec<Motion>,
    /// Force that the inboard joint puts on each body.
    pub F: Vec<Force>,
}

impl InverseWorkspace {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.bodies.len();
        InverseWorkspace { A: vec![Motion::ZERO; n], F: vec![Force::ZERO; n] }
    }
}

/// Generalised forces `tau` that give the accelerations `a` (none: zero) while the forces `F` act on the bodies:
/// `τ = M a + h(q, v) - Σ JᵀF`.
pub fn inverse_dynamics(
    model: &Model,
    kin: &Kinematics,
    a: Option<&[f64]>,
    F: &[Force],
    work: &mut InverseWorkspace,
    tau: &mut [f64],
) {
    work.A[0] = Motion::new(Vec3::zeros(), -model.gravity);
    for (i, body) in model.bodies.iter().enumerate().skip(1) {
        let k = &kin.bodies[i];
        let mut A = work.A[body.parent] + k.c;
        if let Some(a) = a {
            add_columns(model, kin, i, a, &mut A);
        }
        work.A[i] = A;
        work.F[i] = k.I.apply(&A) + k.V.cross_force(&k.I.apply(&k.V)) - F[i];
        for j in body.v_range() {
            tau[j] = 0.0;
        }
        if body.flexible.is_some() {
            work.F[i] += modal_forces(model, kin, i, a, &A, tau);
        }
    }
    for (i, body) in model.bodies.iter().enumerate().skip(1).rev() {
        let F = work.F[i];
        for j in body.v_range() {
            tau[j] += kin.S[j].dot(&F);
        }
        if let Some((first, columns)) = kin.node_columns(model, i) {
            for (tau, column) in tau[first..].iter_mut().zip(columns) {
                *tau += column.dot(&F);
            }
        }
        if body.parent != 0 {
            work.F[body.parent] += F;
        }
    }
}

/// Adds `H · A + M η'' + b` to the modal rows of a flexible body; returns the force `Σ H η'' + b` that its deformation
/// needs.
fn modal_forces(model: &Model, kin: &Kinematics, i: usize, a: Option<&[f64]>, A: &Motion, tau: &mut [f64]) -> Force {
    let body = &model.bodies[i];
    let Some(place) = &body.flexible else { return Force::ZERO };
    let (at, mass) = (&kin.flexible[place.index], &model.flexible[place.index].mass);
    let mut F = at.bias;
    let modes = body.modal_v();
    for (k, j) in modes.clone().enumerate() {
        tau[j] += A.dot(&at.H[k]) + at.modal_bias[k];
    }
    if let Some(a) = a {
        let a = &a[modes.clone()];
        for (k, a_k) in a.iter().enumerate() {
            F += at.H[k] * *a_k;
            for (j, tau) in tau[modes.clone()].iter_mut().enumerate() {
                *tau += mass[(j, k)] * a_k;
            }
        }
    }
    F
}
