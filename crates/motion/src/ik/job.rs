//! Inverse kinematics from files to files, frame by frame.

use super::freedoms::Freedoms;
use super::report::MarkerFit;
use super::sketch::{IkPlot, Sketch, StrideCurve};
use super::solver::Options;
use super::source::Source;
use super::summary::{IkSummary, Ranges};
use super::tasks::{Matched, Tasks};
use super::trial::{Pursuit, frames_within, nothing_seen};
use crate::marker_distances::compare_distances;
use crate::model_markers::compare_markers;
use crate::recording::Reading;
use crate::{MotionError, Subject};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use wolff_doctor::{Patient, judge};
use wolff_files::atomic::Staging;
use wolff_files::text::is_control;
use wolff_formats::sto::StorageWriter;
use wolff_verdict::{Finding, grouped};

/// Result of a job.
#[derive(Debug)]
pub struct IkResult {
    /// The model.
    pub subject: Subject,
    /// Fit of the markers.
    pub summary: IkSummary,
    /// Remarks for the user.
    pub remarks: Vec<String>,
    /// Computing time of the frames, including files \[s\].
    pub seconds: f64,
    /// Names of the files written, the motion first.
    pub files: Vec<String>,
    /// Plots of errors and of the angles that move most.
    pub plots: Vec<IkPlot>,
    /// Angles over the gait cycle; empty where no cycle is found.
    pub strides: Vec<StrideCurve>,
}

/// A trial whose files have been read and checked. Of a `.trc` file only one frame is in memory, plus 8 bytes of time
/// per frame; a `.c3d` file is in memory as a whole.
pub struct IkJob {
    subject: Subject,
    tasks: Tasks,
    source: Source,
    matched: Matched,
    frames: Range<usize>,
    options: Options,
    ranges: Ranges,
}

/// Suffixes of the names of the tables that [`IkJob::run`] writes, and of its plots.
pub const RESULTS: [&str; 6] = [
    "_ik.mot",
    "_ik_marker_errors.sto",
    "_ik_marker_distances.sto",
    "_ik_marker_errors.svg",
    "_ik_angles.svg",
    "_ik_angles_cycle.svg",
];

impl IkJob {
    /// Reads a marker file (`.trc`, `.c3d`). `reading` has the laboratory's axes, the unit and other names of markers.
    /// Frames outside of the time range \[s\] are ignored; without a range all frames are used.
    pub fn new(
        subject: Subject,
        tasks: Tasks,
        markers: &Path,
        reading: &Reading,
        time_range: Option<[f64; 2]>,
        options: Options,
    ) -> Result<Self, MotionError> {
        let source = Source::open(markers, reading)?;
        let matched = Matched::of_names(&subject, &tasks, source.names());
        let frames = frames_within(source.course(), time_range)?;
        Ok(IkJob { subject, tasks, source, matched, frames, options, ranges: Ranges::new() })
    }

    /// The same with ranges of coordinates that are reported where they are left \[rad or m\].
    pub fn with_ranges(self, ranges: Ranges) -> Self {
        Self { ranges, ..self }
    }

    /// The model.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Findings about the markers of the frames that are used, and about the model beside them. Of a trial that is too
    /// long for the memory the first part is examined.
    pub fn examine(&self, mass: Option<f64>, height: Option<f64>) -> Result<Vec<Finding>, MotionError> {
        let trial = self.source.excerpt(self.frames.clone())?;
        let mut findings = judge(&Patient { markers: Some(&trial), forces: None, mass, height });
        findings.extend(compare_markers(&self.subject, &trial));
        findings.extend(compare_distances(&self.subject, &trial));
        findings.extend(locked(&self.subject));
        if trial.times().len() < self.frames.len() {
            let (part, all) = (trial.times().len(), self.frames.len());
            findings.push(Finding::note(format!("the first {part} of {all} frames were examined"), ""));
        }
        findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
        Ok(findings)
    }

