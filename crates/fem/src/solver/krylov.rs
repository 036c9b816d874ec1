//! The Krylov basis of `A = (K - σ M)⁻¹ M` behind [`crate::solver::modes`].

use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Mat, MatRef, Par};

use crate::error::FemError;
use crate::solver::dense::{
    generalised_eigen, lower_cholesky, product, subtract_product, symmetric_eigen, symmetrised,
};
use crate::solver::modes::{Modes, Problem};

/// A new direction shorter than this, relative to the vector it came from, is rounding.
const DROP: f64 = 1e-11;

/// A new direction shorter than this is cleaned once more after scaling.
const CLEAN: f64 = 1e-3;

/// A vector that keeps less than this part of its length is orthogonalised a second time.
const TWICE: f64 = 0.7;

/// An M-orthonormal basis, grown block by block, and the operator projected on it.
pub(crate) struct Krylov<'a> {
    problem: &'a Problem<'a>,
    block: usize,
    /// Columns one after the other; the last `pending` have not met the operator yet.
    basis: Vec<f64>,
    pending: usize,
    /// Size of the block before the pending one.
    previous: usize,
    /// `M V` of the pending vectors.
    image: Mat<f64>,
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
    pub(crate) fn new(problem: &'a Problem<'a>, block: usize) -> Self {
        Self {
            problem,
            block,
            basis: Vec::new(),
            pending: 0,
            previous: 0,
            image: Mat::new(),
            columns: Vec::new(),
            random: 0x9E37_79B9_7F4A_7C15,
        }
    }

    /// Number of basis vectors the operator has been applied to.
    pub(crate) fn applied(&self) -> usize {
        self.columns.len()
    }

    fn dim(&self) -> usize {
        self.problem.k.dim()
    }

    fn vectors(&self) -> MatRef<'_, f64> {
        let n = self.dim();
        MatRef::from_column_major_slice(&self.basis, n, self.basis.len() / n.max(1))
    }

    /// Applies the operator to the pending block and appends the new directions as the next one.
    pub(crate) fn advance(&mut self) {
        if self.pending == 0 {
            self.append_random();
        }
        let first = self.applied();
        let mut w = std::mem::replace(&mut self.image, Mat::new());
        self.problem.factor.solve_in_place(w.as_mut());
        let (coefficients, scales, image) = self.orthogonalise(&mut w, self.previous + self.pending);
        self.previous = self.pending;
        for j in 0..w.ncols() {
            self.columns.push(coefficients.col_as_slice(j).to_vec());
        }
        match orthonormal_block(&w, &image, &scales) {
            Some((unit, unit_image, r)) => {
                for j in 0..w.ncols() {
                    self.columns[first + j].extend((0..=j).map(|i| r[(i, j)]));
                    self.basis.extend_from_slice(unit.col_as_slice(j));
                }
                self.pending = w.ncols();
                self.image = unit_image;
            }
            None => self.append_one_by_one(&w, &scales, first),
        }
    }

    /// Removes the basis and the avoided vectors from `w`: the last two blocks first, to which alone `w` is coupled but
    /// for rounding, then all, and all once more where a column still loses much of its length (Kahan's "twice is
    /// enough"). Returns what was removed of the basis, the M norms before, and `M w`.
    fn orthogonalise(&self, w: &mut Mat<f64>, local: usize) -> (Mat<f64>, Vec<f64>, Mat<f64>) {
        let v = self.vectors();
        let avoid = self.problem.avoid;
        let mut removed: Mat<f64> = Mat::zeros(v.ncols(), w.ncols());
        let mut image = self.problem.m.mul(w.as_ref());
        let before = norms(w, &image);
        for first in [v.ncols() - local, 0, 0] {
            let last = norms(w, &image);
            let part = v.subcols(first, v.ncols() - first);
            let avoided = product(avoid.transpose(), image.as_ref());
            let c = product(part.transpose(), image.as_ref());
            subtract_product(w, avoid, avoided.as_ref());
            subtract_product(w, part, c.as_ref());
            // Rounding must not leave the constraints: what is removed is of its size.
            let reactions = self.problem.reactions;
            subtract_product(w, reactions, product(reactions.transpose(), w.as_ref()).as_ref());
            let mut sum = removed.as_mut().subrows_mut(first, c.nrows());
            sum += &c;
            image = self.problem.m.mul(w.as_ref());
            let kept = norms(w, &image);
            if first == 0 && kept.iter().zip(&last).all(|(kept, last)| *kept > TWICE * last) {
                break;
            }
        }
        (removed, before, image)
    }

    /// Appends the columns of `w` that bring a new direction, for blocks whose columns nearly depend on each other.
    fn append_one_by_one(&mut self, w: &Mat<f64>, scales: &[f64], first: usize) {
        self.pending = 0;
        for (j, &scale) in scales.iter().enumerate() {
            self.append(w.col_as_slice(j).to_vec(), scale, first + j);
        }
        let new = self.vectors();
        let new = new.subcols(new.ncols() - self.pending, self.pending);
        self.image = self.problem.m.mul(new);
    }

    /// Makes a column a basis vector if it brings a new direction. Its coupling to the vectors before it in the new
    /// block goes to the column `source` of the operator, from which it came.
    fn append(&mut self, mut column: Vec<f64>, scale: f64, source: usize) {
        let n = self.dim();
        let new_start = self.basis.len() - self.pending * n;
        let mut coupling = vec![0.0; self.pending];
        for _ in 0..2 {
            let image = self.times_mass(&column);
            for (i, q) in self.basis[new_start..].chunks_exact(n).enumerate() {
                let c = dot(q, &image);
                coupling[i] += c;
                column.iter_mut().zip(q).for_each(|(x, q)| *x -= c * q);
            }
        }
        let norm = dot(&column, &self.times_mass(&column)).max(0.0).sqrt();
        if norm > DROP * scale {
            coupling.push(norm);
            column.iter_mut().for_each(|x| *x /= norm);
            if norm < CLEAN * scale {
                self.clean(&mut column);
            }
            self.basis.extend_from_slice(&column);
            self.pending += 1;
        }
        self.columns[source].extend(coupling);
    }

    fn times_mass(&self, x: &[f64]) -> Vec<f64> {
        self.problem.m.mul(MatRef::from_column_major_slice(x, x.len(), 1)).col_as_slice(0).to_vec()
    }

    /// Restores orthogonality of a unit vector that rounding has spoiled.
    fn clean(&self, column: &mut [f64]) {
        let mut w = Mat::from_fn(column.len(), 1, |i, _| column[i]);
        self.orthogonalise(&mut w, 0);
        let norm = self.problem.m_norms(&w)[0];
        column.iter_mut().zip(w.col_as_slice(0)).for_each(|(x, w)| *x = w / norm);
    }

    /// Starts a new block in directions that the basis does not know.
    fn append_random(&mut self) {
        let n = self.dim();
        let free = self.problem.available() - self.basis.len() / n;
        for _ in 0..self.block.min(free) {
            let mut w = Mat::zeros(n, 1);
            for i in 0..n {
                w[(i, 0)] = self.next_random();
            }
            // The operator itself makes the start fit the constraints.
            w = self.problem.m.mul(w.as_ref());
            self.problem.factor.solve_in_place(w.as_mut());
            self.orthogonalise(&mut w, 0);
            let norm = self.problem.m_norms(&w)[0];
            let mut column: Vec<f64> = w.col_as_slice(0).iter().map(|x| x / norm).collect();
            self.clean(&mut column);
            self.basis.extend_from_slice(&column);
            self.pending += 1;
        }
        let all = self.vectors();
        self.image = self.problem.m.mul(all.subcols(all.ncols() - self.pending, self.pending));
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
    pub(crate) fn modes(&self, ritz: &Ritz, count: usize) -> Result<Modes, FemError> {
        let v = self.vectors().subcols(0, self.applied());
        let shapes = product(v, ritz.vectors.as_ref().subcols(0, count));
        let eigenvalues = ritz.values[..count].iter().map(|theta| self.problem.shift + 1.0 / theta).collect();
        self.problem.with_residuals(eigenvalues, shapes, self.applied())
    }

    /// One inverse iteration and a Rayleigh-Ritz step: removes the stiff parts that rounding leaves in the shapes, by
    /// the ratio of the eigenvalues.
    pub(crate) fn refined(&self, modes: &Modes) -> Result<Modes, FemError> {
        let problem = self.problem;
        let mut x = problem.m.mul(modes.shapes.as_ref());
        problem.factor.solve_in_place(x.as_mut());
        let avoided = product(problem.avoid.transpose(), problem.m.mul(x.as_ref()).as_ref());
        subtract_product(&mut x, problem.avoid, avoided.as_ref());
        // Back to unit size, so that the small matrices are well scaled.
        for (j, norm) in problem.m_norms(&x).into_iter().enumerate() {
            x.col_as_slice_mut(j).iter_mut().for_each(|v| *v /= norm);
        }
        let projected = |image: Mat<f64>| symmetrised(product(x.transpose(), image.as_ref()).as_ref());
        let (k, m) = (projected(problem.k.mul(x.as_ref())), projected(problem.m.mul(x.as_ref())));
        let (eigenvalues, vectors) = generalised_eigen(k.as_ref(), m.as_ref())?;
        problem.with_residuals(eigenvalues, product(x.as_ref(), vectors.as_ref()), modes.vectors)
    }
}

