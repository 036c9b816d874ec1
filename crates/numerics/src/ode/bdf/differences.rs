//! Backward differences and their change with the step.

use super::{GAMMA, MAX_ORDER, alpha};

/// `∇^j y` for j = 0..=k+2, newest point first, on a grid of equal steps.
#[derive(Clone)]
pub(super) struct Differences {
    pub d: Vec<Vec<f64>>,
    scratch: Vec<Vec<f64>>,
}

type Transform = [[f64; MAX_ORDER + 1]; MAX_ORDER + 1];

impl Differences {
    pub fn new(dim: usize) -> Self {
        Self { d: vec![vec![0.0; dim]; MAX_ORDER + 3], scratch: vec![vec![0.0; dim]; MAX_ORDER + 1] }
    }

    pub fn copy_from(&mut self, other: &Self) {
        for (to, from) in self.d.iter_mut().zip(&other.d) {
            to.copy_from_slice(from);
        }
    }

    /// First order: the state and one Euler difference.
    pub fn start(&mut self, y: &[f64], f: &[f64], h: f64) {
        self.d.iter_mut().for_each(|row| row.fill(0.0));
        self.d[0].copy_from_slice(y);
        for i in 0..y.len() {
            self.d[1][i] = h * f[i];
        }
    }

    /// Re-interpolates the polynomial of the given order on a grid with step `factor` times the present one.
    pub fn rescale(&mut self, order: usize, factor: f64) {
        let (r, u) = (transform(order, factor), transform(order, 1.0));
        for row in 0..=order {
            let out = &mut self.scratch[row];
            out.fill(0.0);
            for j in 0..=order {
                let weight: f64 = (0..=order).map(|k| r[j][k] * u[k][row]).sum();
                for (o, d) in out.iter_mut().zip(&self.d[j]) {
                    *o += weight * d;
                }
            }
        }
        for row in 0..=order {
            self.d[row].copy_from_slice(&self.scratch[row]);
        }
    }

    /// `y⁰ = Σ_{j ≤ k} ∇^j y` and `ψ = Σ_{1 ≤ j ≤ k} γ_j ∇^j y / α_k`.
    pub fn predict(&self, order: usize, y: &mut [f64], psi: &mut [f64]) {
        let scale = 1.0 / alpha(order);
        for i in 0..y.len() {
            y[i] = (0..=order).map(|j| self.d[j][i]).sum();
            psi[i] = scale * (1..=order).map(|j| GAMMA[j] * self.d[j][i]).sum::<f64>();
        }
    }

    /// Moves on to the new point, whose difference of order k+1 is the Newton correction.
    pub fn accept(&mut self, order: usize, correction: &[f64]) {
        for i in 0..correction.len() {
            self.d[order + 2][i] = correction[i] - self.d[order + 1][i];
            self.d[order + 1][i] = correction[i];
            for j in (0..=order).rev() {
                self.d[j][i] += self.d[j + 1][i];
            }
        }
    }

    /// Moves the newest point to `y`; it enters every difference with the weight one.
    pub fn move_newest(&mut self, order: usize, y: &[f64]) {
        for i in 0..y.len() {
            let change = y[i] - self.d[0][i];
            for row in &mut self.d[..=order + 2] {
                row[i] += change;
            }
        }
    }

    /// Newton's interpolation polynomial at `t1 + s h`, `-1 ≤ s ≤ 0`.
    pub fn interpolate(&self, order: usize, s: f64, y: &mut [f64]) {
        y.copy_from_slice(&self.d[0]);
        let mut product = 1.0;
        for j in 1..=order {
            product *= (s + (j as f64 - 1.0)) / j as f64;
            for (y, d) in y.iter_mut().zip(&self.d[j]) {
                *y += product * d;
            }
        }
    }
}

/// Entries `Π_{i ≤ row} (i - 1 - factor·column)/i` (Shampine and Reichelt, section 2.2).
fn transform(order: usize, factor: f64) -> Transform {
    let mut m = [[0.0; MAX_ORDER + 1]; MAX_ORDER + 1];
    m[0] = [1.0; MAX_ORDER + 1];
    for i in 1..=order {
        for j in 1..=order {
            m[i][j] = m[i - 1][j] * (i as f64 - 1.0 - factor * j as f64) / i as f64;
        }
    }
    m
}
