//! What a muscle does within a window of time on a prescribed motion: the look-ahead of computed muscle control.

use crate::plant::{Fibre, Plant};
use wolff_motion::MotionError;

/// Longest time between the tabulated lengths of the paths \[s\] (chosen here: linear between them, lengths are then
/// right to a micrometre).
const SPACING: f64 = 5e-4;
/// Local error of activation, and of fibre length over the optimal one, in one step (chosen here: a hundredth of what
/// OpenSim asks of its integrator).
const ACCURACY: f64 = 1e-7;
/// Shortest step \[s\].
const SHORTEST: f64 = 1e-8;

/// Lengths of all paths over a window of time.
#[derive(Clone, Debug, Default)]
pub struct Window {
    start: f64,
    spacing: f64,
    muscles: usize,
    /// Length \[m\] and its rate \[m/s\] of each muscle at each node.
    table: Vec<[f64; 2]>,
}

impl Window {
    /// Tabulates the lengths from `start` to `end` \[s\] along a motion that `pose` writes for a time.
    pub fn fill(
        &mut self,
        plant: &mut Plant<'_>,
        [start, end]: [f64; 2],
        (q, v): (&mut [f64], &mut [f64]),
        mut pose: impl FnMut(f64, &mut [f64], &mut [f64]),
    ) {
        let parts = ((end - start) / SPACING).ceil().max(1.0);
        self.start = start;
        self.spacing = (end - start) / parts;
        self.muscles = plant.fibres.len();
        self.table.clear();
        for k in 0..=parts as usize {
            let t = start + k as f64 * self.spacing;
            pose(t, q, v);
            let table = &mut self.table;
            plant.lengths(t, q, v, |_, length, speed| table.push([length, speed]));
        }
    }

    /// Length and its rate of muscle `k` at node `i`.
    fn node(&self, i: usize, k: usize) -> [f64; 2] {
        self.table[i * self.muscles + k]
    }

    /// Number of intervals.
    fn parts(&self) -> usize {
        self.table.len().checked_div(self.muscles).map_or(0, |rows| rows.saturating_sub(1))
    }

    /// Activation and fibre length at the end of the window, and the force there \[N\], under a constant excitation.
    pub fn run(&self, k: usize, fibre: &Fibre<'_>, start: [f64; 2], u: f64) -> ([f64; 2], f64) {
        let (mut y, mut h) = (start, self.spacing);
        for i in 0..self.parts() {
            let (from, to) = (self.node(i, k), self.node(i + 1, k));
            let span = self.spacing;
            let rates = |y: [f64; 2], s: f64| {
                let part = s / span;
                let [length, speed] = [0, 1].map(|j| from[j] + (to[j] - from[j]) * part);
                let state = fibre.state(y, u, length, speed);
                fibre.rates(y, u, &state)
            };
            y = advance(&rates, y, span, &mut h, fibre.hill.parameters().optimal_fibre_length);
        }
        let [length, speed] = self.node(self.parts(), k);
        (y, fibre.state(y, u, length, speed).tendon_force)
    }

    /// The constant excitation within `[low, high]` whose force at the end of the window is `force` \[N\], where `ends`
    /// are the forces at the ends of the range; the nearest end where none is. `tolerance` is that of the excitation.
    pub fn excitation(
        &self,
        k: usize,
        fibre: &Fibre<'_>,
        start: [f64; 2],
        ([low, high], ends): ([f64; 2], [f64; 2]),
        (force, tolerance): (f64, f64),
    ) -> f64 {
        let (below, above) = (ends[0] - force, ends[1] - force);
        if below >= 0.0 || high <= low {
            return low;
        }
        if above <= 0.0 {
            return high;
        }
        root(|u| self.run(k, fibre, start, u).1 - force, ([low, below], [high, above]), tolerance)
    }
}

/// Number of trials of an excitation.
const MOST_TRIALS: usize = 100;