    /// Finds the motion and writes it frame by frame, together with marker errors, into the output folder, if one is
    /// given; file names begin with `name`. `progress` receives the fraction done and returns whether to
    /// continue.
    pub fn run(
        self,
        staging: Option<&Staging>,
        name: &str,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<IkResult, MotionError> {
        let IkJob { subject, tasks, source, matched, frames, options, ranges } = self;
        matched.check(&subject, source.course().0, source.names())?;
        let start = std::time::Instant::now();
        let mut tables = staging.map(|s| Tables::create(s.path(), name, &subject, &matched)).transpose()?;
        let mut pursuit = Pursuit::new(&subject, &tasks, &matched, options)?;
        let (mut summary, mut sketch) = (IkSummary::new(matched), Sketch::default());
        let mut observed = vec![None; summary.matched.markers.len()];
        let (mut done, mut stopped) = (0, false);
        source.each(frames.clone(), &mut |t, points| {
            for (o, m) in observed.iter_mut().zip(&summary.matched.markers) {
                *o = points.get(m.recorded).copied().flatten();
            }
            done += 1;
            let Some(fit) = pursuit.follow(t, &observed)? else {
                summary.left_out.push(t);
                return Ok(ControlFlow::Continue(()));
            };
            let (_, markers) = pursuit.places(&observed);
            summary.count(t, &fit, &markers);
            sketch.add(t, pursuit.pose(), &markers);
            if let Some(tables) = &mut tables {
                tables.push(&subject, t, pursuit.pose(), &markers)?;
            }
            summary.count_ranges(&subject, &ranges, pursuit.pose());
            let next = progress(f64::from(done) / frames.len() as f64);
            stopped = next.is_break();
            Ok(next)
        })?;
        if stopped {
            return Err(MotionError::Stopped);
        }
        if summary.frames == 0 {
            return Err(nothing_seen(source.course().0));
        }
        summary.undetermined = pursuit.undetermined();
        summary.coordinates = Freedoms::new(&subject.model).free().len();
        let seconds = start.elapsed().as_secs_f64();
        let mut files = Vec::new();
        if let Some(tables) = tables {
            files = tables.finish(name)?;
        }
        let (plots, strides) = (sketch.plots(&subject, name)?, sketch.strides(&subject)?);
        let remarks = remarks_on(&summary, &sketch);
        Ok(IkResult { subject, summary, remarks, seconds, files, plots, strides })
    }
}

/// Coordinates that keep their value, whatever the markers say.
pub fn locked(subject: &Subject) -> Option<Finding> {
    let fixed = Freedoms::new(&subject.model).fixed();
    let names: Vec<&str> =
        subject.coordinates.iter().filter(|c| fixed.contains(&c.speed)).map(|c| c.name.as_str()).collect();
    let kind = if names.len() == 1 { "1 coordinate is" } else { &format!("{} coordinates are", names.len()) };
    (!names.is_empty()).then(|| {
        let message = format!("{kind} locked in the model and cannot follow the markers: {}", grouped(&names));
        Finding::note(message, "set `locked` to false in the model where the joint moves")
    })
}

/// The name of a results file; path separators and characters that control a terminal are replaced.
pub fn file_name(name: &str, ending: &str) -> String {
    format!("{}{ending}", name.replace(|c: char| matches!(c, '/' | '\\') || is_control(c), "_"))
}

/// Tables that grow frame by frame: the motion as OpenSim writes it, marker errors in OpenSim's format, and distances
/// marker by marker.
struct Tables {
    motion: StorageWriter,
    errors: StorageWriter,
    distances: StorageWriter,
}

impl Tables {
    fn create(folder: &Path, name: &str, subject: &Subject, matched: &Matched) -> Result<Self, MotionError> {
        let [motion, errors, distances, ..] = RESULTS.map(|ending| folder.join(file_name(name, ending)));
        let totals = ["time", "total_squared_error", "marker_error_RMS", "marker_error_max"].map(String::from);
        let markers = matched.markers.iter().map(|m| m.name.clone());
        let markers = std::iter::once("time".to_string()).chain(markers).collect();
        Ok(Tables {
            motion: StorageWriter::create(&motion, name, true, subject.motion_labels())?,
            errors: StorageWriter::create(&errors, name, false, totals.to_vec())?,
            distances: StorageWriter::create(&distances, name, false, markers)?,
        })
    }

    fn push(&mut self, subject: &Subject, t: f64, q: &[f64], fit: &MarkerFit) -> Result<(), MotionError> {
        self.motion.push(&subject.motion_row(t, q))?;
        self.errors.push(&[t, fit.total_squared, fit.rms, fit.max])?;
        let distances: Vec<f64> = std::iter::once(t).chain(fit.distances.iter().copied()).collect();
        Ok(self.distances.push(&distances)?)
    }

    fn finish(self, name: &str) -> Result<Vec<String>, MotionError> {
        self.motion.finish()?;
        self.errors.finish()?;
        self.distances.finish()?;
        Ok(RESULTS.iter().take(3).map(|ending| file_name(name, ending)).collect())
    }
}

/// Remarks on unmatched markers and tasks, and on frames without a pose or without convergence.
fn remarks_on(summary: &IkSummary, sketch: &Sketch) -> Vec<String> {
    let mut out = Vec::new();
    let mut list = |names: &[String], what: &str| {
        if !names.is_empty() {
            out.push(format!("{what}: {}", names.join(", ")));
        }
    };
    let m = &summary.matched;
    // where every marker of the model has a task, the comparison of model and trial tells the same
    let is_told = m.idle_tasks.len() == m.not_in_trial.len() && m.idle_tasks.iter().all(|n| m.not_in_trial.contains(n));
    if !is_told {
        list(&m.idle_tasks, "tasks whose marker is not in the model or not in the trial");
    }
    list(&m.without_task, "markers of model and trial without a task");
    if !summary.left_out.is_empty() {
        out.push(format!("{} frames without any marker were omitted", summary.left_out.len()));
    }
    if summary.rough > 0 {
        out.push(format!("{} frames did not converge to the tolerance", summary.rough));
    }
    if sketch.every() > 1 {
        out.push(format!("a long trial: plots show one frame of {}, tables contain all", sketch.every()));
    }
    out
}
