//! Distribution of joint moments over muscles at minimum cost: a convex problem with bounds, solved by its dual.

use crate::MotionError;
use nalgebra::DMatrix;
use wolff_numerics::dense::{cholesky_in_place, cholesky_solve};

/// Maximum number of Newton steps on one dual, and of quadratic problems for a power above two.
const MOST_STEPS: usize = 60;
/// Residual of a row over its size (chosen here: far below the uncertainty of moments, far above rounding).
const TOLERANCE: f64 = 1e-10;
/// Duality gap that ends the search, and gap that still counts as solved (chosen here).
const SMALL_GAP: f64 = 1e-10;
const ALLOWED_GAP: f64 = 1e-5;
/// Control below which the slope of a power below two is evaluated at this control \[-\].
const SMALL_CONTROL: f64 = 1e-3;
/// Minimum curvature of a quadratic problem.
const LEAST_CURVATURE: f64 = 1e-8;

/// `min Σ |x_i|^p / p` subject to `A x = b` and `l ≤ x ≤ u`.
#[derive(Clone, Debug)]
pub struct SharingProblem {
    /// A: one column per actuator, one row per moment.
    pub A: DMatrix<f64>,
    /// b.
    pub b: Vec<f64>,
    /// l; may be -∞.
    pub lower: Vec<f64>,
    /// u; may be ∞.
    pub upper: Vec<f64>,
}

/// Report of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharingReport {
    /// Whether `A x = b` holds.
    pub solved: bool,
    /// Newton steps.
    pub steps: usize,
    /// Largest violation of a row of `A x = b`, in the units of b. Bounds hold exactly.
    pub residual: f64,
    /// Cost minus its lower bound from the dual, over the cost of the controls with bounds; zero by construction for
    /// powers up to two.
    pub gap: f64,
    /// The row with the largest violation.
    pub worst_row: usize,
}

/// A cost whose minimum over one control has a closed form.
#[derive(Clone, Copy)]
enum Cost<'a> {
    /// `|x|^p / p`.
    Power(f64),
    /// `w (x - c)² / 2`, as pairs of w and c.
    Quadratic(&'a [[f64; 2]]),
}

impl Cost<'_> {
    /// Control that minimises cost minus `g x` within bounds, its slope by g, and `g x` minus the cost.
    fn best(&self, i: usize, g: f64, l: f64, u: f64) -> [f64; 3] {
        let free = match self {
            Cost::Power(p) if *p == 2.0 => g,
            Cost::Power(p) => g.signum() * g.abs().powf(1.0 / (p - 1.0)),
            Cost::Quadratic(pairs) => pairs[i][1] + g / pairs[i][0],
        };
        let x = free.clamp(l, u);
        let slope = match self {
            _ if x != free => 0.0,
            Cost::Power(p) if *p == 2.0 => 1.0,
            Cost::Power(p) => x.abs().max(SMALL_CONTROL).powf(2.0 - p) / (p - 1.0),
            Cost::Quadratic(pairs) => 1.0 / pairs[i][0],
        };
        let cost = match self {
            Cost::Power(p) if *p == 2.0 => 0.5 * x * x,
            Cost::Power(p) => x.abs().powf(*p) / p,
            Cost::Quadratic(pairs) => 0.5 * pairs[i][0] * (x - pairs[i][1]).powi(2),
        };
        [x, slope, g * x - cost]
    }
}

/// Work memory of the solver; the multipliers of the last problem are the initial guess of the next.
///
/// With multipliers λ of `A x = b`, stationarity gives each control by itself,
///
/// ```text
/// x_i(λ) = clip(sign(g_i) |g_i|^(1/(p-1)), l_i, u_i),    g = Aᵀ λ
/// ```
/// and the dual `Ψ(λ) = Σ (g_i x_i - |x_i|^p/p) - bᵀ λ` is convex with gradient `A x(λ) - b`. Newton's method on it
/// needs matrices of the size of the moments only: `A D Aᵀ` with D the slopes of x_i where it is inside its bounds. A
/// line search on the slope of Ψ makes it globally convergent; with p = 2 it ends after finitely many steps. Where no x
/// exists, Ψ has no lower bound and the residual stays.
///
/// For p > 2 the slopes are unbounded at zero. There Newton's method works on the controls: the cost's quadratic model
/// at the present x, bounds and moments kept, is a problem of the kind above with weights, and a line search on the
/// cost follows. It ends when the dual of the true cost proves optimality.
///
/// Limits: with reserves whose controls are far above one, with powers above five the muscles are lost in rounding; the
/// report shows it. Source: Qi and Sun, Math Program 58, 353-367, 1993, for semismooth Newton methods; Boyd and
/// Vandenberghe, Convex Optimization, 2004, chapters 5 and 10, for duality gaps and Newton's method with equality
/// constraints.
#[derive(Clone, Debug)]
pub struct Sharing {
    power: f64,
    /// Multipliers of the last problem with a power of at most two.
    start: Vec<f64>,
    lambda: Vec<f64>,
    x: Vec<f64>,
    /// Size of each row: the scale of its residual.
    size: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    slope: Vec<f64>,
    H: DMatrix<f64>,
    /// Curvature and centre of each control's quadratic model.
    model: Vec<[f64; 2]>,
    /// The controls that the model belongs to.
    at: Vec<f64>,
}

