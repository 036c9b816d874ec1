//! Evaluation of stages and of the dense output.

use super::super::problem::Problem;
use super::tableau::Tableau;
use crate::error::OdeError;

/// The derivatives `k_i` of one step, and a buffer for the points where they are evaluated.
pub(crate) struct Stages {
    pub k: Vec<Vec<f64>>,
    point: Vec<f64>,
}

impl Stages {
    pub fn new(tableau: &Tableau, dim: usize) -> Self {
        let count = tableau.b.len() + 1 + tableau.extra_c.len();
        Self { k: vec![vec![0.0; dim]; count], point: vec![0.0; dim] }
    }

    /// From `y0` with `k[0] = f(t0, y0)` given: all stages, the new state `y1` and `k[s] = f(t1, y1)`.
    pub fn take(
        &mut self,
        tableau: &Tableau,
        p: &mut Problem,
        (t0, t1): (f64, f64),
        y0: &[f64],
        y1: &mut [f64],
    ) -> Result<(), OdeError> {
        let h = t1 - t0;
        let s = tableau.b.len();
        for i in 1..s {
            self.evaluate(p, t0, h, y0, tableau.c[i], tableau.a[i], i)?;
        }
        combine(y0, h, tableau.b, &self.k, y1);
        p.require_finite(t1, h, y1)?;
        p.rhs(t1, h, y1, &mut self.k[s])
    }

    /// The stages that only the dense output needs.
    pub fn take_extra(
        &mut self,
        tableau: &Tableau,
        p: &mut Problem,
        (t0, t1): (f64, f64),
        y0: &[f64],
    ) -> Result<(), OdeError> {
        let first = tableau.b.len() + 1;
        for (i, (&c, a)) in tableau.extra_c.iter().zip(tableau.extra_a).enumerate() {
            self.evaluate(p, t0, t1 - t0, y0, c, a, first + i)?;
        }
        Ok(())
    }

    fn evaluate(
        &mut self,
        p: &mut Problem,
        t0: f64,
        h: f64,
        y0: &[f64],
        c: f64,
        a: &[f64],
        i: usize,
    ) -> Result<(), OdeError> {
        combine(y0, h, a, &self.k, &mut self.point);
        p.rhs(t0 + c * h, h, &self.point, &mut self.k[i])
    }
}

/// `out = y0 + h Σ w_j k_j`.
pub(crate) fn combine(y0: &[f64], h: f64, weights: &[f64], k: &[Vec<f64>], out: &mut [f64]) {
    out.copy_from_slice(y0);
    for (w, k) in weights.iter().zip(k) {
        if *w != 0.0 {
            let hw = h * w;
            for i in 0..out.len() {
                out[i] += hw * k[i];
            }
        }
    }
}

/// Rows of the cubic Hermite interpolant for [`nested_interpolation`], to `rows[0..3]`.
pub(crate) fn hermite_rows(h: f64, y0: &[f64], y1: &[f64], f0: &[f64], f1: &[f64], rows: &mut [Vec<f64>]) {
    for i in 0..y0.len() {
        let delta = y1[i] - y0[i];
        rows[0][i] = delta;
        rows[1][i] = h * f0[i] - delta;
        rows[2][i] = 2.0 * delta - h * (f0[i] + f1[i]);
    }
}

/// `y(θ) = y0 + θ (r₀ + (1-θ) (r₁ + θ (r₂ + (1-θ) (r₃ + …))))`, the form of Hairer's dense outputs.
///
/// Three rows give the cubic Hermite interpolant, four the one of DOPRI5, seven the one of DOP853.
pub(crate) fn nested_interpolation(theta: f64, y0: &[f64], rows: &[Vec<f64>], y: &mut [f64]) {
    y.fill(0.0);
    for (j, row) in rows.iter().enumerate().rev() {
        let factor = if j % 2 == 0 { theta } else { 1.0 - theta };
        for i in 0..y.len() {
            y[i] = (y[i] + row[i]) * factor;
        }
    }
    for i in 0..y.len() {
        y[i] += y0[i];
    }
}
