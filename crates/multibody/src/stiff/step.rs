//! A linearly implicit Euler step.

use super::factor;
use super::rows::{Push, Rows, StiffForces};
use super::squares::Squares;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::system::System;
use nalgebra::DMatrix;
use wolff_numerics::dense::PivotedCholesky;

/// Most solutions of one step until all rows agree with their limits; a row that still changes sides keeps its last
/// one.
const MOST_PASSES: usize = 12;

/// Share of the largest diagonal entry of `G A⁻¹ Gᵀ` below which a constraint row counts as dependent.
const DEPENDENT: f64 = 1e-12;

/// Steps a model with [`StiffForces`] through time.
///
/// ```text
/// q* = q ⊕ h v
/// (M + h D + h² K + h Σ (c + h k) JᵀJ) Δv + Gᵀ μ = h (f(q*, v) + Σ f_row Jᵀ)        G Δv = -φ(q*) / h
/// v ← v + Δv,    q ← q ⊕ h v
/// ```
/// with `K` and `D` the modal stiffness and damping of flexible bodies and `φ = 0` the constraints. The force that a
/// row really put on the model over the step is `f_row - (c + h k) J Δv`; where that breaks a limit, the row is set to
/// the limit and the equations are solved again, until all agree. First order; stable for springs and dampers of any
/// size, because their forces are those at the end of the step. Other forces of the model are taken at `(q*, v)`.
///
/// Deuflhard and Bornemann, Scientific Computing with Ordinary Differential Equations, 2002, section 6.4, for the
/// method.
#[derive(Debug)]
pub struct ImplicitStep<'m> {
    /// The model with its memory; kinematics are those of the predicted motion `(q*, v)`.
    pub system: System<'m>,
    rows: Rows,
    applied: Vec<f64>,
    side: Vec<Side>,
    predicted: Vec<f64>,
    next: Vec<f64>,
    step: Vec<f64>,
    bias: Vec<f64>,
    /// `M + h D + h² K`; of it and of the matrix with the rows the upper triangle alone is used.
    base: DMatrix<f64>,
    matrix: DMatrix<f64>,
    squares: Squares,
    loops: Loops,
}

/// Which branch of its force law a row is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Least,
    Between,
    Most,
}

/// Memory of the constraint equations.
#[derive(Debug)]
struct Loops {
    /// `A⁻¹ Gᵀ`.
    columns: DMatrix<f64>,
    /// `G A⁻¹ Gᵀ`.
    schur: DMatrix<f64>,
    factor: PivotedCholesky,
    rhs: Vec<f64>,
}

impl<'m> ImplicitStep<'m> {
    /// Memory for a model.
    pub fn new(model: &'m Model) -> Self {
        let (nv, nc) = (model.nv(), model.nc());
        ImplicitStep {
            system: System::new(model),
            rows: Rows::new(nv),
            applied: Vec::new(),
            side: Vec::new(),
            predicted: vec![0.0; model.nq()],
            next: vec![0.0; model.nq()],
            step: vec![0.0; nv],
            bias: vec![0.0; nv],
            base: DMatrix::zeros(nv, nv),
            matrix: DMatrix::zeros(nv, nv),
            squares: Squares::new(nv),
            loops: Loops {
                columns: DMatrix::zeros(nv, nc),
                schur: DMatrix::zeros(nc, nc),
                factor: PivotedCholesky::new(nc),
                rhs: vec![0.0; nc],
            },
        }
    }

    /// Rows of the last step.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Force that each row put on the model over the last step \[N or N m\].
    pub fn applied(&self) -> &[f64] {
        &self.applied
    }

    /// Change of the speeds in the last step, `h` times the accelerations.
    pub fn speed_change(&self) -> &[f64] {
        &self.step
    }

    /// Predicted coordinates `q*` of the last step, to which its kinematics belong.
    pub fn predicted(&self) -> &[f64] {
        &self.predicted
    }

