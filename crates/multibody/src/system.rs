//! A model with memory: the computations most callers want, in one place.
//!
//! [`System`] owns the workspaces, so calls allocate nothing. Each call takes the state it is about; results are read
//! from the arguments or from the public fields, which hold the values of the last call.

use crate::constraint::{ConstraintValues, add_constraint_forces};
use crate::dynamics::bias::point_acceleration;
use crate::dynamics::energy::{elastic_energy, gravity_energy, kinetic_energy};
use crate::dynamics::forward::{ForwardWorkspace, forward_dynamics};
use crate::dynamics::inverse::{InverseWorkspace, inverse_dynamics};
use crate::dynamics::mass_matrix::MassMatrix;
use crate::error::DynamicsError;
use crate::force::{Instant, Loads};
use crate::kinematics::Kinematics;
use crate::model::Model;
use crate::schur::Schur;
use wolff_spatial::{Force, Motion};

/// How the acceleration equations deal with constraint violations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baumgarte {
    /// Damping `α` \[1/s\].
    pub alpha: f64,
    /// Stiffness `β` \[1/s\].
    pub beta: f64,
}

impl Baumgarte {
    /// No stabilisation.
    pub const NONE: Baumgarte = Baumgarte { alpha: 0.0, beta: 0.0 };
}

/// A model with the memory to compute with it.
#[derive(Debug)]
pub struct System<'m> {
    /// The model.
    pub model: &'m Model,
    /// Kinematics of the last call.
    pub kin: Kinematics,
    /// Constraint rows of the last call that needed them.
    pub constraints: ConstraintValues,
    /// Lagrange multipliers of the last constrained call.
    pub lambda: Vec<f64>,
    /// Speed at first touch of each contact in the order of the forces; none while open or for other forces.
    pub approach_speeds: Vec<Option<f64>>,
    /// Applied forces on the bodies.
    F: Vec<Force>,
    /// Applied generalised forces.
    tau: Vec<f64>,
    bias: Vec<f64>,
    forward: ForwardWorkspace,
    inverse: InverseWorkspace,
    pub(crate) mass: MassMatrix,
    pub(crate) schur: Schur,
    pub(crate) projection: Projection,
}

/// Memory of the position projection.
#[derive(Debug)]
pub(crate) struct Projection {
    /// Zero speeds.
    pub rest: Vec<f64>,
    pub step: Vec<f64>,
    pub trial: Vec<f64>,
    pub row: Vec<f64>,
}

impl<'m> System<'m> {
    /// Memory for a model.
    pub fn new(model: &'m Model) -> Self {
        System {
            model,
            kin: Kinematics::new(model),
            constraints: ConstraintValues::new(model),
            lambda: vec![0.0; model.nc()],
            approach_speeds: vec![None; model.forces().len()],
            F: vec![Force::ZERO; model.bodies().len()],
            tau: vec![0.0; model.nv()],
            bias: vec![0.0; model.nv()],
            forward: ForwardWorkspace::new(model),
            inverse: InverseWorkspace::new(model),
            mass: MassMatrix::new(model),
            schur: Schur::new(model),
            projection: Projection {
                rest: vec![0.0; model.nv()],
                step: vec![0.0; model.nv()],
                trial: vec![0.0; model.nq()],
                row: vec![0.0; model.nv()],
            },
        }
    }

    /// Positions and velocities of all bodies.
    pub fn update_kinematics(&mut self, q: &[f64], v: &[f64]) {
        self.kin.update(self.model, q, v);
    }

