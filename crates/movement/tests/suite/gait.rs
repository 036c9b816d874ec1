//! Files of recorded walks.

use serde_json::Value;
use std::path::PathBuf;

/// A file beside the workspace, or none with a line that says so.
pub fn shared(path: &str) -> Option<PathBuf> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    let found = Some(file).filter(|file| file.exists());
    if found.is_none() {
        println!("skipped: ../shared/{path} is not there");
    }
    found
}

/// The data of a reference file.
pub fn reference(name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(shared(&format!("reference/{name}"))?).unwrap();
    serde_json::from_str::<Value>(&text).unwrap().get("data").cloned()
}
