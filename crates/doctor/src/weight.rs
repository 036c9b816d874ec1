//! The mass that force plates carry.
//!
//! Over any time T in which the plates carry the whole subject, Newton's law for its centre of mass gives
//!
//! ```text
//! m = ∫ F dt / (g T + Δv)
//! ```
//!
//! F vertical force of all plates \[N\], g gravity \[m/s²\], Δv change of the vertical velocity of the centre of mass
//! \[m/s\], estimated by that of the markers on the trunk. Where a foot stands beside the plates, F is too small and so
//! is m: the largest value over all times is a lower bound of the mass. It is an upper bound, too, where each foot is
//! on a plate of its own or in the air.

use crate::anatomy::{Anatomy, Foot, feet_by_side, trunk};
use crate::distance;
use crate::mass::G;
use crate::plates::{LOADED, REACH, nearest};
use wolff_formats::trial::{ForcePlateTrial, Marker, MarkerTrial};

/// Lengths of time over which forces are averaged \[s\]: parts of a step to several steps.
const WINDOWS: [f64; 5] = [0.4, 0.8, 1.6, 3.2, 6.4];
/// Difference between the velocity of the trunk's markers and that of the centre of mass \[m/s\], by which estimates
/// are widened; chosen here: arms and legs are a third of the body and move vertically with up to 1 m/s against the
/// trunk.
const SLIP: f64 = 0.4;
/// The same as a fraction of the change of the velocity: in a landing the legs slow down before the trunk does.
const SLIP_OF_CHANGE: f64 = 0.35;
/// Largest change of the vertical velocity \[m/s\] where there are no markers: the landing of a jump of 0.6 m.
const LANDING: f64 = 3.5;
/// Half of the time over which velocities are differences of positions \[s\].
const HALF: f64 = 0.04;
/// Speed of every marker of a foot that is in the air \[m/s\]; in stance the toes or the heel are slower.
const SWING: f64 = 0.8;
/// Shortest time in which the plates carry the whole subject \[s\]: a part of the single support of a step.
const SUPPORT: f64 = 0.15;
/// Longest time in which a foot that is neither in the air nor loaded is about to be loaded or lifted \[s\].
const BRIDGE: f64 = 0.08;
/// Time of a step \[s\], by which longer times count as several.
const STEP: f64 = 0.5;
/// Least number of steps: one alone may be a foot that is partly beside its plate.
const STEPS: usize = 2;

/// What the plates tell about the mass.
pub(super) struct Carried {
    /// Lower bound of the mass \[kg\], and when it was found \[s\].
    pub(super) at_least: Option<(f64, [f64; 2])>,
    /// Upper bound of the mass \[kg\], and the number of steps in which the plates carried the whole subject.
    pub(super) in_full: Option<(f64, usize)>,
    /// Largest vertical force \[N\].
    pub(super) peak: f64,
}

/// Bounds of the mass from the forces.
pub(super) fn carried(forces: &ForcePlateTrial, markers: Option<&MarkerTrial>, anatomy: &Anatomy) -> Carried {
    let impulse = Impulse::of(forces);
    let rise = markers.map(|m| Rise { trial: m, markers: trunk(m) }).filter(|r| !r.markers.is_empty());
    let mut at_least: Option<(f64, [f64; 2])> = None;
    for span in impulse.spans() {
        let fall = match &rise {
            Some(rise) => match rise.change(span) {
                Some(change) => change + slip(change),
                None => continue,
            },
            None => LANDING,
        };
        let duration = span[1] - span[0];
        let divisor = G * duration + fall;
        // a fall, in which nothing can be said
        if divisor < 0.5 * G * duration {
            continue;
        }
        let mass = impulse.over(span) / divisor;
        if at_least.is_none_or(|(most, _)| mass > most) {
            at_least = Some((mass, span));
        }
    }
    let in_full = rise.and_then(|rise| in_full(forces, &impulse, &rise, anatomy));
    Carried { at_least, in_full, peak: impulse.peak }
}

