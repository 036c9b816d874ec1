//! Gait cycles of a model's feet, and results over them.

use super::cycle::{check_covered, cut_cycles, spline, times};
use super::events::{EventKind, ForceThresholds, GaitEvent, events_of_force, peaks};
use crate::external_loads::ExternalLoad;
use wolff_anatomy::Side;
use wolff_formats::Table;
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_spatial::Vec3;

/// Prefix of the names of heel bones, and the name of the pelvis, in OpenSim's models.
const HEEL: &str = "calcn";
const PELVIS: &str = "pelvis";

/// Each foot passes the other one by this much in walking and running \[m\] (chosen here: half of a short step).
/// Squats, jumps and standing have no gait cycle.
const STEP: f64 = 0.1;

/// Points of a normalised cycle: every percent.
const POINTS: usize = 101;

/// The cycles of one foot.
#[derive(Clone, Debug, PartialEq)]
pub struct FootCycles {
    /// The body.
    pub foot: String,
    /// Starts and ends \[s\].
    pub cycles: Vec<[f64; 2]>,
    /// Whether they come from forces; otherwise from the motion of the heel.
    pub by_force: bool,
    /// Mean time of toe off in percent of the cycle; `None` where no force shows it.
    pub toe_off: Option<f64>,
}

/// A column over the gait cycle: mean and standard deviation of the strides.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleCurve {
    /// Label of the column.
    pub label: String,
    /// The foot whose heel strikes start the cycles.
    pub foot: String,
    /// Mean at every percent from 0 to 100.
    pub mean: Vec<f64>,
    /// Standard deviation at every percent; zero of a single stride.
    pub sd: Vec<f64>,
    /// Number of strides.
    pub strides: usize,
}

/// Cycles between heel strikes of the feet of a motion (times \[s\] and positions of the model): from the loads on a
/// foot where they contain at least one complete cycle, else from the motion of its heel bone, whose origin is farthest
/// in front of the pelvis at heel strike.
///
/// Forward is the mean facing direction of the pelvis, so that walking on a treadmill is detected, too. Source of the
/// events by kinematics: Zeni, Richards, Higginson, Gait Posture 27 (2008) 710-714. Feet without a complete cycle are
/// omitted. A motion in which the feet do not pass each other has no cycles.
pub fn foot_cycles(model: &Model, poses: &[(f64, Vec<f64>)], loads: &[ExternalLoad]) -> Vec<FootCycles> {
    let times: Vec<f64> = poses.iter().map(|(t, _)| *t).collect();
    let (Some(pelvis), [first, .., last]) = (model.body_index(PELVIS), &times[..]) else { return Vec::new() };
    let rate = (times.len() - 1) as f64 / (last - first);
    let heels: Vec<usize> = (0..model.bodies().len()).filter(|&b| model.bodies()[b].name.starts_with(HEEL)).collect();
    let up = model.gravity.try_normalize(0.0).map_or(Vec3::y(), |g| -g);
    let mut kin = Kinematics::new(model);
    let still = vec![0.0; model.nv()];
    let mut ahead = vec![Vec::with_capacity(times.len()); heels.len()];
    let mut pressed = vec![Vec::with_capacity(times.len()); heels.len()];
    let mut facing = Vec3::zeros();
    for (t, q) in poses {
        kin.update(model, q, &still);
        facing += kin.bodies[pelvis].X_GB.R.column(0);
        let at = Instant { t: *t, model, kin: &kin, q, v: &still, approach_speed: None };
        for (k, &heel) in heels.iter().enumerate() {
            ahead[k].push(kin.bodies[heel].X_GB.p - kin.bodies[pelvis].X_GB.p);
            let on_heel = loads.iter().filter(|load| load.body() == heel);
            pressed[k].push(on_heel.filter_map(|load| load.wrench(&at)).map(|[f, ..]| f.dot(&up)).sum::<f64>());
        }
    }
    let forward = facing - up * facing.dot(&up);
    if !steps(&ahead, forward) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (k, &heel) in heels.iter().enumerate() {
        let events = events_of_force(&times, &pressed[k], &ForceThresholds::default()).unwrap_or_default();
        let way: Vec<Option<f64>> = ahead[k].iter().map(|p| Some(p.dot(&forward))).collect();
        let of_force = cut_cycles(&events);
        let by_force = !of_force.is_empty();
        let cycles = if by_force { of_force } else { cut_cycles(&peaks((&times, rate), &way, EventKind::HeelStrike)) };
        if !cycles.is_empty() {
            let toe_off = toe_off(&events, &cycles).filter(|_| by_force);
            found.push(FootCycles { foot: model.bodies()[heel].name.clone(), cycles, by_force, toe_off });
        }
    }
    found
}

