//! One symmetric cycle out of a recorded motion: Fourier series of coordinates, sine series of ground forces.

use super::contacts::{MeasuredForce, Stance};
use super::gait::{FLAT, Gait};
use super::retarget::Retargeted;
use crate::error::WalkError;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::{PI, TAU};
use wolff_human::skeleton::{Side, mirror_axis, mirror_name, mirror_point};
use wolff_human::walk::{GroundSeries, Harmonic, Series, StanceFoot};
use wolff_spatial::{Pose, Vec3};

/// Ratio of singular values below which a direction is left as it is.
const NEGLIGIBLE: f64 = 1e-8;

/// Centres of pressure count by the force, those of small forces at least by this share of body weight.
const LEAST_LOAD: f64 = 0.2;
/// Centres of pressure are on the sole: along and across from the ankle [m]. Where little force acts plates tell others.
const SOLE: [[f64; 2]; 2] = [[-0.06, 0.21], [-0.04, 0.04]];

/// Least squares `min |A x - b|`, least norm.
fn least_squares(rows: &[Vec<f64>], right: &[f64]) -> Result<Vec<f64>, WalkError> {
    let n = rows.first().map_or(0, Vec::len);
    let matrix = DMatrix::from_fn(rows.len(), n, |i, j| rows[i][j]);
    let svd = matrix.svd(true, true);
    let tolerance = NEGLIGIBLE * svd.singular_values.max();
    let x = svd.solve(&DVector::from_column_slice(right), tolerance);
    x.map(|x| x.as_slice().to_vec()).map_err(|e| WalkError::rule("fit of a measured walk", e))
}

/// Series of the recorded coordinates with the harmonics of `like`; coordinates that were not recorded keep the series of `like`.
///
/// Right and left samples go into one series, the left ones half a cycle later: what differs between the sides is averaged.
pub(crate) fn motion_series(like: &[Series], motion: &Retargeted, gait: &Gait) -> Result<Vec<Series>, WalkError> {
    let omega = TAU / gait.cycle_time;
    let whole = |t: f64| (-1e-9..gait.cycle_time - 1e-9).contains(&t);
    let covers = motion.times.first().is_some_and(|t| *t <= 0.01 * gait.cycle_time)
        && motion.times.last().is_some_and(|t| *t >= 0.98 * gait.cycle_time);
    let fit = |series: &Series| {
        let (mut rows, mut right) = (Vec::new(), Vec::new());
        let twins = [series.coordinate.clone(), mirror_name(&series.coordinate)];
        let sides = if Side::of(&series.coordinate) == Side::Middle { &twins[..1] } else { &twins[..] };
        for name in sides {
            let Some(column) = motion.columns.get(name) else { continue };
            let shift = if Side::of(name) == Side::Left { 0.5 * gait.cycle_time } else { 0.0 };
            for (&t, &q) in motion.times.iter().zip(column).filter(|(t, _)| !covers || whole(**t)) {
                let forward = if name.ends_with("_tx") { gait.speed * t } else { 0.0 };
                let wave = |h: &Harmonic| (f64::from(h.order) * omega * (t + shift)).sin_cos();
                let waves = series.harmonics.iter().map(wave).flat_map(|(s, c)| [c, s]);
                let one = if has_mean(series) { 1.0 } else { 0.0 };
                rows.push(std::iter::once(one).chain(waves).collect::<Vec<f64>>());
                right.push(q - forward);
            }
        }
        if rows.is_empty() {
            return Ok(series.clone());
        }
        let x = least_squares(&rows, &right)?;
        let harmonic = |(h, pair): (&Harmonic, &[f64])| Harmonic { order: h.order, cos: pair[0], sin: pair[1] };
        let harmonics = series.harmonics.iter().zip(x[1..].chunks(2)).map(harmonic).collect();
        Ok(Series { coordinate: series.coordinate.clone(), mean: x[0], harmonics })
    };
    like.iter().map(fit).collect()
}

/// Whether a coordinate may have a mean: those that swing from side to side have none.
fn has_mean(series: &Series) -> bool {
    series.harmonics.iter().any(|h| h.order % 2 == 0)
}

/// A stance of either foot as one of the right foot that begins at the start of a cycle.
struct RightStance {
    foot: StanceFoot,
    /// Share of stance and what was measured there.
    samples: Vec<(f64, MeasuredForce)>,
}

