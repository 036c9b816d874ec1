//! Accelerations of a constrained system by the augmented Lagrangian formulation.
//!
//! Every row is replaced by a large mass `α`, a damper `2 α μ Ω` and a spring `α Ω²`, and the error of this is
//! removed by iterations on the multipliers:
//!
//! ```text
//! (M + α JᵀJ) Δa = f - M a - Jᵀ λ + α Jᵀ (b - J a),    b = γ - 2 μ Ω φ' - Ω² φ
//! a := a + Δa,    λ := λ + α (J a - b)
//! ```
//!
//! from `a = 0`, `λ = 0`. The matrix is positive definite whatever the rank of `J`, so dependent rows and singular
//! positions need no treatment: `λ` stays in the range of the rows and has the least norm that balances the forces. The
//! error falls by about `1/(1 + α s)` an iteration, `s` being the smallest nonzero eigenvalue of `J M⁻¹ Jᵀ`.
//!
//! Source: Bayo, García de Jalón, Serna, A modified Lagrangian formulation for the dynamic analysis of constrained
//! mechanical systems, Computer Methods in Applied Mechanics and Engineering 71, 1988, 183-195.

use crate::error::DynamicsError;
use crate::force::Instant;
use crate::model::Model;
use crate::system::{Baumgarte, System};
use nalgebra::DMatrix;
use wolff_numerics::dense::{cholesky_in_place, cholesky_solve};

/// Constants of the augmented Lagrangian formulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// Penalty `α` \[kg for rows of lengths, kg m² for rows of angles\].
    pub penalty: f64,
    /// Natural frequency `Ω` of the violations \[rad/s\].
    pub omega: f64,
    /// Damping ratio `μ` of the violations \[-\].
    pub mu: f64,
    /// Largest number of iterations; one is the penalty method without multipliers.
    pub iterations: usize,
    /// Change of the accelerations, relative to the largest of them or to one, that ends the iterations \[-\].
    pub tolerance: f64,
}

impl Default for Penalty {
    /// `α` = 1e7, `Ω` = 10 rad/s and `μ` = 1, as usual with this method.
    fn default() -> Self {
        Penalty { penalty: 1e7, omega: 10.0, mu: 1.0, iterations: 10, tolerance: 1e-12 }
    }
}

impl Penalty {
    /// The Baumgarte constants with the same behaviour of violations: `2 μ Ω = 2 α`, `Ω² = β²`.
    pub fn feedback(&self) -> Baumgarte {
        Baumgarte { alpha: self.mu * self.omega, beta: self.omega }
    }
}

/// Memory of the formulation for one model.
#[derive(Debug)]
pub struct AugmentedLagrangian {
    constants: Penalty,
    mass: DMatrix<f64>,
    factor: DMatrix<f64>,
    force: Vec<f64>,
    change: Vec<f64>,
    /// `b - J a`.
    missing: Vec<f64>,
}

impl AugmentedLagrangian {
    /// Memory for a model.
    pub fn new(model: &Model, constants: Penalty) -> Self {
        let (nv, nc) = (model.nv(), model.nc());
        AugmentedLagrangian {
            constants,
            mass: DMatrix::zeros(nv, nv),
            factor: DMatrix::zeros(nv, nv),
            force: vec![0.0; nv],
            change: vec![0.0; nv],
            missing: vec![0.0; nc],
        }
    }

    /// Accelerations `a` at a state; the multipliers are in [`System::lambda`]. Returns the number of iterations.
    pub fn accelerations(
        &mut self,
        system: &mut System<'_>,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &mut [f64],
    ) -> Result<usize, DynamicsError> {
        system.update(t, q, v);
        let at = Instant { t, model: system.model, kin: &system.kin, q, v, approach_speed: None };
        system.constraints.update(&at);
        system.bias_forces(&mut self.force);
        system.mass.compute(system.model, &system.kin);
        system.mass.write_full(&mut self.mass);
        self.factor(system)?;
        a.fill(0.0);
        system.lambda.fill(0.0);
        let mut iterations = 0;
        self.find_missing(system, a);
        while iterations < self.constants.iterations {
            iterations += 1;
            let change = self.iterate(system, a);
            let largest = a.iter().fold(1.0, |m: f64, a| m.max(a.abs()));
            if !(change > self.constants.tolerance * largest) {
                break;
            }
        }
        system.check_finite("the acceleration", a)?;
        Ok(iterations)
    }

    /// Factors `M + α JᵀJ`.
    fn factor(&mut self, system: &System<'_>) -> Result<(), DynamicsError> {
        self.factor.copy_from(&self.mass);
        for row in system.constraints.J_transpose.column_iter() {
            self.factor.syger(self.constants.penalty, &row, &row, 1.0);
        }
        let no_inertia = |k: usize| DynamicsError::NoInertia {
            coordinate: system.model.coordinate_names()[k].clone(),
            inertia: self.mass[(k, k)],
        };
        match cholesky_in_place(&mut self.factor) {
            Ok(()) => Ok(()),
            Err(wolff_numerics::NumericsError::Singular { row, .. }) => Err(no_inertia(row)),
            Err(_) => Err(no_inertia(0)),
        }
    }

    /// `b - J a`.
    fn find_missing(&mut self, system: &System<'_>, a: &[f64]) {
        let (c, s) = (&system.constraints, self.constants.feedback());
        for (i, row) in c.J_transpose.column_iter().enumerate() {
            let J_a: f64 = row.iter().zip(a).map(|(j, a)| j * a).sum();
            self.missing[i] = c.gamma[i] - 2.0 * s.alpha * c.phi_dot[i] - s.beta * s.beta * c.phi[i] - J_a;
        }
    }

    /// One iteration; the largest change of an acceleration.
    fn iterate(&mut self, system: &mut System<'_>, a: &mut [f64]) -> f64 {
        let penalty = self.constants.penalty;
        self.change.copy_from_slice(&self.force);
        for (column, a) in self.mass.column_iter().zip(&*a) {
            for (change, m) in self.change.iter_mut().zip(column.iter()) {
                *change -= m * a;
            }
        }
        for (i, row) in system.constraints.J_transpose.column_iter().enumerate() {
            let push = penalty * self.missing[i] - system.lambda[i];
            for (change, j) in self.change.iter_mut().zip(row.iter()) {
                *change += push * j;
            }
        }
        cholesky_solve(&self.factor, &mut self.change);
        for (a, change) in a.iter_mut().zip(&self.change) {
            *a += change;
        }
        self.find_missing(system, a);
        for (lambda, missing) in system.lambda.iter_mut().zip(&self.missing) {
            *lambda -= penalty * missing;
        }
        self.change.iter().fold(0.0, |m, c| c.abs().max(m))
    }
}
