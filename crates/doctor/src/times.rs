//! Times and rates.

use crate::{Fault, Finding, Severity, at, median};
use wolff_formats::trial::{ForcePlateTrial, MarkerTrial, RATE_TOLERANCE};

/// Times of markers.
pub(super) fn markers(trial: &MarkerTrial) -> Vec<Finding> {
    course(trial.times(), "frames").into_iter().chain(pace(trial.times(), trial.rate(), "frames")).collect()
}

/// Times of forces.
pub(super) fn forces(trial: &ForcePlateTrial) -> Vec<Finding> {
    let what = "force samples";
    course(trial.times(), what).into_iter().chain(pace(trial.times(), trial.rate(), what)).collect()
}

/// Rates of recordings of movement \[Hz\], from slow video to analog channels.
const RATES: std::ops::RangeInclusive<f64> = 5.0..=50_000.0;

/// Time with markers and without forces that is told \[s\]; chosen here: a tenth of a stance phase.
const UNCOVERED: f64 = 0.06;

/// Frames of a recording of movement; a few may be those of a standing pose.
const FRAMES: usize = 10;

/// Times that are not in seconds.
fn pace(times: &[f64], rate: f64, what: &str) -> Option<Finding> {
    (times.len() >= FRAMES && !RATES.contains(&rate)).then(|| Finding {
        severity: Severity::Error,
        fault: Fault::Rate,
        subjects: Vec::new(),
        span: None,
        message: format!(
            "the times of {what} advance at {rate:.4} Hz, which is not the rate of a recording of movement ({} to {} Hz)",
            RATES.start(),
            RATES.end()
        ),
        remedy: match rate {
            r if (r - 1.0).abs() < 1e-6 => "the times seem to be numbers of frames: divide them by the rate".into(),
            r if RATES.contains(&(1e3 * r)) => "the times seem to be in ms: divide them by 1000".into(),
            _ => "write the times in seconds".to_string(),
        },
    })
}

/// Times must increase by equal steps.
fn course(times: &[f64], what: &str) -> Vec<Finding> {
    let steps: Vec<f64> = times.windows(2).filter_map(|w| Some(w.last()? - w.first()?)).collect();
    let mut findings = Vec::new();
    let standing: Vec<usize> = (0..steps.len()).filter(|&i| steps.get(i).is_some_and(|s| *s <= 0.0)).collect();
    let time = |i: Option<&usize>| i.and_then(|&i| times.get(i + 1)).copied().unwrap_or_default();
    if !standing.is_empty() {
        let first = time(standing.first());
        let (message, remedy) = order(times, &steps, &standing, what);
        findings.push(Finding {
            severity: Severity::Error,
            fault: Fault::Time,
            subjects: Vec::new(),
            span: Some([first, time(standing.last())]),
            message,
            remedy: remedy.into(),
        });
    }
    findings.extend(holes(times, what));
    findings
}

/// Steps of time that are longer than usual.
pub(super) fn holes(times: &[f64], what: &str) -> Option<Finding> {
    let steps: Vec<f64> = times.windows(2).filter_map(|w| Some(w.last()? - w.first()?)).collect();
    let usual = median(steps.clone()).filter(|usual| *usual > 0.0)?;
    let holes: Vec<usize> = (0..steps.len()).filter(|&i| steps.get(i).is_some_and(|s| *s > 1.5 * usual)).collect();
    let time = |i: Option<&usize>| i.and_then(|&i| times.get(i + 1)).copied();
    let (first, last) = (time(holes.first())?, time(holes.last())?);
    let missing: f64 = holes.iter().filter_map(|&i| steps.get(i)).map(|s| (s / usual).round() - 1.0).sum();
    Some(Finding {
        severity: Severity::Warning,
        fault: Fault::Rate,
        subjects: Vec::new(),
        span: Some([first, last]),
        message: format!(
            "{} hole(s) between {what}, {missing:.0} {what} are missing, first before {}; the usual step is {usual:.5} s",
            holes.len(),
            at(first)
        ),
        remedy: "rows are missing: export the trial again, or resample it".into(),
    })
}

/// What is wrong with times that do not increase, and what to do about it.
pub(super) fn order(times: &[f64], steps: &[f64], standing: &[usize], what: &str) -> (String, &'static str) {
    let first = standing.first().and_then(|&i| times.get(i + 1)).copied().unwrap_or_default();
    let back = steps.iter().filter(|s| **s < 0.0).count();
    if back == steps.len() {
        let ends = [times.first(), times.last()].map(|t| at(t.copied().unwrap_or_default()));
        let [start, end] = ends;
        return (format!("time runs backwards between {what}, from {start} to {end}"), "reverse the order of the rows");
    }
    let message =
        format!("time repeats or goes back {} time(s) between {what}, first at {}", standing.len(), at(first));
    let remedy = match back {
        0 => "delete the repeated rows",
        1 => "two recordings are joined, or a time is wrong: use one of them, or correct the time",
        _ => "correct the times, or sort the rows",
    };
    (message, remedy)
}

/// Forces should have a whole number of samples per frame, and overlap the markers in time.
pub(super) fn rates(markers: &MarkerTrial, forces: &ForcePlateTrial) -> Vec<Finding> {
    let mut findings = Vec::new();
    let finding = |severity, message: String, remedy: &str| Finding {
        severity,
        fault: Fault::Rate,
        subjects: Vec::new(),
        span: None,
        message,
        remedy: remedy.into(),
    };
    let ratio = forces.rate() / markers.rate();
    let whole = ratio.round().max(1.0);
    if (ratio / whole - 1.0).abs() > RATE_TOLERANCE {
        let message = format!(
            "forces at {:.3} Hz are not a whole multiple of markers at {:.3} Hz",
            forces.rate(),
            markers.rate()
        );
        findings.push(finding(
            Severity::Warning,
            message,
            "check both rates; resample the forces at the times of the markers",
        ));
    }
    let range = |times: &[f64]| Some([*times.first()?, *times.last()?]);
    let (Some(m), Some(f)) = (range(markers.times()), range(forces.times())) else { return findings };
    let told = format!("markers from {} to {}, forces from {} to {}", at(m[0]), at(m[1]), at(f[0]), at(f[1]));
    let without = (f[0] - m[0]).max(0.0) + (m[1] - f[1]).max(0.0);
    if f[0] > m[1] || f[1] < m[0] {
        let remedy = "the two do not overlap: they belong to different trials, or one starts at zero";
        findings.push(finding(Severity::Error, told, remedy));
    } else if without > UNCOVERED.max(2.5 / markers.rate()) {
        let message = format!("{told}: for {without:.3} s no force is known");
        let remedy = format!(
            "use the common part (--time {:.3}:{:.3}), or export the forces again",
            m[0].max(f[0]),
            m[1].min(f[1])
        );
        findings.push(finding(Severity::Warning, message, &remedy));
    }
    findings
}
