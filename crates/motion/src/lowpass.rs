//! The low-pass filter of OpenSim's tools.

use crate::MotionError;
use crate::quintic::QuinticSplines;

/// Maximum number of samples after resampling; as in OpenSim.
const MOST_SAMPLES: f64 = 1e5;

/// Highest corner frequency over the sampling rate. The poles of the filter approach -1 towards 0.5, and what it does
/// to the first samples no longer decays within the added ones; at 0.4 it falls by a thousand in 23 samples (chosen
/// here).
const HIGHEST: f64 = 0.4;

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
    let padding = times.len() / 2;
    let times = padded(times, padding);
    let mut samples: Vec<Vec<f64>> = samples.iter().map(|y| padded(y, padding)).collect();
    let smallest = times.windows(2).map(|w| w[1] - w[0]).fold(f64::INFINITY, f64::min);
    let span = times[times.len() - 1] - times[0];
    let mean = span / (times.len() - 1) as f64;
    if !(smallest > 0.0) {
        return refused(format!("smallest time step is {smallest} s, must be greater than zero"));
    }
    let (times, step) = if mean - smallest > f64::EPSILON {
        let step = smallest.max(span / MOST_SAMPLES);
        let count = (span / step * (1.0 + 1e-12)).floor() as usize;
        let even: Vec<f64> = (0..=count).map(|i| times[0] + step * i as f64).collect();
        samples = resampled(&times, &samples, &even)?;
        (even, step)
    } else {
        (times, smallest)
    };
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
