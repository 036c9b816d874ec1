//! The low-pass filter of OpenSim's tools.

use crate::MotionError;
use crate::quintic::QuinticSplines;

/// Maximum number of samples after resampling; as in OpenSim.
const MOST_SAMPLES: f64 = 1e5;

/// Highest corner frequency over the sampling rate. The poles of the filter approach -1 towards 0.5, and what it does
/// to the first samples no longer decays within the added ones; at 0.4 it falls by a thousand in 23 samples (chosen
/// here).
const HIGHEST: f64 = 0.4;

/// Half-width of the windowed sinc, and samples that are added at either end; as in OpenSim's muscle control.
const HALF_WIDTH: usize = 50;
const ADDED: usize = 60;

/// The filters of OpenSim's tools, by their corner frequency \[Hz\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lowpass {
    /// Butterworth, of inverse dynamics and analyses: [`filtered`].
    Butterworth(f64),
    /// Windowed sinc, of computed muscle control: [`filtered_by_sinc`].
    Sinc(f64),
}

impl Lowpass {
    /// Times and samples after the filter.
    pub fn apply(self, times: &[f64], samples: &[Vec<f64>]) -> Result<(Vec<f64>, Vec<Vec<f64>>), MotionError> {
        match self {
            Lowpass::Butterworth(cutoff) => filtered(times, samples, cutoff),
            Lowpass::Sinc(cutoff) => filtered_by_sinc(times, samples, cutoff),
        }
    }
}

/// Times and samples after padding, resampling and a filter without phase: a sinc with Hamming's window.
///
/// ```text
/// y_n = Σ c_k x_(n-k) / Σ c_k,    c_k = sin(w k T)/(w k T) (0.54 + 0.46 cos(π k/50)),    |k| ≤ 50,  w = 2π f_c
/// ```
/// f_c corner \[Hz\], T step \[s\]. 60 samples are added at either end, reflected at the end point. Source: OpenSim 4,
/// `Signal::LowpassFIR`.
pub fn filtered_by_sinc(
    times: &[f64],
    samples: &[Vec<f64>],
    cutoff: f64,
) -> Result<(Vec<f64>, Vec<Vec<f64>>), MotionError> {
    let refused = |reason: String| Err(MotionError::input("low-pass filter of coordinates", reason));
    if times.len() <= ADDED {
        return refused(format!("{} instants, more than {ADDED} are needed; leave out the filter", times.len()));
    }
    if !(cutoff > 0.0 && cutoff.is_finite()) {
        return refused(format!("corner frequency is {cutoff} Hz, must be a finite number greater than zero"));
    }
    let (times, mut samples, step) = even(times, samples, ADDED)?;
    if cutoff > 0.5 / step {
        let rate = 1.0 / step;
        return refused(format!(
            "corner frequency is {cutoff} Hz, must be at most half of the rate of {rate:.0} Hz; leave out --cutoff"
        ));
    }
    let w = 2.0 * std::f64::consts::PI * cutoff * step;
    let coefficient = |k: usize| {
        let (x, part) = (k as f64 * w, k as f64 / HALF_WIDTH as f64);
        let sinc = if k == 0 { 1.0 } else { x.sin() / x };
        sinc * (0.54 + 0.46 * (std::f64::consts::PI * part).cos())
    };
    let c: Vec<f64> = (0..=HALF_WIDTH).map(coefficient).collect();
    let sum = c[0] + 2.0 * c[1..].iter().sum::<f64>();
    for y in &mut samples {
        let x = padded(y, HALF_WIDTH);
        for (n, y) in y.iter_mut().enumerate() {
            let at = n + HALF_WIDTH;
            let both = (1..=HALF_WIDTH).map(|k| c[k] * (x[at - k] + x[at + k])).sum::<f64>();
            *y = (c[0] * x[at] + both) / sum;
        }
    }
    Ok((times, samples))
}

/// Evenly spaced times and samples.
type Even = (Vec<f64>, Vec<Vec<f64>>, f64);

/// Times and samples with `padding` samples added at either end, at an even step \[s\].
fn even(times: &[f64], samples: &[Vec<f64>], padding: usize) -> Result<Even, MotionError> {
    let times = padded(times, padding);
    let mut samples: Vec<Vec<f64>> = samples.iter().map(|y| padded(y, padding)).collect();
    let smallest = times.windows(2).map(|w| w[1] - w[0]).fold(f64::INFINITY, f64::min);
    let span = times[times.len() - 1] - times[0];
    let mean = span / (times.len() - 1) as f64;
    if !(smallest > 0.0) {
        let reason = format!("smallest time step is {smallest} s, must be greater than zero");
        return Err(MotionError::input("low-pass filter of coordinates", reason));
    }
    if mean - smallest <= f64::EPSILON {
        return Ok((times, samples, smallest));
    }
    let step = smallest.max(span / MOST_SAMPLES);
    let count = (span / step * (1.0 + 1e-12)).floor() as usize;
    let even: Vec<f64> = (0..=count).map(|i| times[0] + step * i as f64).collect();
    samples = resampled(&times, &samples, &even)?;
    Ok((even, samples, step))
}

