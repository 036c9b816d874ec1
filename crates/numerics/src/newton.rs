//! Small dense systems of equations: damped Newton with a Levenberg-Marquardt fallback.

use nalgebra::DMatrix;

use crate::dense::PivotedCholesky;
use crate::error::{NumericsError, input_error, require_finite};

/// `r(x) = 0` with as many or fewer or more equations than unknowns.
pub trait NonlinearSystem {
    /// Number of unknowns.
    fn unknowns(&self) -> usize;

    /// Number of equations.
    fn equations(&self) -> usize;

    /// Writes `r(x)`.
    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), NumericsError>;

    /// Writes `∂r/∂x` (equations × unknowns). By default forward differences around `x`, where the residual is `r`.
    fn jacobian(&mut self, x: &[f64], r: &[f64], j: &mut DMatrix<f64>) -> Result<(), NumericsError> {
        forward_differences(self, x, r, j)
    }
}

/// Forward differences with increment `√ε max(1, |x_k|)`.
fn forward_differences<S: NonlinearSystem + ?Sized>(
    system: &mut S,
    x: &[f64],
    r: &[f64],
    j: &mut DMatrix<f64>,
) -> Result<(), NumericsError> {
    let mut point = x.to_vec();
    let mut shifted = r.to_vec();
    for k in 0..x.len() {
        point[k] = x[k] + f64::EPSILON.sqrt() * x[k].abs().max(1.0);
        let delta = point[k] - x[k];
        system.residual(&point, &mut shifted)?;
        for i in 0..r.len() {
            j[(i, k)] = (shifted[i] - r[i]) / delta;
        }
        point[k] = x[k];
    }
    Ok(())
}

/// Settings of [`solve`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonOptions {
    /// Converged when every `|r_i|` is at most this.
    pub residual_tolerance: f64,
    /// Stalled when a full step is shorter than this times `max(1, |x|)` and the residual is still too large.
    pub step_tolerance: f64,
    /// Limit on iterations.
    pub max_iterations: usize,
    /// Pivots below this times the largest one count as zero (in the squared Jacobian).
    pub rank_tolerance: f64,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self { residual_tolerance: 1e-10, step_tolerance: 1e-14, max_iterations: 50, rank_tolerance: 1e-13 }
    }
}

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewtonStatus {
    /// The residual is within tolerance.
    Converged,
    /// No step reduces the residual further: a least-squares solution of contradicting equations, or rounding.
    Stalled,
    /// The iterations ran out.
    MaxIterations,
}

/// Status and quality of the solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonReport {
    /// How it ended.
    pub status: NewtonStatus,
    /// Largest `|r_i|` at the returned `x`.
    pub residual: f64,
    /// Iterations used.
    pub iterations: usize,
    /// Rank of the last Jacobian.
    pub rank: usize,
}

/// Improves `x` in place until `r(x) = 0`.
///
/// Each iteration takes the least-norm Gauss-Newton step `-J⁺ r`, halved until the residual decreases; if no
/// length helps, Levenberg-Marquardt steps `-(JᵀJ + μI)⁻¹ Jᵀ r` with growing μ are tried. Redundant equations and
/// undetermined unknowns are allowed: unknowns move as little as possible.
///
/// Source: Nocedal and Wright, Numerical Optimization, 2nd ed., chapters 10 and 11.
/// Limits: the normal equations square the condition number; singular values below about 3e-7 of the largest are
/// treated as zero by default.
pub fn solve(
    system: &mut dyn NonlinearSystem,
    x: &mut [f64],
    options: &NewtonOptions,
) -> Result<NewtonReport, NumericsError> {
    if x.len() != system.unknowns() {
        return Err(input_error("length of the start vector", x.len(), "it must equal the number of unknowns"));
    }
    require_finite("start vector", x)?;
    let mut w = Workspace::new(system.equations(), x.len());
    system.residual(x, &mut w.r)?;
    require_finite("residual at the start vector", &w.r)?;

    let mut report = NewtonReport { status: NewtonStatus::MaxIterations, residual: 0.0, iterations: 0, rank: 0 };
    loop {
        report.residual = largest(&w.r);
        if report.residual <= options.residual_tolerance {
            report.status = NewtonStatus::Converged;
            return Ok(report);
        }
        if report.iterations == options.max_iterations {
            return Ok(report);
        }
        system.jacobian(x, &w.r, &mut w.j)?;
        require_finite("Jacobian", w.j.as_slice())?;
        report.rank = w.gauss_newton_step(options.rank_tolerance)?;
        let short = largest(&w.step) <= options.step_tolerance * largest(x).max(1.0);
        if short || !(w.line_search(system, x)? || w.damped_steps(system, x)?) {
            report.status = NewtonStatus::Stalled;
            return Ok(report);
        }
        report.iterations += 1;
    }
}

/// Step lengths tried by the line search: 1, 1/2, … 2⁻⁸.
const HALVINGS: i32 = 8;
/// Damping values tried before giving up, each ten times the one before.
const DAMPINGS: i32 = 16;

