//! A small basis of modes with accurate static strain at the gauges.
//!
//! A reduction with attachment modes is exact for every static load, with three modes per muscle point. Most of them
//! only deform the bone near that point. What a gauge reads under a static load f is `E K⁻¹ f`; a basis V gives
//! `E V (Vᵀ K V)⁻¹ Vᵀ f`. This is exact for the load f if V contains its response `K⁻¹ f`, and exact for the gauge
//! under every load if V contains the response `K⁻¹ Eᵀ` to the gauge as a load (Maxwell and Betti). So the basis
//! grows greedily:
//!
//! ```text
//! V = [lowest modes, K⁻¹ (Θ_a - Θ_b)ᵀ]
//! while a gauge errs too much: add K⁻¹ L w or K⁻¹ Eᵀ u, whichever leaves less error,
//!                              u and w the first singular vectors of the errors of all gauges under all loads
//! ```
//! Θ_a - Θ_b: how the two joints, and the two rings of the shaft, turn against each other. The loads are balanced and
//! of the magnitude of walking ([`NOMINAL`]), so that the error is a strain. The vibrations describe the dynamics.
//! Last, V is made orthonormal in M and diagonal in K. The idea is that of goal-oriented reduction; this form is our
//! own.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};
use wolff_flexbody::inertia::InertiaIntegrals;
use wolff_flexbody::{FlexBody, Node};
use wolff_spatial::Vec3;

use crate::BoneError;

/// Which modal coordinates the body keeps.
#[derive(Debug, Clone, PartialEq)]
pub enum Basis {
    /// All: statics are exact everywhere.
    All,
    /// A number of the lowest ones, as in the early flexible walking models. Strain converges slowly with them.
    Lowest(usize),
    /// Those with these numbers, from 0, of [`Basis::All`], such as those with most strain energy in a movement.
    Of(Arc<[usize]>),
    /// The lowest vibrations and the modes that the gauges need.
    Gauges {
        /// Lowest modes kept as they are.
        vibrations: usize,
        /// Largest error of the static in-plane strain of a gauge under any nominal load.
        error: f64,
    },
}

/// Loads of the magnitude of walking, along x, y, z: force \[N\] and moment \[N m\] at the distal joint, force at an
/// attachment \[N\]. Each is balanced by force and moment at the proximal joint.
pub const NOMINAL: [[f64; 3]; 3] = [[200.0, 3000.0, 200.0], [30.0, 10.0, 30.0], [100.0, 1000.0, 100.0]];

/// Maximum tolerance of the basis: half of the strain of a walking tibia.
const MAX_ERROR: f64 = 5e-4;

/// Relative length below which the orthogonal part of a new direction counts as zero.
const DEPENDENT: f64 = 1e-8;

/// Balanced loads: names and `Φᵀ f`, one column per load.
pub(crate) struct NominalLoads {
    pub names: Vec<String>,
    pub forces: DMatrix<f64>,
}

impl NominalLoads {
    /// Loads at all nodes but the floating frame, the proximal joint and those in `idle`.
    pub fn new(body: &FlexBody, [proximal, distal]: &[String; 2], idle: &[&str]) -> Result<Self, BoneError> {
        let ground = body.node(proximal)?;
        let mut names = Vec::new();
        let mut columns: Vec<DVector<f64>> = Vec::new();
        let idle = |node: &&Node| node.name != *proximal && !idle.contains(&node.name.as_str());
        for node in body.nodes.iter().skip(1).filter(idle) {
            let [at_joint, moments, at_point] = NOMINAL;
            let is_joint = node.name == *distal;
            let mut add = |what: &str, axis: usize, force: Vec3, moment: Vec3| {
                let held = moment + (node.position - ground.position).cross(&force);
                names.push(format!("{} {what}{}", node.name, ["x", "y", "z"][axis]));
                columns.push(work(node, &force, &moment) - work(ground, &force, &held));
            };
            for axis in 0..3 {
                let unit = Vec3::from_fn(|k, _| f64::from(u8::from(k == axis)));
                add("F", axis, unit * if is_joint { at_joint[axis] } else { at_point[axis] }, Vec3::zeros());
                if is_joint {
                    add("T", axis, Vec3::zeros(), unit * moments[axis]);
                }
            }
        }
        let forces = DMatrix::from_fn(body.modes(), columns.len(), |i, j| columns[j][i]);
        Ok(NominalLoads { names, forces })
    }
}

/// Work of a force and a moment on the modes of a node.
fn work(node: &Node, force: &Vec3, moment: &Vec3) -> DVector<f64> {
    node.translation.transpose() * force + node.rotation.transpose() * moment
}

