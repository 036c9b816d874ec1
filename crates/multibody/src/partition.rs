//! Independent and dependent coordinates: the first decide, the others follow from the constraints.
//!
//! The Jacobian is eliminated with full pivoting. The columns of its pivots are the dependent coordinates `d`, the
//! others are independent, and rows without pivot follow from the others. Positions, speeds and accelerations of the
//! dependent ones are then solutions of
//!
//! ```text
//! φ(t, d, i) = 0 (Newton),    J_d d' = -J_i i' - ∂φ/∂t,    J_d d'' = γ - J_i i''
//! ```
//!
//! No mass takes part, so a system without independent coordinates is a kinematic analysis. Displacements of joints
//! with quaternions are along their axes, as everywhere.
//!
//! Source: Wehage, Haug, Generalized coordinate partitioning for dimension reduction in analysis of constrained dynamic
//! systems, Journal of Mechanical Design 104, 1982, 247-255.

use crate::assembly::POSITION_TOLERANCE;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::system::System;
use nalgebra::DMatrix;
use wolff_numerics::dense::Lu;

/// Pivots below this part of the largest count as zero: the row then follows from the others. Rows have unit norm.
const RANK_TOLERANCE: f64 = 1e-9;

/// Newton iterations.
const MAX_ITERATIONS: usize = 25;

/// Violation left by rounding, relative to the tolerance.
const ROUNDING: f64 = 1e3;

/// Part of the smallest pivot of a free choice below which the present choice is renewed, where nothing else is set.
pub const REPARTITION: f64 = 0.1;

/// The order of elimination of a Jacobian: rows and columns, the pivots first.
#[derive(Clone, Debug)]
struct Elimination {
    /// `Jᵀ` with rows of unit norm.
    work: DMatrix<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    rank: usize,
    /// Smallest pivot.
    smallest: f64,
}

impl Elimination {
    fn new(nv: usize, nc: usize) -> Self {
        Elimination {
            work: DMatrix::zeros(nv, nc),
            rows: (0..nc).collect(),
            columns: (0..nv).collect(),
            rank: 0,
            smallest: 0.0,
        }
    }

    /// Eliminates with pivots in the columns that `may` allows.
    fn run(&mut self, J_transpose: &DMatrix<f64>, may: impl Fn(usize) -> bool) {
        self.work.copy_from(J_transpose);
        for mut row in self.work.column_iter_mut() {
            let norm = row.norm();
            if norm > 0.0 {
                row /= norm;
            }
        }
        self.rows.iter_mut().enumerate().for_each(|(i, r)| *r = i);
        self.columns.iter_mut().enumerate().for_each(|(i, c)| *c = i);
        (self.rank, self.smallest) = (0, 1.0);
        for k in 0..self.rows.len().min(self.columns.len()) {
            let (size, i, j) = self.pivot(k, &may);
            if !(size > RANK_TOLERANCE) {
                break;
            }
            self.work.swap_rows(k, i);
            self.columns.swap(k, i);
            self.work.swap_columns(k, j);
            self.rows.swap(k, j);
            self.eliminate(k);
            (self.rank, self.smallest) = (k + 1, self.smallest.min(size));
        }
    }

    /// Size and place of the largest entry that is left.
    fn pivot(&self, k: usize, may: &impl Fn(usize) -> bool) -> (f64, usize, usize) {
        let mut best = (0.0, k, k);
        for j in k..self.rows.len() {
            for i in k..self.columns.len() {
                let size = self.work[(i, j)].abs();
                if size > best.0 && may(self.columns[i]) {
                    best = (size, i, j);
                }
            }
        }
        best
    }

    /// Takes the pivot row out of the others.
    fn eliminate(&mut self, k: usize) {
        let pivot = self.work[(k, k)];
        for j in k + 1..self.rows.len() {
            let factor = self.work[(k, j)] / pivot;
            if factor != 0.0 {
                for i in k..self.columns.len() {
                    self.work[(i, j)] -= factor * self.work[(i, k)];
                }
            }
        }
    }
}

/// A choice of independent coordinates of a model, with the memory to solve for the others.
#[derive(Debug)]
pub struct Partition {
    chosen: Elimination,
    trial: Elimination,
    dependent: Vec<bool>,
    /// Dependent part of the Jacobian, filled up with ones.
    lu: Lu,
    rhs: Vec<f64>,
    step: Vec<f64>,
    moved: Vec<f64>,
    /// How often a new choice was made after the first.
    pub renewals: usize,
}

impl Partition {
    /// Memory for a model; no coordinate is dependent yet.
    pub fn new(model: &Model) -> Self {
        let (nq, nv, nc) = (model.nq(), model.nv(), model.nc());
        Partition {
            chosen: Elimination::new(nv, nc),
            trial: Elimination::new(nv, nc),
            dependent: vec![false; nv],
            lu: Lu::new(nc),
            rhs: vec![0.0; nc],
            step: vec![0.0; nv],
            moved: vec![0.0; nq],
            renewals: 0,
        }
    }

    /// Chooses dependent coordinates for the position `q`.
    pub fn choose(&mut self, system: &mut System<'_>, t: f64, q: &[f64]) {
        system.constraints_at_rest(t, q);
        self.chosen.run(&system.constraints.J_transpose, |_| true);
        self.mark();
    }

