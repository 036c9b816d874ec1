//! Heel strikes and toe offs.

use crate::MotionError;
use wolff_formats::trial::MarkerTrial;

/// Kind of event of a foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It touches the ground.
    HeelStrike,
    /// It leaves the ground.
    ToeOff,
}

/// An event of one foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaitEvent {
    /// Kind.
    pub kind: EventKind,
    /// Time \[s\].
    pub time: f64,
}

/// Thresholds of the vertical force for contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceThresholds {
    /// Contact begins when the force rises through this \[N\].
    pub on: f64,
    /// Contact ends when it falls through this \[N\]; smaller than `on`, so that noise near one threshold does not
    /// cause events.
    pub off: f64,
    /// Contacts and flights shorter than this \[s\] are ignored.
    pub shortest: f64,
}

impl Default for ForceThresholds {
    /// 20 N and 10 N, 50 ms; chosen here: above the noise of plates and below any step.
    fn default() -> Self {
        Self { on: 20.0, off: 10.0, shortest: 0.05 }
    }
}

/// Events of one foot from its vertical ground force \[N\] at increasing times \[s\]; instants of crossing are
/// interpolated.
///
/// A contact that the recording begins or ends in has no event there.
pub fn events_of_force(
    times: &[f64],
    vertical: &[f64],
    thresholds: &ForceThresholds,
) -> Result<Vec<GaitEvent>, MotionError> {
    let refuse = |reason: String| Err(MotionError::input("gait events", reason));
    if times.len() != vertical.len() {
        return refuse(format!("{} times and {} forces; both need the same number", times.len(), vertical.len()));
    }
    if !(thresholds.off > 0.0 && thresholds.on >= thresholds.off && thresholds.shortest >= 0.0) {
        return refuse(format!("thresholds {thresholds:?}: `off` must be positive and `on` no smaller"));
    }
    if let Some(i) = vertical.iter().chain(times).position(|x| !x.is_finite()) {
        return refuse(format!("value {} is not finite; fill gaps first", i % times.len().max(1) + 1));
    }
    let mut events: Vec<GaitEvent> = Vec::new();
    let mut contact = vertical.first().is_some_and(|f| *f > thresholds.on);
    for (t, f) in times.windows(2).zip(vertical.windows(2)) {
        let level = if contact { thresholds.off } else { thresholds.on };
        if (f[1] > level) == contact {
            continue;
        }
        contact = !contact;
        let kind = if contact { EventKind::HeelStrike } else { EventKind::ToeOff };
        // the previous sample may already be beyond the new level after the last crossing
        let fraction = ((level - f[0]) / (f[1] - f[0])).clamp(0.0, 1.0);
        events.push(GaitEvent { kind, time: t[0] + fraction * (t[1] - t[0]) });
    }
    drop_short(&mut events, thresholds.shortest);
    Ok(events)
}

/// Removes both events of every interval that is too short.
fn drop_short(events: &mut Vec<GaitEvent>, shortest: f64) {
    while let Some(i) = events.windows(2).position(|w| w[1].time - w[0].time < shortest) {
        events.drain(i..i + 2);
    }
}

/// Events of one foot from markers of its heel and toe and of the sacrum, for walking along x.
///
/// Heel strike is where the heel is farthest in front of the sacrum, toe off where the toe is farthest behind it.
/// Source: Zeni, Richards, Higginson, Gait Posture 27 (2008) 710-714. Limits: walking on level ground; within about 20
/// ms of force plates. Filter the trial first; frames in which a marker is missing are skipped.
pub fn events_of_markers(
    trial: &MarkerTrial,
    heel: &str,
    toe: &str,
    sacrum: &str,
) -> Result<Vec<GaitEvent>, MotionError> {
    let find = |name: &str| {
        let missing = || MotionError::input("gait events", format!("the trial has no marker `{name}`"));
        trial.marker(name).ok_or_else(missing)
    };
    let (heel, toe, sacrum) = (find(heel)?, find(toe)?, find(sacrum)?);
    let x = |points: &[Option<[f64; 3]>]| points.iter().map(|p| p.map(|p| p[0])).collect::<Vec<_>>();
    let (h, t, s) = (x(&heel.points), x(&toe.points), x(&sacrum.points));
    // walking towards -x reverses the signs
    let travel: Vec<f64> = s.iter().flatten().copied().collect();
    let forward = match travel[..] {
        [first, .., last] if last < first => -1.0,
        _ => 1.0,
    };
    let ahead = |a: &[Option<f64>], sign: f64| -> Vec<Option<f64>> {
        a.iter().zip(&s).map(|(a, s)| Some(sign * forward * ((*a)? - (*s)?))).collect()
    };
    let instants = (trial.times(), trial.rate());
    let mut events = peaks(instants, &ahead(&h, 1.0), EventKind::HeelStrike);
    events.extend(peaks(instants, &ahead(&t, -1.0), EventKind::ToeOff));
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok(events)
}

/// Minimum time between two peaks of one foot [s]: a quarter of the fastest walking cycle; chosen here.
const LEAST_BETWEEN_PEAKS: f64 = 0.25;

/// Maxima over half of the minimum time on either side, refined by a parabola; `times` \[s\] with their rate \[Hz\].
pub(super) fn peaks((times, rate): (&[f64], f64), signal: &[Option<f64>], kind: EventKind) -> Vec<GaitEvent> {
    let window = ((LEAST_BETWEEN_PEAKS * rate).round() as usize).max(1);
    let mut out = Vec::new();
    for i in window..signal.len().saturating_sub(window) {
        let around = signal.get(i - window..=i + window).unwrap_or_default();
        let Some(here) = signal[i] else { continue };
        let highest =
            around.iter().enumerate().all(|(k, x)| x.is_some_and(|x| if k < window { x < here } else { x <= here }));
        if highest && let (Some(before), Some(after)) = (signal[i - 1], signal[i + 1]) {
            let curvature = before - 2.0 * here + after;
            let shift = if curvature < 0.0 { 0.5 * (before - after) / curvature } else { 0.0 };
            out.push(GaitEvent { kind, time: times[i] + shift / rate });
        }
    }
    out
}
