//! Dense factorisations and solves in place, without allocation after construction.
//!
//! Matrices are column-major [`DMatrix`]; the kernels walk down columns so that the inner loops vectorise.

use nalgebra::DMatrix;

use crate::error::NumericsError;

/// Overwrites the lower triangle of a symmetric positive definite `A` with `L`, `A = L Lᵀ`.
///
/// Only the lower triangle is read; the strict upper triangle is left alone. Fails at the first pivot that is not
/// positive (or not a number).
pub fn cholesky_in_place(a: &mut DMatrix<f64>) -> Result<(), NumericsError> {
    let n = a.nrows();
    let data = a.as_mut_slice();
    for k in 0..n {
        let (head, tail) = data.split_at_mut((k + 1) * n);
        let column = &mut head[k * n..];
        let pivot = column[k];
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(NumericsError::Singular { matrix: "symmetric matrix (not positive definite)", row: k });
        }
        let root = pivot.sqrt();
        column[k..].iter_mut().for_each(|x| *x /= root);
        for j in k + 1..n {
            let factor = column[j];
            let other = &mut tail[(j - k - 1) * n..(j - k) * n];
            for i in j..n {
                other[i] -= factor * column[i];
            }
        }
    }
    Ok(())
}

/// `b := L⁻¹ b` with the leading `b.len()` rows and columns of the lower triangle of `l`.
pub fn solve_lower(l: &DMatrix<f64>, b: &mut [f64]) {
    let n = b.len();
    for j in 0..n {
        let column = &l.as_slice()[j * l.nrows()..];
        b[j] /= column[j];
        let x = b[j];
        for i in j + 1..n {
            b[i] -= x * column[i];
        }
    }
}

/// `b := L⁻ᵀ b` with the leading `b.len()` rows and columns of the lower triangle of `l`.
pub fn solve_lower_transpose(l: &DMatrix<f64>, b: &mut [f64]) {
    let n = b.len();
    for j in (0..n).rev() {
        let column = &l.as_slice()[j * l.nrows()..];
        let sum: f64 = (j + 1..n).map(|i| column[i] * b[i]).sum();
        b[j] = (b[j] - sum) / column[j];
    }
}

/// `b := A⁻¹ b` from the factor of [`cholesky_in_place`].
pub fn cholesky_solve(l: &DMatrix<f64>, b: &mut [f64]) {
    solve_lower(l, b);
    solve_lower_transpose(l, b);
}

/// LU factorisation with partial pivoting, `P A = L U`, in storage that is reused.
#[derive(Debug, Clone)]
pub struct Lu {
    factors: DMatrix<f64>,
    pivots: Vec<usize>,
}

impl Lu {
    /// Storage for `n`×`n` matrices; holds the identity until the first [`Lu::factor`].
    pub fn new(n: usize) -> Self {
        Self { factors: DMatrix::identity(n, n), pivots: (0..n).collect() }
    }

    /// The matrix to be factored, for assembly in place before [`Lu::factor_in_place`].
    pub fn matrix_mut(&mut self) -> &mut DMatrix<f64> {
        &mut self.factors
    }

    /// Copies and factors `a`, which must have the size given to [`Lu::new`].
    pub fn factor(&mut self, a: &DMatrix<f64>) -> Result<(), NumericsError> {
        self.factors.copy_from(a);
        self.factor_in_place()
    }

    /// Factors what was written through [`Lu::matrix_mut`]; a zero or NaN pivot is an error.
    pub fn factor_in_place(&mut self) -> Result<(), NumericsError> {
        let n = self.factors.nrows();
        let data = self.factors.as_mut_slice();
        for k in 0..n {
            let p = largest_from(&data[k * n..(k + 1) * n], k);
            self.pivots[k] = p;
            let pivot = data[k * n + p];
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(NumericsError::Singular { matrix: "matrix of a linear system", row: k });
            }
            if p != k {
                (0..n).for_each(|j| data.swap(j * n + k, j * n + p));
            }
            let (head, tail) = data.split_at_mut((k + 1) * n);
            let column = &mut head[k * n..];
            column[k + 1..].iter_mut().for_each(|x| *x /= pivot);
            for other in tail.chunks_exact_mut(n) {
                let factor = other[k];
                if factor != 0.0 {
                    for i in k + 1..n {
                        other[i] -= factor * column[i];
                    }
                }
            }
        }
        Ok(())
    }

    /// `b := A⁻¹ b`; `b` has the size of the matrix.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.factors.nrows();
        let data = self.factors.as_slice();
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for j in 0..n {
            let x = b[j];
            for i in j + 1..n {
                b[i] -= x * data[j * n + i];
            }
        }
        for j in (0..n).rev() {
            b[j] /= data[j * n + j];
            let x = b[j];
            for i in 0..j {
                b[i] -= x * data[j * n + i];
            }
        }
    }
}

/// Index of the entry of largest magnitude from `start` on; a NaN wins so that it is noticed.
fn largest_from(column: &[f64], start: usize) -> usize {
    let mut best = start;
    for i in start..column.len() {
        if column[i].abs() > column[best].abs() || column[i].is_nan() {
            best = i;
        }
    }
    best
}

