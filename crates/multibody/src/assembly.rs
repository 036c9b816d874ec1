//! Making positions, velocities and accelerations meet the constraints.
//!
//! All corrections are the smallest in the kinetic-energy metric, `Δq = -M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ φ`: heavy parts move
//! least.

use crate::error::DynamicsError;
use crate::system::System;

/// Largest violation \[m, rad or -\] that counts as met: some hundred roundings of a body of a few metres.
pub const POSITION_TOLERANCE: f64 = 1e-12;

/// Violation of a rate that contradictory constraints leave, in \[m/s or rad/s\] per unit of speed.
const VELOCITY_TOLERANCE: f64 = 1e-8;

/// Violation \[m, rad or -, and per unit of speed\] that a row may have while it rests at a singular position: what the
/// loop of a mechanism gathers in the moment of its passage. More means that the loop is open.
const RESTING_TOLERANCE: f64 = 1e-6;

/// Violation that is rounding \[m, rad or -\].
const SMALLEST_VIOLATION: f64 = 1e-15;

const MAX_ITERATIONS: usize = 60;

/// How an assembly went.
#[derive(Clone, Debug, PartialEq)]
pub struct AssemblyReport {
    /// Newton iterations.
    pub iterations: usize,
    /// Largest violation left.
    pub violation: f64,
    /// Names of rows that follow from the others.
    pub redundant: Vec<String>,
}

