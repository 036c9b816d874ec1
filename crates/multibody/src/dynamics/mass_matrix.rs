//! Mass matrix by composite bodies, and its factorisation along the branches of the tree.
//!
//! `M` is stored as its lower triangle, rows of speeds, columns of the speeds towards ground; entries between branches
//! are zero and never touched. Factor `M = Lᵀ L` keeps this pattern: Featherstone, Rigid Body Dynamics Algorithms,
//! 2008, sections 6.2 and 6.5.

use crate::error::DynamicsError;
use crate::kinematics::Kinematics;
use crate::model::Model;
use nalgebra::DMatrix;
use wolff_spatial::{Force, Motion, SpatialInertia};

/// The mass matrix of a model and its factor.
#[derive(Clone, Debug)]
pub struct MassMatrix {
    composite: Vec<SpatialInertia>,
    /// Lower triangle of `M`; of `L` after [`MassMatrix::factor`].
    lower: DMatrix<f64>,
}

impl MassMatrix {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        MassMatrix {
            composite: vec![SpatialInertia::ZERO; model.bodies.len()],
            lower: DMatrix::zeros(model.nv(), model.nv()),
        }
    }

    /// Computes `M(q)`.
    pub fn compute(&mut self, model: &Model, kin: &Kinematics) {
        for (composite, body) in self.composite.iter_mut().zip(&kin.bodies) {
            *composite = body.I;
        }
        if model.has_flexible() {
            // rows are then added up
            self.lower.fill(0.0);
        }
        for (i, body) in model.bodies.iter().enumerate().skip(1).rev() {
            let I = self.composite[i];
            if body.parent != 0 {
                self.composite[body.parent] += I;
            }
            for k in body.joint_v() {
                let momentum = I.apply(&kin.S[k]);
                self.fill_row(model, kin, i, k, &momentum);
            }
            for k in body.modal_v() {
                self.fill_modal_row(model, kin, i, k);
            }
        }
    }

    /// Row of speed `k` of body `i`, which gives all that it moves `momentum`: its power on the speeds towards ground.
    #[inline]
    fn fill_row(&mut self, model: &Model, kin: &Kinematics, i: usize, k: usize, momentum: &Force) {
        if model.has_flexible() {
            // a mode moves the bodies beyond a node by two columns: that of its body and that of the node
            kin.powers(model, i, momentum, |j, power| {
                if j <= k {
                    self.lower[(k, j)] += power;
                }
            });
            return;
        }
        let mut next = Some(k);
        while let Some(j) = next {
            self.lower[(k, j)] = kin.S[j].dot(momentum);
            next = model.speed_parent[j];
        }
    }

    /// Row of a modal speed: the mode moves its body's frame by `S_k`, deforms it, and moves what hangs on each node by
    /// `S_k + Φ_k` of that node.
    fn fill_modal_row(&mut self, model: &Model, kin: &Kinematics, i: usize, k: usize) {
        let body = &model.bodies[i];
        let Some(place) = &body.flexible else { return };
        let (at, mass) = (&kin.flexible[place.index], &model.flexible[place.index].mass);
        let first = body.modal_v().start;
        let mode = k - first;
        let branches = || (place.nodes.0..place.nodes.1).filter(|&n| model.bodies[n].node.is_some_and(|n| n.carries));
        let branch_momentum = |composite: &[SpatialInertia], n: usize, columns: &[Motion]| {
            composite[n].apply(&(kin.S[k] + columns[mode]))
        };
        let mut momentum = kin.bodies[i].I.apply(&kin.S[k]) + at.H[mode];
        for n in branches() {
            if let Some((_, columns)) = kin.node_columns(model, n) {
                momentum += branch_momentum(&self.composite, n, columns);
            }
        }
        self.fill_row(model, kin, i, k, &momentum);
        for j in 0..=mode {
            self.lower[(k, first + j)] += kin.S[k].dot(&at.H[j]) + mass[(j, mode)];
        }
        for n in branches() {
            let Some((_, columns)) = kin.node_columns(model, n) else { continue };
            let momentum = branch_momentum(&self.composite, n, columns);
            for j in 0..=mode {
                self.lower[(k, first + j)] += columns[j].dot(&momentum);
            }
        }
    }

    /// Writes the full symmetric matrix; call it before [`MassMatrix::factor`].
    pub fn write_full(&self, m: &mut DMatrix<f64>) {
        let n = self.lower.nrows();
        for j in 0..n {
            for i in j..n {
                m[(i, j)] = self.lower[(i, j)];
                m[(j, i)] = self.lower[(i, j)];
            }
        }
    }

    /// Replaces `M` by `L`, `M = Lᵀ L`.
    pub fn factor(&mut self, model: &Model) -> Result<(), DynamicsError> {
        let L = &mut self.lower;
        for k in (0..L.nrows()).rev() {
            let pivot = L[(k, k)];
            if !(pivot > f64::MIN_POSITIVE) {
                let coordinate = model.coordinate_names[k].clone();
                return Err(DynamicsError::NoInertia { coordinate, inertia: pivot });
            }
            let root = pivot.sqrt();
            L[(k, k)] = root;
            let mut next = model.speed_parent[k];
            while let Some(i) = next {
                L[(k, i)] /= root;
                next = model.speed_parent[i];
            }
            let mut next = model.speed_parent[k];
            while let Some(i) = next {
                let l_ki = L[(k, i)];
                let mut inner = Some(i);
                while let Some(j) = inner {
                    L[(i, j)] -= l_ki * L[(k, j)];
                    inner = model.speed_parent[j];
                }
                next = model.speed_parent[i];
            }
        }
        Ok(())
    }

    /// `x := L⁻ᵀ x`. Zeros at the far ends of branches stay and cost nothing.
    pub fn half_solve(&self, model: &Model, x: &mut [f64]) {
        for i in (0..x.len()).rev() {
            if x[i] == 0.0 {
                continue;
            }
            x[i] /= self.lower[(i, i)];
            let mut next = model.speed_parent[i];
            while let Some(j) = next {
                x[j] -= self.lower[(i, j)] * x[i];
                next = model.speed_parent[j];
            }
        }
    }

    /// `x := L⁻¹ x`.
    pub fn second_half_solve(&self, model: &Model, x: &mut [f64]) {
        for i in 0..x.len() {
            let mut next = model.speed_parent[i];
            while let Some(j) = next {
                x[i] -= self.lower[(i, j)] * x[j];
                next = model.speed_parent[j];
            }
            x[i] /= self.lower[(i, i)];
        }
    }

    /// `x := M⁻¹ x`.
    pub fn solve(&self, model: &Model, x: &mut [f64]) {
        self.half_solve(model, x);
        self.second_half_solve(model, x);
    }
}
