//! Few modes with which every gauge is exact in statics.
//!
//! A reduction with attachment modes answers every load exactly, with three modes a muscle point. Most of them only move the place
//! where the muscle pulls. What a gauge reads under a static load f is `E K⁻¹ f`; a basis V gives `E V (Vᵀ K V)⁻¹ Vᵀ f`, the same
//! for every f once V holds the influence shapes `K⁻¹ Eᵀ`. (Maxwell and Betti: the reading of a gauge under a load is the work of
//! the load on the shape that the gauge makes when it acts as a load.) The shaft of a bone carries six section resultants, so the
//! readings of many gauges under all loads span little more than six directions:
//!
//! ```text
//! T = E K⁻¹ L = U Σ Wᵀ      V = [lowest modes, K⁻¹ Eᵀ U_r]      σ_{r+1} ≤ tolerance σ₁
//! ```
//! L: unit loads at all nodes, moments scaled by [`LEVER`]; E: in-plane strains of all gauges, and how the two joints and the two
//! rings of the shaft move against each other. The vibrations beside them describe the dynamics. Last, V is made orthonormal in M
//! and diagonal in K. The idea is that of goal-oriented and balanced reduction; this form is our own.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use wolff_flexbody::inertia::InertiaIntegrals;
use wolff_flexbody::{FlexBody, Node};
use wolff_spatial::Vec3;

use super::BoneError;

/// Which modal coordinates the body keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Basis {
    /// All: statics are exact everywhere.
    All,
    /// The lowest vibrations and what the gauges need.
    Gauges {
        /// Lowest modes kept as they are.
        vibrations: usize,
        /// Singular values of the readings below this share of the largest are left out.
        tolerance: f64,
    },
}

/// A moment of 1 N m counts as a force of 1 N at this lever [m].
const LEVER: f64 = 0.1;

/// Directions of a basis shorter than this after those before are removed are left out.
const DEPENDENT: f64 = 1e-8;

/// Unit loads at nodes: names and `Φᵀ f`, a column a load.
pub(crate) struct UnitLoads {
    pub names: Vec<String>,
    pub forces: DMatrix<f64>,
}

impl UnitLoads {
    /// Forces of 1 N at all nodes but the floating frame, moments of 1 N m at those in `moments`.
    pub fn new(body: &FlexBody, moments: &[String]) -> Self {
        let mut names = Vec::new();
        let mut columns: Vec<DVector<f64>> = Vec::new();
        for node in body.nodes.iter().skip(1) {
            for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
                names.push(format!("{} F{letter}", node.name));
                columns.push(node.translation.row(axis).transpose());
                if moments.contains(&node.name) {
                    names.push(format!("{} T{letter}", node.name));
                    columns.push(node.rotation.row(axis).transpose() / LEVER);
                }
            }
        }
        let forces = DMatrix::from_fn(body.modes(), columns.len(), |i, j| columns[j][i]);
        UnitLoads { names, forces }
    }
}

/// The wanted basis: `η = V z` with z orthonormal, by rising frequency.
pub(crate) fn shapes(
    body: &FlexBody,
    basis: Basis,
    loads: &UnitLoads,
    pairs: &[[&str; 2]],
) -> Result<DMatrix<f64>, BoneError> {
    let n = body.modes();
    let v = match basis {
        Basis::All => DMatrix::identity(n, n),
        Basis::Gauges { vibrations, tolerance } => {
            if !(tolerance > 0.0 && tolerance < 1.0) {
                let rule = format!("the tolerance {tolerance} must be between 0 and 1");
                return Err(BoneError::invalid(&body.name, rule));
            }
            let lowest = DMatrix::identity(n, vibrations.min(n));
            orthogonal(&lowest, &influence(body, loads, pairs, tolerance)?)
        }
    };
    diagonal(body, v)
}

/// Static strains at the gauges, six rows a gauge, a column a load.
pub(crate) fn static_strains(body: &FlexBody, forces: &DMatrix<f64>) -> Result<DMatrix<f64>, BoneError> {
    let eta = stiffness_factor(body)?.solve(forces);
    let mut strain = DMatrix::zeros(6 * body.gauges.len(), forces.ncols());
    for (g, gauge) in body.gauges.iter().enumerate() {
        strain.rows_mut(6 * g, 6).copy_from(&(&gauge.strain * &eta));
    }
    Ok(strain)
}

fn stiffness_factor(body: &FlexBody) -> Result<Cholesky<f64, Dyn>, BoneError> {
    let failed = || BoneError::invalid(&body.name, "its modal stiffness is not positive definite");
    body.stiffness.clone().cholesky().ok_or_else(failed)
}

/// `K⁻¹ Eᵀ U_r`.
fn influence(
    body: &FlexBody,
    loads: &UnitLoads,
    pairs: &[[&str; 2]],
    tolerance: f64,
) -> Result<DMatrix<f64>, BoneError> {
    let n = body.modes();
    let factor = stiffness_factor(body)?;
    let flexible = factor.solve(&loads.forces);
    let mut rows: Vec<DVector<f64>> = Vec::new();
    for gauge in &body.gauges {
        rows.extend([0, 1, 3].map(|component| gauge.strain.row(component).transpose()));
    }
    let mut blocks = vec![rows.len()];
    for [a, b] in pairs {
        let (a, b) = (body.node(a)?, body.node(b)?);
        rows.extend((0..3).map(|k| (a.rotation.row(k) - b.rotation.row(k)).transpose()));
        blocks.push(rows.len());
    }
    // readings of different kinds are weighed by their largest value under any load
    let readings = DMatrix::from_fn(n, rows.len(), |i, j| rows[j][i]);
    let mut influence = DMatrix::zeros(n, 0);
    let mut start = 0;
    for end in blocks {
        let e = readings.columns(start, end - start).into_owned();
        start = end;
        if e.ncols() == 0 {
            continue;
        }
        let svd = (e.transpose() * &flexible).svd(true, false);
        let Some(u) = svd.u else { continue };
        let mut order: Vec<usize> = (0..svd.singular_values.len()).collect();
        order.sort_by(|&i, &j| svd.singular_values[j].total_cmp(&svd.singular_values[i]));
        let largest = svd.singular_values.max();
        order.retain(|&i| svd.singular_values[i] > tolerance * largest);
        influence = beside(&influence, &factor.solve(&(e * u.select_columns(&order))));
    }
    Ok(influence)
}

fn beside(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(a.nrows(), a.ncols() + b.ncols(), |i, j| match j.checked_sub(a.ncols()) {
        None => a[(i, j)],
        Some(k) => b[(i, k)],
    })
}

/// The columns of both, orthonormal (Gram-Schmidt, twice), dependent ones left out.
fn orthogonal(first: &DMatrix<f64>, second: &DMatrix<f64>) -> DMatrix<f64> {
    let mut kept: Vec<DVector<f64>> = Vec::new();
    for column in first.column_iter().chain(second.column_iter()) {
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
    DMatrix::from_fn(first.nrows(), kept.len(), |i, j| kept[j][i])
}

/// `V X` with `Xᵀ Vᵀ M V X = 1` and `Xᵀ Vᵀ K V X` diagonal and rising.
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