/// Largest error of a change of the velocity \[m/s\].
fn slip(change: f64) -> f64 {
    SLIP + SLIP_OF_CHANGE * change.abs()
}

/// Upper bound of the mass from the times in which each foot is on a plate of its own or in the air.
fn in_full(forces: &ForcePlateTrial, impulse: &Impulse, rise: &Rise<'_>, anatomy: &Anatomy) -> Option<(f64, usize)> {
    let feet = feet_by_side(rise.trial)?;
    let up = anatomy.up?;
    let frames = rise.trial.times().len();
    let mut whole: Vec<bool> = (0..frames).map(|frame| is_carried(forces, rise.trial, &feet, frame, up)).collect();
    bridge(&mut whole, (BRIDGE * rise.trial.rate()) as usize);
    let (mut bounds, mut steps, mut start) = (Vec::new(), 0, None);
    for frame in 0..=frames {
        match (whole.get(frame).copied().unwrap_or(false), start) {
            (true, None) => start = Some(frame),
            (false, Some(first)) => {
                start = None;
                let time = |f: usize| rise.trial.times().get(f).copied();
                let (Some(a), Some(b)) = (time(first), time(frame - 1)) else { continue };
                let Some(change) = rise.change([a, b]).filter(|_| b - a >= SUPPORT) else { continue };
                let divisor = G * (b - a) + change - slip(change);
                if divisor > 0.25 * G * (b - a) {
                    bounds.push((b - a, impulse.over([a, b]) / divisor));
                    steps += ((b - a) / STEP).ceil() as usize;
                }
            }
            _ => {}
        }
    }
    // the error of the velocity matters less in a long time; of several, the largest bound is safe
    let longest = bounds.iter().map(|(duration, _)| *duration).fold(0.0, f64::max);
    let long = bounds.iter().filter(|(duration, _)| *duration >= 0.5 * longest);
    let most = long.map(|(_, bound)| *bound).fold(0.0, f64::max);
    (steps >= STEPS).then_some((most, steps))
}

/// Joins times in which the subject is carried where they are interrupted by at most so many frames.
fn bridge(whole: &mut [bool], most: usize) {
    let mut last = None;
    for frame in 0..whole.len() {
        if !whole[frame] {
            continue;
        }
        if let Some(last) = last.filter(|last| frame - last <= most + 1) {
            whole[last..frame].fill(true);
        }
        last = Some(frame);
    }
}

/// Whether, in a frame, each foot is in the air or is the nearest to the centre of pressure of a loaded plate.
fn is_carried(forces: &ForcePlateTrial, trial: &MarkerTrial, feet: &[Foot<'_>; 2], frame: usize, up: [f64; 3]) -> bool {
    let Some(&time) = trial.times().get(frame) else { return false };
    let sample = forces.times().partition_point(|t| *t < time);
    let points: Vec<[f64; 3]> = forces
        .plates()
        .iter()
        .filter_map(|p| p.samples.get(sample).copied().flatten())
        .filter(|s| s.force[1] > LOADED)
        .filter_map(|s| s.point)
        .collect();
    let distances = |foot: &Foot<'_>| -> Vec<Option<f64>> {
        points.iter().map(|p| nearest(&foot.markers, frame, *p, up)).collect()
    };
    let [right, left] = feet.each_ref().map(distances);
    let own = |mine: &[Option<f64>], other: &[Option<f64>]| {
        let closer = |(a, b): (&Option<f64>, &Option<f64>)| a.is_some_and(|a| a < REACH && b.is_none_or(|b| a < b));
        mine.iter().zip(other).any(closer)
    };
    let flies = feet.each_ref().map(|foot| in_air(trial, foot, frame));
    let stands = [own(&right, &left), own(&left, &right)];
    !points.is_empty() && (0..2).all(|i| flies[i] || stands[i]) && stands.contains(&true)
}

