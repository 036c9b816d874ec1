//! Files of recorded walks.

use serde_json::Value;
pub use wolff_testdata::shared;

/// The data of a reference file.
pub fn reference(name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(shared(&format!("reference/{name}"))?).unwrap();
    serde_json::from_str::<Value>(&text).unwrap().get("data").cloned()
}
