//! Sparse symmetric matrices and their Cholesky factors: the only module that speaks to faer's sparse side.
//!
//! Work is sequential inside, so that results do not depend on the number of threads.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError as PivotError;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, Mat, MatMut, MatRef, Par, Side};

use crate::error::FemError;

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

    /// Sums the entries `(row, col, value)` of a lower triangle of size `n`; every diagonal entry exists, if only as 0.
    pub(crate) fn from_entries(n: usize, entries: &[(usize, usize, f64)]) -> Self {
        let mut start = vec![0; n + 1];
        for &(_, col, _) in entries {
            start[col + 1] += 1;
        }
        for col in 0..n {
            start[col + 1] += start[col] + 1;
        }
        let mut sorted: Vec<(usize, f64)> = vec![(0, 0.0); entries.len() + n];
        let mut next = start.clone();
        for col in 0..n {
            sorted[next[col]] = (col, 0.0);
            next[col] += 1;
        }
        for &(row, col, value) in entries {
            sorted[next[col]] = (row, value);
            next[col] += 1;
        }
        let mut pattern = Pattern { col_start: vec![0], row: Vec::new() };
        let mut values: Vec<f64> = Vec::new();
        for col in 0..n {
            let column = &mut sorted[start[col]..start[col + 1]];
            // Stable, so that equal entries are summed in the order given.
            column.sort_by_key(|&(row, _)| row);
            let first = pattern.row.len();
            for &(row, value) in column.iter() {
                match (values.last_mut(), pattern.row.last()) {
                    (Some(sum), Some(&last)) if last == row && pattern.row.len() > first => *sum += value,
                    _ => {
                        pattern.row.push(row);
                        values.push(value);
                    }
                }
            }
            pattern.col_start.push(pattern.row.len());
        }
        Self { pattern: Arc::new(pattern), values }
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

    /// The lower triangle as a view that faer understands.
    pub fn as_faer(&self) -> SparseColMatRef<'_, usize, f64> {
        let n = self.dim();
        let symbolic = SymbolicSparseColMatRef::new_checked(n, n, &self.pattern.col_start, None, &self.pattern.row);
        SparseColMatRef::new(symbolic, &self.values)
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

    /// `self + factor · other` for two matrices of the same pattern.
    ///
    /// # Errors
    /// When the patterns differ.
    pub fn plus(&self, factor: f64, other: &Self) -> Result<Self, FemError> {
        if self.pattern != other.pattern {
            return Err(FemError::LinearAlgebra("the two matrices do not belong to the same model".into()));
        }
        let values = self.values.iter().zip(&other.values).map(|(a, b)| a + factor * b).collect();
        Ok(Self { pattern: Arc::clone(&self.pattern), values })
    }

    /// The same matrix without stored zeros (the diagonal stays): a mass matrix shares the pattern of the stiffness, but
    /// does not couple the axes.
    pub fn compact(&self) -> Self {
        let mut pattern = Pattern { col_start: vec![0], row: Vec::new() };
        let mut values = Vec::new();
        for col in 0..self.dim() {
            for (row, value) in self.column(col).filter(|&(row, value)| value != 0.0 || row == col) {
                pattern.row.push(row);
                values.push(value);
            }
            pattern.col_start.push(values.len());
        }
        Self { pattern: Arc::new(pattern), values }
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
        let mut input = vec![0.0; x.nrows()];
        let mut output = vec![0.0; x.nrows()];
        for col in 0..x.ncols() {
            for row in 0..x.nrows() {
                input[row] = x[(row, col)];
            }
            self.mul_vec(&input, &mut output);
            for row in 0..x.nrows() {
                y[(row, col)] = output[row];
            }
        }
        y
    }
}

/// `A = L Lᵀ` with a fill-reducing ordering (approximate minimum degree).
#[derive(Debug)]
pub struct Cholesky {
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
}

impl Cholesky {
    /// Factorises a positive definite matrix; `name` appears in messages.
    ///
    /// # Errors
    /// When an entry is not finite, a pivot is not positive, or memory runs out.
    pub fn new(a: &SymmetricMatrix, name: &'static str) -> Result<Self, FemError> {
        // faer's pivot test lets NaN pass.
        if !a.values.iter().all(|v| v.is_finite()) {
            return Err(FemError::NonFinite(format!("an entry of the {name}")));
        }
        let failed = |error| FemError::LinearAlgebra(format!("Cholesky of the {name}: {error:?}"));
        let ordering = SymmetricOrdering::Amd;
        let view = a.as_faer();
        let symbolic =
            factorize_symbolic_cholesky(view.symbolic(), Side::Lower, ordering, CholeskySymbolicParams::default())
                .map_err(failed)?;
        let mut values = vec![0.0; symbolic.len_val()];
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::try_new(scratch)
            .map_err(|_| FemError::LinearAlgebra(format!("out of memory in the Cholesky of the {name}")))?;
        symbolic
            .factorize_numeric_llt(
                &mut values,
                view,
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|PivotError::NonPositivePivot { index }| {
                let row = symbolic.perm().map_or(index, |perm| perm.arrays().0.get(index).copied().unwrap_or(index));
                FemError::NotPositiveDefinite { matrix: name, row }
            })?;
        Ok(Self { symbolic, values })
    }

    /// Number of rows.
    pub fn dim(&self) -> usize {
        self.symbolic.nrows()
    }

    /// Stored numbers of the factor.
    pub fn fill(&self) -> usize {
        self.values.len()
    }

    /// Replaces the columns of `x` by `A⁻¹ x`.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn solve_in_place(&self, x: MatMut<'_, f64>) -> Result<(), FemError> {
        let scratch = self.symbolic.solve_in_place_scratch::<f64>(x.ncols(), Par::Seq);
        let mut memory =
            MemBuffer::try_new(scratch).map_err(|_| FemError::LinearAlgebra("out of memory in a solve".into()))?;
        let factor = LltRef::new(&self.symbolic, &self.values);
        factor.solve_in_place_with_conj(Conj::No, x, Par::Seq, MemStack::new(&mut memory));
        Ok(())
    }
}
