//! `cargo xtask validate`: our results beside those that OpenSim recorded.

use crate::process::cargo;

/// Builds and runs the comparison; false when a row is worse than its bound, or when there are no records to compare
/// with.
pub fn validate(as_json: bool) -> bool {
    let records = wolff_testdata::shared_folder().join("data");
    if !records.is_dir() {
        eprintln!("there are no recorded trials: {} is not a folder; see CONTRIBUTING.md", records.display());
        return false;
    }
    let build = ["run", "--quiet", "--release", "--package", "wolff-validation", "--bin", "validate", "--"];
    let mut command = cargo(build);
    command.arg(records).args(as_json.then_some("--json"));
    command.status().is_ok_and(|status| status.success())
}
