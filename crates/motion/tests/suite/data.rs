//! Files that are not part of the project: tests that need them skip aloud where they are absent.

use std::path::PathBuf;

/// A file or folder of the shared data, or a line that says that the test does nothing.
pub fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    let found = Some(full).filter(|p| p.exists());
    if found.is_none() {
        println!("skipped: ../shared/data/{path} is not here");
    }
    found
}

/// The bytes of a file of the shared data.
pub fn bytes(path: &str) -> Option<Vec<u8>> {
    shared(path).map(|p| std::fs::read(p).unwrap())
}
