//! Small dense symmetric problems, sequential so that results do not depend on the number of threads.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, Mat, MatRef, Par};

use crate::error::FemError;

/// `A B`.
pub(crate) fn product(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let mut c = Mat::zeros(a.nrows(), b.ncols());
    matmul(c.as_mut(), Accum::Replace, a, b, 1.0, Par::Seq);
    c
}

/// `C - A B` into `C`.
pub(crate) fn subtract_product(c: &mut Mat<f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    matmul(c.as_mut(), Accum::Add, a, b, -1.0, Par::Seq);
}

/// `(A + Aᵀ) / 2`: removes the rounding that makes a symmetric product unsymmetric.
pub(crate) fn symmetrised(a: MatRef<'_, f64>) -> Mat<f64> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| 0.5 * (a[(i, j)] + a[(j, i)]))
}

/// Eigenvalues, ascending, and orthonormal eigenvectors of a symmetric matrix (lower triangle used).
pub(crate) fn symmetric_eigen(a: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>), FemError> {
    let n = a.nrows();
    if (0..n).any(|j| (0..=j).any(|i| !a[(j, i)].is_finite())) {
        return Err(FemError::NonFinite("an entry of a reduced matrix".into()));
    }
    // faer's divide and conquer deflates by an absolute 1e-16, so the matrix is brought to unit size first.
    let size = a.norm_max();
    let scale = if size > 0.0 { size } else { 1.0 };
    let unit = Mat::from_fn(n, n, |i, j| a[(i, j)] / scale);
    let mut values = Diag::<f64>::zeros(n);
    let mut vectors = Mat::zeros(n, n);
    let scratch = self_adjoint_evd_scratch::<f64>(n, ComputeEigenvectors::Yes, Par::Seq, Default::default());
    let mut memory =
        MemBuffer::try_new(scratch).map_err(|_| FemError::LinearAlgebra("out of memory in an eigenproblem".into()))?;
    self_adjoint_evd(
        unit.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    )
    .map_err(|error| FemError::LinearAlgebra(format!("dense eigenproblem: {error:?}")))?;
    Ok((values.column_vector().iter().map(|value| value * scale).collect(), vectors))
}

/// `K φ = λ M φ` of small symmetric matrices: λ ascending, `φᵀ M φ = I`, by the Cholesky factor of M.
pub(crate) fn generalised_eigen(k: MatRef<'_, f64>, m: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>), FemError> {
    let l = lower_cholesky(m, "reduced mass matrix")?;
    let mut c = k.to_owned();
    solve_lower_triangular_in_place(l.as_ref(), c.as_mut(), Par::Seq);
    let mut c = c.transpose().to_owned();
    solve_lower_triangular_in_place(l.as_ref(), c.as_mut(), Par::Seq);
    let (values, mut vectors) = symmetric_eigen(symmetrised(c.as_ref()).as_ref())?;
    solve_upper_triangular_in_place(l.transpose(), vectors.as_mut(), Par::Seq);
    Ok((values, vectors))
}

/// Plain Cholesky of a small matrix, so that a failure can name its row.
pub(crate) fn lower_cholesky(m: MatRef<'_, f64>, name: &'static str) -> Result<Mat<f64>, FemError> {
    let n = m.nrows();
    let mut l: Mat<f64> = Mat::zeros(n, n);
    for j in 0..n {
        let pivot = m[(j, j)] - (0..j).map(|k| l[(j, k)] * l[(j, k)]).sum::<f64>();
        if !(pivot > 0.0) {
            return Err(FemError::NotPositiveDefinite { matrix: name, row: j });
        }
        l[(j, j)] = pivot.sqrt();
        for i in j + 1..n {
            let dot = (0..j).map(|k| l[(i, k)] * l[(j, k)]).sum::<f64>();
            l[(i, j)] = (m[(i, j)] - dot) / l[(j, j)];
        }
    }
    Ok(l)
}

/// Orthonormal columns with the span of those of `x`, by the Cholesky factor of `xᵀ x`, twice.
pub(crate) fn orthonormal(mut x: Mat<f64>) -> Result<Mat<f64>, FemError> {
    for _ in 0..2 {
        let gram = symmetrised(product(x.transpose(), x.as_ref()).as_ref());
        divide_by_cholesky(&mut x, gram.as_ref(), "Gram matrix of the averages")?;
    }
    Ok(x)
}

/// `X L⁻ᵀ` with the Cholesky factor `L` of a small matrix.
pub(crate) fn divide_by_cholesky(x: &mut Mat<f64>, gram: MatRef<'_, f64>, name: &'static str) -> Result<(), FemError> {
    let l = lower_cholesky(gram, name)?;
    solve_lower_triangular_in_place(l.as_ref(), x.as_mut().transpose_mut(), Par::Seq);
    Ok(())
}
