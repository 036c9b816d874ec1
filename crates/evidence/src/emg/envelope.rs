//! Raw electromyograms recognised, and made envelopes as in Al Nazer 2008 (section 4.6, captions of Figs 4.14 and
//! 4.15): rectified, low-pass filtered at 10 Hz.
//!
//! A raw surface electromyogram has its power between about 20 and 450 Hz and crosses its mean more often than
//! [`LEAST_CROSSINGS`] per second; an envelope with power up to f crosses it at most 2 f times (Rice 1945), 20 times
//! per second at 10 Hz.

use wolff_numerics::filter::Butterworth;

/// Corner of the low-pass of an envelope, both passes together \[Hz\].
pub const CUTOFF: f64 = 10.0;

/// Crossings of the mean per second from which on a signal is raw: twice those that an envelope of 10 Hz may have.
pub const LEAST_CROSSINGS: f64 = 40.0;

/// Least sampling rate at which a raw electromyogram can be processed \[Hz\]: twice the frequencies in which most of
/// its power is.
pub const LEAST_RATE: f64 = 200.0;

/// Largest deviation of an interval between samples from the mean interval, as a part of it.
const UNEVEN: f64 = 0.05;

/// What a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An envelope, used as it is.
    Envelope,
    /// A raw signal, which was demeaned, rectified and smoothed.
    Raw,
    /// An envelope with negative values in more than a tenth of the samples, used as it is: its mean was removed, or it
    /// is not an electromyogram.
    Negative,
}

/// The envelope of a signal, whether it is raw or not; the reason where that is not possible.
pub(super) fn of(times: &[f64], values: Vec<f64>) -> Result<(Kind, Vec<f64>), String> {
    match kind(times, &values) {
        Kind::Raw => Ok((Kind::Raw, of_raw(times, &values)?)),
        other => Ok((other, values)),
    }
}

/// Recognises a raw signal by how often it crosses its mean.
pub fn kind(times: &[f64], values: &[f64]) -> Kind {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Kind::Envelope };
    let mean = mean(values);
    let crossings = values.windows(2).filter(|w| (w[0] > mean) != (w[1] > mean)).count();
    let negative = values.iter().filter(|x| **x < 0.0).count();
    if last > first && crossings as f64 / (last - first) > LEAST_CROSSINGS {
        return Kind::Raw;
    }
    if 10 * negative > values.len() { Kind::Negative } else { Kind::Envelope }
}

/// `y = low-pass(|x - mean x|)`, second order, run forward and backward, [`CUTOFF`] for both passes together.
///
/// # Errors
/// A sentence where the signal is sampled too slowly or unevenly, or is too short.
pub fn of_raw(times: &[f64], values: &[f64]) -> Result<Vec<f64>, String> {
    let rate = rate(times)?;
    if rate < LEAST_RATE {
        return Err(format!(
            "crosses its mean like a raw electromyogram but has only {rate:.0} samples per second; raw signals need \
             {LEAST_RATE:.0}: give the original recording, or its envelope"
        ));
    }
    // a signal that is rectified already rests at zero and has no offset
    let (mean, least) = (mean(values), values.iter().copied().fold(f64::INFINITY, f64::min));
    let mean = if (0.0..0.05 * mean.max(0.0)).contains(&least) { 0.0 } else { mean };
    let rectified: Vec<f64> = values.iter().map(|x| (x - mean).abs()).collect();
    let filter = Butterworth::low_pass_dual_pass(2, CUTOFF, rate).map_err(|e| e.to_string())?;
    filter.zero_phase(&rectified, None).map_err(|e| e.to_string())
}

/// Samples per second.
fn rate(times: &[f64]) -> Result<f64, String> {
    let (Some(first), Some(last), true) = (times.first(), times.last(), times.len() > 1) else {
        return Err("has fewer than two samples".into());
    };
    let interval = (last - first) / (times.len() - 1) as f64;
    let even = |w: &[f64]| ((w[1] - w[0]) - interval).abs() <= UNEVEN * interval;
    match times.windows(2).find(|w| !even(w)) {
        Some(w) => Err(format!(
            "is raw, and its samples are not equally spaced: {} s follow {} s where the mean interval is {interval} s; \
             resample it",
            w[1], w[0]
        )),
        None if interval > 0.0 => Ok(1.0 / interval),
        None => Err("has times that do not increase".into()),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
