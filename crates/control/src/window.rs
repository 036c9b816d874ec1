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
        if self.muscles == 0 { 0 } else { self.table.len() / self.muscles - 1 }
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
    /// are the forces at the ends of the range; the nearest end where none is.
    pub fn excitation(
        &self,
        k: usize,
        fibre: &Fibre<'_>,
        start: [f64; 2],
        ([low, high], ends): ([f64; 2], [f64; 2]),
        force: f64,
    ) -> f64 {
        let (mut a, mut b) = ([low, ends[0] - force], [high, ends[1] - force]);
        if a[1] >= 0.0 || high <= low {
            return low;
        }
        if b[1] <= 0.0 {
            return high;
        }
        // the Illinois form of the secant method: the force grows with excitation
        let mut last_moved = 0;
        for _ in 0..MOST_TRIALS {
            let x = (a[0] * b[1] - b[0] * a[1]) / (b[1] - a[1]);
            let off = self.run(k, fibre, start, x).1 - force;
            if off.abs() <= FORCE_TOLERANCE || b[0] - a[0] <= EXCITATION_TOLERANCE {
                return x;
            }
            let moved = if off < 0.0 { -1 } else { 1 };
            if moved < 0 {
                a = [x, off];
                b[1] *= if last_moved == moved { 0.5 } else { 1.0 };
            } else {
                b = [x, off];
                a[1] *= if last_moved == moved { 0.5 } else { 1.0 };
            }
            last_moved = moved;
        }
        0.5 * (a[0] + b[0])
    }
}

/// Error of a force \[N\] below which an excitation is found, and width of its bracket (OpenSim: 4e-3).
const FORCE_TOLERANCE: f64 = 1e-6;
const EXCITATION_TOLERANCE: f64 = 1e-10;
/// Number of trials of an excitation.
const MOST_TRIALS: usize = 60;

/// Integrates two states over `span` \[s\] by the method of Bogacki and Shampine (Appl Math Lett 2:321, 1989) of order 3
/// with error control; `h` is the step to try, and is left for the next interval.
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
