//! `cargo xtask readme`: the pictures in `docs/`, drawn again from the studies.

use crate::runner::{Runner, cargo};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Studies whose pictures are shown, all of them, as `docs/STUDY-PICTURE.svg`.
const STUDIES: [&str; 1] = ["human-sagittal"];

/// Builds, runs and copies; true when all is well.
pub fn readme() -> bool {
    let mut runner = Runner::default();
    runner.program("release build", &mut cargo(["build", "--release", "--package", "wolff-cli"]));
    for study in STUDIES {
        let folder = crate::target_dir().join("readme").join(study);
        let mut run = Command::new(crate::wolff());
        run.args(["run", study, "--out"]).arg(&folder);
        runner.program(&format!("wolff run {study}"), &mut run);
        runner.step(&format!("pictures of {study}"), || copy_pictures(study, &folder).map_err(|e| e.to_string()));
    }
    runner.finish()
}

fn copy_pictures(study: &str, folder: &Path) -> std::io::Result<()> {
    let docs = crate::root().join("docs");
    fs::create_dir_all(&docs)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let (Some(name), true) = (path.file_name(), path.extension().is_some_and(|e| e == "svg")) {
            fs::copy(&path, docs.join(format!("{study}-{}", name.to_string_lossy())))?;
        }
    }
    Ok(())
}
