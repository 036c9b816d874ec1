//! Channels of force plates: spikes, and amplifiers that were saturated.

use crate::{Fault, Finding, Severity, at, distance};
use wolff_formats::trial::{ForcePlate, ForcePlateTrial};

/// Force by which a spike of one sample exceeds twice that of both neighbours \[N\]; chosen here: the rise of a heel
/// strike or of a landing is above its neighbours on one side only.
const SPIKE: f64 = 1000.0;
/// Samples in a row with the largest value of the channel to the last digit, and their least duration \[s\], from which
/// it was saturated. Chosen here: the top of a step is round, and noise changes the last digits.
const FLAT: usize = 5;
const FLAT_TIME: f64 = 0.01;
/// Force from which a flat top is looked at \[N\].
const TOP: f64 = 200.0;

/// Spikes and flat tops of the plates.
pub(super) fn channels(forces: &ForcePlateTrial) -> Vec<Finding> {
    forces.plates().iter().flat_map(|plate| [spike(forces, plate), saturated(forces, plate)]).flatten().collect()
}

fn finding(plate: &ForcePlate, span: [f64; 2], message: String, remedy: &str) -> Finding {
    Finding {
        severity: Severity::Warning,
        fault: Fault::ForceChannel,
        subjects: vec![plate.name.clone()],
        span: Some(span),
        message,
        remedy: remedy.into(),
    }
}

/// Single samples that are far above their neighbours.
fn spike(forces: &ForcePlateTrial, plate: &ForcePlate) -> Option<Finding> {
    let sizes: Vec<Option<f64>> = plate.samples.iter().map(|s| s.map(|s| distance(s.force, [0.0; 3]))).collect();
    let is_spike = |w: &[Option<f64>]| match w {
        [Some(a), Some(b), Some(c)] => *b > SPIKE + 2.0 * a.max(*c),
        _ => false,
    };
    let found: Vec<usize> = sizes.windows(3).enumerate().filter(|(_, w)| is_spike(w)).map(|(i, _)| i + 1).collect();
    let time = |i: Option<&usize>| i.and_then(|i| forces.times().get(*i)).copied();
    let (first, last) = (time(found.first())?, time(found.last())?);
    let most = found.iter().filter_map(|i| sizes.get(*i).copied().flatten()).fold(0.0, f64::max);
    let message = format!(
        "plate `{}` has {} spike(s) of one sample, first at {}, up to {most:.0} N",
        plate.name,
        found.len(),
        at(first)
    );
    Some(finding(plate, [first, last], message, "delete these samples and interpolate over them"))
}

/// A vertical force that stays at its largest value.
fn saturated(forces: &ForcePlateTrial, plate: &ForcePlate) -> Option<Finding> {
    let vertical: Vec<f64> = plate.samples.iter().map(|s| s.map_or(f64::NAN, |s| s.force[1])).collect();
    let most = vertical.iter().copied().filter(|f| f.is_finite()).max_by(f64::total_cmp).filter(|f| *f > TOP)?;
    let mut start = 0;
    let mut longest = 0..0;
    for run in vertical.chunk_by(|a, b| a == b) {
        if run.first() == Some(&most) && run.len() > longest.len() {
            longest = start..start + run.len();
        }
        start += run.len();
    }
    let time = |i: usize| forces.times().get(i).copied();
    let span = [time(longest.start)?, time(longest.end.checked_sub(1)?)?];
    let is_flat = longest.len() >= FLAT && span[1] - span[0] >= FLAT_TIME;
    let message = format!(
        "the vertical force of plate `{}` is exactly {most:.1} N, its largest value, from {} to {}",
        plate.name,
        at(span[0]),
        at(span[1])
    );
    let remedy = "the amplifier was saturated: the true force is larger; record again with a larger range";
    is_flat.then(|| finding(plate, span, message, remedy))
}
