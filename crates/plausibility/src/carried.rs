//! The ground carries the body at all times.

use super::feet::Foot;
use super::samples::{LoadSamples, Sample};
use wolff_verdict::Finding;

/// Measured over needed vertical force below which a foot has no force (chosen here: below half).
const CARRIED: f64 = 0.5;
/// The same above which the body surely is on the plates (chosen here: accelerations are uncertain by some percent).
const SURELY: f64 = 0.75;
/// Needed vertical force over weight below which the body is nearly in flight (chosen here).
const FLIGHT: f64 = 0.5;
/// Shortest time without force that is told \[s\] (chosen here: above a disturbance of the acceleration).
const SHORTEST: f64 = 0.05;
/// Root mean square acceleration of the mass centre over gravity that no person has (chosen here: landings reach 5 to 8
/// for some hundredths of a second, below 2 RMS).
const VIOLENT: f64 = 5.0;

/// No load has any force.
pub(super) fn all_zero(samples: &LoadSamples) -> Vec<Finding> {
    let zero = samples.samples.iter().flat_map(|s| s.loads.iter().flatten()).all(|l| l.force.norm() == 0.0);
    let person = !samples.feet.is_empty() && !samples.samples.is_empty();
    (zero && person)
        .then(|| {
            let remedy = "give the forces that were measured, and a time in which feet are on plates";
            Finding::error("all ground forces are zero at the instants that are analysed", remedy)
        })
        .into_iter()
        .collect()
}

/// Accelerations of the whole body that no person has: noise or jumps.
pub(super) fn violent(samples: &LoadSamples) -> Vec<Finding> {
    let square = |s: &Sample| (s.needed - samples.up * samples.gravity).norm_squared();
    let mean = samples.samples.iter().map(square).sum::<f64>() / samples.samples.len().max(1) as f64;
    let multiple = mean.sqrt() / samples.gravity;
    if samples.feet.is_empty() || !(multiple > VIOLENT) {
        return Vec::new();
    }
    let message = format!(
        "the mass centre of the model accelerates with {multiple:.0} times gravity (RMS), a person with less than \
         {VIOLENT}: the coordinates are noisy or jump"
    );
    vec![Finding::error(message, "filter the coordinates with --cutoff 6, or correct the jumps in the motion")]
}

/// Times in which the measured forces carry less than half of what the motion needs: a foot is beside the plates, or
/// its force is missing.
pub(super) fn gaps(samples: &LoadSamples) -> Vec<Finding> {
    let carried = |s: &Sample, part: f64| {
        let needed = s.needed.dot(&samples.up);
        needed < FLIGHT * samples.gravity || samples.vertical(s) > part * samples.mass * needed
    };
    let [all, sure] = [CARRIED, SURELY].map(|part| runs(samples, &|s| carried(s, part)));
    let length = |r: &Run<'_>| r.last().map_or(0.0, |s| s.time) - r.first().map_or(0.0, |s| s.time);
    let without: Vec<_> = all.iter().filter(|(on, r)| !on && length(r) >= SHORTEST && r.len() > 2).collect();
    let (false, Some((_, first))) = (samples.feet.is_empty(), without.first()) else { return Vec::new() };
    let (Some(start), Some(end), Some(middle)) = (first.first(), first.last(), first.get(first.len() / 2)) else {
        return Vec::new();
    };
    let total: f64 = without.iter().map(|(_, r)| length(r)).sum();
    let foot =
        lowest_unloaded(samples, middle).map_or_else(String::new, |f| format!(", no force acts on `{}`", f.name));
    let message = format!(
        "the ground forces carry less than half of the body from {:.3} to {:.3} s{foot}, and for {total:.2} s in all: a \
         foot is beside the plates, or its force is missing",
        start.time, end.time
    );
    let best = sure.iter().filter(|(on, _)| *on).max_by(|a, b| length(&a.1).total_cmp(&length(&b.1)));
    let remedy = match best.and_then(|(_, r)| Some((r.first()?.time, r.last()?.time))) {
        Some((from, to)) if to > from => {
            format!("add the force of the other plate, or restrict the range with --time {from:.3}:{to:.3}")
        }
        _ => "add the force of the other plate".to_string(),
    };
    vec![Finding::warning(message, remedy)]
}

/// Successive samples.
type Run<'a> = Vec<&'a Sample>;

/// Runs of samples of which a statement is true or false.
fn runs<'a>(samples: &'a LoadSamples, is: &dyn Fn(&Sample) -> bool) -> Vec<(bool, Run<'a>)> {
    let mut runs: Vec<(bool, Run<'a>)> = Vec::new();
    for sample in &samples.samples {
        let now = is(sample);
        match runs.last_mut() {
            Some((before, run)) if *before == now => run.push(sample),
            _ => runs.push((now, vec![sample])),
        }
    }
    runs
}

/// The lowest foot among those without force.
fn lowest_unloaded<'a>(samples: &'a LoadSamples, sample: &Sample) -> Option<&'a Foot> {
    let loaded = |foot: &Foot| {
        let on_foot = samples.names.iter().zip(&sample.loads).filter(|((_, body, _), _)| foot.bodies.contains(body));
        on_foot.filter_map(|(_, load)| *load).any(|l| l.force.norm() > super::samples::LOADED)
    };
    let height = |k: usize| {
        let origins = sample.feet.get(k).into_iter().flatten();
        origins.map(|p| p.dot(&samples.up)).fold(f64::INFINITY, f64::min)
    };
    let feet = samples.feet.iter().enumerate().filter(|(_, f)| !loaded(f));
    feet.min_by(|a, b| height(a.0).total_cmp(&height(b.0))).map(|(_, f)| f)
}