    /// The instant as force element number `k` sees it; kinematics must be those of `(q, v)`.
    pub fn instant<'a>(&'a self, t: f64, q: &'a [f64], v: &'a [f64], k: Option<usize>) -> Instant<'a> {
        let approach_speed = k.and_then(|k| self.approach_speeds[k]);
        Instant { t, model: self.model, kin: &self.kin, q, v, approach_speed }
    }

    /// Kinematics and applied forces.
    pub(crate) fn update(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.kin.update(self.model, q, v);
        self.F.fill(Force::ZERO);
        self.tau.fill(0.0);
        let mut at = Instant { t, model: self.model, kin: &self.kin, q, v, approach_speed: None };
        let mut loads = Loads { kin: &self.kin, F: &mut self.F, tau: &mut self.tau };
        for (force, approach) in self.model.forces().iter().zip(&self.approach_speeds) {
            at.approach_speed = *approach;
            force.apply(&at, &mut loads);
        }
    }

    /// Accelerations `a`, and the multipliers in [`System::lambda`].
    ///
    /// ```text
    /// M a + Jᵀ λ = f,    J a = γ - 2 α φ' - β² φ
    /// ```
    pub fn accelerations(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        stabilisation: Baumgarte,
        a: &mut [f64],
    ) -> Result<(), DynamicsError> {
        self.accelerations_under((t, q, v), |_, _| (), stabilisation, a)
    }

    /// The same while further forces act that `apply` puts on bodies and coordinates: those of muscles with states of
    /// their own.
    pub fn accelerations_under(
        &mut self,
        (t, q, v): (f64, &[f64], &[f64]),
        apply: impl FnOnce(&Instant<'_>, &mut Loads<'_>),
        stabilisation: Baumgarte,
        a: &mut [f64],
    ) -> Result<(), DynamicsError> {
        self.update(t, q, v);
        let at = Instant { t, model: self.model, kin: &self.kin, q, v, approach_speed: None };
        apply(&at, &mut Loads { kin: &self.kin, F: &mut self.F, tau: &mut self.tau });
        if self.model.nc() == 0 && self.model.has_flexible() {
            self.bias_forces(a);
            self.mass.compute(self.model, &self.kin);
            self.mass.factor(self.model)?;
            self.mass.solve(self.model, a);
        } else if self.model.nc() == 0 {
            forward_dynamics(self.model, &self.kin, &self.tau, &self.F, &mut self.forward, a)?;
        } else {
            self.constraints.update(&at);
            self.constrained_accelerations(stabilisation, a)?;
        }
        self.check_finite("the acceleration", a)
    }

    /// Prepares [`System::acceleration_change`] for a pose: the mass matrix and the constraint rows, factored.
    pub fn factor_accelerations(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), DynamicsError> {
        self.update_constraints(t, q, v);
        self.factor_constraints()
    }

    /// The change `M⁻¹ (τ - Jᵀ λ)` of the accelerations by further generalised forces `tau`, in the pose of the last
    /// call of [`System::factor_accelerations`]: accelerations are linear in forces.
    pub fn acceleration_change(&mut self, tau: &[f64], a: &mut [f64]) {
        a.copy_from_slice(tau);
        self.mass.solve(self.model, a);
        if self.model.nc() > 0 {
            self.schur.rhs.fill(0.0);
            self.schur.correct(self.model, &self.mass, &self.constraints, a, &mut self.lambda);
        }
    }

    fn constrained_accelerations(&mut self, s: Baumgarte, a: &mut [f64]) -> Result<(), DynamicsError> {
        self.bias_forces(a);
        self.factor_constraints()?;
        self.mass.solve(self.model, a);
        for (i, rhs) in self.schur.rhs.iter_mut().enumerate() {
            let c = &self.constraints;
            *rhs = c.gamma[i] - 2.0 * s.alpha * c.phi_dot[i] - s.beta * s.beta * c.phi[i];
        }
        // J (a₀ - M⁻¹ Jᵀ λ) = rhs
        self.schur.correct(self.model, &self.mass, &self.constraints, a, &mut self.lambda);
        Ok(())
    }

    /// Applied generalised forces less velocity terms and weight, `f - h`.
    pub(crate) fn bias_forces(&mut self, f: &mut [f64]) {
        inverse_dynamics(self.model, &self.kin, None, &self.F, &mut self.inverse, &mut self.bias);
        for i in 0..f.len() {
            f[i] = self.tau[i] - self.bias[i];
        }
    }

    /// Factors the mass matrix and `J M⁻¹ Jᵀ` of the present kinematics and rows.
    pub(crate) fn factor_constraints(&mut self) -> Result<(), DynamicsError> {
        self.mass.compute(self.model, &self.kin);
        self.mass.factor(self.model)?;
        self.schur.factor(self.model, &self.mass, &self.constraints)
    }

    /// Constraint rows of `(t, q, v)` in [`System::constraints`].
    pub fn update_constraints(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.kin.update(self.model, q, v);
        let at = Instant { t, model: self.model, kin: &self.kin, q, v, approach_speed: None };
        self.constraints.update(&at);
    }

    /// `r = M a + h - f + Jᵀ λ`: the generalised forces missing from equilibrium.
    pub fn residual(&mut self, t: f64, q: &[f64], v: &[f64], a: &[f64], lambda: &[f64], r: &mut [f64]) {
        self.residual_under((t, q, v, a), lambda, |_, _| (), r);
    }

    /// The same while further forces act that `apply` puts on bodies and coordinates: those of an integrator, a record,
    /// a file.
    pub fn residual_under(
        &mut self,
        (t, q, v, a): (f64, &[f64], &[f64], &[f64]),
        lambda: &[f64],
        apply: impl FnOnce(&Instant<'_>, &mut Loads<'_>),
        r: &mut [f64],
    ) {
        self.update(t, q, v);
        let at = Instant { t, model: self.model, kin: &self.kin, q, v, approach_speed: None };
        apply(&at, &mut Loads { kin: &self.kin, F: &mut self.F, tau: &mut self.tau });
        add_constraint_forces(&at, lambda, &mut self.F, &mut self.tau);
        inverse_dynamics(self.model, &self.kin, Some(a), &self.F, &mut self.inverse, r);
        for i in 0..r.len() {
            r[i] -= self.tau[i];
        }
    }

    /// Reaction that the parent puts on `body` through its inboard joint, at the joint's frame on the body, in ground
    /// axes; of the last call of [`System::residual`].
    pub fn reaction(&self, body: usize) -> Force {
        crate::dynamics::reactions::joint_reaction(self.model, &self.kin, &self.inverse, body)
    }

    /// The body that frame M of a body's inboard joint is on: a node where the body bends, else the body itself.
    pub fn joint_node(&self, body: usize) -> usize {
        crate::dynamics::reactions::joint_node(self.model, body)
    }

    /// What everything attached to a node of a flexible body puts on it there, about the node, in ground axes; none for
    /// other bodies. Of the last call of [`System::residual`].
    pub fn node_load(&self, node: usize) -> Option<Force> {
        crate::dynamics::reactions::node_load(self.model, &self.kin, &self.inverse, node)
    }

    /// Angular acceleration of a body \[rad/s²\] and acceleration of its origin less gravity \[m/s²\], in ground axes;
    /// of the last call of [`System::residual`].
    pub fn felt_acceleration(&self, body: usize) -> Motion {
        let A = &self.inverse.A[body];
        let origin = point_acceleration(&self.kin, body, A, &self.kin.bodies[body].X_GB.p);
        Motion::new(A.w, origin)
    }

    /// Kinetic energy and potential energy of gravity, deformation and force elements \[J\]; kinematics must be those
    /// of `(q, v)`.
    pub fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> (f64, f64) {
        let mut potential = gravity_energy(self.model, &self.kin) + elastic_energy(self.model, q);
        for (k, force) in self.model.forces().iter().enumerate() {
            potential += force.potential_energy(&self.instant(t, q, v, Some(k)));
        }
        (kinetic_energy(&self.kin), potential)
    }

    pub(crate) fn check_finite(&self, quantity: &'static str, x: &[f64]) -> Result<(), DynamicsError> {
        match x.iter().position(|x| !x.is_finite()) {
            None => Ok(()),
            Some(i) => Err(DynamicsError::NotFinite { quantity, name: self.model.coordinate_names()[i].clone() }),
        }
    }
}
