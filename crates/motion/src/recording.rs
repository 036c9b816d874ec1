//! Recorded files by their extensions: markers and ground forces.

use crate::MotionError;
use crate::signal::Preparation;
use std::path::Path;
use wolff_files::input;
use wolff_formats::c3d::{self, PlateOptions};
use wolff_formats::sto::{self, Storage};
use wolff_formats::trial::{Axes, ForcePlateTrial, LengthUnit, MarkerTrial};
use wolff_formats::{FormatError, trc};

/// Content of a recorded file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Markers.
    pub markers: Option<MarkerTrial>,
    /// Ground forces.
    pub forces: Option<ForcePlateTrial>,
}

/// How a recorded file is read, where it differs from what the file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Axes of the laboratory; those of the model without them.
    pub axes: Option<Axes>,
    /// Unit of the positions of markers and of the plates of a `.c3d` file; that of the file without it.
    pub unit: Option<LengthUnit>,
    /// Other names of markers: the recorded name and that of the model.
    pub names: Vec<(String, String)>,
    /// What is done with the markers before they are used.
    pub prepare: Preparation,
}

impl Reading {
    /// A file in axes of the laboratory.
    pub fn in_axes(axes: Option<&Axes>) -> Self {
        Self { axes: axes.copied(), ..Self::default() }
    }

    /// New names of markers in place of those of a file, and a remark on them; an error where two are equal.
    pub fn rename(&self, names: &[String]) -> Result<(Vec<String>, Option<String>), MotionError> {
        let new = |name: &String| self.names.iter().find(|(old, _)| old == name).map_or(name, |(_, new)| new).clone();
        let renamed: Vec<String> = names.iter().map(new).collect();
        if let Some((i, twice)) = renamed.iter().enumerate().find(|(i, name)| renamed[..*i].contains(name)) {
            let reason =
                format!("is the name of two markers after renaming, the second is `{}`; rename only one", names[i]);
            return Err(MotionError::input(format!("marker `{twice}`"), reason));
        }
        let changed = names.iter().zip(&renamed).filter(|(old, new)| old != new).count();
        let unused: Vec<&str> =
            self.names.iter().map(|(old, _)| old.as_str()).filter(|old| !names.iter().any(|n| n == old)).collect();
        let unused = match unused.is_empty() {
            true => String::new(),
            false => format!("; the trial does not have {}", wolff_verdict::grouped(&unused)),
        };
        let remark = (!self.names.is_empty()).then(|| format!("{changed} markers were renamed{unused}"));
        Ok((renamed, remark))
    }
}

/// The extension of a file name in lower case.
pub fn ending(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Reads `.trc` (markers), `.c3d` (markers and, where there are plates, forces), `.sto` or `.mot` (forces), and turns
/// laboratory axes into those of the model where they are given.
pub fn read_recording(path: &Path, axes: Option<&Axes>) -> Result<Recording, MotionError> {
    read_recording_with(path, &Reading::in_axes(axes))
}

/// The same with another unit and other names of markers.
pub fn read_recording_with(path: &Path, reading: &Reading) -> Result<Recording, MotionError> {
    let wrong = |cause: FormatError| MotionError::File { path: path.into(), cause };
    let mut recording = match ending(path).as_str() {
        "trc" => {
            let trial = trc::read_in(&read_bytes(path)?, reading.unit).map_err(wrong)?;
            Recording { markers: Some(trial), forces: None }
        }
        "c3d" => {
            let mut file = c3d::read(&read_bytes(path)?).map_err(wrong)?;
            if let Some(unit) = reading.unit {
                file.unit = unit.to_string();
            }
            let forces = file.force_plates(&PlateOptions::default()).map_err(wrong)?;
            let forces = Some(forces).filter(|f| !f.plates().is_empty());
            Recording { markers: Some(file.markers().map_err(wrong)?), forces }
        }
        "sto" | "mot" => {
            let forces = ForcePlateTrial::from_storage(&read_storage(path)?).map_err(wrong)?;
            Recording { markers: None, forces: Some(forces) }
        }
        other => {
            let reason = format!("files ending in `.{other}` are not recordings; give .trc, .c3d, .sto or .mot");
            return Err(MotionError::input(path.display().to_string(), reason));
        }
    };
    if recording.markers.as_ref().is_some_and(|trial| trial.times().is_empty()) {
        let reason = "has no frames: the export was interrupted, or its range of time is empty; export it again";
        return Err(MotionError::input(path.display().to_string(), reason));
    }
    if let Some(trial) = recording.markers.take() {
        let names: Vec<String> = trial.markers().iter().map(|m| m.name.clone()).collect();
        let (new, remark) = reading.rename(&names)?;
        let pairs: Vec<(String, String)> = names.into_iter().zip(new).collect();
        let trial = trial.renamed(&pairs).map_err(wrong)?.with_remarks(remark);
        recording.markers = Some(reading.prepare.apply(trial)?.0);
    }
    Ok(recording.rotated(reading.axes.as_ref()))
}

impl Recording {
    /// The recording with laboratory axes turned into those of the model; unchanged without axes.
    pub fn rotated(self, axes: Option<&Axes>) -> Self {
        match axes {
            None => self,
            Some(axes) => Recording {
                markers: self.markers.map(|m| m.rotated(axes)),
                forces: self.forces.map(|f| f.rotated(axes)),
            },
        }
    }
}

/// Markers of a `.trc` or `.c3d` file.
pub fn read_markers(path: &Path, axes: Option<&Axes>) -> Result<MarkerTrial, MotionError> {
    read_markers_with(path, &Reading::in_axes(axes))
}

/// The same with another unit and other names.
pub fn read_markers_with(path: &Path, reading: &Reading) -> Result<MarkerTrial, MotionError> {
    let none = || MotionError::input(path.display().to_string(), "has no markers; give a .trc or .c3d file");
    read_recording_with(path, reading)?.markers.ok_or_else(none)
}

/// A storage file.
pub fn read_storage(path: &Path) -> Result<Storage, MotionError> {
    sto::read(&read_bytes(path)?).map_err(|cause| MotionError::File { path: path.into(), cause })
}

/// The whole content of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, MotionError> {
    input::read(path).map_err(|cause| MotionError::Unreadable { path: path.into(), cause })
}