/// Cholesky factorisation with diagonal pivoting of a symmetric positive semidefinite matrix, and its least-norm solve.
///
/// `Pᵀ A P = L Lᵀ` with `L` of size m×r, r the numerical rank: elimination stops when the largest remaining pivot is
/// below `relative_tolerance` times the largest diagonal entry of `A`.
///
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 10.3.
#[derive(Debug, Clone)]
pub struct PivotedCholesky {
    l: DMatrix<f64>,
    permutation: Vec<usize>,
    rank: usize,
    /// Cholesky factor of `Lᵀ L` in its leading r×r block.
    gram: DMatrix<f64>,
    work: Vec<f64>,
    small: Vec<f64>,
}

impl PivotedCholesky {
    /// Storage for `n`×`n` matrices.
    pub fn new(n: usize) -> Self {
        Self {
            l: DMatrix::zeros(n, n),
            permutation: (0..n).collect(),
            rank: 0,
            gram: DMatrix::zeros(n, n),
            work: vec![0.0; n],
            small: vec![0.0; n],
        }
    }

    /// Numerical rank found by the last [`PivotedCholesky::factor`].
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Order in which rows were eliminated; the first [`PivotedCholesky::rank`] are independent.
    pub fn permutation(&self) -> &[usize] {
        &self.permutation
    }

    /// Factors `a` (both triangles filled) and returns its rank; NaN anywhere on the way is an error.
    pub fn factor(&mut self, a: &DMatrix<f64>, relative_tolerance: f64) -> Result<usize, NumericsError> {
        let n = self.l.nrows();
        self.l.copy_from(a);
        self.permutation.iter_mut().enumerate().for_each(|(i, p)| *p = i);
        let scale = (0..n).fold(0.0_f64, |m, i| m.max(a[(i, i)]));
        self.rank = n;
        for k in 0..n {
            let p = self.largest_diagonal(k)?;
            let pivot = self.l[(p, p)];
            if pivot <= relative_tolerance * scale || pivot <= 0.0 {
                self.rank = k;
                break;
            }
            if p != k {
                self.l.swap_rows(k, p);
                self.l.swap_columns(k, p);
                self.permutation.swap(k, p);
            }
            self.eliminate(k);
        }
        if self.rank < n {
            self.factor_gram()?;
        }
        Ok(self.rank)
    }

    fn largest_diagonal(&self, start: usize) -> Result<usize, NumericsError> {
        let n = self.l.nrows();
        let mut best = start;
        for i in start..n {
            if !self.l[(i, i)].is_finite() {
                return Err(NumericsError::Singular { matrix: "semidefinite matrix (not finite)", row: i });
            }
            if self.l[(i, i)] > self.l[(best, best)] {
                best = i;
            }
        }
        Ok(best)
    }

    /// One step of the outer-product elimination on the full trailing block (both triangles stay valid for swaps).
    fn eliminate(&mut self, k: usize) {
        let n = self.l.nrows();
        let (head, tail) = self.l.as_mut_slice().split_at_mut((k + 1) * n);
        let column = &mut head[k * n..];
        let root = column[k].sqrt();
        column[k..].iter_mut().for_each(|x| *x /= root);
        for (j, other) in tail.chunks_exact_mut(n).enumerate() {
            let factor = column[k + 1 + j];
            for i in k + 1..n {
                other[i] -= factor * column[i];
            }
        }
    }

    fn factor_gram(&mut self) -> Result<(), NumericsError> {
        let (n, r) = (self.l.nrows(), self.rank);
        self.gram.fill_with_identity();
        for i in 0..r {
            for j in 0..=i {
                self.gram[(i, j)] = (i..n).map(|k| self.l[(k, i)] * self.l[(k, j)]).sum();
            }
        }
        cholesky_in_place(&mut self.gram)
    }

    /// Replaces `b` by the least-norm least-squares solution `x = L (LᵀL)⁻² Lᵀ b` (in pivoted order).
    ///
    /// A matrix of full rank takes the two ordinary triangular solves. Limits: with rank r < m the condition number
    /// of `LᵀL` squares that of `L`, fine while the retained pivots span less than about 1e10.
    pub fn solve_least_norm(&mut self, b: &mut [f64]) {
        let (n, r) = (self.l.nrows(), self.rank);
        for (w, &p) in self.work.iter_mut().zip(&self.permutation) {
            *w = b[p];
        }
        if r == n {
            cholesky_solve(&self.l, &mut self.work);
        } else {
            for j in 0..r {
                self.small[j] = (j..n).map(|i| self.l[(i, j)] * self.work[i]).sum();
            }
            cholesky_solve(&self.gram, &mut self.small[..r]);
            cholesky_solve(&self.gram, &mut self.small[..r]);
            for i in 0..n {
                self.work[i] = (0..r.min(i + 1)).map(|j| self.l[(i, j)] * self.small[j]).sum();
            }
        }
        for (w, &p) in self.work.iter().zip(&self.permutation) {
            b[p] = *w;
        }
    }
}