    /// Advances `(q, v)` from `t` to `t + h`; returns how often the equations were solved.
    pub fn advance(
        &mut self,
        forces: &mut dyn StiffForces,
        t: f64,
        h: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<usize, DynamicsError> {
        let model = self.system.model;
        for (d, v) in self.step.iter_mut().zip(&*v) {
            *d = h * v;
        }
        model.retract(q, &self.step, &mut self.predicted);
        self.system.update(t + h, &self.predicted, v);
        self.system.bias_forces(&mut self.bias);
        self.rows.clear();
        forces.rows(&self.system.instant(t + h, &self.predicted, v, None), &mut self.rows);
        self.assemble(h);
        if model.nc() > 0 {
            self.system.update_constraints(t + h, &self.predicted, v);
        }
        let passes = self.solve(h)?;
        self.system.check_finite("the change of speed", &self.step)?;

        for (v, dv) in v.iter_mut().zip(&self.step) {
            *v += dv;
        }
        for (d, v) in self.bias.iter_mut().zip(&*v) {
            *d = h * v;
        }
        model.retract(q, &self.bias, &mut self.next);
        q.copy_from_slice(&self.next);
        Ok(passes)
    }

    /// `M + h D + h² K`.
    fn assemble(&mut self, h: f64) {
        let System { model, kin, mass, .. } = &mut self.system;
        mass.compute(model, kin);
        mass.write_full(&mut self.base);
        for (i, body) in model.bodies().iter().enumerate() {
            let Some(flexible) = model.flexible(i) else { continue };
            let first = body.modal_v().start;
            let (K, D) = (&flexible.data.stiffness, &flexible.data.damping);
            for j in 0..flexible.modes() {
                for i in 0..flexible.modes() {
                    self.base[(first + i, first + j)] += h * (D[(i, j)] + h * K[(i, j)]);
                }
            }
        }
    }

    /// Solves for the change of speed until every row is on the side its force says.
    fn solve(&mut self, h: f64) -> Result<usize, DynamicsError> {
        let guess = |p: &Push| side_of(p.force, p);
        self.side.clear();
        self.side.extend(self.rows.pushes.iter().map(guess));
        self.applied.resize(self.rows.len(), 0.0);
        for pass in 1..=MOST_PASSES {
            self.solve_once(h)?;
            if !self.update_sides(h) {
                return Ok(pass);
            }
        }
        Ok(MOST_PASSES)
    }

    /// One solution with every row on its present side.
    fn solve_once(&mut self, h: f64) -> Result<(), DynamicsError> {
        self.matrix.copy_from(&self.base);
        self.step.copy_from_slice(&self.bias);
        for (row, push) in self.rows.pushes.iter().enumerate() {
            let direction = self.rows.direction(row);
            let force = held(push, self.side[row]);
            for (k, j) in direction {
                self.step[*k] += force * j;
            }
            let gain = h * answer(push, self.side[row], h);
            if gain == 0.0 {
                continue;
            }
            self.squares.add(&mut self.matrix, gain, direction);
        }
        self.squares.finish(&mut self.matrix);
        self.step.iter_mut().for_each(|x| *x *= h);
        factor::factor(&mut self.matrix).map_err(|k| self.bad_pivot(k))?;
        factor::solve(&self.matrix, &mut self.step);
        if self.system.model.nc() > 0 { self.close_loops(h) } else { Ok(()) }
    }

    /// Corrects the change of speed so that `G Δv = -φ / h`.
    fn close_loops(&mut self, h: f64) -> Result<(), DynamicsError> {
        let (nc, G) = (self.system.model.nc(), &self.system.constraints.J_transpose);
        let loops = &mut self.loops;
        for i in 0..nc {
            let mut column = loops.columns.column_mut(i);
            column.copy_from(&G.column(i));
            factor::solve(&self.matrix, column.as_mut_slice());
        }
        G.tr_mul_to(&loops.columns, &mut loops.schur);
        for i in 0..nc {
            let rate: f64 = G.column(i).iter().zip(&self.step).map(|(g, dv)| g * dv).sum();
            loops.rhs[i] = rate + self.system.constraints.phi[i] / h;
        }
        let rank = loops.factor.factor(&loops.schur, DEPENDENT);
        rank.map_err(|_| DynamicsError::NotFinite {
            quantity: "the constraint matrix",
            name: self.system.model.row_name(0),
        })?;
        loops.factor.solve_least_norm(&mut loops.rhs);
        for (i, mu) in loops.rhs.iter().enumerate() {
            for (dv, column) in self.step.iter_mut().zip(loops.columns.column(i).iter()) {
                *dv -= mu * column;
            }
        }
        Ok(())
    }

    /// Moves rows to the side that their forces say; whether any moved.
    fn update_sides(&mut self, h: f64) -> bool {
        let mut changed = false;
        for (row, push) in self.rows.pushes.iter().enumerate() {
            let free = push.force - answer(push, Side::Between, h) * self.rows.rate(row, &self.step);
            self.applied[row] = free.clamp(push.least, push.most);
            let side = side_of(free, push);
            changed |= side != self.side[row];
            self.side[row] = side;
        }
        changed
    }

    /// Why the equations have no solution, where elimination ended at the speed `k`.
    fn bad_pivot(&self, k: usize) -> DynamicsError {
        let names = self.system.model.coordinate_names();
        if !self.matrix.get((k, k)).is_some_and(|pivot| pivot.is_finite()) {
            let name = names.get(k).cloned().unwrap_or_default();
            return DynamicsError::NotFinite {
                quantity: "inertia with the stiffness and damping of what pushes",
                name,
            };
        }
        let worst = (0..names.len()).min_by(|a, b| self.base[(*a, *a)].total_cmp(&self.base[(*b, *b)])).unwrap_or(0);
        let coordinate = names.get(worst).cloned().unwrap_or_default();
        DynamicsError::NoInertia { coordinate, inertia: self.base.get((worst, worst)).copied().unwrap_or(f64::NAN) }
    }
}

fn side_of(force: f64, push: &Push) -> Side {
    if force < push.least {
        Side::Least
    } else if force > push.most {
        Side::Most
    } else {
        Side::Between
    }
}

/// Force at the predicted motion on a side.
fn held(push: &Push, side: Side) -> f64 {
    match side {
        Side::Least => push.least,
        Side::Between => push.force,
        Side::Most => push.most,
    }
}

/// `c + h k` where the force answers, zero on a limit.
fn answer(push: &Push, side: Side, h: f64) -> f64 {
    if side == Side::Between { push.damping + h * push.stiffness } else { 0.0 }
}
