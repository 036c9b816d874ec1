//! Coordinates that the markers do not determine.

use super::{Curvature, Solver};
use nalgebra::{DMatrix, SymmetricEigen};

/// Eigenvalue of the normal matrix with a diagonal of ones below which a direction is not determined, and the share of
/// a coordinate in such a direction from which it is named. Rounding is far below.
const SINGULAR: f64 = 1e-8;
const SHARE: f64 = 0.3;

impl Solver<'_> {
    /// Speeds of the coordinates that can change near a pose without moving any marker; markers that are missing in
    /// some frames count as seen. Of a model with loops nothing is said, since the loops determine coordinates, too.
    pub fn undetermined(&mut self, q: &[f64]) -> Vec<usize> {
        if self.loops.is_some() {
            return Vec::new();
        }
        let total: f64 = self.weights.iter().sum();
        for (point, weight) in self.points.iter_mut().zip(&self.weights) {
            point.weight = weight / total;
        }
        self.kin.update(self.model, q, &self.rest);
        self.linearise(q, Curvature::Without);
        let H = &self.normal.H;
        let (moving, still): (Vec<usize>, Vec<usize>) = self.freedoms.free().iter().partition(|&&k| H[(k, k)] > 0.0);
        let scaled = |i: usize, j: usize| {
            let (k, l) = (moving[i], moving[j]);
            H[(k, l)] / (H[(k, k)] * H[(l, l)]).sqrt()
        };
        let matrix = DMatrix::from_fn(moving.len(), moving.len(), scaled);
        if matrix.iter().any(|x| !x.is_finite()) {
            return still;
        }
        let eigen = SymmetricEigen::new(matrix);
        let is_free = |i: usize| {
            let parts = eigen.eigenvectors.row(i);
            let pairs = eigen.eigenvalues.iter().zip(parts.iter());
            pairs.filter(|(value, _)| **value < SINGULAR).any(|(_, part)| part.abs() > SHARE)
        };
        let loose = moving.iter().enumerate().filter(|(i, _)| is_free(*i)).map(|(_, k)| *k);
        still.into_iter().chain(loose).collect()
    }
}
