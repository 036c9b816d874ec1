//! Sparse symmetric matrices by their lower triangle.

use std::sync::Arc;

use faer::{Mat, MatRef};

use crate::error::FemError;
use crate::system::nodal::NodalMatrix;

/// Columns multiplied together.
const WIDTH: usize = 4;

/// Where the entries of a lower triangle are: compressed columns with ascending rows, diagonal first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Start of each column in `row`, and the end of the last.
    pub col_start: Vec<usize>,
    /// Row of each entry.
    pub row: Vec<usize>,
}

/// A sparse symmetric matrix by its lower triangle; matrices of one model share their pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct SymmetricMatrix {
    pattern: Arc<Pattern>,
    values: Vec<f64>,
}

impl Pattern {
    /// Number of rows and columns.
    pub fn dim(&self) -> usize {
        self.col_start.len().saturating_sub(1)
    }
}

impl SymmetricMatrix {
    /// A matrix from its pattern and the values in the same order.
    pub(crate) fn new(pattern: Arc<Pattern>, values: Vec<f64>) -> Self {
        debug_assert_eq!(pattern.row.len(), values.len());
        Self { pattern, values }
    }

    /// Number of rows and columns.
    pub fn dim(&self) -> usize {
        self.pattern.dim()
    }

    /// The pattern, shared.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// The values in the order of the pattern.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The stored entries of a column: row and value, rows ascending from the diagonal.
    pub fn column(&self, col: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.pattern.col_start[col]..self.pattern.col_start[col + 1];
        self.pattern.row[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// Sum of the diagonal.
    pub fn trace(&self) -> f64 {
        (0..self.dim()).map(|col| self.values[self.pattern.col_start[col]]).sum()
    }

    /// An entry of the diagonal.
    pub fn diagonal(&self, dof: usize) -> f64 {
        self.values[self.pattern.col_start[dof]]
    }

    /// `self + factor · mass` for a mass matrix of the same mesh.
    ///
    /// # Errors
    /// When the mass couples what the stiffness does not.
    pub fn plus(&self, factor: f64, mass: &NodalMatrix) -> Result<Self, FemError> {
        let foreign = || FemError::LinearAlgebra("the two matrices do not belong to the same model".into());
        if mass.dim() != self.dim() {
            return Err(foreign());
        }
        let mut sum = self.clone();
        for node in 0..self.dim() / 3 {
            for axis in 0..3 {
                let range = self.pattern.col_start[3 * node + axis]..self.pattern.col_start[3 * node + axis + 1];
                let (rows, values) = (&self.pattern.row[range.clone()], &mut sum.values[range]);
                for (other, value) in mass.row(node).filter(|&(other, _)| other >= node) {
                    let at = rows.binary_search(&(3 * other + axis)).map_err(|_| foreign())?;
                    values[at] += factor * value;
                }
            }
        }
        Ok(sum)
    }

    /// `y = A x` for one vector of the matrix's size.
    pub fn mul_vec(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for col in 0..self.dim() {
            let start = self.pattern.col_start[col];
            let end = self.pattern.col_start[col + 1];
            let xc = x[col];
            let mut sum = self.values[start] * xc;
            for (&row, &value) in self.pattern.row[start + 1..end].iter().zip(&self.values[start + 1..end]) {
                y[row] += value * xc;
                sum += value * x[row];
            }
            y[col] += sum;
        }
    }

    /// `A X` for a block of vectors.
    pub fn mul(&self, x: MatRef<'_, f64>) -> Mat<f64> {
        let mut y = Mat::zeros(x.nrows(), x.ncols());
        let mut input = vec![[0.0; WIDTH]; x.nrows()];
        let mut output = input.clone();
        for first in (0..x.ncols()).step_by(WIDTH) {
            let width = WIDTH.min(x.ncols() - first);
            for j in 0..width {
                input.iter_mut().enumerate().for_each(|(row, packed)| packed[j] = x[(row, first + j)]);
            }
            self.mul_packed(&input, &mut output);
            for j in 0..width {
                let column = y.col_as_slice_mut(first + j);
                column.iter_mut().zip(&output).for_each(|(y, packed)| *y = packed[j]);
            }
        }
        y
    }

    fn mul_packed(&self, x: &[[f64; WIDTH]], y: &mut [[f64; WIDTH]]) {
        y.fill([0.0; WIDTH]);
        for col in 0..self.dim() {
            let (start, end) = (self.pattern.col_start[col], self.pattern.col_start[col + 1]);
            let xc = x[col];
            let mut sum = xc.map(|x| self.values[start] * x);
            for (&row, &value) in self.pattern.row[start + 1..end].iter().zip(&self.values[start + 1..end]) {
                for j in 0..WIDTH {
                    y[row][j] += value * xc[j];
                    sum[j] += value * x[row][j];
                }
            }
            y[col].iter_mut().zip(sum).for_each(|(y, sum)| *y += sum);
        }
    }
}
