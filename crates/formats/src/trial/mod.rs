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

/// Mean sampling rate of increasing times \[Hz\]; `None` for fewer than two instants or no advance.
pub(crate) fn mean_rate(times: &[f64]) -> Option<f64> {
    let (first, last) = (times.first()?, times.last()?);
    let rate = (times.len() - 1) as f64 / (last - first);
    (rate.is_finite() && rate > 0.0).then_some(rate)
}
