//! The Krylov basis of `A = (K - σ M)⁻¹ M` behind [`crate::modes`].

use faer::{Mat, MatRef};

use crate::dense::{generalised_eigen, product, subtract_product, symmetric_eigen, symmetrised};
use crate::error::FemError;
use crate::modes::Modes;
use crate::sparse::{Cholesky, SymmetricMatrix};

/// A new direction shorter than this, relative to the vector it came from, is rounding.
const DROP: f64 = 1e-11;

/// A new direction shorter than this is cleaned once more after scaling.
const CLEAN: f64 = 1e-3;

/// An M-orthonormal basis, grown block by block, and the operator projected on it.
pub(crate) struct Krylov<'a> {
    m: &'a SymmetricMatrix,
    factor: &'a Cholesky,
    /// M-orthonormal vectors the basis stays orthogonal to.
    avoid: MatRef<'a, f64>,
    block: usize,
    /// Columns one after the other; the last `pending` have not met the operator yet.
    basis: Vec<f64>,
    pending: usize,
    /// `Vᵀ M A v` of each vector that has, down to the basis of that moment and the block that followed.
    columns: Vec<Vec<f64>>,
    random: u64,
}

/// Ritz values `θ`, descending, their vectors in the basis, and `‖A φ - θ φ‖ / θ`.
pub(crate) struct Ritz {
    values: Vec<f64>,
    vectors: Mat<f64>,
    pub(crate) residuals: Vec<f64>,
}

impl<'a> Krylov<'a> {
    /// An empty basis.
    pub(crate) fn new(m: &'a SymmetricMatrix, factor: &'a Cholesky, avoid: MatRef<'a, f64>, block: usize) -> Self {
        Self {
            m,
            factor,
            avoid,
            block,
            basis: Vec::new(),
            pending: 0,
            columns: Vec::new(),
            random: 0x9E37_79B9_7F4A_7C15,
        }
    }

    /// Number of basis vectors the operator has been applied to.
    pub(crate) fn applied(&self) -> usize {
        self.columns.len()
    }