/// Whether every marker of a foot moves as in swing; false where heel or toes are not seen.
fn in_air(trial: &MarkerTrial, foot: &Foot<'_>, frame: usize) -> bool {
    let step = (HALF * trial.rate()).ceil().max(1.0) as usize;
    let speed = |m: &&Marker| {
        let (before, after) = (frame.checked_sub(step)?, frame + step);
        let (a, b) = (m.points.get(before).copied().flatten()?, m.points.get(after).copied().flatten()?);
        let time = |f: usize| trial.times().get(f).copied();
        Some(distance(a, b) / (time(after)? - time(before)?))
    };
    let fast = |m: &&Marker| speed(m).is_some_and(|v| v > SWING);
    foot.front.iter().any(fast) && foot.markers.iter().filter(|m| speed(m).is_some()).all(fast)
}

/// The impulse of the vertical force up to each sample.
struct Impulse<'a> {
    times: &'a [f64],
    sum: Vec<f64>,
    peak: f64,
}

impl<'a> Impulse<'a> {
    fn of(forces: &'a ForcePlateTrial) -> Self {
        let vertical = |i: usize| -> f64 {
            forces.plates().iter().filter_map(|p| p.samples.get(i).copied().flatten()).map(|s| s.force[1]).sum()
        };
        let (times, mut sum, mut peak, mut before) = (forces.times(), Vec::new(), 0.0f64, None);
        for (i, &t) in times.iter().enumerate() {
            let force = vertical(i);
            peak = peak.max(force);
            let step = before.map_or(0.0, |(last, f): (f64, f64)| 0.5 * (f + force) * (t - last).max(0.0));
            sum.push(sum.last().copied().unwrap_or(0.0) + step);
            before = Some((t, force));
        }
        Impulse { times, sum, peak }
    }

    /// Ranges of time to look at \[s\].
    fn spans(&self) -> Vec<[f64; 2]> {
        let (Some(&first), Some(&last)) = (self.times.first(), self.times.last()) else { return Vec::new() };
        let mut spans = Vec::new();
        for window in WINDOWS {
            let steps = ((last - first - window) / (0.25 * window)).floor();
            // a long recording has enough windows of each length
            for k in 0..=(steps.clamp(-1.0, 2000.0) as i64) {
                let start = first + 0.25 * window * k as f64;
                spans.push([start, start + window]);
            }
        }
        spans
    }

    /// The impulse over a range of time \[N s\].
    fn over(&self, [start, end]: [f64; 2]) -> f64 {
        let at = |t: f64| self.times.partition_point(|x| *x < t).min(self.times.len().saturating_sub(1));
        let sum = |i: usize| self.sum.get(i).copied().unwrap_or(0.0);
        sum(at(end)) - sum(at(start))
    }
}

/// The vertical velocity of the trunk.
struct Rise<'a> {
    trial: &'a MarkerTrial,
    markers: Vec<&'a Marker>,
}

impl Rise<'_> {
    /// Change of the velocity over a range of time \[m/s\].
    fn change(&self, [start, end]: [f64; 2]) -> Option<f64> {
        Some(self.velocity(end)? - self.velocity(start)?)
    }

    /// Mean velocity of the markers that are seen \[m/s\].
    fn velocity(&self, time: f64) -> Option<f64> {
        let times = self.trial.times();
        let frame = times.partition_point(|t| *t < time);
        let step = (HALF * self.trial.rate()).ceil().max(1.0) as usize;
        let (before, after) = (frame.saturating_sub(step), (frame + step).min(times.len().saturating_sub(1)));
        let duration = times.get(after)? - times.get(before)?;
        let moved = |m: &&Marker| {
            Some(m.points.get(after).copied().flatten()?[1] - m.points.get(before).copied().flatten()?[1])
        };
        let all: Vec<f64> = self.markers.iter().filter_map(moved).collect();
        let inside = frame < times.len() && duration > 0.0 && !all.is_empty();
        inside.then(|| all.iter().sum::<f64>() / (all.len() as f64 * duration))
    }
}
