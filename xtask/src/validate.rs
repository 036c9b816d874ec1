//! `cargo xtask validate`: our results beside those that OpenSim recorded.

use crate::runner::cargo;

/// Builds and runs the comparison with options such as `--json`; false when a row is worse than its bound or recorded trials are
/// missing.
pub fn validate(options: &[&str]) -> bool {
    let build = ["run", "--quiet", "--profile", "quick", "--package", "wolff-validation", "--bin", "validate", "--"];
    let mut command = cargo(build);
    command.arg("../shared/data").args(options);
    command.status().is_ok_and(|status| status.success())
}
