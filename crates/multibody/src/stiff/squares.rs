//! Sums of `g JᵀJ`.

use nalgebra::DMatrix;

/// Directions with more entries than this are added with their zeros, several at a time and column by column at full
/// speed.
const MANY: usize = 16;

/// Directions that are added together: each column is then read and written once for all of them.
const TOGETHER: usize = 4;

/// Adds `g JᵀJ` of many directions to the upper triangle of a matrix.
#[derive(Debug)]
pub(super) struct Squares {
    n: usize,
    /// Directions that wait, with their zeros, one after the other; zeros where none waits.
    dense: Vec<f64>,
    gains: [f64; TOGETHER],
    waiting: usize,
}

impl Squares {
    /// Memory for directions over `n` speeds.
    pub fn new(n: usize) -> Self {
        Squares { n, dense: vec![0.0; TOGETHER * n], gains: [0.0; TOGETHER], waiting: 0 }
    }

    /// Adds a direction, now or with those that follow. Its entries stand in the order of the speeds and name each at
    /// most once, as those of [`super::Rows`] do: a speed named twice would be squared twice instead of once with the
    /// sum.
    pub fn add(&mut self, matrix: &mut DMatrix<f64>, gain: f64, direction: &[(usize, f64)]) {
        debug_assert!(direction.is_sorted_by(|a, b| a.0 < b.0), "a direction names a speed twice: {direction:?}");
        if direction.len() <= MANY {
            add_sparse(matrix, gain, direction);
            return;
        }
        let place = &mut self.dense[self.waiting * self.n..];
        direction.iter().for_each(|(k, j)| place[*k] = *j);
        self.gains[self.waiting] = gain;
        self.waiting += 1;
        if self.waiting == TOGETHER {
            self.finish(matrix);
        }
    }

    /// Adds what waits.
    pub fn finish(&mut self, matrix: &mut DMatrix<f64>) {
        if self.waiting == 0 {
            return;
        }
        let n = self.n;
        let (first, rest) = self.dense.split_at(n);
        let (second, rest) = rest.split_at(n);
        let (third, fourth) = rest.split_at(n);
        for (b, column) in matrix.as_mut_slice().chunks_exact_mut(n).enumerate() {
            let g = [first[b], second[b], third[b], fourth[b]];
            if g == [0.0; TOGETHER] {
                continue;
            }
            let [g1, g2, g3, g4] = std::array::from_fn(|k| g[k] * self.gains[k]);
            let pairs = first.iter().zip(second).zip(third.iter().zip(fourth));
            for (x, ((j1, j2), (j3, j4))) in column[..=b].iter_mut().zip(pairs) {
                *x += (g1 * j1 + g2 * j2) + (g3 * j3 + g4 * j4);
            }
        }
        self.dense.fill(0.0);
        (self.gains, self.waiting) = ([0.0; TOGETHER], 0);
    }
}

/// Adds one direction entry by entry; in their order the second index is never above the first.
fn add_sparse(matrix: &mut DMatrix<f64>, gain: f64, direction: &[(usize, f64)]) {
    let n = matrix.nrows();
    let data = matrix.as_mut_slice();
    for (i, (b, J_b)) in direction.iter().enumerate() {
        let (column, g) = (&mut data[b * n..], gain * J_b);
        direction[..=i].iter().for_each(|(a, J_a)| column[*a] += g * J_a);
    }
}
