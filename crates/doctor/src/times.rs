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
    let Some(usual) = median(steps.clone()) else { return Vec::new() };
    let mut findings = Vec::new();
    let standing: Vec<usize> = (0..steps.len()).filter(|&i| steps.get(i).is_some_and(|s| *s <= 0.0)).collect();
    let holes: Vec<usize> = (0..steps.len()).filter(|&i| steps.get(i).is_some_and(|s| *s > 1.5 * usual)).collect();
    let time = |i: Option<&usize>| i.and_then(|&i| times.get(i + 1)).copied().unwrap_or_default();
    if !standing.is_empty() {
        let first = time(standing.first());
        findings.push(Finding {
            severity: Severity::Error,
            fault: Fault::Time,
            subjects: Vec::new(),
            span: Some([first, time(standing.last())]),
            message: format!(
                "time repeats or goes back {} time(s) between {what}, first at {}",
                standing.len(),
                at(first)
            ),
            remedy: "delete the repeated rows".into(),
        });
    }
    if !holes.is_empty() && usual > 0.0 {
        let first = time(holes.first());
        findings.push(Finding {
            severity: Severity::Warning,
            fault: Fault::Rate,
            subjects: Vec::new(),
            span: Some([first, time(holes.last())]),
            message: format!(
                "{} hole(s) between {what}, first before {}; the usual step is {usual:.5} s",
                holes.len(),
                at(first)
            ),
            remedy: "rows are missing: export the trial again, or resample it".into(),
        });
    }
    findings
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
    if let (Some(m), Some(f)) = (range(markers.times()), range(forces.times()))
        && (f[0] > m[1] || f[1] < m[0])
    {
        let message = format!("markers from {} to {}, forces from {} to {}", at(m[0]), at(m[1]), at(f[0]), at(f[1]));
        findings.push(finding(
            Severity::Error,
            message,
            "the two do not overlap: they belong to different trials, or one starts at zero",
        ));
    }
    findings
}