    fn mark(&mut self) {
        self.dependent.fill(false);
        for &k in &self.chosen.columns[..self.chosen.rank] {
            self.dependent[k] = true;
        }
    }

    /// Chooses anew where the smallest pivot of the present choice is less than `limit` of that of a free one, or where
    /// the number of independent rows has changed. The rows must be those of the position.
    pub fn renew(&mut self, system: &System<'_>, limit: f64) {
        let J_transpose = &system.constraints.J_transpose;
        let dependent = &self.dependent;
        self.trial.run(J_transpose, |k| dependent[k]);
        let (rank, smallest) = (self.trial.rank, self.trial.smallest);
        self.trial.run(J_transpose, |_| true);
        if rank != self.trial.rank || rank != self.chosen.rank || smallest < limit * self.trial.smallest {
            std::mem::swap(&mut self.chosen, &mut self.trial);
            self.renewals += 1;
            self.mark();
        }
    }

    /// Whether speed `k` follows from the others.
    pub fn is_dependent(&self, k: usize) -> bool {
        self.dependent[k]
    }

    /// Speeds that no row decides.
    pub fn independent(&self) -> impl Iterator<Item = usize> {
        (0..self.dependent.len()).filter(|&k| !self.dependent[k])
    }

    /// Rows that follow from the others.
    pub fn redundant(&self) -> &[usize] {
        &self.chosen.rows[self.chosen.rank..]
    }

    fn factor(&mut self, system: &System<'_>) -> Result<(), DynamicsError> {
        let r = self.chosen.rank;
        let matrix = self.lu.matrix_mut();
        matrix.fill_with_identity();
        for (j, &column) in self.chosen.columns[..r].iter().enumerate() {
            for (i, &row) in self.chosen.rows[..r].iter().enumerate() {
                matrix[(i, j)] = system.constraints.J_transpose[(column, row)];
            }
        }
        let row = self.chosen.rows.get(r.saturating_sub(1)).copied().unwrap_or(0);
        let lost = |_| DynamicsError::Singular { constraint: system.model.row_name(row) };
        self.lu.factor_in_place().map_err(lost)
    }

    /// `J_d⁻¹ x` in `step`, zero for independent speeds; `x` by row.
    fn solve(&mut self, x: impl Fn(usize) -> f64) {
        let r = self.chosen.rank;
        self.rhs.fill(0.0);
        for (b, &row) in self.rhs.iter_mut().zip(&self.chosen.rows[..r]) {
            *b = x(row);
        }
        self.lu.solve(&mut self.rhs);
        self.step.fill(0.0);
        for (b, &column) in self.rhs.iter().zip(&self.chosen.columns[..r]) {
            self.step[column] = *b;
        }
    }

    /// Moves the dependent coordinates until the rows are met; the number of iterations.
    pub fn positions(&mut self, system: &mut System<'_>, t: f64, q: &mut [f64]) -> Result<usize, DynamicsError> {
        let mut last = f64::INFINITY;
        for iteration in 0..=MAX_ITERATIONS {
            system.constraints_at_rest(t, q);
            let (row, violation) = self.violation(system);
            let rounding = violation <= ROUNDING * POSITION_TOLERANCE && violation >= 0.5 * last;
            if violation <= POSITION_TOLERANCE || rounding {
                return Ok(iteration);
            }
            if iteration == MAX_ITERATIONS || !violation.is_finite() {
                return Err(DynamicsError::Assembly {
                    constraint: system.model.row_name(row),
                    violation,
                    iterations: iteration,
                });
            }
            last = violation;
            self.factor(system)?;
            self.solve(|row| -system.constraints.phi[row]);
            system.model.retract(q, &self.step, &mut self.moved);
            q.copy_from_slice(&self.moved);
        }
        Ok(MAX_ITERATIONS)
    }

    /// The independent row with the largest violation; one that is not finite wins.
    fn violation(&self, system: &System<'_>) -> (usize, f64) {
        let rows = self.chosen.rows[..self.chosen.rank].iter();
        rows.fold((0, 0.0), |best, &row| {
            let size = system.constraints.phi[row].abs();
            if size > best.1 || size.is_nan() { (row, size) } else { best }
        })
    }

    /// Gives the dependent speeds the values that the rows ask for.
    pub fn speeds(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &mut [f64]) -> Result<(), DynamicsError> {
        system.update_constraints(t, q, v);
        self.factor(system)?;
        self.solve(|row| -system.constraints.phi_dot[row]);
        for (v, step) in v.iter_mut().zip(&self.step) {
            *v += step;
        }
        Ok(())
    }

    /// Gives the dependent accelerations the values that the rows ask for.
    pub fn accelerations(
        &mut self,
        system: &mut System<'_>,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &mut [f64],
    ) -> Result<(), DynamicsError> {
        system.update_constraints(t, q, v);
        self.factor(system)?;
        let c = &system.constraints;
        let J_a = |row: usize| -> f64 { c.J_transpose.column(row).iter().zip(&*a).map(|(j, a)| j * a).sum() };
        self.solve(|row| c.gamma[row] - J_a(row));
        for (a, step) in a.iter_mut().zip(&self.step) {
            *a += step;
        }
        Ok(())
    }
}
