//! Markers prepared before they are used: gaps filled, noise removed, another rate; with a report of every change.
//!
//! The order is that of Al Nazer 2008, section 4.4: gaps, low-pass, interpolation.

use super::{GapOutcome, GapReport, LowPass, Piece, fill_gaps, low_pass_markers};
use crate::MotionError;
use wolff_formats::trial::{Marker, MarkerTrial};
use wolff_numerics::{CubicSpline, EndCondition};

/// What is done with the markers of a recording; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Preparation {
    /// Gaps of up to this time are filled \[s\].
    pub fill: Option<f64>,
    /// Corner of a Butterworth low-pass of second order, run forward and backward; both passes together have gain 1/√2
    /// there \[Hz\].
    pub cutoff: Option<f64>,
    /// Frames per second at which the trial is sampled anew \[Hz\].
    pub rate: Option<f64>,
}

/// What was changed in a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prepared {
    /// Every gap and its treatment; empty where no gaps were to be filled.
    pub gaps: Vec<GapReport>,
    /// What the low-pass removed of each marker: name, root mean square of the distance \[m\]. Markers that were never
    /// recorded are left out.
    pub removed: Vec<(String, f64)>,
    /// Intervals between gaps that were too short for the low-pass.
    pub short: Vec<Piece>,
    /// Rate before and after \[Hz\], where it changed.
    pub rates: Option<[f64; 2]>,
}

impl Preparation {
    /// Whether there is nothing to do.
    pub fn is_none(&self) -> bool {
        *self == Preparation::default()
    }

    /// The prepared trial, and what was changed.
    ///
    /// # Errors
    /// When a number is not positive, the cutoff is not below half the rate, or a lower rate would fold frequencies
    /// that are not removed.
    pub fn apply(&self, trial: MarkerTrial) -> Result<(MarkerTrial, Prepared), MotionError> {
        self.check(trial.rate())?;
        let (mut trial, mut told) = (trial, Prepared::default());
        if let Some(longest) = self.fill {
            (trial, told.gaps) = fill_gaps(&trial, longest)?;
        }
        if let Some(cutoff) = self.cutoff {
            let (smooth, short) = low_pass_markers(&trial, &LowPass { cutoff, ..LowPass::default() })?;
            told.removed = trial.markers().iter().zip(smooth.markers()).filter_map(|(a, b)| difference(a, b)).collect();
            (trial, told.short) = (smooth, short);
        }
        if let Some(rate) = self.rate {
            told.rates = Some([trial.rate(), rate]);
            trial = resampled(&trial, rate)?;
        }
        let remarks = told.remarks(self);
        Ok((trial.with_remarks(remarks), told))
    }

    fn check(&self, recorded: f64) -> Result<(), MotionError> {
        let refuse = |reason: String| Err(MotionError::input("preparation of markers", reason));
        let named = [("longest gap", self.fill, "s"), ("cutoff", self.cutoff, "Hz"), ("rate", self.rate, "Hz")];
        for (name, value, unit) in named {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
                return refuse(format!("the {name} is {value} {unit}; give a positive number, or leave it out"));
            }
        }
        match (self.rate, self.cutoff) {
            (Some(rate), cutoff) if rate < recorded && cutoff.is_none_or(|cutoff| cutoff >= 0.5 * rate) => {
                refuse(format!(
                    "at {rate} Hz instead of {recorded} Hz, motion above {} Hz appears as slower motion; add a low-pass \
                     with a cutoff below that",
                    0.5 * rate
                ))
            }
            _ => Ok(()),
        }
    }
}

impl Prepared {
    /// Number of frames of markers that were filled.
    pub fn filled(&self) -> usize {
        self.gaps.iter().filter(|gap| gap.outcome == GapOutcome::Filled).map(|gap| gap.frames).sum()
    }

    /// Number of gaps that are left.
    pub fn left(&self) -> usize {
        self.gaps.iter().filter(|gap| gap.outcome != GapOutcome::Filled).count()
    }

    /// Frames filled of each marker that had gaps.
    pub fn filled_by_marker(&self) -> Vec<(String, usize)> {
        let mut all: Vec<(String, usize)> = Vec::new();
        for gap in self.gaps.iter().filter(|gap| gap.outcome == GapOutcome::Filled) {
            match all.iter_mut().find(|(name, _)| *name == gap.marker) {
                Some((_, frames)) => *frames += gap.frames,
                None => all.push((gap.marker.clone(), gap.frames)),
            }
        }
        all
    }

