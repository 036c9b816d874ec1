//! What watches a run: dense output of each accepted step.

use super::stepper::Stepper;

/// One accepted step with its interpolant.
pub struct DenseStep<'a> {
    /// Start of the step \[s\].
    pub t0: f64,
    /// End of the step \[s\].
    pub t1: f64,
    stepper: &'a dyn Stepper,
}

impl<'a> DenseStep<'a> {
    pub(crate) fn new(stepper: &'a dyn Stepper) -> Self {
        let (t0, t1) = stepper.span();
        Self { t0, t1, stepper }
    }

    /// Writes the state at `t` in `[t0, t1]` to `y`; exactly the accepted state at `t1`.
    ///
    /// The full order of the method's dense output if the observer asked for it
    /// ([`Observer::needs_interpolation`]), otherwise cubic.
    pub fn interpolate(&self, t: f64, y: &mut [f64]) {
        if t == self.t1 {
            y.copy_from_slice(self.stepper.end());
        } else {
            self.stepper.interpolate(t, y);
        }
    }

    /// State at `t1`; for mechanical systems `[q | v]`.
    pub fn end(&self) -> &[f64] {
        self.stepper.end()
    }

    /// `[a | λ]` at `t1` for mechanical systems, empty for first-order systems.
    pub fn algebraic(&self) -> &[f64] {
        self.stepper.algebraic()
    }
}

/// Sees every accepted step in order. Events cut steps, so no step contains a jump inside.
pub trait Observer {
    /// Called once with the initial state.
    fn start(&mut self, _t: f64, _y: &[f64]) {}

    /// Whether [`DenseStep::interpolate`] will be called inside this step; spares work if not.
    fn needs_interpolation(&self, _t0: f64, _t1: f64) -> bool {
        true
    }

    /// Called after each accepted step.
    fn step(&mut self, step: &DenseStep);
}

/// Watches nothing.
impl Observer for () {
    fn needs_interpolation(&self, _t0: f64, _t1: f64) -> bool {
        false
    }

    fn step(&mut self, _step: &DenseStep) {}
}

/// A closure is an observer.
impl<F: FnMut(&DenseStep)> Observer for F {
    fn step(&mut self, step: &DenseStep) {
        self(step);
    }
}

/// Records the state at given times.
///
/// Times before the start are skipped. At a jump the state before it is recorded.
#[derive(Debug, Clone, Default)]
pub struct Sampler {
    times: Vec<f64>,
    taken: usize,
    dim: usize,
    states: Vec<f64>,
    first: usize,
}

impl Sampler {
    /// Samples at these times, in rising order and each once.
    pub fn at(times: &[f64]) -> Self {
        let mut times = times.to_vec();
        times.sort_by(f64::total_cmp);
        times.dedup();
        Self { times, ..Self::default() }
    }

    /// Samples at `t0 + i (t_end - t0)/intervals`, i = 0..=intervals; the last is exactly `t_end`.
    pub fn uniform(t0: f64, t_end: f64, intervals: usize) -> Self {
        let n = intervals.max(1);
        let dt = (t_end - t0) / n as f64;
        let mut times: Vec<f64> = (0..n).map(|i| t0 + i as f64 * dt).collect();
        times.push(t_end);
        Self { times, ..Self::default() }
    }

    /// Number of samples taken.
    pub fn len(&self) -> usize {
        self.taken - self.first
    }

    /// Whether no sample was taken.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Times of the samples taken \[s\].
    pub fn times(&self) -> &[f64] {
        &self.times[self.first..self.taken]
    }

    /// Sample `i`, if taken.
    pub fn state(&self, i: usize) -> Option<&[f64]> {
        self.states.get(i * self.dim..(i + 1) * self.dim)
    }

    /// Samples in order of time.
    pub fn states(&self) -> impl Iterator<Item = &[f64]> {
        self.states.chunks_exact(self.dim.max(1))
    }
}

impl Observer for Sampler {
    fn start(&mut self, t: f64, y: &[f64]) {
        self.dim = y.len();
        self.first = self.times.partition_point(|&s| s < t);
        self.taken = self.first;
        self.states.clear();
        self.states.reserve((self.times.len() - self.first) * self.dim);
        while self.times.get(self.taken) == Some(&t) {
            self.states.extend_from_slice(y);
            self.taken += 1;
        }
    }

    fn needs_interpolation(&self, _t0: f64, t1: f64) -> bool {
        self.times.get(self.taken).is_some_and(|&t| t < t1)
    }

    fn step(&mut self, step: &DenseStep) {
        while let Some(&t) = self.times.get(self.taken)
            && t <= step.t1
        {
            let from = self.states.len();
            self.states.resize(from + self.dim, 0.0);
            step.interpolate(t.max(step.t0), &mut self.states[from..]);
            self.taken += 1;
        }
    }
}
