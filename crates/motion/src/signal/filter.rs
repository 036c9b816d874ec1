//! Low-pass filtering of whole trials.

use crate::MotionError;
use wolff_formats::trial::MarkerTrial;
use wolff_numerics::filter::Butterworth;

/// A Butterworth low-pass run forward and backward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowPass {
    /// Corner of the two passes together, gain 1/√2 \[Hz\].
    pub cutoff: f64,
    /// Order of one pass; even.
    pub order: usize,
}

impl Default for LowPass {
    /// Second order, 5 Hz: usual for markers in walking (Winter, Biomechanics and Motor Control of Human Movement, 4th
    /// ed., chapter 3).
    fn default() -> Self {
        Self { cutoff: 5.0, order: 2 }
    }
}

impl LowPass {
    fn design(&self, rate: f64) -> Result<Butterworth, MotionError> {
        Butterworth::low_pass_dual_pass(self.order, self.cutoff, rate)
            .map_err(|cause| MotionError::Numerics { object: "low-pass filter".into(), cause })
    }
}

/// Filters columns sampled at `rate` \[Hz\] in place.
pub fn low_pass_columns(columns: &mut [Vec<f64>], rate: f64, filter: &LowPass) -> Result<(), MotionError> {
    let design = filter.design(rate)?;
    for (i, column) in columns.iter_mut().enumerate() {
        *column = design
            .zero_phase(column, None)
            .map_err(|cause| MotionError::Numerics { object: format!("column {}", i + 1), cause })?;
    }
    Ok(())
}

/// Frames of a marker, by its name.
pub type Piece = (String, std::ops::Range<usize>);

/// Filters every interval without gaps of every marker. Intervals too short for the filter are not changed and are
/// returned as marker name and frames.
pub fn low_pass_markers(trial: &MarkerTrial, filter: &LowPass) -> Result<(MarkerTrial, Vec<Piece>), MotionError> {
    let design = filter.design(trial.rate())?;
    let mut markers = trial.markers().to_vec();
    let mut short = Vec::new();
    for marker in &mut markers {
        for piece in pieces(&marker.points) {
            if piece.len() <= design.default_padding() {
                short.push((marker.name.clone(), piece));
                continue;
            }
            for axis in 0..3 {
                let x: Vec<f64> = marker.points[piece.clone()].iter().flatten().map(|p| p[axis]).collect();
                let y = design
                    .zero_phase(&x, None)
                    .map_err(|cause| MotionError::Numerics { object: format!("marker `{}`", marker.name), cause })?;
                for (point, y) in marker.points[piece.clone()].iter_mut().flatten().zip(y) {
                    point[axis] = y;
                }
            }
        }
    }
    Ok((trial.clone().with_markers(markers)?, short))
}

/// Runs of frames without a gap.
pub(super) fn pieces(points: &[Option<[f64; 3]>]) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    let mut start = None;
    for (i, seen) in points.iter().map(Option::is_some).chain([false]).enumerate() {
        match (seen, start) {
            (true, None) => start = Some(i),
            (false, Some(first)) => {
                out.push(first..i);
                start = None;
            }
            _ => {}
        }
    }
    out
}
