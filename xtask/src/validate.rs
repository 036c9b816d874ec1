//! `cargo xtask validate`: our results beside those that OpenSim recorded.

use crate::runner::cargo;

/// Builds and runs the comparison; false when a row is worse than its bound.
pub fn validate(as_json: bool) -> bool {
    let build = ["run", "--quiet", "--profile", "quick", "--package", "wolff-motion", "--example", "validate", "--"];
    let mut command = cargo(build);
    command.arg("../shared/data").args(as_json.then_some("--json"));
    command.status().is_ok_and(|status| status.success())
}
