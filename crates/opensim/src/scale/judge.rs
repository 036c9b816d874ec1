//! Checks of the input of scaling, and limits of its result.

use super::tool::{ScaledSubject, with_markers_of};
use crate::OpensimSubject;
use crate::setup::ScaleTool;
use std::path::Path;
use wolff_doctor::{Patient, judge};
use wolff_formats::trial::MarkerTrial;
use wolff_motion::MotionError;
use wolff_motion::ik::{max_limit_mm, rms_limit_mm};
use wolff_motion::model_markers::compare_markers;
use wolff_motion::recording::{Reading, read_markers_with};
use wolff_verdict::{Finding, Judgement, Limit};

/// Reason of the limits of scale factors.
const SIZES: &str = "generic models are adults of 1.7 to 1.8 m; adults of 1.4 to 2.1 m have factors of 0.78 to 1.24, \
                     single segments 15 % less or more";
/// Height from which the number of a set-up is not in metres.
const TALLEST: f64 = 3.0;

/// Findings about the standing trials, the mass and the model of a set-up, before scaling.
pub fn examine_scaling(tool: &ScaleTool, reading: &Reading, height: Option<f64>) -> Result<Vec<Finding>, MotionError> {
    let model = tool.model_file.as_deref().map(|path| with_markers_of(tool, path)).transpose()?;
    let mut findings: Vec<Finding> = model.iter().flat_map(OpensimSubject::remarks).collect();
    let height = height.or(stature(tool));
    findings.extend(judge(&Patient { mass: tool.mass, height, ..Patient::default() }));
    for path in trials(tool) {
        let trial = read_markers_with(path, reading)?;
        let mut of_trial = time_ranges(tool, path, &trial);
        of_trial.extend(judge(&Patient { markers: Some(&trial), height, ..Patient::default() }));
        of_trial.extend(model.iter().flat_map(|m| compare_markers(&m.subject, &trial)));
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        of_trial.iter_mut().for_each(|f| f.message = format!("`{name}`: {}", f.message));
        findings.extend(of_trial);
    }
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    Ok(findings)
}

/// The height of a set-up \[m\]; OpenSim writes millimetres.
fn stature(tool: &ScaleTool) -> Option<f64> {
    tool.height.filter(|h| *h > 0.0).map(|h| if h > TALLEST { 1e-3 * h } else { h })
}

/// Ranges of time of the set-up in which a standing trial has no frame.
fn time_ranges(tool: &ScaleTool, path: &Path, trial: &MarkerTrial) -> Vec<Finding> {
    let scaler = tool.scaler.as_ref().filter(|s| s.apply).map(|s| (s.marker_file.as_deref(), s.time_range));
    let placer = tool.placer.as_ref().filter(|p| p.apply).map(|p| (p.marker_file.as_deref(), p.time_range));
    let (Some(first), Some(last)) = (trial.times().first(), trial.times().last()) else { return Vec::new() };
    let mut ranges: Vec<[f64; 2]> = scaler
        .into_iter()
        .chain(placer)
        .filter(|(file, _)| *file == Some(path))
        .filter_map(|(_, range)| range)
        .collect();
    ranges.dedup();
    // half a frame is no difference
    let slack = 0.5 / trial.rate();
    let outside = |[start, end]: &[f64; 2]| !(*start <= last + slack && *end >= first - slack);
    let told = |[start, end]: [f64; 2]| {
        let message = format!(
            "the time range {start} to {end} s of the set-up is outside of the trial, {first:.3} to {last:.3} s"
        );
        Finding::error(message, "correct `time_range` in the set-up; otherwise frames of another time are used")
    };
    ranges.into_iter().filter(outside).map(told).collect()
}

/// Standing trials, each once.
fn trials(tool: &ScaleTool) -> Vec<&Path> {
    let scaler = tool.scaler.as_ref().filter(|s| s.apply).and_then(|s| s.marker_file.as_deref());
    let placer = tool.placer.as_ref().filter(|p| p.apply).and_then(|p| p.marker_file.as_deref());
    let mut all: Vec<&Path> = scaler.into_iter().chain(placer).collect();
    all.dedup();
    all
}

impl ScaledSubject {
    /// Judges scale factors, the mass, and the marker errors of the standing pose.
    pub fn judge(&self, judgement: &mut Judgement) {
        let factors = || self.factors.iter().flat_map(|(body, f)| f.iter().map(move |f| (body, *f)));
        let remedy = "check the markers of the measurement, the unit of the standing trial, and the generic model";
        if let Some((body, most)) = factors().max_by(|a, b| a.1.total_cmp(&b.1)) {
            let limit = Limit::at_most(1.45, 3.0).because(SIZES);
            judgement.judge(&format!("largest scale factor, of `{body}`"), "", most, &limit, remedy);
        }
        if let Some((body, least)) = factors().min_by(|a, b| a.1.total_cmp(&b.1)) {
            let limit = Limit::at_least(0.65, 0.3).because(SIZES);
            judgement.judge(&format!("smallest scale factor, of `{body}`"), "", least, &limit, remedy);
        }
        judgement.found(judge(&Patient { mass: Some(self.mass[1]), ..Patient::default() }));
        if let Some(placed) = &self.placed {
            let remedy = "check names and weights of the markers and the pose of the standing trial";
            judgement.judge("marker error RMS of the standing pose", "mm", 1e3 * placed.rms, &rms_limit_mm(), remedy);
            let (distance, name) = &placed.worst;
            let what = format!("largest marker error of the standing pose, of `{name}`");
            judgement.judge(&what, "mm", 1e3 * distance, &max_limit_mm(), remedy);
        }
    }
}