/// Whether each of two feet gets ahead of the other one; a single leg is not examined.
fn steps(ahead: &[Vec<Vec3>], forward: Vec3) -> bool {
    let ([right, left], Some(forward)) = (ahead, forward.try_normalize(0.0)) else { return true };
    let apart = || right.iter().zip(left).map(|(r, l)| (r - l).dot(&forward));
    apart().any(|d| d > STEP) && apart().any(|d| d < -STEP)
}

/// The side that a name contains: `_r` or `_l` at its end or between its parts; `None` where it contains neither or
/// both.
fn side(name: &str) -> Option<Side> {
    let contains = |side: Side| name.ends_with(side.ending()) || name.contains(&format!("{}_", side.ending()));
    match (contains(Side::Right), contains(Side::Left)) {
        (true, false) => Some(Side::Right),
        (false, true) => Some(Side::Left),
        (false, false) | (true, true) => None,
    }
}

/// Mean time of toe off in percent of the cycles that contain one.
fn toe_off(events: &[GaitEvent], cycles: &[[f64; 2]]) -> Option<f64> {
    let of = |[start, end]: &[f64; 2]| {
        let inside = |e: &&GaitEvent| e.kind == EventKind::ToeOff && e.time > *start && e.time < *end;
        events.iter().find(inside).map(|e| 100.0 * (e.time - start) / (end - start))
    };
    let all: Vec<f64> = cycles.iter().filter_map(of).collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

/// The mean of each column of a table (first column `time`) over the cycles of the foot of its side, as in
/// [`cycle_curves`]. Curves of percent and value by label.
pub fn over_cycle(table: &Table, feet: &[FootCycles], wanted: &[String]) -> Vec<(String, Vec<(f64, f64)>)> {
    let percent = |i: usize| 100.0 * i as f64 / (POINTS - 1) as f64;
    let points = |c: &CycleCurve| c.mean.iter().enumerate().map(|(i, y)| (percent(i), *y)).collect();
    cycle_curves(table, feet, wanted).into_iter().map(|c| (c.label.clone(), points(&c))).collect()
}

/// Mean and standard deviation of each column of a table (first column `time`) over the cycles of the foot of its side;
/// columns without a side over those of the first foot. Columns whose foot has no cycle within the table, and those
/// with values that are not numbers, are omitted.
pub fn cycle_curves(table: &Table, feet: &[FootCycles], wanted: &[String]) -> Vec<CycleCurve> {
    let times = times(table);
    let mut out = Vec::new();
    for (i, foot) in feet.iter().enumerate() {
        let cycles: Vec<[f64; 2]> = foot.cycles.iter().copied().filter(|c| check_covered(&times, *c).is_ok()).collect();
        let belongs = |label: &&String| match side(label) {
            None => i == 0,
            of => of == side(&foot.foot),
        };
        for label in wanted.iter().filter(belongs).filter(|_| !cycles.is_empty()) {
            let column = table.labels().iter().position(|l| l == label);
            let Some(course) = column.and_then(|column| spline(table, &times, column).ok()) else { continue };
            let count = cycles.len() as f64;
            let statistics = |i: usize| {
                let fraction = i as f64 / (POINTS - 1) as f64;
                let at = |[start, end]: &[f64; 2]| course.evaluate(start + fraction * (end - start)).value;
                let mean = cycles.iter().map(at).sum::<f64>() / count;
                let squares: f64 = cycles.iter().map(|c| (at(c) - mean).powi(2)).sum();
                (mean, (squares / (count - 1.0).max(1.0)).sqrt())
            };
            let (mean, sd) = (0..POINTS).map(statistics).unzip();
            let (label, foot) = (label.clone(), foot.foot.clone());
            out.push(CycleCurve { label, foot, mean, sd, strides: cycles.len() });
        }
    }
    out
}
