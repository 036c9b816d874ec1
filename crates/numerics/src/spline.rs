//! Cubic spline interpolation.

use crate::error::{NumericsError, input_error, require_finite, require_increasing};
use crate::function::Derivatives;

/// The two conditions that complete a cubic spline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EndCondition {
    /// Second derivative zero at both ends.
    Natural,
    /// Given slopes at the first and last knot.
    Clamped {
        /// Slope at the first knot.
        first: f64,
        /// Slope at the last knot.
        last: f64,
    },
    /// Third derivative continuous at the second and the last but one knot (two knots: a line, three: a parabola).
    NotAKnot,
    /// Third derivative of the first and last cubic equal to that of the cubic through the four outermost points (two
    /// knots: a line, three: a parabola). Source: Forsythe, Malcolm and Moler, Computer Methods for Mathematical
    /// Computations, 1977, routine SPLINE; OpenSim's `SimmSpline` has these ends.
    FourPoint,
    /// Value, slope and curvature agree at both ends; the last value must equal the first. Evaluation wraps around.
    Periodic,
}

/// Piecewise cubic through `(x_i, y_i)` with continuous second derivative.
///
/// On interval `i` of length `h`, with `u = x - x_i` and knot slopes `m`:
///
/// ```text
/// s(x) = y_i + u (m_i + u (c + u d)),   c = (3Δ - 2m_i - m_{i+1})/h,   d = (m_i + m_{i+1} - 2Δ)/h²,
/// Δ = (y_{i+1} - y_i)/h
/// ```
///
/// The slopes solve a tridiagonal system, so building takes linear time; evaluation is a binary search. Outside the
/// knots the first and last cubic continue, unless the ends are made [straight](CubicSpline::with_straight_ends)
/// (except periodic splines, which wrap).
///
/// Source: de Boor, A Practical Guide to Splines, 1978, chapter IV.
#[derive(Debug, Clone, PartialEq)]
pub struct CubicSpline {
    knots: Vec<f64>,
    values: Vec<f64>,
    slopes: Vec<f64>,
    periodic: bool,
    straight_ends: bool,
}

impl CubicSpline {
    /// Interpolates at least two points with strictly increasing abscissae.
    pub fn new(knots: &[f64], values: &[f64], ends: EndCondition) -> Result<Self, NumericsError> {
        check_points(knots, values, ends)?;
        let slopes = match ends {
            EndCondition::Periodic => periodic_slopes(knots, values),
            _ => open_slopes(knots, values, ends),
        };
        require_finite("slopes of the spline", &slopes)?;
        let periodic = ends == EndCondition::Periodic;
        Ok(Self::from_slopes(knots, values, slopes, periodic))
    }

    /// Piecewise cubics with these slopes at the knots.
    pub(crate) fn from_slopes(knots: &[f64], values: &[f64], slopes: Vec<f64>, periodic: bool) -> Self {
        Self { knots: knots.to_vec(), values: values.to_vec(), slopes, periodic, straight_ends: false }
    }

    /// The same spline, continued outside the knots along its tangents there.
    pub fn with_straight_ends(mut self) -> Self {
        self.straight_ends = true;
        self
    }

    /// The abscissae.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Value, first and second derivative at `x`.
    pub fn evaluate(&self, x: f64) -> Derivatives {
        let last = self.knots.len() - 1;
        let x = if self.periodic {
            let period = self.knots[last] - self.knots[0];
            self.knots[0] + (x - self.knots[0]).rem_euclid(period)
        } else {
            x
        };
        if self.straight_ends && !(self.knots[0] <= x && x <= self.knots[last]) {
            let k = if x < self.knots[0] { 0 } else { last };
            return Derivatives {
                value: self.values[k] + self.slopes[k] * (x - self.knots[k]),
                d1: self.slopes[k],
                d2: 0.0,
            };
        }
        let i = self.knots.partition_point(|&k| k <= x).clamp(1, last) - 1;
        let h = self.knots[i + 1] - self.knots[i];
        let u = x - self.knots[i];
        let (m0, m1) = (self.slopes[i], self.slopes[i + 1]);
        let secant = (self.values[i + 1] - self.values[i]) / h;
        let c = (3.0 * secant - 2.0 * m0 - m1) / h;
        let d = (m0 + m1 - 2.0 * secant) / (h * h);
        Derivatives {
            value: self.values[i] + u * (m0 + u * (c + u * d)),
            d1: m0 + u * (2.0 * c + 3.0 * u * d),
            d2: 2.0 * c + 6.0 * u * d,
        }
    }
}

