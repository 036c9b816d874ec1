//! Test support: data and programs that tests need and that a clone of the repository may lack.
//!
//! A test that lacks something returns early, and a test runner counts it as passed. So that nobody takes it for a
//! result, [`shared`] and [`needs`] record each missing requirement: they print it, and they append a line to the file
//! that the environment variable [`SKIPPED_TESTS`] names. `cargo xtask test` sets the variable and subtracts the tests
//! in that file from those that passed.

pub mod mutation;
mod record;

pub use record::{SKIPPED_TESTS, SkippedTest};

use std::path::{Path, PathBuf};

/// The folder of the validation data: `shared`, beside the repository. This is the only place that says where it is.
pub fn shared_folder() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(3).unwrap_or(here).join("shared")
}

/// A file or folder of the validation data, `path` relative to [`shared_folder`]; `None`, recorded, if it is absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = shared_folder().join(path);
    let name = format!("../shared/{path}");
    needs(name.trim_end_matches('/'), found.exists()).then_some(found)
}

/// Files of one ending and at most that many bytes below a folder of the validation data, sorted; none where it is
/// absent, which is not recorded.
pub fn shared_files(folder: &str, ending: &str, largest: u64) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![shared_folder().join(folder)];
    while let Some(folder) = waiting.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|e| e == ending)
                && entry.metadata().is_ok_and(|about| about.len() <= largest)
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Whether a requirement of the running test is met, `what` as in "a C compiler"; recorded if not.
pub fn needs(what: &str, is_there: bool) -> bool {
    if !is_there {
        SkippedTest::running(what).record();
    }
    is_there
}
