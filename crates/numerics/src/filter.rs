//! Butterworth low-pass filters: one pass, or forward and backward without phase shift.

use std::f64::consts::{PI, SQRT_2};

use crate::error::{NumericsError, input_error, require_finite};

/// Second-order section `y_n = b0 x_n + b1 x_{n-1} + b2 x_{n-2} - a1 y_{n-1} - a2 y_{n-2}`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Biquad {
    /// Weights of the input.
    pub b: [f64; 3],
    /// Weights a1, a2 of the output.
    pub a: [f64; 2],
}

/// Low-pass Butterworth filter of even order as a cascade of second-order sections.
///
/// Bilinear transform with prewarping, `w = tan(π f_c/f_s)`; section k = 0..N/2 with `r = 2 sin((2k+1)π/(2N))`:
///
/// ```text
/// b = w²/D (1, 2, 1),   a1 = 2 (w² - 1)/D,   a2 = (1 - r w + w²)/D,   D = 1 + r w + w²
/// ```
///
/// f_c cutoff \[Hz\] (gain 1/√2 in one pass), f_s sampling rate \[Hz\], N order.
/// Source: Oppenheim and Schafer, Discrete-Time Signal Processing, 3rd ed., section 7.2.
#[derive(Debug, Clone, PartialEq)]
pub struct Butterworth {
    sections: Vec<Biquad>,
}

/// State of one section (transposed direct form II).
type SectionState = [f64; 2];

impl Butterworth {
    /// Filter with gain 1/√2 at the cutoff in a single pass (1/2 when run forward and backward).
    pub fn low_pass(order: usize, cutoff_hz: f64, sample_rate_hz: f64) -> Result<Self, NumericsError> {
        Self::design(order, cutoff_hz, sample_rate_hz, 1.0)
    }

    /// Filter whose forward-backward run has gain 1/√2 at the cutoff: `w` is divided by `(√2 - 1)^(1/(2N))`.
    ///
    /// Source: Winter, Biomechanics and Motor Control of Human Movement, 4th ed., section 3.4.4.2.
    pub fn low_pass_dual_pass(order: usize, cutoff_hz: f64, sample_rate_hz: f64) -> Result<Self, NumericsError> {
        let correction = (SQRT_2 - 1.0).powf(1.0 / (2.0 * order.max(1) as f64));
        Self::design(order, cutoff_hz, sample_rate_hz, correction)
    }

    fn design(order: usize, cutoff_hz: f64, sample_rate_hz: f64, correction: f64) -> Result<Self, NumericsError> {
        if order == 0 || !order.is_multiple_of(2) {
            return Err(input_error("filter order", order, "it must be even and positive; 2 is usual for motion data"));
        }
        let valid = cutoff_hz > 0.0 && cutoff_hz < 0.5 * sample_rate_hz && sample_rate_hz.is_finite();
        if !valid {
            return Err(input_error(
                "cutoff frequency",
                format!("{cutoff_hz} Hz at a sampling rate of {sample_rate_hz} Hz"),
                "it must lie between zero and half the sampling rate",
            ));
        }
        let w = (PI * cutoff_hz / sample_rate_hz).tan() / correction;
        let sections =
            (0..order / 2).map(|k| section(w, 2.0 * ((2 * k + 1) as f64 * PI / (2 * order) as f64).sin())).collect();
        Ok(Self { sections })
    }

    /// The cascade.
    pub fn sections(&self) -> &[Biquad] {
        &self.sections
    }

    /// Number of samples by which [`Butterworth::zero_phase`] extends a signal unless told otherwise: 9 for order 2.
    pub fn default_padding(&self) -> usize {
        3 * (2 * self.sections.len() + 1)
    }

    /// Gain of one pass at a frequency \[Hz\].
    pub fn magnitude(&self, frequency_hz: f64, sample_rate_hz: f64) -> f64 {
        let angle = 2.0 * PI * frequency_hz / sample_rate_hz;
        let modulus = |c: [f64; 3]| {
            let re = c[0] + c[1] * angle.cos() + c[2] * (2.0 * angle).cos();
            let im = c[1] * angle.sin() + c[2] * (2.0 * angle).sin();
            re.hypot(im)
        };
        self.sections.iter().map(|s| modulus(s.b) / modulus([1.0, s.a[0], s.a[1]])).product()
    }

    /// One causal pass from rest (zero state).
    pub fn single_pass(&self, x: &[f64]) -> Result<Vec<f64>, NumericsError> {
        require_finite("signal", x)?;
        let mut y = x.to_vec();
        for s in &self.sections {
            run(s, [0.0; 2], y.iter_mut());
        }
        Ok(y)
    }

    /// Forward and backward pass without phase shift.
    ///
    /// The signal is extended at both ends by its `padding` neighbours turned about the end point (`2x_0 - x_k`), and
    /// each pass starts in the steady state of its first sample. `padding` defaults to
    /// [`Butterworth::default_padding`] and must be shorter than the signal.
    ///
    /// Source: Gustafsson, Determining the initial states in forward-backward filtering, IEEE Trans Signal Process 44,
    /// 1996 (the method he compares with, as in SciPy and MATLAB `filtfilt`).
    pub fn zero_phase(&self, x: &[f64], padding: Option<usize>) -> Result<Vec<f64>, NumericsError> {
        require_finite("signal", x)?;
        let padding = padding.unwrap_or(self.default_padding());
        if x.len() <= padding {
            return Err(input_error(
                "length of the signal",
                format!("{} samples", x.len()),
                "zero-phase filtering needs more samples than the padding; pass a shorter padding",
            ));
        }
        let mut y = odd_extension(x, padding);
        for s in &self.sections {
            run(s, steady_state(s, y[0]), y.iter_mut());
        }
        for s in &self.sections {
            let last = y[y.len() - 1];
            run(s, steady_state(s, last), y.iter_mut().rev());
        }
        Ok(y[padding..padding + x.len()].to_vec())
    }
}

fn section(w: f64, r: f64) -> Biquad {
    let d = 1.0 + r * w + w * w;
    let b0 = w * w / d;
    Biquad { b: [b0, 2.0 * b0, b0], a: [2.0 * (w * w - 1.0) / d, (1.0 - r * w + w * w) / d] }
}

/// State that a constant input `x` leads to; the gain at zero frequency is one.
fn steady_state(s: &Biquad, x: f64) -> SectionState {
    [(1.0 - s.b[0]) * x, (s.b[2] - s.a[1]) * x]
}

/// Filters in place in the order of the iterator.
fn run<'a>(s: &Biquad, mut z: SectionState, signal: impl Iterator<Item = &'a mut f64>) {
    for value in signal {
        let x = *value;
        let y = s.b[0] * x + z[0];
        z[0] = s.b[1] * x - s.a[0] * y + z[1];
        z[1] = s.b[2] * x - s.a[1] * y;
        *value = y;
    }
}

/// `2x_0 - x_k` before and `2x_end - x_{end-k}` after the signal, k = 1..=padding (padding < length).
fn odd_extension(x: &[f64], padding: usize) -> Vec<f64> {
    let (first, last) = (x[0], x[x.len() - 1]);
    let before = x[1..=padding].iter().rev().map(|v| 2.0 * first - v);
    let after = x[x.len() - 1 - padding..x.len() - 1].iter().rev().map(|v| 2.0 * last - v);
    before.chain(x.iter().copied()).chain(after).collect()
}