/// Refuses tables that no spline goes through.
pub(crate) fn check_table(knots: &[f64], values: &[f64]) -> Result<(), NumericsError> {
    if knots.len() < 2 || knots.len() != values.len() {
        return Err(input_error(
            "spline table",
            format!("{} abscissae and {} values", knots.len(), values.len()),
            "a spline needs at least two points and one value per abscissa",
        ));
    }
    require_increasing("spline abscissae", knots)?;
    require_finite("spline values", values)
}

fn check_points(knots: &[f64], values: &[f64], ends: EndCondition) -> Result<(), NumericsError> {
    check_table(knots, values)?;
    match ends {
        EndCondition::Clamped { first, last } => require_finite("spline end slopes", &[first, last]),
        EndCondition::Periodic => check_period(values),
        EndCondition::Natural | EndCondition::NotAKnot | EndCondition::FourPoint => Ok(()),
    }
}

/// The ends of a periodic table may differ by rounding only.
pub(crate) fn check_period(values: &[f64]) -> Result<(), NumericsError> {
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let gap = values[values.len() - 1] - values[0];
    if gap.abs() > 1e-12 * largest {
        return Err(input_error(
            "last minus first value of a periodic spline",
            gap,
            "it must be zero; append the first value at the end of the period",
        ));
    }
    Ok(())
}

/// Interval lengths and divided differences.
fn intervals(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
    let secants = y.windows(2).zip(&h).map(|(w, h)| (w[1] - w[0]) / h).collect();
    (h, secants)
}

/// Slopes of natural, clamped, not-a-knot and four-point splines from
/// `h_i m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_{i-1} m_{i+1} = 3 (h_i Δ_{i-1} + h_{i-1} Δ_i)`.
fn open_slopes(x: &[f64], y: &[f64], ends: EndCondition) -> Vec<f64> {
    let n = x.len();
    let (h, s) = intervals(x, y);
    let few_points_decide = matches!(ends, EndCondition::NotAKnot | EndCondition::FourPoint);
    if few_points_decide && n == 2 {
        return vec![s[0]; 2];
    }
    if few_points_decide && n == 3 {
        return parabola_slopes(&h, &s);
    }

    let mut system = Tridiagonal::zeros(n);
    for i in 1..n - 1 {
        system.set(i, h[i], 2.0 * (h[i - 1] + h[i]), h[i - 1], 3.0 * (h[i] * s[i - 1] + h[i - 1] * s[i]));
    }
    let (h0, h1, s0, s1) = (h[0], h[n.min(3) - 2], s[0], s[n.min(3) - 2]);
    let (g0, g1, r0, r1) = (h[n - 2], h[n - n.min(3)], s[n - 2], s[n - n.min(3)]);
    match ends {
        EndCondition::Clamped { first, last } => {
            system.set(0, 0.0, 1.0, 0.0, first);
            system.set(n - 1, 0.0, 1.0, 0.0, last);
        }
        EndCondition::NotAKnot => {
            let d = h0 + h1;
            system.set(0, 0.0, h1, d, ((h0 + 2.0 * d) * h1 * s0 + h0 * h0 * s1) / d);
            let d = g0 + g1;
            system.set(n - 1, d, g1, 0.0, ((g0 + 2.0 * d) * g1 * r0 + g0 * g0 * r1) / d);
        }
        EndCondition::FourPoint => {
            // d = (m_0 + m_1 - 2Δ)/h² is a sixth of the third derivative
            let (first, last) = (third_difference(x, y, 0), third_difference(x, y, n - 4));
            system.set(0, 0.0, 1.0, 1.0, 2.0 * s0 + h0 * h0 * first);
            system.set(n - 1, 1.0, 1.0, 0.0, 2.0 * r0 + g0 * g0 * last);
        }
        EndCondition::Natural | EndCondition::Periodic => {
            system.set(0, 0.0, 2.0, 1.0, 3.0 * s0);
            system.set(n - 1, 1.0, 2.0, 0.0, 3.0 * r0);
        }
    }
    system.solve()
}

