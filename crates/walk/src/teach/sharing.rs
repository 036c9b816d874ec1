//! Static optimisation: moments shared among muscles with the least sum of squared activations.

use crate::error::WalkError;
use nalgebra::DMatrix;
use wolff_numerics::dense::{cholesky_in_place, cholesky_solve};

/// Most Newton steps.
const MOST_STEPS: usize = 60;

/// Moments that may remain, relative to the greatest of them, or absolute below 1 N m.
const TOLERANCE: f64 = 1e-9;

/// Shares moments among muscles.
///
/// ```text
/// minimise ½ Σ (F_m / F_max,m)² + ½ Σ (r_j / R)²    with   Σ_m A_jm F_m + r_j = τ_j,   0 ≤ F_m ≤ F_max,m
/// ```
/// τ moments, A moment arms, r reserves that cost as much as a full muscle at R. With multipliers λ the solution is
/// `F_m = clip(F_max² (Aᵀ λ)_m)`, `r = R² λ`: what remains is `g(λ) = A F(λ) + R² λ - τ = 0`, the gradient of a convex function,
/// solved by Newton steps with a line search from the last instant's λ.
#[derive(Clone, Debug)]
pub struct LoadSharing {
    max_force: Vec<f64>,
    /// R² [N² m²].
    reserve: f64,
    /// A, a row a moment.
    arms: DMatrix<f64>,
    lambda: Vec<f64>,
    trial: Vec<f64>,
    step: Vec<f64>,
    tension: Vec<f64>,
    matrix: DMatrix<f64>,
}

/// How a solution went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    /// Whether the moments are met.
    pub converged: bool,
    /// Greatest moment that is not [N m].
    pub residual: f64,
    /// Newton steps.
    pub steps: usize,
}

impl LoadSharing {
    /// Memory for muscles with these greatest forces [N] and a number of moments; `reserve` is R [N m].
    pub fn new(max_force: &[f64], moments: usize, reserve: f64) -> Result<Self, WalkError> {
        let (muscles, bad) = (max_force.len(), max_force.iter().find(|f| !(**f > 0.0 && f.is_finite())));
        if let Some(force) = bad {
            return Err(WalkError::rule("muscles", format!("greatest force {force} N must be finite and above zero")));
        }
        if !(reserve > 0.0 && reserve.is_finite()) {
            return Err(WalkError::rule("reserves", format!("strength {reserve} N m must be finite and above zero")));
        }
        Ok(LoadSharing {
            max_force: max_force.to_vec(),
            reserve: reserve * reserve,
            arms: DMatrix::zeros(moments, muscles),
            lambda: vec![0.0; moments],
            trial: vec![0.0; moments],
            step: vec![0.0; moments],
            tension: vec![0.0; muscles],
            matrix: DMatrix::zeros(moments, moments),
        })
    }

    /// Sets the moment arm [m] of a muscle about a coordinate.
    pub fn set_arm(&mut self, moment: usize, muscle: usize, arm: f64) {
        self.arms[(moment, muscle)] = arm;
    }

    /// Tensions of the last solution [N].
    pub fn tensions(&self) -> &[f64] {
        &self.tension
    }

    /// Reserves of the last solution [N m].
    pub fn reserves(&self) -> impl Iterator<Item = f64> + '_ {
        self.lambda.iter().map(|l| l * self.reserve)
    }

    /// Solves for moments [N m].
    pub fn solve(&mut self, moments: &[f64]) -> Shared {
        let scale = moments.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        let mut residual = f64::INFINITY;
        for steps in 0..MOST_STEPS {
            residual = self.residual(moments);
            if residual <= TOLERANCE * scale {
                return Shared { converged: true, residual, steps };
            }
            if !self.newton_step(moments) {
                break;
            }
        }
        Shared { converged: false, residual, steps: MOST_STEPS }
    }

    /// `g(λ)` into `step` with the sign turned, tensions on the way; returns its greatest entry.
    fn residual(&mut self, moments: &[f64]) -> f64 {
        for (m, tension) in self.tension.iter_mut().enumerate() {
            *tension = pull(&self.arms, &self.lambda, &self.max_force, m).clamp(0.0, self.max_force[m]);
        }
        let mut greatest = 0.0_f64;
        for (j, g) in self.step.iter_mut().enumerate() {
            let carried: f64 = self.tension.iter().enumerate().map(|(m, f)| self.arms[(j, m)] * f).sum();
            *g = moments[j] - carried - self.reserve * self.lambda[j];
            greatest = if g.is_nan() { f64::NAN } else { greatest.max(g.abs()) };
        }
        greatest
    }

    /// One Newton step down the convex function; whether it went down.
    fn newton_step(&mut self, moments: &[f64]) -> bool {
        let n = self.lambda.len();
        self.matrix.fill(0.0);
        for j in 0..n {
            self.matrix[(j, j)] = self.reserve;
        }
        for (m, max) in self.max_force.iter().enumerate() {
            let tension = self.tension[m];
            if tension <= 0.0 || tension >= *max {
                continue;
            }
            for j in 0..n {
                for i in j..n {
                    self.matrix[(i, j)] += self.arms[(i, m)] * self.arms[(j, m)] * max * max;
                }
            }
        }
        let slope_before: Vec<f64> = self.step.clone();
        if cholesky_in_place(&mut self.matrix).is_err() {
            return false;
        }
        cholesky_solve(&self.matrix, &mut self.step);
        let slope: f64 = -self.step.iter().zip(&slope_before).map(|(d, g)| d * g).sum::<f64>();
        let start = self.dual(&self.lambda, moments);
        let mut length = 1.0;
        while length > 1e-10 {
            for j in 0..n {
                self.trial[j] = self.lambda[j] + length * self.step[j];
            }
            if self.dual(&self.trial, moments) <= start + 1e-4 * length * slope + 1e-14 * start.abs() {
                std::mem::swap(&mut self.lambda, &mut self.trial);
                return true;
            }
            length *= 0.5;
        }
        false
    }

    /// The convex function whose gradient is `g`.
    fn dual(&self, lambda: &[f64], moments: &[f64]) -> f64 {
        let mut value = 0.0;
        for (m, max) in self.max_force.iter().enumerate() {
            let force = pull(&self.arms, lambda, &self.max_force, m);
            let kept = force.clamp(0.0, *max);
            // ∫ clip(max² x) dx with x = force / max²
            value += (kept * force - 0.5 * kept * kept) / (max * max);
        }
        value + lambda.iter().zip(moments).map(|(l, t)| l * (0.5 * self.reserve * l - t)).sum::<f64>()
    }
}

/// `F_max² (Aᵀ λ)` of a muscle, not yet limited.
fn pull(arms: &DMatrix<f64>, lambda: &[f64], max_force: &[f64], m: usize) -> f64 {
    let along: f64 = arms.column(m).iter().zip(lambda).map(|(a, l)| a * l).sum();
    max_force[m] * max_force[m] * along
}