struct Workspace {
    r: Vec<f64>,
    r_trial: Vec<f64>,
    x_trial: Vec<f64>,
    step: Vec<f64>,
    j: DMatrix<f64>,
    /// `J Jᵀ` or `Jᵀ J`, whichever is smaller.
    square: DMatrix<f64>,
    square_factor: PivotedCholesky,
    multipliers: Vec<f64>,
    /// `Jᵀ J + μ I`.
    normal: DMatrix<f64>,
    normal_factor: PivotedCholesky,
}

impl Workspace {
    fn new(m: usize, n: usize) -> Self {
        let s = m.min(n);
        Self {
            r: vec![0.0; m],
            r_trial: vec![0.0; m],
            x_trial: vec![0.0; n],
            step: vec![0.0; n],
            j: DMatrix::zeros(m, n),
            square: DMatrix::zeros(s, s),
            square_factor: PivotedCholesky::new(s),
            multipliers: vec![0.0; m],
            normal: DMatrix::zeros(n, n),
            normal_factor: PivotedCholesky::new(n),
        }
    }

    /// `step = -J⁺ r`; the rank of `J`.
    fn gauss_newton_step(&mut self, rank_tolerance: f64) -> Result<usize, NumericsError> {
        let (m, n) = self.j.shape();
        if m <= n {
            self.j.mul_to(&self.j.transpose(), &mut self.square);
            let rank = self.square_factor.factor(&self.square, rank_tolerance)?;
            self.multipliers.copy_from_slice(&self.r);
            self.square_factor.solve_least_norm(&mut self.multipliers);
            for k in 0..n {
                self.step[k] = -(0..m).map(|i| self.j[(i, k)] * self.multipliers[i]).sum::<f64>();
            }
            return Ok(rank);
        }
        self.j.tr_mul_to(&self.j, &mut self.square);
        let rank = self.square_factor.factor(&self.square, rank_tolerance)?;
        self.negative_gradient();
        self.square_factor.solve_least_norm(&mut self.step);
        Ok(rank)
    }

    /// `step = -Jᵀ r`.
    fn negative_gradient(&mut self) {
        let (m, n) = self.j.shape();
        for k in 0..n {
            self.step[k] = -(0..m).map(|i| self.j[(i, k)] * self.r[i]).sum::<f64>();
        }
    }

    /// `r · J step`, half the rate at which the squared residual changes along the step.
    fn slope(&self) -> f64 {
        let (m, n) = self.j.shape();
        let row = |i: usize| (0..n).map(|k| self.j[(i, k)] * self.step[k]).sum::<f64>();
        (0..m).map(|i| self.r[i] * row(i)).sum()
    }

    /// Takes the longest of the halved steps that reduces the residual; false if none does.
    fn line_search(&mut self, system: &mut dyn NonlinearSystem, x: &mut [f64]) -> Result<bool, NumericsError> {
        for k in 0..=HALVINGS {
            if self.try_step(system, x, 0.5_f64.powi(k))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Levenberg-Marquardt steps with growing damping; false if none reduces the residual.
    fn damped_steps(&mut self, system: &mut dyn NonlinearSystem, x: &mut [f64]) -> Result<bool, NumericsError> {
        self.j.tr_mul_to(&self.j, &mut self.normal);
        let n = x.len();
        let scale = (0..n).fold(0.0_f64, |s, i| s.max(self.normal[(i, i)]));
        let mut mu = 1e-8 * scale;
        for _ in 0..DAMPINGS {
            for i in 0..n {
                self.normal[(i, i)] += mu;
            }
            self.normal_factor.factor(&self.normal, f64::EPSILON)?;
            self.negative_gradient();
            self.normal_factor.solve_least_norm(&mut self.step);
            if self.try_step(system, x, 1.0)? {
                return Ok(true);
            }
            for i in 0..n {
                self.normal[(i, i)] -= mu;
            }
            mu *= 10.0;
        }
        Ok(false)
    }

    /// Moves `x` by `length * step` if that reduces the norm of the residual. A model that refuses the trial point
    /// counts as no reduction.
    fn try_step(
        &mut self,
        system: &mut dyn NonlinearSystem,
        x: &mut [f64],
        length: f64,
    ) -> Result<bool, NumericsError> {
        for k in 0..x.len() {
            self.x_trial[k] = x[k] + length * self.step[k];
        }
        if system.residual(&self.x_trial, &mut self.r_trial).is_err() {
            return Ok(false);
        }
        let square = |r: &[f64]| r.iter().map(|v| v * v).sum::<f64>();
        let (old, new) = (square(&self.r), square(&self.r_trial));
        // sufficient decrease of Armijo with c = 1e-4; NaN compares false
        let accepted = new < old && new <= old + 2e-4 * length * self.slope();
        if accepted {
            x.copy_from_slice(&self.x_trial);
            self.r.copy_from_slice(&self.r_trial);
        }
        Ok(accepted)
    }
}

fn largest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |m, x| m.max(x.abs()))
}