/// Times and samples after padding, resampling and filtering: the same steps as OpenSim's tools, so that results agree.
///
/// 1. Half the samples are added at either end, reflected at the end point (`2 y_0 - y_k`).
/// 2. Where the step is not constant, a natural quintic spline is sampled at the smallest step.
/// 3. A Butterworth filter of third order runs forward, then backward, without correction of the corner:
///
/// ```text
/// H(z) = w³ (1 + z⁻¹)³ / (d (1 + b1 z⁻¹ + b2 z⁻² + b3 z⁻³)),   w = tan(π f_c T),   d = (w + 1)(w² + w + 1)
/// ```
/// f_c corner \[Hz\], T step \[s\]. The added samples are kept, so that a spline through the result has its ends away
/// from the motion.
pub fn filtered(times: &[f64], samples: &[Vec<f64>], cutoff: f64) -> Result<(Vec<f64>, Vec<Vec<f64>>), MotionError> {
    let refused = |reason: String| Err(MotionError::input("low-pass filter of coordinates", reason));
    if times.len() < 4 {
        return refused(format!("{} instants, four or more are needed", times.len()));
    }
    if !(cutoff > 0.0 && cutoff.is_finite()) {
        return refused(format!("corner frequency is {cutoff} Hz, must be a finite number greater than zero"));
    }
    let (times, mut samples, step) = even(times, samples, times.len() / 2)?;
    if cutoff > HIGHEST / step {
        let (rate, most) = (1.0 / step, HIGHEST / step);
        return refused(format!(
            "corner frequency is {cutoff} Hz, must be at most {most:.0} Hz, {HIGHEST} of the sampling rate of {rate:.0} \
             Hz: close to half of the rate the filter rings; leave out --cutoff for no filter"
        ));
    }
    let coefficients = Coefficients::new(cutoff, step);
    for y in &mut samples {
        coefficients.run(y);
        y.reverse();
        coefficients.run(y);
        y.reverse();
    }
    Ok((times, samples))
}

/// The signal with its samples reflected at both end points.
fn padded(y: &[f64], padding: usize) -> Vec<f64> {
    let (first, last) = (y[0], y[y.len() - 1]);
    let before = (1..=padding).rev().map(|k| 2.0 * first - y[k]);
    let after = (1..=padding).map(|k| 2.0 * last - y[y.len() - 1 - k]);
    before.chain(y.iter().copied()).chain(after).collect()
}

fn resampled(times: &[f64], samples: &[Vec<f64>], even: &[f64]) -> Result<Vec<Vec<f64>>, MotionError> {
    let splines = QuinticSplines::new(times, samples)?;
    let mut out = vec![vec![0.0; even.len()]; samples.len()];
    for (row, t) in even.iter().enumerate() {
        splines.evaluate(*t, |k, d| out[k][row] = d.value);
    }
    Ok(out)
}

/// Coefficients of the filter of third order.
struct Coefficients {
    gain: f64,
    b: [f64; 3],
}

impl Coefficients {
    fn new(cutoff: f64, step: f64) -> Self {
        let w = (std::f64::consts::PI * cutoff * step).tan();
        let (w2, w3) = (w * w, w * w * w);
        let d = (w + 1.0) * (w2 + w + 1.0);
        Coefficients {
            gain: w3 / d,
            b: [
                (3.0 * w3 + 2.0 * w2 - 2.0 * w - 3.0) / d,
                (3.0 * w3 - 2.0 * w2 - 2.0 * w + 3.0) / d,
                (w - 1.0) * (w2 - w + 1.0) / d,
            ],
        }
    }

    /// Filters in place; the first three samples are kept.
    fn run(&self, y: &mut [f64]) {
        let Some(start) = y.first_chunk::<3>() else { return };
        let mut x = [start[2], start[1], start[0]];
        let mut f = x;
        for value in y.iter_mut().skip(3) {
            let raw = *value;
            *value = self.gain * (raw + 3.0 * x[0] + 3.0 * x[1] + x[2])
                - self.b[0] * f[0]
                - self.b[1] * f[1]
                - self.b[2] * f[2];
            x = [raw, x[0], x[1]];
            f = [*value, f[0], f[1]];
        }
    }
}
