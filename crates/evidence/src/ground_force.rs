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
    /// Pearson's coefficient of the magnitude of the force vector, as `correlation`.
    pub resultant: f64,
    /// `Σ x y / √(Σ x² Σ y²)` of this magnitude.
    pub resultant_normalised: f64,
    /// Pearson's coefficient of the vertical force of the right and of the left foot; `None` without a complete stance.
    pub feet: [Option<f64>; 2],
    /// Magnitude over a cycle of the first complete stance of a foot, right if there is one: fraction of the cycle,
    /// measured and computed force over body weight.
    pub curve: Vec<[f64; 3]>,
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
    let pairs = Pairs::of(gait, &whole, record);
    let refuse = |e: wolff_numerics::NumericsError| MovementError::input("measured ground force", e);
    let mut out = GroundMatch { stances: whole.len(), ..GroundMatch::default() };
    for (r, [driven, recorded]) in out.correlation.iter_mut().zip(&pairs.axes) {
        *r = pearson(driven, recorded).map_err(refuse)?;
    }
    out.normalised = normalised(&pairs.axes[1][0], &pairs.axes[1][1]).map_err(refuse)?;
    out.resultant = pearson(&pairs.resultant[0], &pairs.resultant[1]).map_err(refuse)?;
    out.resultant_normalised = normalised(&pairs.resultant[0], &pairs.resultant[1]).map_err(refuse)?;
    for (r, [driven, recorded]) in out.feet.iter_mut().zip(&pairs.feet) {
        *r = (!driven.is_empty()).then(|| pearson(driven, recorded)).transpose().map_err(refuse)?;
    }
    out.curve = curve(gait, &whole, record, weight);
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

/// Computed and measured values at the same instants, all complete stances in one series.
#[derive(Default)]
struct Pairs {
    /// Along X, Y, Z.
    axes: [[Vec<f64>; 2]; 3],
    /// Magnitudes.
    resultant: [Vec<f64>; 2],
    /// Vertical, right and left foot.
    feet: [[Vec<f64>; 2]; 2],
}

impl Pairs {
    fn of(gait: &Gait, whole: &[(&Stance, [f64; 2])], record: &MovementRecord) -> Self {
        let mut pairs = Pairs::default();
        for (stance, span) in whole {
            let foot = stance.foot.index();
            for (t, ground) in record.times.iter().zip(&record.ground) {
                let (driven, recorded) = (ground[foot].force, in_cycle(stance, *span, gait.cycle_time, *t));
                for (axis, pair) in pairs.axes.iter_mut().enumerate() {
                    pair[0].push(driven[axis]);
                    pair[1].push(recorded[axis]);
                }
                pairs.resultant[0].push(driven.norm());
                pairs.resultant[1].push(recorded.norm());
                pairs.feet[foot][0].push(driven.y);
                pairs.feet[foot][1].push(recorded.y);
            }
        }
        pairs
    }
}

/// The magnitudes of one stance over the last recorded cycle.
fn curve(gait: &Gait, whole: &[(&Stance, [f64; 2])], record: &MovementRecord, weight: f64) -> Vec<[f64; 3]> {
    let right = whole.iter().find(|(stance, _)| stance.foot.index() == 0);
    let Some((stance, span)) = right.or(whole.first()) else { return Vec::new() };
    let end = record.times.last().copied().unwrap_or(0.0);
    let first = ((end / gait.cycle_time + 1e-9).floor() - 1.0).max(0.0) * gait.cycle_time;
    let rows = record.times.iter().zip(&record.ground).filter(|(t, _)| (first..first + gait.cycle_time).contains(*t));
    rows.map(|(t, ground)| {
        let measured = in_cycle(stance, *span, gait.cycle_time, *t).norm() / weight;
        [(t - first) / gait.cycle_time, measured, ground[stance.foot.index()].force.norm() / weight]
    })
    .collect()
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
