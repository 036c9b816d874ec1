//! Coordinates that constraints leave free: the allowed motions, and the generalised forces along them.

use nalgebra::DMatrix;
use wolff_multibody::constraint::ConstraintValues;

/// Minimum pivot, relative to the largest entry of its row, of a dependent coordinate.
const GOOD_PIVOT: f64 = 0.1;
/// Rows whose remainder is below this, relative to their size, are redundant.
const NOTHING: f64 = 1e-9;

/// Dependent coordinates in terms of the independent ones: `a_d = γ' - J' a_i` from `J a = γ`.
///
/// Rows are eliminated with pivots; of the entries that are large enough the one farthest from the root is used (chosen
/// here; the choice of independent coordinates does not change the allowed motions). Locked coordinates depend on no
/// other coordinate.
#[derive(Clone, Debug)]
pub struct Coupling {
    /// Speeds that are free.
    pub independent: Vec<usize>,
    /// Dependent speeds, one per remaining row of J.
    pub dependent: Vec<usize>,
    J: DMatrix<f64>,
    gamma: Vec<f64>,
}

impl Coupling {
    /// Memory for `rows` constraint rows and `speeds` speeds.
    pub fn new(rows: usize, speeds: usize) -> Self {
        Coupling {
            independent: (0..speeds).collect(),
            dependent: Vec::with_capacity(rows),
            J: DMatrix::zeros(rows, speeds),
            gamma: vec![0.0; rows],
        }
    }

    /// Eliminates the rows of an instant.
    pub fn update(&mut self, rows: &ConstraintValues) {
        self.J.tr_copy_from(&rows.J_transpose);
        self.gamma.copy_from_slice(&rows.gamma);
        self.dependent.clear();
        let (count, speeds) = self.J.shape();
        let mut rank = 0;
        for row in 0..count {
            let size = rows.J_transpose.column(row).amax();
            let Some(pivot) = self.pivot(row, speeds, size) else { continue };
            self.J.swap_rows(rank, row);
            self.gamma.swap(rank, row);
            self.eliminate(rank, pivot, count);
            self.dependent.push(pivot);
            rank += 1;
        }
        let dependent = &self.dependent;
        self.independent.clear();
        self.independent.extend((0..speeds).filter(|k| !dependent.contains(k)));
    }

    /// The speed that a row makes dependent; `None` where the row is redundant.
    fn pivot(&self, row: usize, speeds: usize, size: f64) -> Option<usize> {
        let largest = self.J.row(row).amax();
        if largest <= NOTHING * size || largest == 0.0 {
            return None;
        }
        (0..speeds).rev().find(|k| self.J[(row, *k)].abs() >= GOOD_PIVOT * largest)
    }

    fn eliminate(&mut self, row: usize, pivot: usize, count: usize) {
        let scale = 1.0 / self.J[(row, pivot)];
        self.J.row_mut(row).scale_mut(scale);
        self.gamma[row] *= scale;
        for other in (0..count).filter(|r| *r != row) {
            let factor = self.J[(other, pivot)];
            if factor != 0.0 {
                for k in 0..self.J.ncols() {
                    let x = self.J[(row, k)];
                    self.J[(other, k)] -= factor * x;
                }
                self.gamma[other] -= factor * self.gamma[row];
            }
        }
    }

    /// Sets the accelerations of the dependent coordinates according to the constraints.
    pub fn complete(&self, a: &mut [f64]) {
        for (row, d) in self.dependent.iter().enumerate() {
            let sum: f64 = self.independent.iter().map(|i| self.J[(row, *i)] * a[*i]).sum();
            a[*d] = self.gamma[row] - sum;
        }
    }

    /// Generalised forces on the independent coordinates: `f_i - J'ᵀ f_d`.
    pub fn reduce(&self, f: &[f64], out: &mut [f64]) {
        for (out, i) in out.iter_mut().zip(&self.independent) {
            let carried: f64 = self.dependent.iter().enumerate().map(|(row, d)| self.J[(row, *i)] * f[*d]).sum();
            *out = f[*i] - carried;
        }
    }

    /// Derivative along coordinate `i` of a function with derivatives `gradient`, with the coordinates coupled to it
    /// following.
    ///
    /// For a coordinate that depends on several others, or on no other, its own derivative.
    pub fn derivative_along(&self, gradient: &[f64], i: usize) -> f64 {
        let Some(row) = self.dependent.iter().position(|d| *d == i) else {
            return self.along_independent(gradient, i);
        };
        let mut leaders = self.independent.iter().filter(|k| self.J[(row, **k)] != 0.0);
        match (leaders.next(), leaders.next()) {
            (Some(k), None) => self.along_independent(gradient, *k) / -self.J[(row, *k)],
            _ => gradient[i],
        }
    }

    fn along_independent(&self, gradient: &[f64], i: usize) -> f64 {
        let carried: f64 = self.dependent.iter().enumerate().map(|(row, d)| self.J[(row, i)] * gradient[*d]).sum();
        gradient[i] - carried
    }
}
