//! Tests of the built program: what it prints, the files it leaves, its exit code.

mod args;
mod bone;
mod check;
mod contact;
mod control;
mod convert;
mod dynamics;
mod failure;
mod fuzz;
mod generate;
mod ik;
mod kills;
mod list;
mod long_trials;
mod mesh;
mod modes;
mod new;
mod output;
mod provenance;
mod run;
mod scale;
mod spoiled;
mod spoiled_dynamics;
mod spoiled_markers;
mod spoiled_muscles;
mod spoiled_recordings;
mod spoiled_tables;
mod spoiling;
mod verify;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty working folder of one test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Runs the program in the folder.
    fn wolff(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wolff"));
        command.args(arguments).current_dir(&self.0).env("NO_COLOR", "1").env("WOLFF_CACHE", "").output().unwrap()
    }

    /// Paths of all files below the folder, sorted.
    fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        collect(&self.0, &mut files);
        files.sort();
        files
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Standard output as exactly one JSON value.
fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stdout(output)))
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}
