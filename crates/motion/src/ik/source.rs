//! Sources of the markers of a trial.

use crate::MotionError;
use crate::recording::{ending, read_markers};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use wolff_files::FileError;
use wolff_formats::FormatError;
use wolff_formats::trc::FrameFile;
use wolff_formats::trial::{Axes, MarkerTrial};

/// Receives time \[s\] and points \[m\] of a frame, and returns whether to continue.
pub(super) type Visit<'a> = dyn FnMut(f64, &[Option<[f64; 3]>]) -> Result<ControlFlow<()>, MotionError> + 'a;

/// Markers frame by frame: from a `.trc` file that stays on disk, or from a trial in memory (`.c3d`).
pub(super) enum Source {
    Disk { file: FrameFile, path: PathBuf, axes: Option<Axes> },
    Memory { trial: MarkerTrial, names: Vec<String> },
}

impl Source {
    /// Reads a file completely, so that later reading does not fail.
    pub(super) fn open(path: &Path, axes: Option<&Axes>) -> Result<Self, MotionError> {
        if ending(path) == "trc" {
            let file = FrameFile::open(path).map_err(|e| in_file(path, e))?;
            return Ok(Source::Disk { file, path: path.into(), axes: axes.cloned() });
        }
        let trial = read_markers(path, axes)?;
        let names = trial.markers().iter().map(|m| m.name.clone()).collect();
        Ok(Source::Memory { trial, names })
    }

    pub(super) fn names(&self) -> &[String] {
        match self {
            Source::Disk { file, .. } => &file.survey().names,
            Source::Memory { names, .. } => names,
        }
    }

    pub(super) fn remarks(&self) -> &[String] {
        match self {
            Source::Disk { file, .. } => &file.survey().remarks,
            Source::Memory { trial, .. } => trial.remarks(),
        }
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
            Source::Disk { file, path, axes } => {
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
