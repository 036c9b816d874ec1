//! Step ends of the fixed-step methods.

/// Times `base + n h`, computed by multiplication so that rounding does not accumulate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FixedGrid {
    base: f64,
    taken: usize,
    h: f64,
}

/// A last interval longer than the step by less than this fraction is not split.
const STRETCH: f64 = 1e-9;

impl FixedGrid {
    /// Grid with step `h` from `base` on.
    pub fn new(base: f64, h: f64) -> Self {
        Self { base, taken: 0, h }
    }

    /// End of the next step, not beyond `t_limit`, and whether the step has full length.
    pub fn next(&mut self, t_limit: f64) -> (f64, bool) {
        self.taken += 1;
        let t = self.base + self.taken as f64 * self.h;
        if t >= t_limit + STRETCH * self.h {
            (t_limit, false)
        } else if t >= t_limit - STRETCH * self.h {
            (t_limit, true)
        } else {
            (t, true)
        }
    }

    /// The step.
    pub fn h(&self) -> f64 {
        self.h
    }
}
