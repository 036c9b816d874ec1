//! Recorded files by their extensions: markers and ground forces.

use crate::MotionError;
use std::path::Path;
use wolff_formats::c3d::{self, PlateOptions};
use wolff_formats::sto::{self, Storage};
use wolff_formats::trial::{Axes, ForcePlateTrial, MarkerTrial};
use wolff_formats::{FormatError, trc};

/// Content of a recorded file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Markers.
    pub markers: Option<MarkerTrial>,
    /// Ground forces.
    pub forces: Option<ForcePlateTrial>,
}

/// The extension of a file name in lower case.
pub fn ending(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Reads `.trc` (markers), `.c3d` (markers and, where there are plates, forces), `.sto` or `.mot` (forces), and turns
/// laboratory axes into those of the model where they are given.
pub fn read_recording(path: &Path, axes: Option<&Axes>) -> Result<Recording, MotionError> {
    let wrong = |cause: FormatError| MotionError::File { path: path.into(), cause };
    let recording = match ending(path).as_str() {
        "trc" => Recording { markers: Some(trc::read(&read_bytes(path)?).map_err(wrong)?), forces: None },
        "c3d" => {
            let file = c3d::read(&read_bytes(path)?).map_err(wrong)?;
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
    Ok(recording.rotated(axes))
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
    let none = || MotionError::input(path.display().to_string(), "has no markers; give a .trc or .c3d file");
    read_recording(path, axes)?.markers.ok_or_else(none)
}

/// A storage file.
pub fn read_storage(path: &Path) -> Result<Storage, MotionError> {
    sto::read(&read_bytes(path)?).map_err(|cause| MotionError::File { path: path.into(), cause })
}

/// The whole content of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, MotionError> {
    std::fs::read(path).map_err(|cause| MotionError::Unreadable { path: path.into(), cause })
}
