//! Motion and forces at the same time.

use super::samples::LoadSamples;
use wolff_motion::external_loads::ExternalLoad;
use wolff_verdict::Finding;

/// Lags that are tried \[s\]: up to half of a fast step, since steps repeat, then up to some seconds, as of recordings
/// that were started by hand; and their spacing (chosen here).
const MOST_LAG: [f64; 2] = [0.25, 3.0];
const LAG_STEP: f64 = 0.005;
/// Smallest lag that is reported \[s\]: several frames of common cameras (chosen here).
const LEAST_LAG: f64 = 0.02;
/// A lag is reported where it reduces the difference between needed and measured force to less than this part, and
/// where that difference is above this part of the body weight (chosen here).
const REDUCED: f64 = 0.6;
const NOTICEABLE: f64 = 0.06;
/// Difference over body weight that remains where the shift is the cause (chosen here: that of good recordings).
const EXPLAINED: f64 = 0.12;
/// The same of a long lag, which might be another step: the difference must nearly vanish (chosen here).
const SURELY: [f64; 2] = [0.4, 0.08];
/// Part of the instants that must remain after a short and after a long lag: a long one that leaves out what is wrong
/// in a record explains nothing (chosen here).
const REMAIN: [f64; 2] = [0.5, 0.75];
/// Smallest number of instants.
const LEAST: usize = 10;

/// The instants that are analysed against the records of the forces.
pub(super) fn overlap(loads: &[ExternalLoad], times: &[f64]) -> Vec<Finding> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
    let start = loads.iter().map(|l| l.time_range()[0]).fold(f64::INFINITY, f64::min);
    let end = loads.iter().map(|l| l.time_range()[1]).fold(f64::NEG_INFINITY, f64::max);
    let outside = times.iter().filter(|t| **t < start || **t > end).count();
    let told = format!(
        "the forces are recorded from {start:.3} to {end:.3} s, the motion is analysed from {first:.3} to {last:.3} s"
    );
    if outside == times.len() {
        let remedy = match *first / 1e3 <= end && *last / 1e3 >= start && *last > 100.0 {
            true => "the time of the motion seems to be in milliseconds: divide it by 1000",
            false => "give motion and forces of the same trial with the same time, or change the range with --time",
        };
        return vec![Finding::error(format!("{told}: they do not overlap"), remedy)];
    }
    // a last row that is later by a fraction of a frame is no difference
    let slack = (last - first) / times.len().max(2) as f64;
    if *first >= start - slack && *last <= end + slack {
        return Vec::new();
    }
    let message = format!("{told}: no force acts at {outside} of {} instants", times.len());
    vec![Finding::warning(
        message,
        format!("restrict the range with --time {:.3}:{:.3}", first.max(start), last.min(end)),
    )]
}

/// A time shift between motion and forces: the vertical force that the motion needs, against the measured one.
pub(super) fn shift(samples: &LoadSamples, loads: &[ExternalLoad]) -> Vec<Finding> {
    if samples.feet.is_empty() {
        return Vec::new();
    }
    // relative to the mean force, with the mass that fits best, so that a wrong mass is no shift
    let difference = |lag: f64, remain: f64| {
        let pairs: Vec<[f64; 2]> = (samples.samples.iter())
            .filter_map(|s| {
                let forces: Option<Vec<f64>> =
                    loads.iter().map(|l| l.force_in_its_axes(s.time + lag).map(|f| f.dot(&samples.up))).collect();
                Some([forces?.iter().sum::<f64>(), s.needed.dot(&samples.up)])
            })
            .collect();
        // lags that leave fewer instants are not compared
        if (pairs.len() as f64) < remain * samples.samples.len() as f64 || pairs.len() < LEAST {
            return None;
        }
        let sum = |of: fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>();
        let mass = sum(|[f, n]| f * n) / sum(|[_, n]| n * n).max(f64::MIN_POSITIVE);
        let squares: f64 = pairs.iter().map(|[f, n]| (f - mass * n).powi(2)).sum();
        Some((squares / pairs.len() as f64).sqrt() / (mass * samples.gravity).abs().max(f64::MIN_POSITIVE))
    };
    let Some(now) = difference(0.0, REMAIN[0]).filter(|d| *d > NOTICEABLE) else { return Vec::new() };
    let best = |most: f64, remain: f64, [reduced, explained]: [f64; 2]| {
        let steps = (most / LAG_STEP) as i32;
        let lags = (-steps..=steps).map(|i| f64::from(i) * LAG_STEP);
        let found = lags.filter_map(|lag| Some((lag, difference(lag, remain)?))).min_by(|a, b| a.1.total_cmp(&b.1));
        // at the end of the range the true lag is beyond
        let inside = |lag: f64| lag.abs() >= LEAST_LAG && lag.abs() < most - 0.5 * LAG_STEP;
        found.filter(|(lag, d)| inside(*lag) && *d < (reduced * now).min(explained))
    };
    let short = best(MOST_LAG[0], REMAIN[0], [REDUCED, EXPLAINED]);
    let Some((lag, least)) = short.or_else(|| best(MOST_LAG[1], REMAIN[1], SURELY)) else { return Vec::new() };
    let (late, sign) = if lag > 0.0 { ("later", '-') } else { ("earlier", '+') };
    let message = format!(
        "the forces seem to be recorded {:.3} s {late} than the motion: the vertical force differs from that of the \
         motion by {:.0} % of body weight RMS, with the shift by {:.0} %",
        lag.abs(),
        100.0 * now,
        100.0 * least
    );
    vec![Finding::error(message, format!("correct the time of the force file by {sign}{:.3} s", lag.abs()))]
}
