//! The flexible modes of a reduced body, and what is lost by leaving some out.

use std::f64::consts::TAU;

use faer::{Mat, MatRef};

use crate::error::FemError;
use crate::solver::dense::product;

/// Orthonormal modes of a free flexible body, rigid motions removed, `ω` ascending.
#[derive(Debug, Clone)]
pub struct FlexibleModes {
    /// `ω²`, 1/s².
    pub eigenvalues: Vec<f64>,
    /// Displacements of the mesh dof per modal coordinate, `φᵀ M φ = 1`.
    pub shapes: Mat<f64>,
    /// Displacement and rotation of each interface per modal coordinate, 6 rows per interface: rigid ones, then
    /// averaging ones.
    pub interface_shapes: Mat<f64>,
    /// The six eigenvalues that were removed: zero up to rounding.
    pub removed: Vec<f64>,
}

impl FlexibleModes {
    /// Natural frequencies, Hz.
    pub fn frequencies(&self) -> Vec<f64> {
        self.eigenvalues.iter().map(|lambda| lambda.sqrt() / TAU).collect()
    }

    /// The modes of the given indices, in that order.
    ///
    /// # Errors
    /// When an index has no mode, or comes twice.
    pub fn keep(&self, indices: &[usize]) -> Result<Self, FemError> {
        self.check(indices)?;
        let columns = |x: &Mat<f64>| Mat::from_fn(x.nrows(), indices.len(), |row, column| x[(row, indices[column])]);
        Ok(Self {
            eigenvalues: indices.iter().map(|&index| self.eigenvalues[index]).collect(),
            shapes: columns(&self.shapes),
            interface_shapes: columns(&self.interface_shapes),
            removed: self.removed.clone(),
        })
    }

    /// The lowest `count` modes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn keep_first(&self, count: usize) -> Result<Self, FemError> {
        self.keep(&(0..count).collect::<Vec<_>>())
    }

    /// The modes below a frequency, Hz; there may be none.
    ///
    /// # Errors
    /// When the frequency is not a number.
    pub fn keep_below(&self, frequency: f64) -> Result<Self, FemError> {
        if frequency.is_nan() {
            return Err(FemError::NonFinite("the frequency below which modes are kept".into()));
        }
        let below = self.frequencies().iter().take_while(|f| **f < frequency).count();
        self.keep_first(below)
    }

    /// The part of the static response to each load pattern that is lost when only the modes of `kept` remain,
    ///
    /// ```text
    /// loss = 1 - Σ_kept (φᵀ f)²/ω² / Σ_all (φᵀ f)²/ω²
    /// ```
    ///
    /// by strain energy: 0 when nothing is lost, 1 when the kept modes do not answer at all. `loads` are nodal forces,
    /// N, one column per pattern. They need not balance: the rigid part of the load accelerates the body and the modes
    /// answer to the rest (inertia relief). A pattern that deforms no mode loses nothing. The energy of all modes is
    /// the measure, so that the loss is only as true as the set it is asked of.
    ///
    /// # Errors
    /// When an index has no mode or comes twice, or the loads do not fit or are not finite.
    pub fn static_loss(&self, kept: &[usize], loads: MatRef<'_, f64>) -> Result<Vec<f64>, FemError> {
        self.check(kept)?;
        if loads.nrows() != self.shapes.nrows() {
            return Err(FemError::Boundary(format!("loads on {} dof of {}", loads.nrows(), self.shapes.nrows())));
        }
        let forces = product(self.shapes.transpose(), loads);
        if !forces.norm_max().is_finite() {
            return Err(FemError::NonFinite("a load pattern".into()));
        }
        let energy = |pattern: usize, mode: usize| forces[(mode, pattern)].powi(2) / self.eigenvalues[mode];
        let loss = |pattern: usize| {
            let all: f64 = (0..self.eigenvalues.len()).map(|mode| energy(pattern, mode)).sum();
            let lost: f64 =
                (0..self.eigenvalues.len()).filter(|mode| !kept.contains(mode)).map(|mode| energy(pattern, mode)).sum();
            if all > 0.0 { lost / all } else { 0.0 }
        };
        Ok((0..loads.ncols()).map(loss).collect())
    }

    fn check(&self, indices: &[usize]) -> Result<(), FemError> {
        let available = self.eigenvalues.len();
        if let Some(index) = indices.iter().find(|&&index| index >= available) {
            return Err(FemError::Boundary(format!("there is no mode {index}; the body has {available}, from 0")));
        }
        match (1..indices.len()).find(|&i| indices[..i].contains(&indices[i])) {
            Some(i) => Err(FemError::Boundary(format!("mode {} is kept twice", indices[i]))),
            None => Ok(()),
        }
    }
}
