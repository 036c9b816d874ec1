//! `cargo xtask validate`: our results beside those that OpenSim recorded.

use crate::process::cargo;

/// Builds and runs the comparison; false when a row is worse than its bound, or when there are no records to compare
/// with.
pub fn validate(options: &[&str]) -> bool {
    let records = wolff_testdata::shared_folder().join("data");
    let build = ["run", "--quiet", "--release", "--package", "wolff-validation", "--bin", "validate", "--"];
    let mut command = cargo(build);
    command.arg(records).args(options);
    command.status().is_ok_and(|status| status.success())
}
