//! The multipliers' equation `J M⁻¹ Jᵀ λ = b`, also where rows depend on each other.

use crate::constraint::ConstraintValues;
use crate::dynamics::mass_matrix::MassMatrix;
use crate::error::DynamicsError;
use crate::model::Model;
use nalgebra::DMatrix;
use wolff_numerics::dense::PivotedCholesky;

/// Pivots of the scaled matrix below this count as zero: rows then depend on each other. The matrix has ones on its
/// diagonal and rounding of about `nc · 1e-16`; the pivot of a row at an angle `θ` from the span of the others is
/// `sin² θ`.
const RANK_TOLERANCE: f64 = 1e-11;

/// A row whose norm is below this part `r` of the largest that it has had is at a singular position, as the loop of a
/// parallelogram when it is flat: the row then says nothing about velocities. Along a branch of the motion the
/// normalised row has a limit there, but it is computed with an error of `ε/r²` from a position with rounding `ε`: 1e-6
/// at this ratio, and its effect on the motion along the branch is the square of that. Below it the row rests until
/// the mechanism has moved on; positions near such a point are met to the square of this. The largest norm is
/// remembered from call to call: along one motion it is soon that of an ordinary position.
const SINGULAR_RATIO: f64 = 1e-5;

/// `J M⁻¹ Jᵀ`, its factor, and the solution of least norm.
#[derive(Clone, Debug)]
pub struct Schur {
    /// `Z = L⁻ᵀ Jᵀ` with `M = Lᵀ L`.
    Z: DMatrix<f64>,
    /// `Zᵀ Z` scaled to a unit diagonal.
    scaled: DMatrix<f64>,
    /// `1 / √(Zᵀ Z)_ii`; zero for rows at rest.
    scale: Vec<f64>,
    /// Largest norm so far of each column of `Z`.
    largest: Vec<f64>,
    factor: PivotedCholesky,
    /// Right-hand side, set by the caller before [`Schur::correct`].
    pub rhs: Vec<f64>,
    b: Vec<f64>,
    push: Vec<f64>,
}

impl Schur {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        let (nv, nc) = (model.nv(), model.nc());
        Schur {
            Z: DMatrix::zeros(nv, nc),
            scaled: DMatrix::zeros(nc, nc),
            scale: vec![1.0; nc],
            largest: vec![0.0; nc],
            factor: PivotedCholesky::new(nc),
            rhs: vec![0.0; nc],
            b: vec![0.0; nc],
            push: vec![0.0; nv],
        }
    }

    /// Whether row `i` rests at a singular position.
    pub fn is_at_rest(&self, i: usize) -> bool {
        self.scale[i] == 0.0
    }

    /// Norm of row `i` relative to the largest that it has had, at the last factorisation; 1 for rows at rest.
    pub fn relative_norm(&self, i: usize) -> f64 {
        let product = self.scale[i] * self.largest[i];
        if product > 1.0 { 1.0 / product } else { 1.0 }
    }

    /// The smallest relative norm of all rows.
    pub fn smallest_relative_norm(&self) -> f64 {
        (0..self.scale.len()).map(|i| if self.is_at_rest(i) { 0.0 } else { self.relative_norm(i) }).fold(1.0, f64::min)
    }

    /// Number of independent rows found by the last factorisation.
    pub fn rank(&self) -> usize {
        self.factor.rank()
    }

    /// Rows in the order of elimination; those beyond the rank depend on the ones before.
    pub fn order(&self) -> &[usize] {
        self.factor.permutation()
    }

    /// Factors for the present rows and mass matrix.
    pub fn factor(&mut self, model: &Model, mass: &MassMatrix, rows: &ConstraintValues) -> Result<(), DynamicsError> {
        self.Z.copy_from(&rows.J_transpose);
        for mut column in self.Z.column_iter_mut() {
            mass.half_solve(model, column.as_mut_slice());
        }
        for (i, column) in self.Z.column_iter().enumerate() {
            let norm = column.norm();
            self.largest[i] = self.largest[i].max(norm);
            let at_rest = norm <= SINGULAR_RATIO * self.largest[i];
            self.scale[i] = if at_rest { 0.0 } else { 1.0 / norm };
        }
        self.scaled.gemm_tr(1.0, &self.Z, &self.Z, 0.0);
        for j in 0..self.scaled.ncols() {
            for i in 0..self.scaled.nrows() {
                self.scaled[(i, j)] *= self.scale[i] * self.scale[j];
            }
        }
        let factored = self.factor.factor(&self.scaled, RANK_TOLERANCE);
        factored.map(|_| ()).map_err(|_| self.not_finite(model))
    }

    /// Finds `λ` so that `x - M⁻¹ Jᵀ λ` meets `J x = rhs`, and corrects `x`. Dependent rows get the multipliers of
    /// least (scaled) norm.
    pub fn correct(
        &mut self,
        model: &Model,
        mass: &MassMatrix,
        rows: &ConstraintValues,
        x: &mut [f64],
        lambda: &mut [f64],
    ) {
        for (i, column) in rows.J_transpose.column_iter().enumerate() {
            let J_x: f64 = column.iter().zip(&*x).map(|(j, x)| j * x).sum();
            self.b[i] = (J_x - self.rhs[i]) * self.scale[i];
        }
        self.factor.solve_least_norm(&mut self.b);
        self.push.fill(0.0);
        for (i, column) in self.Z.column_iter().enumerate() {
            lambda[i] = self.b[i] * self.scale[i];
            for (p, z) in self.push.iter_mut().zip(column.iter()) {
                *p += z * lambda[i];
            }
        }
        mass.second_half_solve(model, &mut self.push);
        for (x, p) in x.iter_mut().zip(&self.push) {
            *x -= p;
        }
    }

    fn not_finite(&self, model: &Model) -> DynamicsError {
        let bad = |i: &usize| !self.scaled[(*i, *i)].is_finite();
        let row = (0..self.scaled.nrows()).find(bad).unwrap_or(0);
        DynamicsError::NotFinite { quantity: "the Jacobian", name: model.row_name(row) }
    }
}
