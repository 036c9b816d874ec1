//! Files that are not part of the project: tests that need them skip aloud where they are absent.

use std::path::PathBuf;
use wolff_formats::setup::{self, InverseKinematicsTool, Setup, Task};
use wolff_formats::sto::{self, Storage};
use wolff_formats::trc;
use wolff_formats::trial::MarkerTrial;
use wolff_motion::SubjectModel;

/// A file or folder of the shared data, or a line that says that the test does nothing.
pub fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    let found = Some(full).filter(|p| p.exists());
    if found.is_none() {
        println!("skipped: ../shared/data/{path} is not here");
    }
    found
}

pub fn model(path: &str) -> Option<SubjectModel> {
    Some(SubjectModel::read(&shared(path)?).unwrap())
}

pub fn markers(path: &str) -> Option<MarkerTrial> {
    Some(trc::read(&std::fs::read(shared(path)?).unwrap()).unwrap())
}

pub fn storage(path: &str) -> Option<Storage> {
    Some(sto::read(&std::fs::read(shared(path)?).unwrap()).unwrap())
}

pub fn ik_tool(path: &str) -> Option<InverseKinematicsTool> {
    match setup::read_file(&shared(path)?).unwrap().setup {
        Setup::InverseKinematics(tool) => Some(tool),
        other => panic!("{path} sets up {other:?}"),
    }
}

pub fn tasks(path: &str) -> Option<Vec<Task>> {
    match setup::read_file(&shared(path)?).unwrap().setup {
        Setup::Tasks(set) => Some(set.tasks),
        other => panic!("{path} sets up {other:?}"),
    }
}
