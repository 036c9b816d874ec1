//! Gait cycles of a model's feet, and results over them.

use super::cycle::{check_covered, cut_cycles, spline, times};
use super::events::{EventKind, ForceThresholds, events_of_force, peaks};
use crate::external_loads::ExternalLoad;
use wolff_anatomy::Side;
use wolff_formats::Table;
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_spatial::Vec3;

/// Prefix of the names of heel bones, and the name of the pelvis, in OpenSim's models.
const HEEL: &str = "calcn";
const PELVIS: &str = "pelvis";

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
}

/// Cycles between heel strikes of the feet of a motion (times \[s\] and positions of the model): from the loads on a
/// foot where they contain at least one complete cycle, else from the motion of its heel bone, whose origin is farthest
/// in front of the pelvis at heel strike.
///
/// Forward is the mean facing direction of the pelvis, so that walking on a treadmill is detected, too. Source of the
/// events by kinematics: Zeni, Richards, Higginson, Gait Posture 27 (2008) 710-714. Feet without a complete cycle are
/// omitted.
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
    let mut found = Vec::new();
    for (k, &heel) in heels.iter().enumerate() {
        let by_force = events_of_force(&times, &pressed[k], &ForceThresholds::default()).unwrap_or_default();
        let way: Vec<Option<f64>> = ahead[k].iter().map(|p| Some(p.dot(&forward))).collect();
        let of_force = cut_cycles(&by_force);
        let by_force = !of_force.is_empty();
        let cycles = if by_force { of_force } else { cut_cycles(&peaks((&times, rate), &way, EventKind::HeelStrike)) };
        if !cycles.is_empty() {
            found.push(FootCycles { foot: model.bodies()[heel].name.clone(), cycles, by_force });
        }
    }
    found
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

/// The mean of each column of a table (first column `time`) over the cycles of the foot of its side; columns without a
/// side over those of the first foot. Curves of percent and value by label; columns whose foot has no cycle within the
/// table, and those with values that are not numbers, are omitted.
pub fn over_cycle(table: &Table, feet: &[FootCycles], wanted: &[String]) -> Vec<(String, Vec<(f64, f64)>)> {
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
            let mean = |fraction: f64| {
                let at = |[start, end]: &[f64; 2]| course.evaluate(start + fraction * (end - start)).value;
                cycles.iter().map(at).sum::<f64>() / cycles.len() as f64
            };
            let fraction = |i: usize| i as f64 / (POINTS - 1) as f64;
            let points = (0..POINTS).map(|i| (100.0 * i as f64 / (POINTS - 1) as f64, mean(fraction(i)))).collect();
            out.push((label.clone(), points));
        }
    }
    out
}
