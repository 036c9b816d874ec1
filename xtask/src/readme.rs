//! `cargo xtask readme`: the picture of the README, drawn again from the program's own run.

use crate::runner::{Runner, cargo};
use std::fs;
use std::process::Command;
use wolff_files::atomic;

/// The picture of `walk` that the README shows.
const PICTURE: &str = "walk.svg";

/// Builds, runs and takes the picture; true when all is well.
pub fn readme() -> bool {
    let mut runner = Runner::default();
    runner.program("release build", &mut cargo(["build", "--release", "--package", "wolff-cli"]));
    let folder = crate::target_dir().join("readme").join("walk");
    let mut run = Command::new(crate::wolff());
    run.args(["run", "walk", "--quiet", "--out"]).arg(&folder);
    runner.program("wolff run walk", &mut run);
    runner.step("docs/walk.svg", || {
        let picture = fs::read(folder.join(PICTURE)).map_err(|e| e.to_string())?;
        let path = crate::root().join("docs").join("walk.svg");
        atomic::write_file(&path, &picture).map_err(|e| e.to_string())
    });
    runner.finish()
}
