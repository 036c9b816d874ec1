//! Muscle forces compared with electromyograms.
//!
//! | file | subject |
//! |---|---|
//! | `read` | files of electromyograms |
//! | [`envelope`] | raw signals recognised, rectified and smoothed |
//! | `channels` | names of signals: muscle and side |
//! | [`timing`] | when muscles are active |

mod channels;
pub mod envelope;
mod read;
pub mod timing;

use channels::muscles_of;
pub use envelope::Kind;
pub use read::{Signal, read_emg};
pub use timing::Timing;
use wolff_anatomy::Side;
use wolff_movement::MovementError;
use wolff_movement::measured::Gait;
use wolff_movement::model::MovementRecord;
use wolff_numerics::correlation::{normalised, pearson};

/// A signal compared with the force of the muscles that it represents.
#[derive(Clone, Debug, PartialEq)]
pub struct EmgMatch {
    /// Name of the signal.
    pub signal: String,
    /// Name of the muscle that it represents.
    pub muscle: &'static str,
    /// Its side.
    pub side: Side,
    /// Its parts, whose forces are added.
    pub muscles: Vec<String>,
    /// Pearson's coefficient over one cycle.
    pub correlation: f64,
    /// `Σ x y / √(Σ x² Σ y²)` over one cycle, means not removed.
    pub normalised: f64,
    /// Maximum Pearson's coefficient with the signal delayed by up to [`GREATEST_DELAY`], and that delay \[s\]: force
    /// follows excitation.
    pub delayed: [f64; 2],
    /// When both are active.
    pub timing: Timing,
    /// Both over one cycle, each divided by its maximum: signal, force.
    pub curves: [Vec<f64>; 2],
}

/// Longest delay from electromyogram to force that is tried \[s\]; chosen here.
pub const GREATEST_DELAY: f64 = 0.1;
/// Number of instants per cycle.
const POINTS: usize = 200;

/// Compares every signal that represents a muscle of a leg; the right one where it names no side. The second result is
/// the list of signals that represent no muscle of the model.
///
/// The force is the mean over the cycles of the record, the signal the mean over the cycles that it covers completely
/// or partly.
pub fn emg_matches(
    gait: &Gait,
    signals: &[Signal],
    muscles: &[String],
    record: &MovementRecord,
) -> Result<(Vec<EmgMatch>, Vec<String>), MovementError> {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for signal in signals {
        let Some((muscle, side, stands_for)) = muscles_of(&signal.name, muscles) else {
            others.push(signal.name.clone());
            continue;
        };
        let force = |row: &Vec<f64>| stands_for.iter().map(|&m| row[m]).sum::<f64>();
        let forces = record.times.iter().copied().zip(record.tensions.iter().map(force));
        let force = over_cycle(forces, gait.cycle_time);
        let seen = over_cycle(signal.samples.iter().map(|(t, x)| (gait.time(*t), *x)), gait.cycle_time);
        let names = stands_for.iter().map(|&m| muscles[m].clone()).collect();
        found.push(compare((&signal.name, muscle, side), names, seen, force, gait.cycle_time)?);
    }
    Ok((found, others))
}

/// Mean over cycles at [`POINTS`] instants of the cycle; an instant without a sample takes the value of the previous
/// one.
fn over_cycle(samples: impl Iterator<Item = (f64, f64)>, cycle: f64) -> Vec<f64> {
    let mut bins = vec![(0.0, 0); POINTS];
    for (t, x) in samples {
        let share = (t / cycle).rem_euclid(1.0);
        let bin = &mut bins[((share * POINTS as f64) as usize).min(POINTS - 1)];
        *bin = (bin.0 + x, bin.1 + 1);
    }
    let mut last = bins.iter().rev().find(|b| b.1 > 0).map_or(0.0, |b| b.0 / f64::from(b.1));
    let mut mean = |(sum, count): (f64, i32)| {
        last = if count > 0 { sum / f64::from(count) } else { last };
        last
    };
    bins.into_iter().map(&mut mean).collect()
}

fn compare(
    (signal, muscle, side): (&str, &'static str, Side),
    muscles: Vec<String>,
    seen: Vec<f64>,
    force: Vec<f64>,
    cycle: f64,
) -> Result<EmgMatch, MovementError> {
    let refuse = |e: wolff_numerics::NumericsError| MovementError::input(format!("signal `{signal}`"), e);
    let later = |bins: usize| -> Vec<f64> { (0..POINTS).map(|i| seen[(i + POINTS - bins) % POINTS]).collect() };
    let mut delayed = [f64::NEG_INFINITY, 0.0];
    for bins in 0..=(GREATEST_DELAY / cycle * POINTS as f64) as usize {
        let r = pearson(&later(bins), &force).map_err(refuse)?;
        if r > delayed[0] {
            delayed = [r, bins as f64 * cycle / POINTS as f64];
        }
    }
    Ok(EmgMatch {
        signal: signal.into(),
        muscle,
        side,
        muscles,
        correlation: pearson(&seen, &force).map_err(refuse)?,
        normalised: normalised(&seen, &force).map_err(refuse)?,
        delayed,
        timing: Timing::new(&seen, &force),
        curves: [seen, force].map(to_greatest),
    })
}

fn to_greatest(values: Vec<f64>) -> Vec<f64> {
    let greatest = values.iter().fold(f64::MIN_POSITIVE, |m: f64, x| m.max(*x));
    values.into_iter().map(|x| x / greatest).collect()
}
