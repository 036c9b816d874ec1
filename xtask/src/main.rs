//! Project chores: `cargo xtask test | bench | validate | fuzz | kills | extremes | spoiled | readme`.

mod allowed;
mod bench;
mod browser;
mod checks;
mod clock;
mod count;
mod floors;
mod harness;
mod layout;
mod manifests;
mod names;
mod outside;
mod process;
mod python;
mod readme;
mod reads;
mod runner;
mod scan;
mod sizes;
mod skipped;
mod source;
mod stranger;
mod test;
mod validate;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use test::Choice;

const HELP: &str = "Project chores.

  cargo xtask test [--fast]   formatting, checks on files, lints, documentation, tests, verification, studies, a walk
                              checked by numpy and scikit-fem (installed into target/checks), pages in a browser; tests
                              that lack data or programs are listed and counted as skipped;
                              --fast leaves out everything that runs the program,
                              --only NAME runs the steps with NAME in their name
  cargo xtask bench [--all] [OPTIONS]
                              speed, beside MuJoCo and Pinocchio in a Python environment under target/peers;
                              --all adds Drake and OpenSim, which are large;
                              options of wolff-bench: --large, --only PART, --json
  cargo xtask validate [--json] [--allow-missing]
                              our results beside those that OpenSim recorded, for the trials in ../shared/data;
                              fails where one has become worse than it was, and where trials are missing
  cargo xtask fuzz [FILES]    mutated files through every reader, 100000 by default
  cargo xtask kills [COUNT]   runs that are killed at random moments and at every rename, 100 by default
  cargo xtask spoiled         real files with planted mistakes through every command: exit codes and messages
  cargo xtask extremes [STUDY]
                              every parameter of every study at extreme values, words and files; an hour for all
  cargo xtask readme          draw the pictures in docs/ again
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let well = match words.as_slice() {
        ["test"] => test::test(Choice::All),
        ["test", "--fast"] => test::test(Choice::Fast),
        ["test", "--only", part] => test::test(Choice::Named(part)),
        ["bench", "--all", options @ ..] => bench::bench(true, options),
        ["bench", options @ ..] => bench::bench(false, options),
        ["validate", options @ ..] => validate::validate(options),
        ["fuzz"] => harness::fuzz(None),
        ["fuzz", files] => harness::fuzz(Some(files)),
        ["kills"] => harness::kills(None),
        ["kills", count] => harness::kills(Some(count)),
        ["spoiled"] => harness::spoiled(),
        ["extremes"] => harness::extremes(None),
        ["extremes", study] => harness::extremes(Some(study)),
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

/// A program as users build it, with the profile `release`.
fn released(program: &str) -> PathBuf {
    built("release", program)
}

/// The program `wolff` as the tests are built, with the profile `dev`.
fn tested_wolff() -> PathBuf {
    built("debug", "wolff")
}

fn built(folder: &str, program: &str) -> PathBuf {
    target_dir().join(folder).join(format!("{program}{}", std::env::consts::EXE_SUFFIX))
}
