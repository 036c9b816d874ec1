//! Recorded files, also those that an `ExternalLoads` file names.

use crate::setup::{self, Setup, SetupFile};
use std::path::Path;
use wolff_formats::FormatError;
use wolff_formats::trial::{Axes, ForcePlateTrial};
use wolff_motion::MotionError;
use wolff_motion::recording::{self, Reading, Recording, ending, read_storage};
use wolff_verdict::Finding;

/// [`recording::read_recording`], and the forces that an `ExternalLoads` file names (`.xml`).
pub fn read_recording(path: &Path, axes: Option<&Axes>) -> Result<Recording, MotionError> {
    read_recording_with(path, &Reading::in_axes(axes))
}

/// The same with another unit and other names of markers.
pub fn read_recording_with(path: &Path, reading: &Reading) -> Result<Recording, MotionError> {
    if ending(path) != "xml" {
        return recording::read_recording_with(path, reading);
    }
    let wrong = |cause: FormatError| MotionError::File { path: path.into(), cause };
    let none = || {
        MotionError::input(
            path.display().to_string(),
            "is not an ExternalLoads file with a data file; give such a file",
        )
    };
    let SetupFile { setup: Setup::ExternalLoads(loads), findings, .. } = setup::read_file(path).map_err(wrong)? else {
        return Err(none());
    };
    let mut data = read_storage(loads.data_file.as_deref().ok_or_else(none)?)?;
    data.remarks.extend(findings.iter().map(Finding::text));
    let forces = ForcePlateTrial::from_columns(&data, &loads.columns()).map_err(wrong)?;
    Ok(Recording { markers: None, forces: Some(forces) }.rotated(reading.axes.as_ref()))
}
