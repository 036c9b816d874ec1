//! Inverse dynamics of the tree: Newton-Euler, outward then inward, O(n).

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
            for j in body.v_range() {
                A += kin.S[j] * a[j];
            }
        }
        work.A[i] = A;
        work.F[i] = k.I.apply(&A) + k.V.cross_force(&k.I.apply(&k.V)) - F[i];
    }
    for (i, body) in model.bodies.iter().enumerate().skip(1).rev() {
        let F = work.F[i];
        for j in body.v_range() {
            tau[j] = kin.S[j].dot(&F);
        }
        if body.parent != 0 {
            work.F[body.parent] += F;
        }
    }
}