    /// The marker of which the low-pass removed most.
    pub fn most_removed(&self) -> Option<&(String, f64)> {
        self.removed.iter().max_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn remarks(&self, asked: &Preparation) -> Vec<String> {
        let mut all = Vec::new();
        if let Some(longest) = asked.fill {
            let (frames, left) = (self.filled(), self.left());
            all.push(format!(
                "gaps of up to {longest} s were filled by splines: {frames} frames; {left} gaps are left"
            ));
        }
        if let (Some(cutoff), Some((name, rms))) = (asked.cutoff, self.most_removed()) {
            let most = 1e3 * rms;
            all.push(format!("markers were low-pass filtered at {cutoff} Hz, `{name}` most: {most:.2} mm rms removed"));
        }
        if !self.short.is_empty() {
            let count = self.short.len();
            all.push(format!(
                "{count} intervals between gaps are too short for the low-pass and were left as they are"
            ));
        }
        all.extend(self.rates.map(|[from, to]| format!("{from} Hz became {to} Hz by cubic splines")));
        all
    }
}

/// Root mean square of the distance of two versions of a marker in frames that both have \[m\].
fn difference(a: &Marker, b: &Marker) -> Option<(String, f64)> {
    let pairs = a.points.iter().zip(&b.points).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
    let squares: Vec<f64> = pairs.map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum()).collect();
    let rms = (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt();
    (!squares.is_empty()).then(|| (a.name.clone(), rms))
}

/// The trial at another rate by cubic splines through each interval without gaps; an instant outside of these is
/// a gap.
/// Maximum number of positions of all markers after resampling: an hour of 40 markers at 300 Hz.
const MOST_POSITIONS: f64 = 5e7;

fn resampled(trial: &MarkerTrial, rate: f64) -> Result<MarkerTrial, MotionError> {
    let old = trial.times();
    let (Some(first), Some(last)) = (old.first().copied(), old.last().copied()) else { return Ok(trial.clone()) };
    let size = (last - first) * rate * trial.markers().len().max(1) as f64;
    if !(size <= MOST_POSITIONS) {
        let reason = format!("at {rate} Hz the trial has {size:.0e} positions of markers; give a lower rate");
        return Err(MotionError::input("preparation of markers", reason));
    }
    let count = ((last - first) * rate + 1e-6).floor() as usize + 1;
    let times: Vec<f64> = (0..count).map(|i| first + i as f64 / rate).collect();
    let mut markers = Vec::with_capacity(trial.markers().len());
    for marker in trial.markers() {
        let points = resampled_marker(old, marker, &times)
            .map_err(|cause| MotionError::Numerics { object: format!("marker `{}`", marker.name), cause })?;
        markers.push(Marker { name: marker.name.clone(), points });
    }
    let new = MarkerTrial::new(trial.name(), rate, times, markers)?;
    let told = new.told(trial.source_unit(), trial.remarks(), trial.warnings());
    Ok(told.turned_from(*trial.axes()))
}

fn resampled_marker(
    old: &[f64],
    marker: &Marker,
    times: &[f64],
) -> Result<Vec<Option<[f64; 3]>>, wolff_numerics::NumericsError> {
    let mut out = vec![None; times.len()];
    for piece in super::filter::pieces(&marker.points) {
        let knots = &old[piece.clone()];
        let (Some(begin), Some(end)) = (knots.first(), knots.last()) else { continue };
        // the last instant of the trial may differ from its knot by rounding
        let inside = |t: f64| t >= begin - 1e-9 && t <= end + 1e-9;
        if knots.len() < 2 {
            continue;
        }
        let mut values = vec![[0.0; 3]; times.len()];
        for axis in 0..3 {
            let x: Vec<f64> = marker.points[piece.clone()].iter().flatten().map(|p| p[axis]).collect();
            let spline = CubicSpline::new(knots, &x, EndCondition::NotAKnot)?;
            for (value, t) in values.iter_mut().zip(times).filter(|(_, t)| inside(**t)) {
                value[axis] = spline.evaluate(t.clamp(*begin, *end)).value;
            }
        }
        for ((place, value), t) in out.iter_mut().zip(values).zip(times) {
            if inside(*t) {
                *place = Some(value);
            }
        }
    }
    Ok(out)
}
