//! Tests of `wolff-walk`, a file for a file.
#![allow(non_snake_case)]

mod bone;
mod ground;
mod sharing;
mod teach;
mod track;

use std::path::PathBuf;

/// A file beside the workspace, or none with a line that says so.
fn shared(path: &str) -> Option<PathBuf> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    let found = file.exists().then_some(file);
    if found.is_none() {
        println!("skipped: ../shared/{path} is not there");
    }
    found
}
