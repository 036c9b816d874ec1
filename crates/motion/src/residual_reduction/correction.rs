//! Smooth changes of coordinates over time.

use crate::MotionError;

/// Cubic B-splines on evenly spaced knots from a first to a last instant: changes with continuous accelerations.
///
/// On the interval of a parameter u in \[0, 1\] four of them are not zero,
///
/// ```text
/// (1-u)³/6,  (3u³ - 6u² + 4)/6,  (-3u³ + 3u² + 3u + 1)/6,  u³/6
/// ```
/// Source: de Boor, A Practical Guide to Splines, 1978, chapter IX, for evenly spaced knots.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    start: f64,
    spacing: f64,
    intervals: usize,
}

/// The four splines that are not zero at an instant: index of the first; values, first and second derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Index of the first.
    pub first: usize,
    /// Values \[-\], rates \[1/s\] and second derivatives \[1/s²\].
    pub orders: [[f64; 4]; 3],
}

/// Maximum number of intervals: more than a quarter of an hour at a tenth of a second.
const MOST_INTERVALS: usize = 10_000;

impl Correction {
    /// Splines over a range \[s\] with knots about `spacing` \[s\] apart.
    pub fn new([start, end]: [f64; 2], spacing: f64) -> Result<Self, MotionError> {
        let duration = end - start;
        let count = (duration / spacing).ceil();
        if !(spacing > 0.0 && duration > 0.0 && count <= MOST_INTERVALS as f64) {
            let reason = format!(
                "{duration} s with knots every {spacing} s; both must be positive and give at most \
                 {MOST_INTERVALS} intervals"
            );
            return Err(MotionError::input("residual reduction", reason));
        }
        let intervals = (count as usize).max(1);
        Ok(Correction { start, spacing: duration / intervals as f64, intervals })
    }

    /// Number of splines.
    pub fn count(&self) -> usize {
        self.intervals + 3
    }

    /// The splines at time `t` \[s\]; outside the range those of its ends.
    pub fn weights(&self, t: f64) -> Weights {
        let along = ((t - self.start) / self.spacing).clamp(0.0, self.intervals as f64);
        let first = (along as usize).min(self.intervals - 1);
        let u = along - first as f64;
        let (w, h) = (1.0 - u, 1.0 / self.spacing);
        let values = [
            w * w * w / 6.0,
            (3.0 * u - 6.0) * u * u / 6.0 + 2.0 / 3.0,
            ((3.0 - 3.0 * u) * u + 3.0) * u / 6.0 + 1.0 / 6.0,
            u * u * u / 6.0,
        ];
        let rates = [-0.5 * w * w, (1.5 * u - 2.0) * u, (1.0 - 1.5 * u) * u + 0.5, 0.5 * u * u].map(|x| x * h);
        let seconds = [w, 3.0 * u - 2.0, 1.0 - 3.0 * u, u].map(|x| x * h * h);
        Weights { first, orders: [values, rates, seconds] }
    }
}

impl Weights {
    /// Value, rate and second derivative of the change with these coefficients.
    pub fn apply(&self, coefficients: &[f64]) -> [f64; 3] {
        let some = coefficients.get(self.first..self.first + 4).unwrap_or_default();
        self.orders.map(|order| some.iter().zip(order).map(|(c, w)| c * w).sum())
    }
}