/// The root of `f` between two points `[x, f(x)]` with values of opposite signs, with a bracket of `tolerance`: Brent's
/// method, by inverse quadratic interpolation or bisection. No step is shorter than half of the tolerance.
///
/// Source: Forsythe, Malcolm and Moler 1977, Computer Methods for Mathematical Computations, function ZEROIN. OpenSim's
/// muscle control has the same method, with a tolerance of 4e-3.
fn root(f: impl Fn(f64) -> f64, (low, high): ([f64; 2], [f64; 2]), tolerance: f64) -> f64 {
    // b the best point, a the one before it, c on the other side of the root
    let (mut a, mut b, mut c) = (low, high, low);
    for _ in 0..MOST_TRIALS {
        if b[1] * c[1] > 0.0 {
            c = a;
        }
        let before = b[0] - a[0];
        if c[1].abs() < b[1].abs() {
            (a, b, c) = (b, c, b);
        }
        let least = 2.0 * f64::EPSILON * b[0].abs() + 0.5 * tolerance;
        let mut step = 0.5 * (c[0] - b[0]);
        if step.abs() <= least || b[1] == 0.0 {
            break;
        }
        if before.abs() >= least && a[1].abs() > b[1].abs() {
            step = interpolated(a, b, c, before, least).unwrap_or(step);
        }
        if step.abs() < least {
            step = least.copysign(step);
        }
        a = b;
        b[0] += step;
        b[1] = f(b[0]);
    }
    b[0]
}

/// The step from `b` to the root of the parabola through three points, or of the line through two; `None` where it is
/// too near to the end of the bracket or does not shorten the steps.
fn interpolated(a: [f64; 2], b: [f64; 2], c: [f64; 2], before: f64, least: f64) -> Option<f64> {
    let width = c[0] - b[0];
    let (mut p, mut q);
    if a[0] == c[0] {
        let part = b[1] / a[1];
        (p, q) = (width * part, 1.0 - part);
    } else {
        let (ac, bc, ba) = (a[1] / c[1], b[1] / c[1], b[1] / a[1]);
        p = ba * (width * ac * (ac - bc) - (b[0] - a[0]) * (bc - 1.0));
        q = (ac - 1.0) * (bc - 1.0) * (ba - 1.0);
    }
    if p > 0.0 {
        q = -q
    } else {
        p = -p
    }
    let inside = p < 0.75 * width * q - 0.5 * (least * q).abs() && p < (0.5 * before * q).abs();
    inside.then(|| p / q)
}

/// Integrates two states over `span` \[s\] by the method of Bogacki and Shampine (Appl Math Lett 2:321, 1989) of
/// order 3 with error control; `h` is the step to try, and is left for the next interval.
fn advance(
    rates: &impl Fn([f64; 2], f64) -> [f64; 2],
    mut y: [f64; 2],
    span: f64,
    h: &mut f64,
    scale: f64,
) -> [f64; 2] {
    let mut s = 0.0;
    let plus = |y: [f64; 2], terms: &[(f64, [f64; 2])]| {
        [0, 1].map(|i| y[i] + terms.iter().map(|(w, k)| w * k[i]).sum::<f64>())
    };
    let mut k1 = rates(y, 0.0);
    while span - s > 1e-12 * span {
        let step = h.min(span - s);
        let k2 = rates(plus(y, &[(step / 2.0, k1)]), s + step / 2.0);
        let k3 = rates(plus(y, &[(0.75 * step, k2)]), s + 0.75 * step);
        let next = plus(y, &[(step * 2.0 / 9.0, k1), (step / 3.0, k2), (step * 4.0 / 9.0, k3)]);
        let k4 = rates(next, s + step);
        let off = |i: usize| step * (k1[i] * -5.0 / 72.0 + k2[i] / 12.0 + k3[i] / 9.0 - k4[i] / 8.0);
        let error = off(0).abs().max(off(1).abs() / scale) / ACCURACY;
        // a state that is not finite is reported where its force is used
        if !error.is_finite() {
            return next;
        }
        if error <= 1.0 || step <= SHORTEST {
            (s, y, k1) = (s + step, next, k4);
        }
        *h = (step * (0.9 * error.max(1e-6).powf(-1.0 / 3.0)).clamp(0.2, 5.0)).max(SHORTEST);
    }
    y
}

/// Errors that name a muscle whose force is not a finite number.
pub fn finite(force: f64, name: &str, time: f64) -> Result<f64, MotionError> {
    if force.is_finite() {
        return Ok(force);
    }
    let reason = format!("the force of muscle `{name}` is not a finite number; correct its path and parameters");
    Err(MotionError::Instant { time, reason })
}