/// Third divided difference of the four points from `i`.
fn third_difference(x: &[f64], y: &[f64], i: usize) -> f64 {
    let first = |i: usize| (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    let second = |i: usize| (first(i + 1) - first(i)) / (x[i + 2] - x[i]);
    (second(i + 1) - second(i)) / (x[i + 3] - x[i])
}

/// Slopes of the parabola through three points.
fn parabola_slopes(h: &[f64], s: &[f64]) -> Vec<f64> {
    let curvature = (s[1] - s[0]) / (h[0] + h[1]);
    vec![s[0] - curvature * h[0], s[0] + curvature * h[0], s[1] + curvature * h[1]]
}

/// Slopes of the periodic spline: a cyclic tridiagonal system, solved as a tridiagonal one with a rank-one correction
/// (Sherman-Morrison).
fn periodic_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len() - 1;
    let (h, s) = intervals(x, y);
    if n == 1 {
        return vec![0.0; 2];
    }
    if n == 2 {
        // both unknown slopes see each other from two sides and turn out equal
        let m = (h[1] * s[0] + h[0] * s[1]) / (h[0] + h[1]);
        return vec![m; 3];
    }

    let before = |i: usize| (i + n - 1) % n;
    let mut system = Tridiagonal::zeros(n);
    for i in 0..n {
        let (l, r) = (h[before(i)], h[i]);
        system.set(i, r, 2.0 * (l + r), l, 3.0 * (r * s[before(i)] + l * s[i]));
    }
    let (corner_first, corner_last) = (system.lower[0], system.upper[n - 1]);
    let gamma = -system.diagonal[0];
    system.diagonal[0] -= gamma;
    system.diagonal[n - 1] -= corner_first * corner_last / gamma;
    let mut correction = system.clone();
    correction.rhs.fill(0.0);
    correction.rhs[0] = gamma;
    correction.rhs[n - 1] = corner_last;

    let (a, b) = (system.solve(), correction.solve());
    let ratio = corner_first / gamma;
    let factor = (a[0] + ratio * a[n - 1]) / (1.0 + b[0] + ratio * b[n - 1]);
    let mut slopes: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - factor * b).collect();
    slopes.push(slopes[0]);
    slopes
}

/// A tridiagonal system; `lower[0]` and `upper[n-1]` are outside the matrix.
#[derive(Clone)]
struct Tridiagonal {
    lower: Vec<f64>,
    diagonal: Vec<f64>,
    upper: Vec<f64>,
    rhs: Vec<f64>,
}

impl Tridiagonal {
    fn zeros(n: usize) -> Self {
        let z = vec![0.0; n];
        Self { lower: z.clone(), diagonal: z.clone(), upper: z.clone(), rhs: z }
    }

    fn set(&mut self, i: usize, lower: f64, diagonal: f64, upper: f64, rhs: f64) {
        self.lower[i] = lower;
        self.diagonal[i] = diagonal;
        self.upper[i] = upper;
        self.rhs[i] = rhs;
    }

    /// Thomas elimination; stable because every system here is (nearly) diagonally dominant.
    fn solve(mut self) -> Vec<f64> {
        let n = self.rhs.len();
        for i in 1..n {
            let w = self.lower[i] / self.diagonal[i - 1];
            self.diagonal[i] -= w * self.upper[i - 1];
            self.rhs[i] -= w * self.rhs[i - 1];
        }
        let mut x = self.rhs;
        x[n - 1] /= self.diagonal[n - 1];
        for i in (0..n - 1).rev() {
            x[i] = (x[i] - self.upper[i] * x[i + 1]) / self.diagonal[i];
        }
        x
    }
}
