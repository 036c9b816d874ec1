//! The ground force of a simulation compared with the measured one.

use wolff_movement::MovementError;
use wolff_movement::compare::fidelity::{smooth, stance_peaks};
use wolff_movement::measured::{Gait, Stance};
use wolff_movement::model::MovementRecord;
use wolff_numerics::correlation::{normalised, pearson};
use wolff_spatial::Vec3;

/// Agreement of the ground force of a simulation with the measured one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroundMatch {
    /// Pearson's coefficient along X, Y, Z over complete cycles, swing included as zero force, all feet and stances in
    /// one series.
    pub correlation: [f64; 3],
    /// `Σ x y / √(Σ x² Σ y²)` of the vertical force, means not removed.
    pub normalised: f64,
    /// First and second peak of the measured vertical force, smoothed, over body weight: mean of all complete stances.
    pub peaks: [f64; 2],
    /// Number of measured stances that were compared.
    pub stances: usize,
}

/// Time between samples of the measured force \[s\].
const SAMPLE: f64 = 1e-3;

/// Compares every complete measured stance, repeated in every cycle, with the simulation; `weight` \[N\].
pub fn ground_match(
    gait: &Gait,
    stances: &[Stance],
    record: &MovementRecord,
    weight: f64,
) -> Result<GroundMatch, MovementError> {
    let whole: Vec<(&Stance, [f64; 2])> = stances.iter().filter_map(|s| Some((s, s.whole()?))).collect();
    let mut pairs: [[Vec<f64>; 2]; 3] = Default::default();
    for (stance, span) in &whole {
        for (t, ground) in record.times.iter().zip(&record.ground) {
            let measured = in_cycle(stance, *span, gait.cycle_time, *t);
            for (axis, [driven, recorded]) in pairs.iter_mut().enumerate() {
                driven.push(ground[stance.foot.index()].force[axis]);
                recorded.push(measured[axis]);
            }
        }
    }
    let refuse = |e: wolff_numerics::NumericsError| MovementError::input("measured ground force", e);
    let mut out = GroundMatch { stances: whole.len(), ..GroundMatch::default() };
    for (r, [driven, recorded]) in out.correlation.iter_mut().zip(&pairs) {
        *r = pearson(driven, recorded).map_err(refuse)?;
    }
    out.normalised = normalised(&pairs[1][0], &pairs[1][1]).map_err(refuse)?;
    for (stance, span) in &whole {
        let samples = (gait.cycle_time / SAMPLE) as usize;
        // half a swing before and after
        let early = 0.5 * (gait.cycle_time - (span[1] - span[0]));
        let vertical =
            |i: usize| in_cycle(stance, *span, gait.cycle_time, span[0] - early + i as f64 * SAMPLE).y / weight;
        let force: Vec<f64> = (0..samples).map(vertical).collect();
        for peaks in stance_peaks(&smooth(&force, SAMPLE)?, SAMPLE) {
            out.peaks[0] += peaks[0] / whole.len() as f64;
            out.peaks[1] += peaks[1] / whole.len() as f64;
        }
    }
    Ok(out)
}

/// Force of a stance that is repeated in every cycle \[N\]; zero in swing.
fn in_cycle(stance: &Stance, [on, off]: [f64; 2], cycle: f64, t: f64) -> Vec3 {
    let time = on + (t - on).rem_euclid(cycle);
    if time >= off {
        return Vec3::zeros();
    }
    let after = stance.samples.partition_point(|s| s.time < time);
    match (after.checked_sub(1).and_then(|i| stance.samples.get(i)), stance.samples.get(after)) {
        (Some(a), Some(b)) => a.force + (b.force - a.force) * ((time - a.time) / (b.time - a.time)),
        (a, b) => a.or(b).map_or_else(Vec3::zeros, |s| s.force),
    }
}
