//! Files that are not part of the project: tests that need them skip aloud where they are absent.

use std::path::PathBuf;

/// A file or folder of the shared data; where it is absent, the test is recorded as skipped.
pub fn shared(path: &str) -> Option<PathBuf> {
    wolff_testdata::shared(&format!("data/{path}"))
}