impl Sharing {
    /// Work memory for `rows` moments and `columns` actuators, and the power p > 1.
    pub fn new(rows: usize, columns: usize, power: f64) -> Result<Self, MotionError> {
        if !(power > 1.0 && power <= 100.0) {
            let reason = format!("power of activation is {power}, must be above 1 and at most 100; 2 is usual");
            return Err(MotionError::input("static optimisation", reason));
        }
        Ok(Sharing {
            power,
            start: vec![0.0; rows],
            lambda: vec![0.0; rows],
            x: vec![0.0; columns],
            size: vec![0.0; rows],
            gradient: vec![0.0; rows],
            step: vec![0.0; rows],
            trial: vec![0.0; rows],
            slope: vec![0.0; columns],
            H: DMatrix::zeros(rows, rows),
            model: vec![[1.0, 0.0]; columns],
            at: vec![0.0; columns],
        })
    }

    /// The controls of the last problem.
    pub fn controls(&self) -> &[f64] {
        &self.x
    }

    /// The multipliers of the last problem: the cost of one more unit of each moment.
    pub fn multipliers(&self) -> &[f64] {
        &self.lambda
    }

    /// `A x - b` of the last problem.
    pub fn violations(&self) -> &[f64] {
        &self.gradient
    }

    /// Solves a problem of the size given to [`Sharing::new`].
    pub fn solve(&mut self, problem: &SharingProblem) -> SharingReport {
        self.measure_rows(problem);
        let first = Cost::Power(self.power.min(2.0));
        self.lambda.copy_from_slice(&self.start);
        let mut report = self.newton(problem, first);
        if !report.solved && self.start.iter().any(|l| *l != 0.0) {
            self.lambda.fill(0.0);
            report = self.newton(problem, first);
        }
        if report.solved {
            self.start.copy_from_slice(&self.lambda);
        } else {
            self.start.fill(0.0);
        }
        if report.solved && self.power > 2.0 {
            report = self.descend(problem, report.steps);
        }
        report
    }

    /// Newton's method on the controls for powers above two, from the present controls.
    fn descend(&mut self, problem: &SharingProblem, mut steps: usize) -> SharingReport {
        let p = self.power;
        let cost = |x: &[f64]| x.iter().map(|x| x.abs().powf(p)).sum::<f64>() / p;
        let mut model = std::mem::take(&mut self.model);
        let mut report = self.report(steps);
        for _ in 0..MOST_STEPS {
            self.at.copy_from_slice(&self.x);
            for (pair, x) in model.iter_mut().zip(&self.at) {
                let w = ((p - 1.0) * x.abs().powf(p - 2.0)).max(LEAST_CURVATURE);
                *pair = [w, x - x.signum() * x.abs().powf(p - 1.0) / w];
            }
            let inner = self.newton(problem, Cost::Quadratic(&model));
            steps += inner.steps;
            let gap = self.gap(problem);
            report = SharingReport { steps, gap, solved: inner.solved && gap <= ALLOWED_GAP, ..inner };
            if !inner.solved || gap <= SMALL_GAP {
                break;
            }
            // both ends satisfy the moments, and so does every point between them
            let (before, mut length) = (cost(&self.at), 1.0);
            while cost(&self.x) > before && length > 1e-6 {
                length *= 0.5;
                for (x, at) in self.x.iter_mut().zip(&self.at) {
                    *x = 0.5 * (*x + at);
                }
            }
        }
        self.model = model;
        report
    }

    /// Duality gap of the true cost, summed over the controls and divided by the cost of the controls with bounds (or
    /// of all, where no control has bounds): reserves without bounds would hide the muscles.
    fn gap(&self, problem: &SharingProblem) -> f64 {
        let (mut excess, mut bounded, mut all) = (0.0, 0.0, 0.0);
        for (i, column) in problem.A.column_iter().enumerate() {
            let g: f64 = column.iter().zip(&self.lambda).map(|(a, l)| a * l).sum();
            let (l, u) = (problem.lower[i], problem.upper[i]);
            let cost = self.x[i].abs().powf(self.power) / self.power;
            excess += (cost - g * self.x[i] + Cost::Power(self.power).best(i, g, l, u)[2]).max(0.0);
            all += cost;
            bounded += if l.is_finite() && u.is_finite() { cost } else { 0.0 };
        }
        excess / if bounded > 0.0 { bounded } else { all.max(f64::MIN_POSITIVE) }
    }

