//! Loops and other conditions that cannot be eliminated, enforced by multipliers.

use super::freedoms::Freedoms;
use nalgebra::DMatrix;
use wolff_multibody::constraint::ConstraintValues;
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_numerics::dense::{self, PivotedCholesky};

/// Pivots of `J H⁻¹ Jᵀ` below this fraction of the largest belong to redundant rows.
const RANK_TOLERANCE: f64 = 1e-11;

/// Work memory of the rows `φ(q) = 0` and of the step under them.
///
/// The step minimises `½ dᵀH d + gᵀd` under `J d = -φ`. With `H = L Lᵀ`, `X = L⁻¹Jᵀ` and `y = -L⁻¹g`:
///
/// ```text
/// XᵀX λ = Xᵀy + φ,    d = L⁻ᵀ (y - X λ)
/// ```
#[derive(Debug)]
pub(super) struct Loops {
    values: ConstraintValues,
    rows: Vec<usize>,
    /// Jacobian of the kept rows with dependent coordinates eliminated: entries of a speed side by side.
    J: Vec<f64>,
    phi: Vec<f64>,
    X: DMatrix<f64>,
    schur: DMatrix<f64>,
    factor: PivotedCholesky,
    lambda: Vec<f64>,
    correction: Vec<f64>,
}

impl Loops {
    /// Work memory for a model; `None` where everything was eliminated.
    pub fn new(model: &Model, freedoms: &Freedoms) -> Option<Self> {
        let rows = freedoms.rows().to_vec();
        let m = rows.len();
        (m > 0).then(|| Self {
            values: ConstraintValues::new(model),
            rows,
            J: vec![0.0; m * model.nv()],
            phi: vec![0.0; m],
            X: DMatrix::zeros(freedoms.free().len(), m),
            schur: DMatrix::zeros(m, m),
            factor: PivotedCholesky::new(m),
            lambda: vec![0.0; m],
            correction: vec![0.0; m],
        })
    }

    /// Sum of the violations of a pose.
    pub fn evaluate(&mut self, t: f64, model: &Model, kin: &Kinematics, q: &[f64], v: &[f64]) -> f64 {
        self.values.update(&Instant { t, model, kin, q, v, approach_speed: None });
        self.rows.iter().map(|&row| self.values.phi[row].abs()).sum()
    }

    /// Copies the rows at the pose last evaluated.
    pub fn linearise(&mut self, freedoms: &Freedoms, q: &[f64]) {
        let m = self.rows.len();
        for (i, &row) in self.rows.iter().enumerate() {
            self.phi[i] = self.values.phi[row];
            for (k, x) in self.values.J_transpose.column(row).iter().enumerate() {
                self.J[k * m + i] = *x;
            }
        }
        freedoms.gather(q, &mut self.J, m);
    }

    /// Changes `y` so that the step satisfies the rows; `held` coordinates do not move.
    pub fn restrict(&mut self, free: &[usize], held: &[bool], L: &DMatrix<f64>, y: &mut [f64]) -> Result<(), String> {
        let m = self.rows.len();
        for row in 0..m {
            let mut column = self.X.column_mut(row);
            for (i, &k) in free.iter().enumerate() {
                column[i] = if held[i] { 0.0 } else { self.J[k * m + row] };
            }
            dense::solve_lower(L, column.as_mut_slice());
        }
        for i in 0..m {
            let column = self.X.column(i);
            self.lambda[i] = self.phi[i] + column.iter().zip(y.iter()).map(|(x, y)| x * y).sum::<f64>();
            for j in 0..m {
                self.schur[(i, j)] = column.dot(&self.X.column(j));
            }
        }
        self.factor.factor(&self.schur, RANK_TOLERANCE).map_err(|_| "the loops are not finite".to_string())?;
        self.factor.solve_least_norm(&mut self.lambda);
        for (column, lambda) in self.X.column_iter().zip(&self.lambda) {
            for (y, x) in y.iter_mut().zip(column.iter()) {
                *y -= lambda * x;
            }
        }
        Ok(())
    }

    /// With the factors of the last step, the `y` of the smallest correction for the violations last evaluated.
    pub fn close(&mut self, y: &mut [f64]) {
        y.fill(0.0);
        for (c, &row) in self.correction.iter_mut().zip(&self.rows) {
            *c = self.values.phi[row];
        }
        self.factor.solve_least_norm(&mut self.correction);
        for (column, c) in self.X.column_iter().zip(&self.correction) {
            y.iter_mut().zip(column.iter()).for_each(|(y, x)| *y -= c * x);
        }
    }

    /// Largest multiplier of the last step.
    pub fn largest_multiplier(&self) -> f64 {
        self.lambda.iter().fold(0.0, |m, x| m.max(x.abs()))
    }
}
