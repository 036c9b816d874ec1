//! Recorded files, also those that an `ExternalLoads` file names.

use crate::setup::{self, Setup};
use std::path::Path;
use wolff_formats::FormatError;
use wolff_formats::trial::{Axes, ForcePlateTrial};
use wolff_motion::MotionError;
use wolff_motion::recording::{self, Recording, ending, read_storage};

/// [`recording::read_recording`], and the forces that an `ExternalLoads` file names (`.xml`).
pub fn read_recording(path: &Path, axes: Option<&Axes>) -> Result<Recording, MotionError> {
    if ending(path) != "xml" {
        return recording::read_recording(path, axes);
    }
    let wrong = |cause: FormatError| MotionError::File { path: path.into(), cause };
    let none = || {
        MotionError::input(
            path.display().to_string(),
            "is not an ExternalLoads file with a data file; give such a file",
        )
    };
    let Setup::ExternalLoads(loads) = setup::read_file(path).map_err(wrong)?.setup else { return Err(none()) };
    let data = read_storage(loads.data_file.as_deref().ok_or_else(none)?)?;
    let forces = ForcePlateTrial::from_columns(&data, &loads.columns()).map_err(wrong)?;
    Ok(Recording { markers: None, forces: Some(forces) }.rotated(axes))
}