/// Static response of a body at its gauges.
pub(crate) struct Statics<'a> {
    body: &'a FlexBody,
    loads: &'a NominalLoads,
    /// `K⁻¹ L`.
    answers: DMatrix<f64>,
    /// `K⁻¹ Eᵀ`: in-plane strains of all gauges, three columns per gauge.
    influences: DMatrix<f64>,
    /// `E`.
    readings: DMatrix<f64>,
    /// `K⁻¹ (Θ_a - Θ_b)ᵀ`.
    turns: DMatrix<f64>,
}

impl<'a> Statics<'a> {
    pub fn new(body: &'a FlexBody, loads: &'a NominalLoads, pairs: &[[&str; 2]]) -> Result<Self, BoneError> {
        let failed = || BoneError::invalid(&body.name, "its modal stiffness is not positive definite");
        let factor = body.stiffness.clone().cholesky().ok_or_else(failed)?;
        let rows = body.gauges.iter().flat_map(|g| [0, 1, 3].map(|k| g.strain.row(k).transpose()));
        let rows: Vec<DVector<f64>> = rows.collect();
        let readings = DMatrix::from_fn(rows.len(), body.modes(), |i, j| rows[i][j]);
        let mut turns = DMatrix::zeros(body.modes(), 0);
        for [a, b] in pairs {
            let (a, b) = (body.node(a)?, body.node(b)?);
            turns = beside(&turns, &(&a.rotation - &b.rotation).transpose());
        }
        Ok(Statics {
            body,
            loads,
            answers: factor.solve(&loads.forces),
            influences: factor.solve(&readings.transpose()),
            readings,
            turns: factor.solve(&turns),
        })
    }

    /// Strains with a basis less those with all modes: three rows per gauge, one column per load.
    fn difference(&self, v: &DMatrix<f64>) -> DMatrix<f64> {
        let stiffness = v.transpose() * &self.body.stiffness * v;
        let eta = match stiffness.cholesky() {
            Some(factor) => v * factor.solve(&(v.transpose() * &self.loads.forces)),
            None => DMatrix::zeros(self.answers.nrows(), self.answers.ncols()),
        };
        &self.readings * (eta - &self.answers)
    }

    /// The largest error of a gauge with a basis, and the number of the load.
    pub fn error(&self, v: &DMatrix<f64>) -> (f64, usize) {
        let mut worst = (0.0, 0);
        for (load, column) in self.difference(v).column_iter().enumerate() {
            for gauge in 0..self.body.gauges.len() {
                let strain = column.rows(3 * gauge, 3).norm();
                if strain > worst.0 {
                    worst = (strain, load);
                }
            }
        }
        worst
    }

    /// The basis with the better of the two shapes that reduce its error most.
    fn improved(&self, v: &DMatrix<f64>) -> DMatrix<f64> {
        let svd = self.difference(v).svd(true, true);
        let (Some(u), Some(w)) = (svd.u, svd.v_t) else { return v.clone() };
        let first = svd.singular_values.imax();
        let answer = with_columns(v, &(&self.answers * w.rows(first, 1).transpose()));
        let influence = with_columns(v, &(&self.influences * u.columns(first, 1)));
        if self.difference(&answer).norm() <= self.difference(&influence).norm() { answer } else { influence }
    }
}

/// The requested basis: `η = V z` with z orthonormal, by ascending frequency.
pub(crate) fn shapes(statics: &Statics<'_>, basis: &Basis) -> Result<DMatrix<f64>, BoneError> {
    let body = statics.body;
    let n = body.modes();
    let (vibrations, error) = match basis {
        Basis::All => return diagonal(body, DMatrix::identity(n, n)),
        Basis::Lowest(count) => return diagonal(body, DMatrix::identity(n, (*count).clamp(1, n))),
        Basis::Of(numbers) => {
            if let Some(beyond) = numbers.iter().find(|number| **number >= n) {
                let rule = format!("has {n} modes; there is no mode {}", beyond + 1);
                return Err(BoneError::invalid(&body.name, rule));
            }
            return Ok(diagonal(body, DMatrix::identity(n, n))?.select_columns(numbers.iter()));
        }
        Basis::Gauges { vibrations, error } => (*vibrations, *error),
    };
    if !(error > 0.0 && error <= MAX_ERROR) {
        let rule = format!(
            "the error {error} of the gauges is a strain: give more than 0 and at most {MAX_ERROR}, such as 2e-5"
        );
        return Err(BoneError::invalid(&body.name, rule));
    }
    let lowest = DMatrix::identity(n, vibrations.min(n));
    let mut v = with_columns(&lowest, &statics.turns);
    loop {
        let grown = if statics.error(&v).0 > error { statics.improved(&v) } else { v.clone() };
        if grown.ncols() == v.ncols() {
            return diagonal(body, v);
        }
        v = grown;
    }
}