/// `W = Q R` with `Qᵀ M Q = I` by the Cholesky factor of `Wᵀ M W`, twice: `Q`, `M Q` and `R`. `None` where the columns
/// are too close to dependent for it, or shorter than their origin, of size `scales`, by so much that they want
/// cleaning.
fn orthonormal_block(w: &Mat<f64>, image: &Mat<f64>, scales: &[f64]) -> Option<(Mat<f64>, Mat<f64>, Mat<f64>)> {
    let (mut q, mut mq) = (w.clone(), image.clone());
    let mut r = Mat::identity(w.ncols(), w.ncols());
    for pass in 0..2 {
        let gram = symmetrised(product(q.transpose(), mq.as_ref()).as_ref());
        let l = lower_cholesky(gram.as_ref(), "Krylov block").ok()?;
        let long_enough = |j: usize| l[(j, j)] > CLEAN * scales[j];
        if pass == 0 && !(0..w.ncols()).all(long_enough) {
            return None;
        }
        solve_lower_triangular_in_place(l.as_ref(), q.as_mut().transpose_mut(), Par::Seq);
        solve_lower_triangular_in_place(l.as_ref(), mq.as_mut().transpose_mut(), Par::Seq);
        r = product(l.transpose(), r.as_ref());
    }
    Some((q, mq, r))
}

/// `√(xᵀ M x)` of each column, given `M x`.
fn norms(x: &Mat<f64>, image: &Mat<f64>) -> Vec<f64> {
    (0..x.ncols()).map(|j| dot(x.col_as_slice(j), image.col_as_slice(j)).max(0.0).sqrt()).collect()
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
