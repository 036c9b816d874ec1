//! Natural quintic splines: several signals over common times.

use crate::MotionError;
use wolff_numerics::Derivatives;

type Block = [[f64; 2]; 2];
type Pair = [f64; 2];

/// Natural quintic splines through samples of several signals at common times.
///
/// Between two knots a distance h apart the spline is the quintic with the values, slopes m and curvatures c of its
/// ends; m and c follow from continuous third and fourth derivatives at the knots and zero ones at both ends:
///
/// ```text
/// s'''(0)  =  60 Δ/h³ - 36 m0/h² - 24 m1/h² -  9 c0/h  +  3 c1/h       Δ = y1 - y0
/// s'''(h)  =  60 Δ/h³ - 24 m0/h² - 36 m1/h² -  3 c0/h  +  9 c1/h
/// s''''(0) = -360 Δ/h⁴ + 192 m0/h³ + 168 m1/h³ + 36 c0/h² - 24 c1/h²
/// s''''(h) =  360 Δ/h⁴ - 168 m0/h³ - 192 m1/h³ - 24 c0/h² + 36 c1/h²
/// ```
/// It is the interpolant with minimum `∫ (s''')²`; OpenSim's `GCVSpline` of degree 5 without error variance is the same
/// function. The unknowns solve a block tridiagonal system of 2x2 blocks in linear time. Source: Woltring, Adv Eng
/// Softw 8, 104-113, 1986, for the natural splines of odd degree; the Hermite form is derived here. Limits: no
/// smoothing. Outside the knots the first and last quintic continue.
#[derive(Clone, Debug)]
pub struct QuinticSplines {
    knots: Vec<f64>,
    /// Of each signal: value, slope and curvature at each knot.
    signals: Vec<Vec<[f64; 3]>>,
}

impl QuinticSplines {
    /// Interpolates `samples[signal][knot]`; three or more strictly increasing knots.
    pub fn new(knots: &[f64], samples: &[Vec<f64>]) -> Result<Self, MotionError> {
        let refused = |reason: String| Err(MotionError::input("spline through a motion", reason));
        if knots.len() < 3 {
            return refused(format!("{} instants, three or more are needed", knots.len()));
        }
        if let Some(k) = knots.windows(2).position(|w| !(w[1] > w[0] && w[1].is_finite())) {
            return refused(format!("time {} s is not followed by a later one; sort the rows", knots[k]));
        }
        for y in samples {
            if y.len() != knots.len() || y.iter().any(|y| !y.is_finite()) {
                return refused(format!(
                    "{} values for {} instants, or one that is not a finite number",
                    y.len(),
                    knots.len()
                ));
            }
        }
        let factors = Factors::new(knots);
        let signals = samples.iter().map(|y| factors.solve(knots, y)).collect();
        Ok(QuinticSplines { knots: knots.to_vec(), signals })
    }

    /// The times.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Passes `(signal, derivatives)` at time `t` to `visit`.
    pub fn evaluate(&self, t: f64, mut visit: impl FnMut(usize, Derivatives)) {
        let last = self.knots.len() - 2;
        let i = self.knots.partition_point(|k| *k <= t).saturating_sub(1).min(last);
        let (h, u) = (self.knots[i + 1] - self.knots[i], t - self.knots[i]);
        for (k, signal) in self.signals.iter().enumerate() {
            visit(k, hermite(&signal[i], &signal[i + 1], h, u));
        }
    }
}

/// The quintic with values, slopes and curvatures `a` at 0 and `b` at `h`, at `u`.
fn hermite(a: &[f64; 3], b: &[f64; 3], h: f64, u: f64) -> Derivatives {
    let x = u / h;
    let (m0, m1, c0, c1) = (a[1] * h, b[1] * h, a[2] * h * h, b[2] * h * h);
    let d = b[0] - a[0];
    let k3 = 10.0 * d - 6.0 * m0 - 4.0 * m1 - 1.5 * c0 + 0.5 * c1;
    let k4 = -15.0 * d + 8.0 * m0 + 7.0 * m1 + 1.5 * c0 - c1;
    let k5 = 6.0 * d - 3.0 * (m0 + m1) - 0.5 * (c0 - c1);
    Derivatives {
        value: a[0] + x * (m0 + x * (0.5 * c0 + x * (k3 + x * (k4 + x * k5)))),
        d1: (m0 + x * (c0 + x * (3.0 * k3 + x * (4.0 * k4 + x * 5.0 * k5)))) / h,
        d2: (c0 + x * (6.0 * k3 + x * (12.0 * k4 + x * 20.0 * k5))) / (h * h),
    }
}