fn beside(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(a.nrows(), a.ncols() + b.ncols(), |i, j| match j.checked_sub(a.ncols()) {
        None => a[(i, j)],
        Some(k) => b[(i, k)],
    })
}

/// Orthonormal columns and further ones made orthonormal to them (Gram-Schmidt, twice), without dependent ones.
fn with_columns(v: &DMatrix<f64>, more: &DMatrix<f64>) -> DMatrix<f64> {
    let rows = v.nrows();
    let mut kept: Vec<DVector<f64>> = v.column_iter().map(|c| c.into_owned()).collect();
    for column in more.column_iter() {
        let mut v = column.into_owned();
        let length = v.norm();
        for _ in 0..2 {
            for k in &kept {
                let along = k.dot(&v);
                v.axpy(-along, k, 1.0);
            }
        }
        if v.norm() > DEPENDENT * length {
            kept.push(v.normalize());
        }
    }
    DMatrix::from_fn(rows, kept.len(), |i, j| kept[j][i])
}

/// `V X` with `Xᵀ Vᵀ M V X = 1` and `Xᵀ Vᵀ K V X` diagonal and ascending.
fn diagonal(body: &FlexBody, v: DMatrix<f64>) -> Result<DMatrix<f64>, BoneError> {
    let failed = || BoneError::invalid(&body.name, "its modal mass is not positive definite");
    let k = v.transpose() * &body.stiffness * &v;
    let m = v.transpose() * body.inertia.modal_mass() * &v;
    let lower = m.cholesky().ok_or_else(failed)?.l();
    let half = lower.solve_lower_triangular(&k).ok_or_else(failed)?;
    let full = lower.solve_lower_triangular(&half.transpose()).ok_or_else(failed)?;
    let eigen = ((&full + full.transpose()) * 0.5).symmetric_eigen();
    let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
    order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
    let x = lower.transpose().solve_upper_triangular(&eigen.eigenvectors.select_columns(&order)).ok_or_else(failed)?;
    Ok(v * x)
}

/// The body in coordinates z with `η = V z`; without damping.
pub(crate) fn combined(body: &FlexBody, v: &DMatrix<f64>) -> FlexBody {
    let stiffness = v.transpose() * &body.stiffness * v;
    let node = |node: &Node| Node {
        translation: &node.translation * v,
        rotation: &node.rotation * v,
        second: pairs(&node.second, v, Vec3::zeros()),
        second_rotation: pairs(&node.second_rotation, v, Vec3::zeros()),
        ..node.clone()
    };
    let gauges = body.gauges.iter().map(|g| wolff_flexbody::Gauge { strain: &g.strain * v, ..g.clone() });
    FlexBody {
        name: body.name.clone(),
        inertia: integrals(&body.inertia, v),
        stiffness: (&stiffness + stiffness.transpose()) * 0.5,
        damping: DMatrix::zeros(v.ncols(), v.ncols()),
        nodes: body.nodes.iter().map(node).collect(),
        gauges: gauges.collect(),
    }
}

fn integrals(i: &InertiaIntegrals, v: &DMatrix<f64>) -> InertiaIntegrals {
    let columns = || (0..v.ncols()).map(|j| v.column(j));
    InertiaIntegrals {
        mass: i.mass,
        first: i.first,
        second: i.second,
        S: columns().map(|c| i.S.iter().zip(c.iter()).map(|(s, v)| s * *v).sum()).collect(),
        B: columns().map(|c| i.B.iter().zip(c.iter()).map(|(b, v)| b * *v).sum()).collect(),
        C: pairs(&i.C, v, wolff_spatial::Mat3::zeros()),
        S2: pairs(&i.S2, v, Vec3::zeros()),
        B2: pairs(&i.B2, v, wolff_spatial::Mat3::zeros()),
    }
}

/// `Σ V_ka V_lb g_kl` for entries `k n + l`; empty stays empty.
fn pairs<T>(of: &[T], v: &DMatrix<f64>, zero: T) -> Vec<T>
where
    T: Copy + std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
{
    if of.is_empty() {
        return Vec::new();
    }
    let (n, m) = v.shape();
    let mut half = vec![zero; n * m];
    for k in 0..n {
        for b in 0..m {
            half[k * m + b] = (0..n).fold(zero, |sum, l| sum + of[k * n + l] * v[(l, b)]);
        }
    }
    let mut out = vec![zero; m * m];
    for a in 0..m {
        for b in 0..m {
            out[a * m + b] = (0..n).fold(zero, |sum, k| sum + half[k * m + b] * v[(k, a)]);
        }
    }
    out
}
