//! Symmetric positive definite systems with a band matrix: the normal equations of a tensor-product fit.

/// Lower half of a symmetric matrix whose entries vanish more than `width` below the diagonal.
#[derive(Clone, Debug)]
pub(crate) struct BandMatrix {
    size: usize,
    width: usize,
    /// Entry (i, j), i - width ≤ j ≤ i, at `i * (width + 1) + j + width - i`.
    entries: Vec<f64>,
}

impl BandMatrix {
    pub fn zeros(size: usize, width: usize) -> Self {
        BandMatrix { size, width, entries: vec![0.0; size * (width + 1)] }
    }

    #[inline]
    fn index(&self, i: usize, j: usize) -> usize {
        i * (self.width + 1) + j + self.width - i
    }

    /// Adds to entry (i, j) of the lower half; what belongs to the upper half is left to its mirror image.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        if j <= i {
            let k = self.index(i, j);
            self.entries[k] += value;
        }
    }

    pub fn largest_diagonal(&self) -> f64 {
        (0..self.size).map(|i| self.entries[self.index(i, i)]).fold(0.0, f64::max)
    }

    /// Cholesky factorisation A = L Lᵀ in place; `None` if the matrix is not positive definite.
    pub fn factored(mut self) -> Option<Self> {
        for i in 0..self.size {
            for j in i.saturating_sub(self.width)..=i {
                let from = i.saturating_sub(self.width).max(j.saturating_sub(self.width));
                let (row_i, row_j) = (self.index(i, from), self.index(j, from));
                let count = j - from;
                let dot: f64 = self.entries[row_i..row_i + count]
                    .iter()
                    .zip(&self.entries[row_j..row_j + count])
                    .map(|(a, b)| a * b)
                    .sum();
                let (at, diagonal) = (self.index(i, j), self.index(j, j));
                let rest = self.entries[at] - dot;
                if i == j && !(rest > 0.0) {
                    return None;
                }
                self.entries[at] = if i == j { rest.sqrt() } else { rest / self.entries[diagonal] };
            }
        }
        Some(self)
    }

    /// Solves L Lᵀ x = b in place for three right-hand sides at once.
    pub fn solve(&self, b: &mut [[f64; 3]]) {
        for i in 0..self.size {
            for j in i.saturating_sub(self.width)..i {
                let factor = self.entries[self.index(i, j)];
                (0..3).for_each(|c| b[i][c] -= factor * b[j][c]);
            }
            let diagonal = self.entries[self.index(i, i)];
            b[i].iter_mut().for_each(|x| *x /= diagonal);
        }
        for i in (0..self.size).rev() {
            let diagonal = self.entries[self.index(i, i)];
            b[i].iter_mut().for_each(|x| *x /= diagonal);
            for j in i.saturating_sub(self.width)..i {
                let factor = self.entries[self.index(i, j)];
                (0..3).for_each(|c| b[j][c] -= factor * b[i][c]);
            }
        }
    }
}
