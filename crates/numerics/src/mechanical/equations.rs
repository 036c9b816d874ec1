//! The nonlinear equations of one implicit step.

use nalgebra::DMatrix;

use super::options::ConstraintLevel;
use super::scheme::Scheme;
use super::system::MechanicalSystem;
use crate::error::OdeError;

/// Everything known at one instant.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub t: f64,
    /// `[q | v]`.
    pub state: Vec<f64>,
    /// `[v̇ | λ]`.
    pub algebraic: Vec<f64>,
    /// Algorithmic acceleration.
    pub a: Vec<f64>,
    nq: usize,
    nv: usize,
}

impl Point {
    pub fn new(nq: usize, nv: usize, nc: usize) -> Self {
        Self { t: 0.0, state: vec![0.0; nq + nv], algebraic: vec![0.0; nv + nc], a: vec![0.0; nv], nq, nv }
    }

    pub fn copy_from(&mut self, other: &Self) {
        self.t = other.t;
        self.state.copy_from_slice(&other.state);
        self.algebraic.copy_from_slice(&other.algebraic);
        self.a.copy_from_slice(&other.a);
    }

    pub fn q(&self) -> &[f64] {
        &self.state[..self.nq]
    }

    pub fn v(&self) -> &[f64] {
        &self.state[self.nq..]
    }

    pub fn q_v_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        self.state.split_at_mut(self.nq)
    }

    pub fn vdot(&self) -> &[f64] {
        &self.algebraic[..self.nv]
    }

    pub fn lambda(&self) -> &[f64] {
        &self.algebraic[self.nv..]
    }

    /// Accelerations and multipliers from the model.
    pub fn make_consistent(&mut self, system: &mut dyn MechanicalSystem) -> Result<(), OdeError> {
        let (vdot, lambda) = self.algebraic.split_at_mut(self.nv);
        let (q, v) = self.state.split_at(self.nq);
        system.accelerations(self.t, q, v, vdot, lambda)?;
        check_finite(system, self.t, 0.0, self.vdot())
    }
}

/// Refuses NaN and infinity in a vector over the velocities.
pub(super) fn check_finite(system: &dyn MechanicalSystem, t: f64, h: f64, values: &[f64]) -> Result<(), OdeError> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(OdeError::NonFinite { t, h, component: system.coordinate_name(i) }),
        None => Ok(()),
    }
}

/// Unknowns `[v̇₁ | λ₁]`; equations of motion, then constraints divided by `β' h²` (positions) or `γ' h` (velocities)
/// so that the tangent `[M + O(h), Gᵀ; G, 0]` keeps its size when h goes to zero.
///
/// Source of the scaling: Bottasso, Bauchau and Cardona, SIAM J Sci Comput 29, 2007.
pub(super) struct Equations {
    pub scheme: Scheme,
    pub level: ConstraintLevel,
    /// Tangent displacement of the step.
    pub delta: Vec<f64>,
    /// Residual of motion and scaled constraints.
    pub r: Vec<f64>,
    r_shifted: Vec<f64>,
    accelerations: Vec<f64>,
    pub evaluations: usize,
}

impl Equations {
    pub fn new(scheme: Scheme, level: ConstraintLevel, nv: usize, nc: usize) -> Self {
        let imposed = if level == ConstraintLevel::Index1 { 0 } else { nc };
        Self {
            scheme,
            level,
            delta: vec![0.0; nv],
            r: vec![0.0; nv + imposed],
            r_shifted: vec![0.0; nv],
            accelerations: vec![0.0; nv],
            evaluations: 0,
        }
    }

    /// Number of imposed constraint rows.
    pub fn imposed(&self) -> usize {
        self.r.len() - self.delta.len()
    }

    /// Position, velocity and algorithmic acceleration at the end that follow from `v̇₁`.
    pub fn kinematics(&mut self, system: &dyn MechanicalSystem, from: &Point, to: &mut Point) {
        let s = &self.scheme;
        let h = to.t - from.t;
        for i in 0..self.delta.len() {
            let (v0, a0) = (from.state[from.nq + i], from.a[i]);
            let a1 = ((1.0 - s.alpha_f) * to.algebraic[i] + s.alpha_f * from.algebraic[i] - s.alpha_m * a0)
                / (1.0 - s.alpha_m);
            to.a[i] = a1;
            to.state[to.nq + i] = v0 + h * ((1.0 - s.gamma) * a0 + s.gamma * a1);
            self.delta[i] = h * v0 + h * h * ((0.5 - s.beta) * a0 + s.beta * a1);
        }
        let (q1, _) = to.state.split_at_mut(to.nq);
        system.retract(from.q(), &self.delta, q1);
    }

