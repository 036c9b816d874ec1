//! Records of forces: numbers that are missing, and samples that are too far apart.

use super::samples::LoadSamples;
use wolff_motion::external_loads::ExternalLoad;
use wolff_verdict::Finding;

/// Time between samples of ground forces above which steps cannot be seen \[s\] (chosen here: plates and pressure
/// insoles have 50 Hz and more).
const SPARSE: f64 = 0.2;

/// Samples without numbers within the instants that are analysed.
pub(super) fn gaps(loads: &[ExternalLoad], times: &[f64]) -> Vec<Finding> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
    let mut findings = Vec::new();
    for load in loads {
        let inside: Vec<f64> = load.missing().iter().copied().filter(|t| t >= first && t <= last).collect();
        let (Some(start), Some(end)) = (inside.first(), inside.last()) else { continue };
        let message = format!(
            "force `{}` has {} samples without numbers from {start:.3} to {end:.3} s: force, moment, or the centre of \
             pressure of an acting force are missing",
            load.label(),
            inside.len()
        );
        findings.push(Finding::error(message, "fill the gaps in the force file, or leave them out with --time"));
    }
    findings
}

/// Ground forces with samples far apart: their time has another unit.
pub(super) fn rate(samples: &LoadSamples, loads: &[ExternalLoad]) -> Vec<Finding> {
    let on_foot = |l: &&ExternalLoad| samples.feet.iter().any(|f| f.bodies.contains(&l.body()));
    let sparse = loads.iter().filter(on_foot).find(|l| l.interval() > SPARSE);
    let finding = |l: &ExternalLoad| {
        let message = format!(
            "force `{}` has one sample per {:.3} s: its time is not in seconds, or the record is too sparse",
            l.label(),
            l.interval()
        );
        Finding::error(message, "give the time of the force file in seconds; milliseconds are divided by 1000")
    };
    sparse.map(finding).into_iter().collect()
}