    fn vectors(&self) -> MatRef<'_, f64> {
        let n = self.m.dim();
        MatRef::from_column_major_slice(&self.basis, n, self.basis.len() / n.max(1))
    }

    /// Applies the operator to the pending block and appends the new directions as the next one.
    pub(crate) fn advance(&mut self) -> Result<(), FemError> {
        if self.pending == 0 {
            self.append_random();
        }
        let first = self.applied();
        let mut w = self.m.mul(self.vectors().subcols(first, self.pending));
        self.factor.solve_in_place(w.as_mut())?;
        let (coefficients, scales) = self.orthogonalise(&mut w);
        for j in 0..w.ncols() {
            self.columns.push((0..coefficients.nrows()).map(|i| coefficients[(i, j)]).collect());
        }
        self.pending = 0;
        for j in 0..w.ncols() {
            self.append(&mut w, j, scales[j], first);
        }
        Ok(())
    }

    /// Removes the basis and the avoided vectors from `w` in two passes; returns what was removed of the basis and the
    /// M norms before.
    fn orthogonalise(&self, w: &mut Mat<f64>) -> (Mat<f64>, Vec<f64>) {
        let v = self.vectors();
        let mut removed: Mat<f64> = Mat::zeros(v.ncols(), w.ncols());
        let mut norms = Vec::new();
        for pass in 0..2 {
            let mw = self.m.mul(w.as_ref());
            if pass == 0 {
                norms = (0..w.ncols()).map(|j| dot(w.col_as_slice(j), mw.col_as_slice(j)).max(0.0).sqrt()).collect();
            }
            let avoided = product(self.avoid.transpose(), mw.as_ref());
            let c = product(v.transpose(), mw.as_ref());
            subtract_product(w, self.avoid, avoided.as_ref());
            subtract_product(w, v, c.as_ref());
            removed += c;
        }
        (removed, norms)
    }

    /// Makes column `j` of `w` a basis vector if it brings a new direction. Its coupling to the vectors before it in
    /// the new block goes to the column of the operator that belongs to it.
    fn append(&mut self, w: &mut Mat<f64>, j: usize, scale: f64, first: usize) {
        let n = self.m.dim();
        let new_start = self.basis.len() - self.pending * n;
        let mut column = w.col_as_slice(j).to_vec();
        let mut image = vec![0.0; n];
        let mut coupling = vec![0.0; self.pending];
        for _ in 0..2 {
            self.m.mul_vec(&column, &mut image);
            for (i, q) in self.basis[new_start..].chunks_exact(n).enumerate() {
                let c = dot(q, &image);
                coupling[i] += c;
                column.iter_mut().zip(q).for_each(|(x, q)| *x -= c * q);
            }
        }
        self.m.mul_vec(&column, &mut image);
        let norm = dot(&column, &image).max(0.0).sqrt();
        if norm > DROP * scale {
            coupling.push(norm);
            column.iter_mut().for_each(|x| *x /= norm);
            if norm < CLEAN * scale {
                self.clean(&mut column);
            }
            self.basis.extend_from_slice(&column);
            self.pending += 1;
        }
        self.columns[first + j].extend(coupling);
    }

    /// Restores orthogonality of a unit vector that rounding has spoiled.
    fn clean(&self, column: &mut [f64]) {
        let mut w = Mat::from_fn(column.len(), 1, |i, _| column[i]);
        self.orthogonalise(&mut w);
        let norm = m_norms(self.m, &w)[0];
        column.iter_mut().zip(w.col_as_slice(0)).for_each(|(x, w)| *x = w / norm);
    }

    /// Starts a new block in directions that the basis does not know.
    fn append_random(&mut self) {
        let n = self.m.dim();
        let free = n - self.avoid.ncols() - self.basis.len() / n;
        for _ in 0..self.block.min(free) {
            let mut w = Mat::zeros(n, 1);
            for i in 0..n {
                w[(i, 0)] = self.next_random();
            }
            self.orthogonalise(&mut w);
            let norm = m_norms(self.m, &w)[0];
            let mut column: Vec<f64> = w.col_as_slice(0).iter().map(|x| x / norm).collect();
            self.clean(&mut column);
            self.basis.extend_from_slice(&column);
            self.pending += 1;
        }
    }

    /// Uniform in (-1, 1), the same sequence every time (xorshift64).
    fn next_random(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Solves the projected eigenproblem.
    pub(crate) fn ritz(&self) -> Result<Ritz, FemError> {
        let n = self.applied();
        let entry = |i: usize, j: usize| self.columns[j].get(i).copied().unwrap_or(0.0);
        // The columns of later vectors are complete above the diagonal.
        let projected = Mat::from_fn(n, n, |i, j| entry(i.min(j), i.max(j)));
        let (values, vectors) = symmetric_eigen(projected.as_ref())?;
        let coupling = Mat::from_fn(self.pending, n, |i, j| entry(n + i, j));
        let left = product(coupling.as_ref(), vectors.as_ref());
        let residual = |j: usize| {
            let norm = (0..left.nrows()).map(|i| left[(i, j)] * left[(i, j)]).sum::<f64>().sqrt();
            norm / values[j].abs()
        };
        let descending = Mat::from_fn(n, n, |i, j| vectors[(i, n - 1 - j)]);
        Ok(Ritz {
            residuals: (0..n).rev().map(residual).collect(),
            values: values.into_iter().rev().collect(),
            vectors: descending,
        })
    }

    /// The first `count` modes with `λ = σ + 1/θ` and their true residuals.
    pub(crate) fn modes(&self, ritz: &Ritz, k: &SymmetricMatrix, shift: f64, count: usize) -> Result<Modes, FemError> {
        let v = self.vectors().subcols(0, self.applied());
        let shapes = product(v, ritz.vectors.as_ref().subcols(0, count));
        let eigenvalues = ritz.values[..count].iter().map(|theta| shift + 1.0 / theta).collect();
        Modes { residuals: Vec::new(), eigenvalues, shapes, vectors: self.applied() }.with_residuals(k, self.m)
    }

    /// One inverse iteration and a Rayleigh-Ritz step: removes the stiff parts that rounding leaves in the shapes, by
    /// the ratio of the eigenvalues.
    pub(crate) fn refined(&self, modes: &Modes, k: &SymmetricMatrix) -> Result<Modes, FemError> {
        let mut x = self.m.mul(modes.shapes.as_ref());
        self.factor.solve_in_place(x.as_mut())?;
        let avoided = product(self.avoid.transpose(), self.m.mul(x.as_ref()).as_ref());
        subtract_product(&mut x, self.avoid, avoided.as_ref());
        // Back to unit size, so that the small matrices are well scaled.
        for (j, norm) in m_norms(self.m, &x).into_iter().enumerate() {
            x.col_as_slice_mut(j).iter_mut().for_each(|v| *v /= norm);
        }
        let projected = |a: &SymmetricMatrix| symmetrised(product(x.transpose(), a.mul(x.as_ref()).as_ref()).as_ref());
        let (eigenvalues, vectors) = generalised_eigen(projected(k).as_ref(), projected(self.m).as_ref())?;
        let shapes = product(x.as_ref(), vectors.as_ref());
        Modes { residuals: Vec::new(), eigenvalues, shapes, vectors: modes.vectors }.with_residuals(k, self.m)
    }
}

/// `x` made M-orthonormal, column by column.
pub(crate) fn m_orthonormal(mut x: Mat<f64>, m: &SymmetricMatrix) -> Result<Mat<f64>, FemError> {
    let mut image = vec![0.0; x.nrows()];
    for j in 0..x.ncols() {
        m.mul_vec(x.col_as_slice(j), &mut image);
        let before = dot(x.col_as_slice(j), &image).sqrt();
        for _ in 0..2 {
            for i in 0..j {
                m.mul_vec(x.col_as_slice(j), &mut image);
                let c = dot(x.col_as_slice(i), &image);
                for row in 0..x.nrows() {
                    x[(row, j)] -= c * x[(row, i)];
                }
            }
        }
        m.mul_vec(x.col_as_slice(j), &mut image);
        let norm = dot(x.col_as_slice(j), &image).sqrt();
        if !(norm > DROP * before) {
            return Err(FemError::LinearAlgebra(format!("vector {j} depends on those before it")));
        }
        x.col_as_slice_mut(j).iter_mut().for_each(|v| *v /= norm);
    }
    Ok(x)
}

fn m_norms(m: &SymmetricMatrix, x: &Mat<f64>) -> Vec<f64> {
    let image = m.mul(x.as_ref());
    (0..x.ncols()).map(|j| dot(x.col_as_slice(j), image.col_as_slice(j)).max(0.0).sqrt()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