    /// Sizes of the rows: the required moment, or the moment of the actuators at a control of one.
    fn measure_rows(&mut self, problem: &SharingProblem) {
        for (k, size) in self.size.iter_mut().enumerate() {
            let strength = problem.A.row(k).iter().fold(0.0_f64, |m, a| m.max(a.abs()));
            *size = strength.max(problem.b[k].abs()).max(f64::MIN_POSITIVE);
        }
    }

    fn newton(&mut self, problem: &SharingProblem, cost: Cost<'_>) -> SharingReport {
        self.evaluate(problem, cost, false);
        for steps in 0..MOST_STEPS {
            let report = self.report(steps);
            if report.solved || !self.newton_step(problem) || !self.search(problem, cost) {
                return report;
            }
        }
        self.report(MOST_STEPS)
    }

    /// Controls, slopes and gradient of the dual at the multipliers (or the trial ones).
    fn evaluate(&mut self, problem: &SharingProblem, cost: Cost<'_>, trial: bool) {
        let lambda = if trial { &self.trial } else { &self.lambda };
        for (g, b) in self.gradient.iter_mut().zip(&problem.b) {
            *g = -b;
        }
        for (i, column) in problem.A.column_iter().enumerate() {
            let column = column.as_slice();
            let g: f64 = column.iter().zip(lambda).map(|(a, l)| a * l).sum();
            let [x, slope, _] = cost.best(i, g, problem.lower[i], problem.upper[i]);
            (self.x[i], self.slope[i]) = (x, slope);
            for (g, a) in self.gradient.iter_mut().zip(column) {
                *g += a * x;
            }
        }
    }

    /// Computes Newton's step; false where the matrix is singular.
    fn newton_step(&mut self, problem: &SharingProblem) -> bool {
        self.H.fill(0.0);
        let rows = self.size.len();
        for (column, slope) in problem.A.column_iter().zip(&self.slope).filter(|(_, s)| **s > 0.0) {
            let column = column.as_slice();
            for j in 0..rows {
                let scaled = slope * column[j];
                if scaled != 0.0 {
                    for i in j..rows {
                        self.H[(i, j)] += scaled * column[i];
                    }
                }
            }
        }
        for k in 0..rows {
            // a row without a free control keeps a little curvature, so that its multiplier can grow
            self.H[(k, k)] += 1e-14 * self.H[(k, k)] + 1e-9 * self.size[k] * self.size[k];
            self.step[k] = -self.gradient[k];
        }
        if cholesky_in_place(&mut self.H).is_err() {
            return false;
        }
        cholesky_solve(&self.H, &mut self.step);
        self.step.iter().all(|x| x.is_finite())
    }

    /// Line search along the step on the slope of the dual; returns whether it moved.
    ///
    /// The slope of the dual along the step comes from its gradient, which is still accurate where rounding hides the
    /// decrease of the dual.
    fn search(&mut self, problem: &SharingProblem, cost: Cost<'_>) -> bool {
        let along = |s: &Sharing| s.step.iter().zip(&s.gradient).map(|(s, g)| s * g).sum::<f64>();
        let descent = along(self);
        let mut length = 1.0;
        while length > 1e-12 {
            for k in 0..self.trial.len() {
                self.trial[k] = self.lambda[k] + length * self.step[k];
            }
            self.evaluate(problem, cost, true);
            if along(self) <= -0.1 * descent {
                self.lambda.copy_from_slice(&self.trial);
                return true;
            }
            length *= 0.5;
        }
        self.evaluate(problem, cost, false);
        false
    }

    /// Largest violation of a row over its size.
    fn residual(&self) -> f64 {
        self.gradient.iter().zip(&self.size).fold(0.0, |m, (g, s)| f64::max(m, g.abs() / s))
    }

    fn report(&self, steps: usize) -> SharingReport {
        let relative = |k: &usize| self.gradient[*k].abs() / self.size[*k];
        let worst_row = (0..self.size.len()).max_by(|a, b| relative(a).total_cmp(&relative(b))).unwrap_or(0);
        let residual = self.gradient.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
        SharingReport { solved: self.residual() <= TOLERANCE, steps, residual, gap: 0.0, worst_row }
    }
}
