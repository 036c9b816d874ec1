//! Marker trajectories.

use super::{Axes, LengthUnit, Zeros};
use crate::{FormatError, Table};
use std::collections::BTreeSet;

/// The path of one marker.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Its name, unique in a trial.
    pub name: String,
    /// Position at each frame \[m\]; `None` where the marker is missing.
    pub points: Vec<Option<[f64; 3]>>,
}

/// Frames in which a marker was not seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Index of the marker.
    pub marker: usize,
    /// First missing frame, counted from 0 in the trial.
    pub first: usize,
    /// Number of missing frames.
    pub frames: usize,
}

/// Markers over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerTrial {
    name: String,
    rate: f64,
    times: Vec<f64>,
    markers: Vec<Marker>,
    source_unit: LengthUnit,
    axes: Axes,
    remarks: Vec<String>,
    warnings: Vec<String>,
}

impl MarkerTrial {
    /// A trial from its frames: `rate` \[Hz\], `times` \[s\], positions in metres.
    ///
    /// Refuses a rate that is not positive, times or positions that are not finite, markers without as many
    /// points as there are times, and a name that is empty or used twice. Repeated or falling times are let
    /// in: they are a fault of the recording, which a check of recordings names.
    pub fn new(name: &str, rate: f64, times: Vec<f64>, markers: Vec<Marker>) -> Result<Self, FormatError> {
        let refuse = |message: String| Err(FormatError::Trial(message));
        if !(rate > 0.0 && rate.is_finite()) {
            return refuse(format!("the marker rate is {rate} Hz; it must be positive"));
        }
        if let Some(i) = times.iter().position(|t| !t.is_finite()) {
            return refuse(format!("the time of frame {} is not finite", i + 1));
        }
        let mut names = BTreeSet::new();
        for Marker { name, points } in &markers {
            if name.trim().is_empty() || !names.insert(name) {
                return refuse(format!("the marker name {name:?} is empty or used twice"));
            }
            if points.len() != times.len() {
                return refuse(format!("marker `{name}` has {} points for {} frames", points.len(), times.len()));
            }
            if let Some(i) = points.iter().position(|p| p.is_some_and(|p| p.iter().any(|x| !x.is_finite()))) {
                return refuse(format!("marker `{name}` is not finite in frame {}; a gap is `None`", i + 1));
            }
        }
        let (source_unit, axes, remarks, warnings) = (LengthUnit::Metre, Axes::ISB, Vec::new(), Vec::new());
        Ok(Self { name: name.into(), rate, times, markers, source_unit, axes, remarks, warnings })
    }

    /// The same trial with the unit of the file, remarks for the user, and warnings of content that was lost.
    pub(crate) fn read_from(mut self, unit: LengthUnit, remarks: Vec<String>, warnings: Vec<String>) -> Self {
        self.source_unit = unit;
        self.remarks = remarks;
        self.warnings = warnings;
        self
    }

    /// The same trial with points that are zeros for a marker that was not seen as gaps, and a remark on them; see
    /// [`Zeros`].
    pub(crate) fn without_zeros(mut self) -> Self {
        let mut zeros = Zeros::new(self.markers.len());
        for frame in 0..self.times.len() {
            zeros.add(self.markers.iter().map(|m| m.points.get(frame).copied().flatten()));
        }
        let found = zeros.finish();
        for (i, marker) in self.markers.iter_mut().enumerate() {
            for run in found.of(i) {
                marker.points.get_mut(run.clone()).unwrap_or_default().fill(None);
            }
        }
        self.remarks.extend(found.remark(self.markers.iter().map(|m| m.name.as_str())));
        self
    }

    /// The same trial with other names of some markers: pairs of the present name and the new one, checked as in
    /// [`MarkerTrial::new`].
    pub fn renamed(self, names: &[(String, String)]) -> Result<Self, FormatError> {
        let mut markers = self.markers.clone();
        for marker in &mut markers {
            if let Some((_, new)) = names.iter().find(|(old, _)| *old == marker.name) {
                marker.name.clone_from(new);
            }
        }
        self.with_markers(markers)
    }

    /// The same frames with other markers, checked as in [`MarkerTrial::new`]; for filters and gap fillers.
    pub fn with_markers(self, markers: Vec<Marker>) -> Result<Self, FormatError> {
        let Self { name, rate, times, source_unit, axes, remarks, warnings, .. } = self;
        Ok(Self::new(&name, rate, times, markers)?.read_from(source_unit, remarks, warnings).turned_from(axes))
    }

    /// The same trial with the unit, remarks and warnings of the file that it is a part of.
    pub fn told(self, unit: LengthUnit, remarks: &[String], warnings: &[String]) -> Self {
        self.read_from(unit, remarks.to_vec(), warnings.to_vec())
    }

    /// The same trial with further remarks.
    pub fn with_remarks(mut self, remarks: impl IntoIterator<Item = String>) -> Self {
        self.remarks.extend(remarks);
        self
    }

    /// Name of the trial.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Frames a second \[Hz\].
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Time of each frame \[s\].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The markers, in the order of the file.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// The marker of that name.
    pub fn marker(&self, name: &str) -> Option<&Marker> {
        self.markers.iter().find(|m| m.name == name)
    }

    /// Unit of the file the trial came from; positions here are in metres whatever it was.
    pub fn source_unit(&self) -> LengthUnit {
        self.source_unit
    }

    /// Remarks for the user.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Warnings of content that the file has lost, such as that of a file that was cut off.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// All gaps, marker by marker in order of time.
    pub fn gaps(&self) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = Vec::new();
        for (marker, trajectory) in self.markers.iter().enumerate() {
            let mut open = false;
            for (frame, point) in trajectory.points.iter().enumerate() {
                match (point, gaps.last_mut()) {
                    (None, Some(gap)) if open => gap.frames += 1,
                    (None, _) => gaps.push(Gap { marker, first: frame, frames: 1 }),
                    _ => {}
                }
                open = point.is_none();
            }
        }
        gaps
    }

    /// The same trial, whose points are already turned from these axes of the laboratory.
    pub fn turned_from(self, axes: Axes) -> Self {
        Self { axes, ..self }
    }

    /// Axes of the laboratory from which the points were turned.
    pub fn axes(&self) -> &Axes {
        &self.axes
    }

    /// The trial in other axes.
    pub fn rotated(mut self, axes: &Axes) -> Self {
        self.axes = axes.after(&self.axes);
        for point in self.markers.iter_mut().flat_map(|m| &mut m.points).flatten() {
            *point = axes.apply(*point);
        }
        self
    }

    /// Columns `time`, then `name_x`, `name_y`, `name_z` \[m\] of each marker; `NaN` in a gap.
    pub fn table(&self) -> Result<Table, FormatError> {
        let axes = ["x", "y", "z"];
        let names = self.markers.iter().flat_map(|m| axes.map(|axis| format!("{}_{axis}", m.name)));
        let labels = std::iter::once("time".to_string()).chain(names).collect();
        let cells = |frame: usize| move |m: &Marker| m.points.get(frame).copied().flatten().unwrap_or([f64::NAN; 3]);
        let row = |(i, &t): (usize, &f64)| std::iter::once(t).chain(self.markers.iter().flat_map(cells(i))).collect();
        Table::new(labels, self.times.iter().enumerate().map(row).collect())
    }
}
