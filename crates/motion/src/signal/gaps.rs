//! Gaps of markers: reported always, filled where they are short.

use crate::MotionError;
use wolff_formats::trial::MarkerTrial;
use wolff_numerics::{CubicSpline, EndCondition};

/// Treatment of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapOutcome {
    /// Filled by a spline through the frames around it.
    Filled,
    /// Longer than allowed, left open.
    TooLong,
    /// At the beginning or end of the trial, where interpolation is not possible; left open.
    AtEnd,
}

/// A gap and its treatment.
#[derive(Clone, Debug, PartialEq)]
pub struct GapReport {
    /// The marker.
    pub marker: String,
    /// First missing frame, from 0.
    pub first: usize,
    /// Missing frames.
    pub frames: usize,
    /// Times of the last frame before and the first after it, or of the end of the trial \[s\].
    pub span: [f64; 2],
    /// Its treatment.
    pub outcome: GapOutcome,
}

/// Frames on either side of a gap that the spline passes through. Chosen here: enough for the curvature on both sides.
const NEIGHBOURS: usize = 5;

/// Fills gaps of up to `longest` \[s\] by a cubic spline through up to five measured frames on either side; others stay
/// open.
///
/// Interpolated points are estimates: within 0.1 s a heel strike may be missed. Every gap is reported.
pub fn fill_gaps(trial: &MarkerTrial, longest: f64) -> Result<(MarkerTrial, Vec<GapReport>), MotionError> {
    if !(longest >= 0.0) {
        return Err(MotionError::input("gap filling", format!("the longest gap is {longest} s; give zero or more")));
    }
    let mut markers = trial.markers().to_vec();
    let mut reports = Vec::new();
    let times = trial.times();
    for gap in trial.gaps() {
        let Some(source) = trial.markers().get(gap.marker) else { continue };
        let end = gap.first + gap.frames;
        let inside = gap.first > 0 && end < times.len();
        let span = [times[gap.first.saturating_sub(1)], times[end.min(times.len() - 1)]];
        let outcome = match inside {
            false => GapOutcome::AtEnd,
            true if span[1] - span[0] - 1.0 / trial.rate() > longest => GapOutcome::TooLong,
            true => GapOutcome::Filled,
        };
        if outcome == GapOutcome::Filled {
            let filled = interpolate(times, &source.points, gap.first, end).map_err(|cause| MotionError::Numerics {
                object: format!("gap of marker `{}` at {} s", source.name, span[0]),
                cause,
            })?;
            for (point, value) in markers[gap.marker].points[gap.first..end].iter_mut().zip(filled) {
                *point = Some(value);
            }
        }
        reports.push(GapReport { marker: source.name.clone(), first: gap.first, frames: gap.frames, span, outcome });
    }
    Ok((trial.clone().with_markers(markers)?, reports))
}

/// Values in the frames `first..end` from those around them.
fn interpolate(
    times: &[f64],
    points: &[Option<[f64; 3]>],
    first: usize,
    end: usize,
) -> Result<Vec<[f64; 3]>, wolff_numerics::NumericsError> {
    let seen = |i: usize| points.get(i).copied().flatten().map(|p| (times[i], p));
    let mut around: Vec<(f64, [f64; 3])> = (0..first).rev().filter_map(seen).take(NEIGHBOURS).collect();
    around.reverse();
    around.extend((end..times.len()).filter_map(seen).take(NEIGHBOURS));
    let knots: Vec<f64> = around.iter().map(|(t, _)| *t).collect();
    let mut out = vec![[0.0; 3]; end - first];
    for axis in 0..3 {
        let values: Vec<f64> = around.iter().map(|(_, p)| p[axis]).collect();
        let spline = CubicSpline::new(&knots, &values, EndCondition::NotAKnot)?;
        for (value, &t) in out.iter_mut().zip(&times[first..end]) {
            value[axis] = spline.evaluate(t).value;
        }
    }
    Ok(out)
}
