//! What a motion laboratory measures, as plain values: marker positions and ground forces, in SI units, with missing
//! samples as gaps.
//!
//! A gap is `None`, never a number: a value that was not measured cannot enter a sum unnoticed.

mod axes;
mod forces;
mod markers;
mod names;
mod unit;
mod zeros;

pub use axes::Axes;
pub use forces::{ForcePlate, ForcePlateTrial, GroundWrench, PlateColumns};
pub use markers::{Gap, Marker, MarkerTrial};
pub(crate) use names::without_subjects;
pub use unit::LengthUnit;
pub(crate) use zeros::{ZeroRuns, Zeros};

/// Ratio of the largest to the smallest sampling interval that still counts as one rate, less one.
/// Own choice: times are often written with three decimals, so that 1/60 s comes as 0.016 or 0.017.
pub const RATE_TOLERANCE: f64 = 0.01;

/// Steps of time beyond this multiple of the median are holes, in which rows are missing.
const HOLE: f64 = 1.5;

/// Mean sampling rate of increasing times \[Hz\], without holes and steps back; `None` for fewer than two instants or
/// no advance.
pub(crate) fn mean_rate(times: &[f64]) -> Option<f64> {
    let (first, last) = (times.first()?, times.last()?);
    let mut steps: Vec<f64> = times.windows(2).filter_map(|w| Some(w.last()? - w.first()?)).collect();
    let middle = steps.len().checked_sub(1).filter(|_| last > first)? / 2;
    let usual = *steps.select_nth_unstable_by(middle, f64::total_cmp).1;
    let regular = || steps.iter().filter(|s| **s > 0.0 && **s <= HOLE * usual);
    // where most times repeat, the whole range is all that is known
    let (count, duration) = match usual > 0.0 {
        true => (regular().count(), regular().sum::<f64>()),
        false => (steps.len(), last - first),
    };
    let rate = count as f64 / duration;
    (rate.is_finite() && rate > 0.0).then_some(rate)
}
