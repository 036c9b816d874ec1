//! `cargo xtask readme`: the picture of the README, drawn again from the program's own run.

use crate::process::cargo;
use crate::runner::{self, Step};
use std::fs;
use std::process::Command;

/// The picture of `walk` that the README shows.
const PICTURE: &str = "walk.svg";

/// Builds, runs and takes the picture; true when all is well.
pub fn readme() -> bool {
    let folder = crate::target_dir().join("readme").join("walk");
    let mut run = Command::new(crate::released("wolff"));
    run.args(["run", "walk", "--quiet", "--out"]).arg(&folder);
    runner::run(vec![
        Step::program("release build", cargo(["build", "--release", "--package", "wolff-cli"])),
        Step::program("wolff run walk", run),
        Step::check("docs/walk.svg", move || {
            let (from, to) = (folder.join(PICTURE), crate::root().join("docs").join(PICTURE));
            fs::copy(&from, &to).map(|_| ()).map_err(|e| format!("{}: {e}", from.display()))
        }),
    ])
}
