//! Files that nobody in this project wrote, where they are at hand.

use std::path::PathBuf;

/// The path of a shared file; says so and answers `None` where it is absent.
pub fn path(name: &str) -> Option<PathBuf> {
    wolff_testdata::shared(&format!("data/{name}"))
}

/// The bytes of a shared file.
pub fn bytes(name: &str) -> Option<Vec<u8>> {
    path(name).map(|p| std::fs::read(p).unwrap())
}

/// All shared files with one of these endings, in order of their names; says so where there are none.
pub fn all(endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = path("").into_iter().collect();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
            if path.is_dir() {
                open.push(path);
            } else if endings.contains(&ending.as_str()) {
                found.push(path);
            }
        }
    }
    wolff_testdata::needs(&format!("any {endings:?} in ../shared/data"), !found.is_empty());
    found.sort();
    found
}
