//! Newmark's method with fixed steps on the dof of a mesh.
//!
//! Constant average acceleration (`β = 1/4`, `γ = 1/2`) in acceleration form,
//!
//! ```text
//! S a₁ = f₁ - C v* - K u*        u* = u + h v + h²/4 a        v* = v + h/2 a        S = M + h/2 C + h²/4 K
//! u₁ = u* + h²/4 a₁              v₁ = v* + h/2 a₁
//! ```
//!
//! with one factorisation for all steps. Unconditionally stable, no numerical damping, periods too long by `(ω h)²/12`
//! (Newmark 1959, J. Eng. Mech. Div. 85, 67-94).

use faer::Mat;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::solver::factor::Cholesky;
use crate::solver::solve::{Loads, StaticSolution};
use crate::system::assembly::Assembled;
use crate::system::dofs::DofMap;
use crate::system::projection::{self, ProjectedMass};
use crate::system::sparse::SymmetricMatrix;

/// Damping `C = α M + β K`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rayleigh {
    /// `α`, 1/s.
    pub mass: f64,
    /// `β`, s.
    pub stiffness: f64,
}

/// Fixed steps of Newmark's method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Newmark {
    /// Time between two frames, s.
    pub interval: f64,
    /// Steps between two frames; the loads are linear between.
    pub steps: usize,
    /// Damping.
    pub damping: Rayleigh,
}

impl Rayleigh {
    /// Damping with the ratio `zeta` at two frequencies, Hz: less between them, more outside.
    pub fn from_ratio(zeta: f64, first: f64, second: f64) -> Self {
        let [w1, w2] = [first, second].map(|f| std::f64::consts::TAU * f);
        Self { mass: 2.0 * zeta * w1 * w2 / (w1 + w2), stiffness: 2.0 * zeta / (w1 + w2) }
    }
}

/// The state of Newmark's method on the independent dof.
pub(crate) struct Stepper<'m> {
    map: &'m DofMap,
    stiffness: SymmetricMatrix,
    mass: ProjectedMass<'m>,
    /// Factor of `K + c M`.
    factor: Cholesky,
    /// `(1 + γ h α) M + (γ h β_C + β h²) K = scale (K + c M)`.
    scale: f64,
    h: f64,
    damping: Rayleigh,
    /// Load fields on the independent dof.
    forces: Vec<Vec<f64>>,
    u: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

impl<'m> Stepper<'m> {
    /// Factorises for loads that are combinations of `fields`.
    pub(crate) fn new(
        mesh: &TetMesh,
        map: &'m DofMap,
        system: &'m Assembled,
        fields: &[Loads],
        newmark: &Newmark,
    ) -> Result<Self, FemError> {
        let h = newmark.interval / newmark.steps as f64;
        let Rayleigh { mass: alpha, stiffness: beta } = newmark.damping;
        if !(h > 0.0 && h.is_finite() && alpha >= 0.0 && beta >= 0.0 && alpha.is_finite() && beta.is_finite()) {
            return Err(FemError::Boundary(format!(
                "step {h} s with damping {alpha} 1/s and {beta} s: the step must be positive, damping zero or more"
            )));
        }
        let scale = 0.5 * h * beta + 0.25 * h * h;
        let effective = system.stiffness.plus((1.0 + 0.5 * h * alpha) / scale, &system.mass)?;
        let tree = projection::tree(map, mesh, &system.mass, map.independent());
        let factor = Cholesky::new(&projection::project(map, &effective), &tree, 0, "effective stiffness matrix")?;
        let project = |field: &Loads| {
            let mut force = map.project_forces(&field.nodal);
            let rigid = force.iter_mut().skip(map.rigid_dof(0));
            rigid.zip(field.interface.iter().flatten()).for_each(|(slot, load)| *slot += load);
            force
        };
        let n = map.independent();
        let (forces, zeros) = (fields.iter().map(project).collect(), vec![0.0; n]);
        Ok(Self {
            map,
            stiffness: projection::project(map, &system.stiffness),
            mass: ProjectedMass { map, mass: &system.mass, dim: n },
            factor,
            scale,
            h,
            damping: newmark.damping,
            forces,
            u: zeros.clone(),
            v: zeros.clone(),
            a: zeros,
        })
    }

    /// Takes the independent dof from a static solution, at rest.
    pub(crate) fn start(&mut self, solution: &StaticSolution) {
        let map = self.map;
        for (dof, u) in solution.displacement.iter().enumerate() {
            if let [(i, _)] = map.terms(dof) {
                self.u[*i] = *u;
            }
        }
        let rigid = self.u.iter_mut().skip(map.rigid_dof(0));
        rigid.zip(solution.interface.iter().flatten()).for_each(|(q, motion)| *q = *motion);
    }

    /// `S a₁ = f₁ - C v* - K u*` with the predictors `u* = u + h v + h²/4 a`, `v* = v + h/2 a`.
    pub(crate) fn step(&mut self, amounts: &[f64]) -> Result<(), FemError> {
        let h = self.h;
        for ((u, v), a) in self.u.iter_mut().zip(&mut self.v).zip(&self.a) {
            *u += h * *v + 0.25 * h * h * a;
            *v += 0.5 * h * a;
        }
        let n = self.u.len();
        let mut elastic = vec![0.0; n];
        let strained: Vec<f64> = self.u.iter().zip(&self.v).map(|(u, v)| u + self.damping.stiffness * v).collect();
        self.stiffness.mul_vec(&strained, &mut elastic);
        let mut rhs = Mat::from_fn(n, 1, |i, _| -elastic[i]);
        if self.damping.mass > 0.0 {
            let viscous = self.mass.mul(Mat::from_fn(n, 1, |i, _| self.v[i]).as_ref());
            (0..n).for_each(|i| rhs[(i, 0)] -= self.damping.mass * viscous[(i, 0)]);
        }
        for (field, amount) in self.forces.iter().zip(amounts).filter(|(_, amount)| **amount != 0.0) {
            rhs.col_as_slice_mut(0).iter_mut().zip(field).for_each(|(r, f)| *r += amount * f);
        }
        self.factor.solve_in_place(rhs.as_mut());
        for (i, a) in self.a.iter_mut().enumerate() {
            *a = rhs[(i, 0)] / self.scale;
            self.u[i] += 0.25 * h * h * *a;
            self.v[i] += 0.5 * h * *a;
        }
        Ok(())
    }

    /// Mesh displacements, m.
    pub(crate) fn displacement(&self) -> Vec<f64> {
        self.map.expand(&self.u)
    }
}
