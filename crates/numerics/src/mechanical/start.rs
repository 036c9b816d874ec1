//! The part of a vector that constraint forces could produce.

use nalgebra::DMatrix;

use super::system::MechanicalSystem;
use crate::dense::{PivotedCholesky, cholesky_in_place, cholesky_solve};
use crate::error::OdeError;

/// Relative size of a pivot below which a constraint counts as dependent on the others.
const RANK_TOLERANCE: f64 = 1e-12;

/// Projection `M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁺ G` on the directions that the constraints forbid.
pub(super) struct NormalProjection {
    mass: DMatrix<f64>,
    g: DMatrix<f64>,
    /// `M⁻¹ Gᵀ`.
    response: DMatrix<f64>,
    gram: DMatrix<f64>,
    factor: PivotedCholesky,
    multipliers: Vec<f64>,
}

impl NormalProjection {
    pub fn new(nv: usize, nc: usize) -> Self {
        Self {
            mass: DMatrix::zeros(nv, nv),
            g: DMatrix::zeros(nc, nv),
            response: DMatrix::zeros(nv, nc),
            gram: DMatrix::zeros(nc, nc),
            factor: PivotedCholesky::new(nc),
            multipliers: vec![0.0; nc],
        }
    }

    /// Writes the forbidden part of `x` at `(t, q)` to `out`.
    pub fn apply(
        &mut self,
        system: &mut dyn MechanicalSystem,
        t: f64,
        q: &[f64],
        x: &[f64],
        out: &mut [f64],
    ) -> Result<(), OdeError> {
        let (nc, nv) = self.g.shape();
        system.mass_matrix(q, &mut self.mass)?;
        system.constraint_jacobian(t, q, &mut self.g)?;
        cholesky_in_place(&mut self.mass)?;
        self.g.transpose_to(&mut self.response);
        for column in self.response.as_mut_slice().chunks_exact_mut(nv.max(1)) {
            cholesky_solve(&self.mass, column);
        }
        self.g.mul_to(&self.response, &mut self.gram);
        self.factor.factor(&self.gram, RANK_TOLERANCE)?;
        for i in 0..nc {
            self.multipliers[i] = (0..nv).map(|k| self.g[(i, k)] * x[k]).sum();
        }
        self.factor.solve_least_norm(&mut self.multipliers);
        for k in 0..nv {
            out[k] = (0..nc).map(|i| self.response[(k, i)] * self.multipliers[i]).sum();
        }
        Ok(())
    }
}
