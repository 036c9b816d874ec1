//! Loop, driver and coupler constraints as rows `φ(t, q) = 0`.
//!
//! A row between two bodies is a unit force on each of them: its Jacobian is the power of these forces on the motion
//! columns, and its multiplier scales them. The equations of motion read `M a + Jᵀ λ = f`, `J a = γ`, so the bodies
//! feel `-λ` times the unit forces.

mod resolve;
mod row;

pub(crate) use resolve::resolve;
pub use row::{Row, RowValues};

use crate::dynamics::bias::body_accelerations;
use crate::force::Instant;
use crate::model::Model;
use nalgebra::DMatrix;
use wolff_spatial::{Force, Motion};

/// A named group of rows.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Name.
    pub name: String,
    /// First row in the model.
    pub start: usize,
    /// Rows.
    pub rows: Vec<Row>,
}

/// All rows of a model at one instant.
#[derive(Clone, Debug)]
pub struct ConstraintValues {
    /// Violation `φ`.
    pub phi: Vec<f64>,
    /// Its rate `φ' = J v + ∂φ/∂t`.
    pub phi_dot: Vec<f64>,
    /// Right-hand side `γ` of `J a = γ`.
    pub gamma: Vec<f64>,
    /// `Jᵀ`: a column a row.
    pub J_transpose: DMatrix<f64>,
    /// Bias accelerations of the bodies.
    A: Vec<Motion>,
}

impl ConstraintValues {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        let nc = model.nc();
        ConstraintValues {
            phi: vec![0.0; nc],
            phi_dot: vec![0.0; nc],
            gamma: vec![0.0; nc],
            J_transpose: DMatrix::zeros(model.nv(), nc),
            A: vec![Motion::ZERO; model.bodies().len()],
        }
    }

    /// Evaluates all rows.
    pub fn update(&mut self, at: &Instant<'_>) {
        body_accelerations(at.model, at.kin, None, &mut self.A);
        for c in &at.model.constraints {
            for (k, row) in c.rows.iter().enumerate() {
                let i = c.start + k;
                let mut column = self.J_transpose.column_mut(i);
                let values = row.evaluate(at, &self.A, column.as_mut_slice());
                self.phi[i] = values.phi;
                self.phi_dot[i] = values.phi_dot;
                self.gamma[i] = values.gamma;
            }
        }
    }

    /// Euclidean norms of `φ` and `φ'`.
    pub fn drift(&self) -> (f64, f64) {
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        (norm(&self.phi), norm(&self.phi_dot))
    }
}

/// Adds the forces `-λ` of all rows between bodies, and of coordinate rows on the coordinates.
pub fn add_constraint_forces(at: &Instant<'_>, lambda: &[f64], F: &mut [Force], tau: &mut [f64]) {
    for c in &at.model.constraints {
        for (k, row) in c.rows.iter().enumerate() {
            row.add_forces(at, -lambda[c.start + k], F, tau);
        }
    }
}