/// Series of the ground force from every whole stance whose motion is known, with as many coefficients as `like`.
///
/// The first vertical and forward coefficients are those of steady walking: body weight and nothing on the mean.
pub(crate) fn ground_series(
    like: &GroundSeries,
    stances: &[Stance],
    motion: &Retargeted,
    feet: &[Vec<Pose>; 2],
    gait: &Gait,
    weight: f64,
) -> Result<GroundSeries, WalkError> {
    let all: Vec<RightStance> = stances.iter().filter_map(|s| as_right(s, motion, feet, gait)).collect();
    if all.is_empty() {
        let reason = "no stance was recorded from heel strike to toe off while the motion was recorded";
        return Err(WalkError::rule("ground forces", reason));
    }
    let n = all.len() as f64;
    let mean = |value: &dyn Fn(&StanceFoot) -> f64| all.iter().map(|s| value(&s.foot)).sum::<f64>() / n;
    let foot = StanceFoot { x: mean(&|f| f.x), z: mean(&|f| f.z), turn: mean(&|f| f.turn) };
    let samples: Vec<(f64, &MeasuredForce, &StanceFoot)> =
        all.iter().flat_map(|s| s.samples.iter().map(move |(share, m)| (*share, m, &s.foot))).collect();
    let rising = |count: usize, first: Option<f64>, value: &dyn Fn(&MeasuredForce) -> f64| {
        let shape = |s: f64, k: usize| (PI * s).sin() * ((k + 1) as f64 * PI * s).sin();
        let skip = usize::from(first.is_some());
        let rows: Vec<Vec<f64>> = samples.iter().map(|(s, ..)| (skip..count).map(|k| shape(*s, k)).collect()).collect();
        let known = |s: f64| first.map_or(0.0, |a| a * shape(s, 0));
        let right: Vec<f64> = samples.iter().map(|(s, m, _)| value(m) / weight - known(*s)).collect();
        let rest = least_squares(&rows, &right)?;
        Ok::<_, WalkError>(first.into_iter().chain(rest).collect::<Vec<f64>>())
    };
    let centre = |count: usize, axis: usize| {
        let load = |m: &MeasuredForce| (m.force.y / weight).clamp(LEAST_LOAD, 1.0);
        let row = |(s, m, _): &(f64, &MeasuredForce, &StanceFoot)| {
            (0..count).map(|k| load(m) * (k as f64 * PI * s).cos()).collect::<Vec<f64>>()
        };
        let rows: Vec<Vec<f64>> = samples.iter().map(row).collect();
        let place = |(_, m, f): &(f64, &MeasuredForce, &StanceFoot)| {
            load(m) * on_sole(f, &m.point)[axis].clamp(SOLE[axis][0], SOLE[axis][1])
        };
        least_squares(&rows, &samples.iter().map(place).collect::<Vec<f64>>())
    };
    let [x, y, z] = &like.force;
    Ok(GroundSeries {
        foot,
        force: [
            rising(x.len(), Some(0.0), &|m| m.force.x)?,
            rising(y.len(), Some(1.0 / gait.duty), &|m| m.force.y)?,
            rising(z.len(), None, &|m| m.force.z)?,
        ],
        centre: [centre(like.centre[0].len(), 0)?, centre(like.centre[1].len(), 1)?],
        free_moment: rising(like.free_moment.len(), None, &|m| m.moment.y)?,
    })
}

/// Place along and across the flat foot [m].
fn on_sole(foot: &StanceFoot, point: &Vec3) -> [f64; 2] {
    let (dx, dz) = (point.x - foot.x, point.z - foot.z);
    let (sin, cos) = foot.turn.sin_cos();
    [cos * dx + sin * dz, -sin * dx + cos * dz]
}

/// A whole stance as the right foot's that begins at t = 0; none where the motion of its flat foot is not known.
fn as_right(stance: &Stance, motion: &Retargeted, feet: &[Vec<Pose>; 2], gait: &Gait) -> Option<RightStance> {
    let [on, off] = stance.whole()?;
    let flat = FLAT.map(|share| on + share * (off - on));
    let within = |t: f64| t >= flat[0] && t <= flat[1];
    let left = stance.foot == 1;
    let mirror = |p: &Vec3| if left { mirror_point(p) } else { *p };
    let poses: Vec<&Pose> =
        motion.times.iter().zip(&feet[stance.foot]).filter(|(t, _)| within(**t)).map(|(_, pose)| pose).collect();
    let n = poses.len() as f64;
    if poses.is_empty() || motion.times.last().is_none_or(|t| *t < flat[1]) {
        return None;
    }
    let place = mirror(&(poses.iter().map(|X| X.p).sum::<Vec3>() / n));
    let forward = mirror(&(poses.iter().map(|X| X.R * Vec3::x()).sum::<Vec3>() / n));
    // as if it had begun at zero: back by whole and half strides
    let back = -gait.speed * (on / gait.cycle_time * 2.0).round() * 0.5 * gait.cycle_time;
    let foot = StanceFoot { x: place.x + back, z: place.z, turn: forward.z.atan2(forward.x) };
    let sample = |m: &MeasuredForce| {
        let point = mirror(&m.point) + Vec3::x() * back;
        let moment = if left { mirror_axis(&m.moment) } else { m.moment };
        ((m.time - on) / (off - on), MeasuredForce { force: mirror(&m.force), point, moment, ..*m })
    };
    Some(RightStance { foot, samples: stance.samples.iter().map(sample).collect() })
}