impl System<'_> {
    /// Moves `q` until the constraints are met at time `t`, then corrects `v`; names rows that are redundant there.
    pub fn assemble(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) -> Result<AssemblyReport, DynamicsError> {
        self.model.normalize(q);
        if self.model.nc() == 0 {
            return Ok(AssemblyReport { iterations: 0, violation: 0.0, redundant: Vec::new() });
        }
        let iterations = self.project_position(t, q, MAX_ITERATIONS)?;
        self.project_velocity(t, q, v)?;
        let order = self.schur.order();
        let mut redundant: Vec<usize> = order[self.schur.rank()..].to_vec();
        redundant.sort_unstable();
        Ok(AssemblyReport {
            iterations,
            violation: self.largest_acting(&self.constraints.phi, RESTING_TOLERANCE).1,
            redundant: redundant.into_iter().map(|row| self.model.row_name(row)).collect(),
        })
    }

    /// Newton on `φ(t, q) = 0`, halving steps that do not help; returns the number of iterations.
    pub fn project_position(&mut self, t: f64, q: &mut [f64], max_iterations: usize) -> Result<usize, DynamicsError> {
        self.constraints_at_rest(t, q);
        for iteration in 0..max_iterations {
            if self.positions_met() {
                return Ok(iteration);
            }
            self.factor_constraints()?;
            for (rhs, phi) in self.schur.rhs.iter_mut().zip(&self.constraints.phi) {
                *rhs = -phi;
            }
            let step = &mut self.projection.step;
            step.fill(0.0);
            self.schur.correct(self.model, &self.mass, &self.constraints, step, &mut self.lambda);
            if !self.shorten_until_better(t, q) {
                self.constraints_at_rest(t, q);
                return self.accept_rounding(iteration);
            }
            q.copy_from_slice(&self.projection.trial);
        }
        self.accept_rounding(max_iterations)
    }

    /// Whether every acting row is met. Near a singular position a violation `φ` is a distance `φ/r` from the branch of
    /// the motion, `r` being the relative norm of the row, so the tolerance shrinks with it, down to rounding.
    fn positions_met(&self) -> bool {
        self.constraints.phi.iter().enumerate().all(|(i, phi)| match self.schur.is_at_rest(i) {
            true => phi.abs() <= RESTING_TOLERANCE,
            false => phi.abs() <= (POSITION_TOLERANCE * self.schur.relative_norm(i)).max(SMALLEST_VIOLATION),
        })
    }

    /// Halves the step until it lowers the violation; the moved coordinates are then in the trial memory.
    fn shorten_until_better(&mut self, t: f64, q: &[f64]) -> bool {
        let before = self.constraints.drift().0;
        for _ in 0..12 {
            let mut trial = std::mem::take(&mut self.projection.trial);
            self.model.retract(q, &self.projection.step, &mut trial);
            self.constraints_at_rest(t, &trial);
            self.projection.trial = trial;
            if self.constraints.drift().0 < before {
                return true;
            }
            self.projection.step.iter_mut().for_each(|s| *s *= 0.5);
        }
        false
    }

    pub(crate) fn constraints_at_rest(&mut self, t: f64, q: &[f64]) {
        let rest = std::mem::take(&mut self.projection.rest);
        self.update_constraints(t, q, &rest);
        self.projection.rest = rest;
    }

    /// Where no step helps, what is left must be rounding: a thousand times the tolerance at most.
    fn accept_rounding(&self, iterations: usize) -> Result<usize, DynamicsError> {
        let (row, violation) = self.largest_acting(&self.constraints.phi, RESTING_TOLERANCE);
        if violation <= 1e3 * POSITION_TOLERANCE {
            return Ok(iterations);
        }
        Err(DynamicsError::Assembly { constraint: self.model.row_name(row), violation, iterations })
    }

    /// Corrects `v` so that `J v + ∂φ/∂t = 0`; fails where the constraints contradict each other.
    pub fn project_velocity(&mut self, t: f64, q: &[f64], v: &mut [f64]) -> Result<(), DynamicsError> {
        self.update_constraints(t, q, v);
        self.factor_constraints()?;
        self.correct_velocity(v);
        self.update_constraints(t, q, v);
        let speed = v.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
        let (row, violation) = self.largest_acting(&self.constraints.phi_dot, RESTING_TOLERANCE * speed);
        if violation > VELOCITY_TOLERANCE * speed {
            return Err(DynamicsError::Contradiction { constraint: self.model.row_name(row), violation });
        }
        Ok(())
    }

    /// `v := v - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ φ'` with the present factors.
    fn correct_velocity(&mut self, v: &mut [f64]) {
        for (rhs, (phi_dot, column)) in self
            .schur
            .rhs
            .iter_mut()
            .zip(self.constraints.phi_dot.iter().zip(self.constraints.J_transpose.column_iter()))
        {
            // the row asks for J v = J v - φ', so that the corrected φ' is zero
            let J_v: f64 = column.iter().zip(&*v).map(|(j, v)| j * v).sum();
            *rhs = J_v - phi_dot;
        }
        self.schur.correct(self.model, &self.mass, &self.constraints, v, &mut self.lambda);
    }

    /// Takes the part out of a change of speeds that violates the rows of the last call: `J x = 0` for the result.
    pub(crate) fn remove_normal(&mut self, x: &mut [f64]) -> Result<(), DynamicsError> {
        self.factor_constraints()?;
        self.schur.rhs.fill(0.0);
        self.schur.correct(self.model, &self.mass, &self.constraints, x, &mut self.lambda);
        Ok(())
    }

    /// Kinematic analysis of a fully driven system: position by Newton from `q`, then speeds and accelerations.
    /// Freedoms that no constraint decides keep their position and get no speed and no acceleration.
    pub fn kinematic_analysis(
        &mut self,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
        a: &mut [f64],
    ) -> Result<(), DynamicsError> {
        self.project_position(t, q, MAX_ITERATIONS)?;
        v.fill(0.0);
        a.fill(0.0);
        self.project_velocity(t, q, v)?;
        self.schur.rhs.copy_from_slice(&self.constraints.gamma);
        self.schur.correct(self.model, &self.mass, &self.constraints, a, &mut self.lambda);
        Ok(())
    }

    /// Row and magnitude of the largest entry, small ones of rows that rest at a singular position apart; (0, 0) for
    /// none.
    fn largest_acting(&self, x: &[f64], resting: f64) -> (usize, f64) {
        let acting = x.iter().enumerate().filter(|(i, x)| !self.schur.is_at_rest(*i) || x.abs() > resting);
        acting.fold((0, 0.0), |best, (i, x)| if x.abs() > best.1 { (i, x.abs()) } else { best })
    }
}