    /// Residual at the trial end `to`, whose kinematics are renewed.
    pub fn evaluate(
        &mut self,
        system: &mut dyn MechanicalSystem,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), OdeError> {
        self.kinematics(system, from, to);
        let nv = self.delta.len();
        let h = to.t - from.t;
        let (motion, rows) = self.r.split_at_mut(nv);
        self.evaluations += 1;
        evaluate_motion(system, self.level, to, motion, &mut self.accelerations)?;
        match self.level {
            ConstraintLevel::Index3 => system.constraints(to.t, to.q(), rows)?,
            ConstraintLevel::Index2 => system.constraint_velocity(to.t, to.q(), to.v(), rows)?,
            ConstraintLevel::Index1 => {}
        }
        check_finite(system, to.t, h, motion)?;
        if let Some(j) = rows.iter().position(|x| !x.is_finite()) {
            return Err(OdeError::NonFinite { t: to.t, h, component: system.constraint_name(j) });
        }
        let scale = 1.0 / self.row_gain(h);
        self.r[nv..].iter_mut().for_each(|x| *x *= scale);
        Ok(())
    }

    /// Change of an imposed constraint per unit of `G v̇₁`.
    pub fn row_gain(&self, h: f64) -> f64 {
        match self.level {
            ConstraintLevel::Index3 => self.scheme.displacement_gain() * h * h,
            _ => self.scheme.velocity_gain() * h,
        }
    }

    /// `∂(equations of motion)/∂v̇₁`: the model's own, or by differences.
    pub fn motion_tangent(
        &mut self,
        system: &mut dyn MechanicalSystem,
        from: &Point,
        to: &mut Point,
        tangent: &mut DMatrix<f64>,
    ) -> Result<(), OdeError> {
        let h = to.t - from.t;
        let (dv, dq) = (self.scheme.velocity_gain() * h, self.scheme.displacement_gain() * h * h);
        let (vdot, lambda) = to.algebraic.split_at(self.delta.len());
        let own = self.level != ConstraintLevel::Index1
            && system.tangent(to.t, to.q(), to.v(), vdot, lambda, dv, dq, tangent)?;
        if own { Ok(()) } else { self.difference_tangent(system, from, to, tangent) }
    }

    /// `∂(equations of motion)/∂v̇₁` by forward differences along the step (the residual `r` at `to` is known): one
    /// evaluation per column moves acceleration, velocity and position together.
    fn difference_tangent(
        &mut self,
        system: &mut dyn MechanicalSystem,
        from: &Point,
        to: &mut Point,
        tangent: &mut DMatrix<f64>,
    ) -> Result<(), OdeError> {
        let nv = self.delta.len();
        let gain = self.scheme.velocity_gain() * (to.t - from.t);
        for j in 0..nv {
            let vdot = to.algebraic[j];
            let velocity_increment = f64::EPSILON.sqrt() * to.v()[j].abs().max(1.0);
            to.algebraic[j] = vdot + velocity_increment / gain;
            let increment = to.algebraic[j] - vdot;
            self.kinematics(system, from, to);
            self.evaluations += 1;
            evaluate_motion(system, self.level, to, &mut self.r_shifted, &mut self.accelerations)?;
            for i in 0..nv {
                tangent[(i, j)] = (self.r_shifted[i] - self.r[i]) / increment;
            }
            to.algebraic[j] = vdot;
        }
        self.kinematics(system, from, to);
        Ok(())
    }
}

/// Equations of motion at a point: the model's residual, or `v̇ - a(t, q, v)` on acceleration level (which also
/// provides the multipliers).
fn evaluate_motion(
    system: &mut dyn MechanicalSystem,
    level: ConstraintLevel,
    at: &mut Point,
    r: &mut [f64],
    accelerations: &mut [f64],
) -> Result<(), OdeError> {
    let nv = r.len();
    let (q, v) = at.state.split_at(at.nq);
    let (vdot, lambda) = at.algebraic.split_at_mut(nv);
    if level != ConstraintLevel::Index1 {
        return system.residual(at.t, q, v, vdot, lambda, r);
    }
    system.accelerations(at.t, q, v, accelerations, lambda)?;
    for i in 0..nv {
        r[i] = vdot[i] - accelerations[i];
    }
    Ok(())
}
