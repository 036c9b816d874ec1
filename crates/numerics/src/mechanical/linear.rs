//! The tangent of one implicit step, factored, with redundant constraints set aside.

use nalgebra::DMatrix;

use super::equations::{Equations, Point};
use super::options::ConstraintLevel;
use super::system::MechanicalSystem;
use crate::dense::{Lu, PivotedCholesky};
use crate::error::OdeError;

/// Relative size of a pivot of `G Gᵀ` below which a constraint counts as dependent on the others.
const RANK_TOLERANCE: f64 = 1e-12;

/// `[S, m Gᵀ; m G, 0]` for the unknowns `[dv̇ | dλ/m]`, m a typical mass so that all entries have one size.
///
/// Rows of dependent constraints are replaced by `dλ = 0`.
pub(super) struct Tangent {
    lu: Lu,
    motion: DMatrix<f64>,
    g: DMatrix<f64>,
    gram: DMatrix<f64>,
    gram_factor: PivotedCholesky,
    independent: Vec<bool>,
    mass_scale: f64,
    /// Step for which the factor was made.
    h: Option<f64>,
    work: Vec<f64>,
    pub factorisations: usize,
    pub redundant: usize,
}

impl Tangent {
    pub fn new(nv: usize, nc: usize, imposed: usize) -> Self {
        Self {
            lu: Lu::new(nv + imposed),
            motion: DMatrix::zeros(nv, nv),
            g: DMatrix::zeros(nc, nv),
            gram: DMatrix::zeros(nc, nc),
            gram_factor: PivotedCholesky::new(nc),
            independent: vec![true; nc],
            mass_scale: 1.0,
            h: None,
            work: vec![0.0; nc],
            factorisations: 0,
            redundant: 0,
        }
    }

    /// The next step starts with a new tangent.
    pub fn forget(&mut self) {
        self.h = None;
    }

    /// Whether the kept factor is close enough to try for step `h`.
    pub fn usable(&self, h: f64) -> bool {
        self.h.is_some_and(|kept| (h / kept - 1.0).abs() < 0.2)
    }

    /// Builds and factors the tangent at `to`, where the residual is known.
    pub fn renew(
        &mut self,
        system: &mut dyn MechanicalSystem,
        equations: &mut Equations,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), OdeError> {
        self.h = None;
        if equations.level != ConstraintLevel::Index1 {
            system.mass_matrix(to.q(), &mut self.motion)?;
            self.mass_scale = typical_mass(&self.motion);
            system.constraint_jacobian(to.t, to.q(), &mut self.g)?;
            self.find_independent()?;
        }
        equations.motion_tangent(system, from, to, &mut self.motion)?;
        self.assemble(equations.imposed());
        self.factorisations += 1;
        self.lu.factor_in_place()?;
        self.h = Some(to.t - from.t);
        Ok(())
    }

    /// Rank and independent rows of `G`.
    fn find_independent(&mut self) -> Result<(), OdeError> {
        if self.independent.is_empty() {
            return Ok(());
        }
        let (nc, nv) = self.g.shape();
        for i in 0..nc {
            for j in 0..=i {
                let product: f64 = (0..nv).map(|k| self.g[(i, k)] * self.g[(j, k)]).sum();
                self.gram[(i, j)] = product;
                self.gram[(j, i)] = product;
            }
        }
        let rank = self.gram_factor.factor(&self.gram, RANK_TOLERANCE)?;
        self.independent.fill(false);
        for &row in &self.gram_factor.permutation()[..rank] {
            self.independent[row] = true;
        }
        self.redundant = self.redundant.max(nc - rank);
        Ok(())
    }

    fn assemble(&mut self, imposed: usize) {
        let nv = self.motion.nrows();
        let m = self.lu.matrix_mut();
        m.fill(0.0);
        m.view_mut((0, 0), (nv, nv)).copy_from(&self.motion);
        for j in 0..imposed {
            if !self.independent[j] {
                m[(nv + j, nv + j)] = 1.0;
                continue;
            }
            for k in 0..nv {
                let entry = self.mass_scale * self.g[(j, k)];
                m[(nv + j, k)] = entry;
                m[(k, nv + j)] = entry;
            }
        }
    }

    /// Replaces the residual `x` by the Newton correction `-[dv̇ | dλ]`.
    pub fn solve(&self, x: &mut [f64]) {
        let nv = self.motion.nrows();
        for (j, row) in x[nv..].iter_mut().enumerate() {
            *row = if self.independent[j] { *row * self.mass_scale } else { 0.0 };
        }
        self.lu.solve(x);
        x[nv..].iter_mut().for_each(|l| *l *= self.mass_scale);
    }

    /// Among all multipliers with the same constraint force takes those of least norm; changes nothing if `G` has full
    /// rank.
    pub fn share_redundant_forces(&mut self, lambda: &mut [f64]) {
        let nc = self.g.nrows();
        if self.gram_factor.rank() == nc || lambda.is_empty() {
            return;
        }
        for i in 0..nc {
            self.work[i] = (0..nc).map(|j| self.gram[(i, j)] * lambda[j]).sum();
        }
        self.gram_factor.solve_least_norm(&mut self.work);
        lambda.copy_from_slice(&self.work);
    }
}

/// Mean of the diagonal of the mass matrix, or one where there is none.
fn typical_mass(m: &DMatrix<f64>) -> f64 {
    let mean = m.trace() / m.nrows().max(1) as f64;
    if mean.is_finite() && mean > 0.0 { mean } else { 1.0 }
}
