//! Sources of the markers of a trial.

use crate::MotionError;
use crate::recording::{Reading, ending, read_markers_with};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use wolff_files::FileError;
use wolff_formats::FormatError;
use wolff_formats::trc::FrameFile;
use wolff_formats::trial::{Axes, Marker, MarkerTrial};

/// Receives time \[s\] and points \[m\] of a frame, and returns whether to continue.
pub(super) type Visit<'a> = dyn FnMut(f64, &[Option<[f64; 3]>]) -> Result<ControlFlow<()>, MotionError> + 'a;

/// Points that are examined at most: those of two minutes at 100 Hz with 40 markers. More would not be in memory.
const EXAMINED: usize = 480_000;

/// Markers frame by frame: from a `.trc` file that stays on disk, or from a trial in memory (`.c3d`).
pub(super) enum Source {
    Disk { file: FrameFile, path: PathBuf, axes: Option<Axes>, names: Vec<String>, remarks: Vec<String> },
    Memory { trial: MarkerTrial, names: Vec<String> },
}

impl Source {
    /// Reads a file completely, so that later reading does not fail.
    pub(super) fn open(path: &Path, reading: &Reading) -> Result<Self, MotionError> {
        // a trial that is filtered or resampled is needed as a whole
        if ending(path) == "trc" && reading.prepare.is_none() {
            let file = FrameFile::open_in(path, reading.unit).map_err(|e| in_file(path, e))?;
            let (names, remark) = reading.rename(&file.survey().names)?;
            let remarks = file.survey().remarks.iter().cloned().chain(remark).collect();
            return Ok(Source::Disk { file, path: path.into(), axes: reading.axes, names, remarks });
        }
        let trial = read_markers_with(path, reading)?;
        let names = trial.markers().iter().map(|m| m.name.clone()).collect();
        Ok(Source::Memory { trial, names })
    }

    pub(super) fn names(&self) -> &[String] {
        match self {
            Source::Disk { names, .. } | Source::Memory { names, .. } => names,
        }
    }

    /// The frames of a range, as many as [`EXAMINED`] points allow, for checks.
    pub(super) fn excerpt(&self, frames: Range<usize>) -> Result<MarkerTrial, MotionError> {
        let (name, rate, _) = self.course();
        let most = (EXAMINED / self.names().len().max(1)).max(1);
        let part = frames.start..frames.end.min(frames.start + most);
        let mut times = Vec::with_capacity(part.len());
        let mut markers: Vec<Marker> = self
            .names()
            .iter()
            .map(|name| Marker { name: name.clone(), points: Vec::with_capacity(part.len()) })
            .collect();
        self.each(part, &mut |t, points| {
            times.push(t);
            markers.iter_mut().zip(points).for_each(|(marker, point)| marker.points.push(*point));
            Ok(ControlFlow::Continue(()))
        })?;
        let trial = MarkerTrial::new(name, rate, times, markers)?;
        Ok(match self {
            Source::Disk { file, remarks, axes, .. } => {
                trial.told(file.survey().unit, remarks, &file.survey().warnings).turned_from(axes.unwrap_or_default())
            }
            Source::Memory { trial: whole, .. } => {
                trial.told(whole.source_unit(), whole.remarks(), whole.warnings()).turned_from(*whole.axes())
            }
        })
    }

    /// Name, rate \[Hz\] and times \[s\].
    pub(super) fn course(&self) -> (&str, f64, &[f64]) {
        match self {
            Source::Disk { file, .. } => (&file.survey().name, file.survey().rate, &file.survey().times),
            Source::Memory { trial, .. } => (trial.name(), trial.rate(), trial.times()),
        }
    }

    /// Visits a range of frames with time \[s\] and points \[m\] until `each` stops.
    pub(super) fn each(&self, frames: Range<usize>, each: &mut Visit<'_>) -> Result<(), MotionError> {
        let mut points = Vec::with_capacity(self.names().len());
        match self {
            Source::Disk { file, path, axes, .. } => {
                let mut reader = file.frames().map_err(|e| in_file(path, e))?;
                for frame in 0..frames.end {
                    let read = reader.next_frame(&mut points).map_err(|e| in_file(path, e))?;
                    let Some(t) = read else {
                        let reason =
                            format!("it ends at frame {frame} but was longer before; do not change it during the run");
                        return Err(MotionError::input(path.display().to_string(), reason));
                    };
                    if let Some(axes) = axes {
                        points.iter_mut().flatten().for_each(|p| *p = axes.apply(*p));
                    }
                    if frames.contains(&frame) && each(t, &points)?.is_break() {
                        return Ok(());
                    }
                }
            }
            Source::Memory { trial, .. } => {
                for frame in frames {
                    points.clear();
                    points.extend(trial.markers().iter().map(|m| m.points.get(frame).copied().flatten()));
                    if each(trial.times()[frame], &points)?.is_break() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}

fn in_file(path: &Path, cause: FormatError) -> MotionError {
    match cause {
        FormatError::File(FileError::Io { cause, .. }) => MotionError::Unreadable { path: path.into(), cause },
        cause => MotionError::File { path: path.into(), cause },
    }
}
