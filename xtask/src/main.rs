//! Project chores: `cargo xtask test | bench | validate | readme`.

mod bench;
mod browser;
mod checks;
mod outside;
mod python;
mod readme;
mod runner;
mod test;
mod validate;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "Project chores.

  cargo xtask test [--fast]   formatting, lints, tests, documentation, verification, examples, a walk checked by numpy and
                              scikit-fem (installed into target/checks), pages in a browser, checks on files;
                              --fast leaves out everything that needs the optimised build
  cargo xtask bench [--all]   speed, beside MuJoCo and Pinocchio in a Python environment under target/peers;
                              --all adds Drake and OpenSim, which are large
  cargo xtask validate [--json] [--allow-missing]
                              our results beside those that OpenSim recorded, for the trials in ../shared/data;
                              fails where one has become worse than it was, and where trials are missing
  cargo xtask readme          draw the pictures in docs/ again
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let well = match words.as_slice() {
        ["test"] => test::test(true),
        ["test", "--fast"] => test::test(false),
        ["bench"] => bench::bench(false),
        ["bench", "--all"] => bench::bench(true),
        ["validate", options @ ..] => validate::validate(options),
        ["readme"] => readme::readme(),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            true
        }
        _ => {
            eprintln!("unknown: {}\n\n{HELP}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    if well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Top of the repository.
fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Where cargo builds.
fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// The release build of the program.
fn wolff() -> PathBuf {
    built("release")
}

/// The build that tests run, see the profile in `Cargo.toml`.
fn quick_wolff() -> PathBuf {
    built("quick")
}

fn built(profile: &str) -> PathBuf {
    target_dir().join(profile).join(format!("wolff{}", std::env::consts::EXE_SUFFIX))
}
