//! Files that are not part of the project: tests that need them skip aloud where they are absent.

use std::path::PathBuf;
use wolff_formats::setup::{InverseKinematicsTool, Task};
use wolff_formats::sto::Storage;
use wolff_formats::trial::MarkerTrial;
use wolff_motion::SubjectModel;
use wolff_motion::ik::read_tasks;
use wolff_motion::validation::{self, Records};

/// The shared data where it has a file or folder, or a line that says that the test does nothing.
pub fn records(needed: &str) -> Option<Records> {
    wolff_testdata::shared(&format!("data/{needed}"))?;
    Some(Records::new(wolff_testdata::shared_folder().join("data")))
}

/// A file or folder of the shared data.
pub fn shared(path: &str) -> Option<PathBuf> {
    Some(records(path)?.path(path))
}

pub fn model(path: &str) -> Option<SubjectModel> {
    Some(records(path)?.subject(path).unwrap())
}

pub fn markers(path: &str) -> Option<MarkerTrial> {
    Some(records(path)?.markers(path).unwrap())
}

pub fn storage(path: &str) -> Option<Storage> {
    Some(records(path)?.storage(path).unwrap())
}

pub fn ik_tool(path: &str) -> Option<InverseKinematicsTool> {
    Some(validation::ik::tool(&records(path)?, path).unwrap())
}

pub fn tasks(path: &str) -> Option<Vec<Task>> {
    Some(read_tasks(&shared(path)?).unwrap())
}