/// The system of slopes and curvatures, eliminated.
struct Factors {
    /// Below the diagonal.
    lower: Vec<Block>,
    /// Inverse of the eliminated diagonal.
    inverse: Vec<Block>,
    /// Above the diagonal.
    upper: Vec<Block>,
}

/// Third and fourth derivative at one end of an interval: coefficients of `(m, c)` at its two knots.
fn at_start(h: f64) -> [Block; 2] {
    let (h2, h3) = (h * h, h * h * h);
    [[[-36.0 / h2, -9.0 / h], [192.0 / h3, 36.0 / h2]], [[-24.0 / h2, 3.0 / h], [168.0 / h3, -24.0 / h2]]]
}

fn at_end(h: f64) -> [Block; 2] {
    let (h2, h3) = (h * h, h * h * h);
    [[[-24.0 / h2, -3.0 / h], [-168.0 / h3, -24.0 / h2]], [[-36.0 / h2, 9.0 / h], [-192.0 / h3, 36.0 / h2]]]
}

impl Factors {
    fn new(knots: &[f64]) -> Self {
        let n = knots.len();
        let zero = [[0.0; 2]; 2];
        let (mut lower, mut inverse, mut upper) = (vec![zero; n], vec![zero; n], vec![zero; n]);
        for i in 0..n {
            let mut diagonal = zero;
            if i > 0 {
                let [before, here] = at_end(knots[i] - knots[i - 1]);
                (lower[i], diagonal) = (before, here);
            }
            if i + 1 < n {
                let [here, after] = at_start(knots[i + 1] - knots[i]);
                // continuity: the derivatives from the left minus those from the right
                diagonal = subtract(&diagonal, &here);
                upper[i] = subtract(&zero, &after);
            }
            if i > 0 {
                let carried = multiply(&multiply(&lower[i], &inverse[i - 1]), &upper[i - 1]);
                diagonal = subtract(&diagonal, &carried);
            }
            inverse[i] = invert(&diagonal);
        }
        Factors { lower, inverse, upper }
    }

    /// Value, slope and curvature at each knot.
    fn solve(&self, knots: &[f64], y: &[f64]) -> Vec<[f64; 3]> {
        let n = y.len();
        let mut x: Vec<Pair> = vec![[0.0; 2]; n];
        for i in 0..n {
            // minus the contributions of the values to the derivatives
            let mut b = [0.0; 2];
            if i > 0 {
                let (h, d) = (knots[i] - knots[i - 1], y[i] - y[i - 1]);
                b = [b[0] - 60.0 * d / h.powi(3), b[1] - 360.0 * d / h.powi(4)];
            }
            if i + 1 < n {
                let (h, d) = (knots[i + 1] - knots[i], y[i + 1] - y[i]);
                b = [b[0] + 60.0 * d / h.powi(3), b[1] - 360.0 * d / h.powi(4)];
            }
            if i > 0 {
                let carried = apply(&self.lower[i], &x[i - 1]);
                b = [b[0] - carried[0], b[1] - carried[1]];
            }
            x[i] = apply(&self.inverse[i], &b);
        }
        for i in (0..n - 1).rev() {
            let carried = apply(&self.inverse[i], &apply(&self.upper[i], &x[i + 1]));
            x[i] = [x[i][0] - carried[0], x[i][1] - carried[1]];
        }
        x.iter().zip(y).map(|(p, y)| [*y, p[0], p[1]]).collect()
    }
}

fn subtract(a: &Block, b: &Block) -> Block {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] - b[i][j]))
}

fn multiply(a: &Block, b: &Block) -> Block {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j]))
}

fn apply(a: &Block, x: &Pair) -> Pair {
    std::array::from_fn(|i| a[i][0] * x[0] + a[i][1] * x[1])
}

fn invert(a: &Block) -> Block {
    let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    [[a[1][1] / determinant, -a[0][1] / determinant], [-a[1][0] / determinant, a[0][0] / determinant]]
}
