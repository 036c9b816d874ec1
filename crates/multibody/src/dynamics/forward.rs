//! Forward dynamics of the tree: articulated bodies, O(n).
//!
//! Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.3. A joint with several freedoms is treated as a chain
//! of single ones with massless bodies between them: the columns are eliminated one after the other, so no small matrix
//! is inverted.

use crate::error::DynamicsError;
use crate::kinematics::Kinematics;
use crate::model::Model;
use wolff_spatial::{ArticulatedInertia, Force, Motion, Vec3};

/// Memory of [`forward_dynamics`].
#[derive(Clone, Debug)]
pub struct ForwardWorkspace {
    /// Articulated inertia of each body.
    IA: Vec<ArticulatedInertia>,
    /// Articulated bias force of each body.
    pA: Vec<Force>,
    /// `IA S` of each speed.
    U: Vec<Force>,
    /// `1 / (S · U)` of each speed.
    inverse_D: Vec<f64>,
    /// `τ - S · pA` of each speed.
    u: Vec<f64>,
    /// Spatial acceleration of each body, less gravity.
    A: Vec<Motion>,
}

impl ForwardWorkspace {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        let (bodies, nv) = (model.bodies.len(), model.nv());
        ForwardWorkspace {
            IA: vec![ArticulatedInertia::ZERO; bodies],
            pA: vec![Force::ZERO; bodies],
            U: vec![Force::ZERO; nv],
            inverse_D: vec![0.0; nv],
            u: vec![0.0; nv],
            A: vec![Motion::ZERO; bodies],
        }
    }
}

/// Accelerations `a` for generalised forces `tau` and forces `F` on the bodies (about each tree's point, in ground
/// axes).
pub fn forward_dynamics(
    model: &Model,
    kin: &Kinematics,
    tau: &[f64],
    F: &[Force],
    work: &mut ForwardWorkspace,
    a: &mut [f64],
) -> Result<(), DynamicsError> {
    // each body alone: inertia, and the force it needs for its velocity
    for (i, body) in kin.bodies.iter().enumerate().skip(1) {
        work.IA[i] = ArticulatedInertia::from(&body.I);
        work.pA[i] = body.V.cross_force(&body.I.apply(&body.V)) - F[i];
    }
    // inward: hand inertia and force, less what the joint's freedoms take, to the parent
    for i in (1..model.bodies.len()).rev() {
        eliminate_joint(model, kin, i, tau, work)?;
    }
    // outward: accelerations, in a frame that falls
    work.A[0] = Motion::new(Vec3::zeros(), -model.gravity);
    for (i, body) in model.bodies.iter().enumerate().skip(1) {
        let mut A = work.A[body.parent] + kin.bodies[i].c;
        for k in body.v_range() {
            a[k] = (work.u[k] - A.dot(&work.U[k])) * work.inverse_D[k];
            A += kin.S[k] * a[k];
        }
        work.A[i] = A;
    }
    Ok(())
}

#[inline]
fn eliminate_joint(
    model: &Model,
    kin: &Kinematics,
    i: usize,
    tau: &[f64],
    work: &mut ForwardWorkspace,
) -> Result<(), DynamicsError> {
    let body = &model.bodies[i];
    let mut IA = work.IA[i];
    let mut pA = work.pA[i];
    for k in body.v_range().rev() {
        let S = &kin.S[k];
        let U = IA.apply(S);
        let D = S.dot(&U);
        if !(D > f64::MIN_POSITIVE) {
            return Err(DynamicsError::NoInertia { coordinate: model.coordinate_names[k].clone(), inertia: D });
        }
        let inverse_D = 1.0 / D;
        let u = tau[k] - S.dot(&pA);
        if body.parent != 0 || k != body.v_start {
            IA.subtract_outer(&U, inverse_D);
            pA += U * (u * inverse_D);
        }
        work.U[k] = U;
        work.inverse_D[k] = inverse_D;
        work.u[k] = u;
    }
    if body.parent != 0 {
        work.pA[body.parent] += pA + IA.apply(&kin.bodies[i].c);
        work.IA[body.parent] += &IA;
    }
    Ok(())
}
