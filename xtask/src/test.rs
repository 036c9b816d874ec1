//! `cargo xtask test`: everything that must hold.
//!
//! The checks that take no time come first. Everything is compiled once, by the step `build`, with the profile `dev`
//! (see `Cargo.toml`); tests, verification, studies and pages use what it made.

use crate::count::{count_tests, count_verdicts, failed_checks};
use crate::process::cargo;
use crate::runner::{self, Step, Tally};
use crate::{browser, checks, floors, manifests, names, outside, reads, sizes, skipped, stranger};
use std::process::Command;
use wolff_testdata::{SKIPPED_TESTS, SkippedTest};

/// Which steps are run.
#[derive(Clone, Copy)]
pub enum Choice<'a> {
    All,
    /// Those that do not run the program.
    Fast,
    /// Those with this text in their name.
    Named(&'a str),
}

/// Runs the chosen steps; true when all is well. A choice without any step is a failure.
pub fn test(choice: Choice<'_>) -> bool {
    let mut steps = steps_on_files();
    steps.extend(steps_on_code());
    if !matches!(choice, Choice::Fast) {
        steps.extend(steps_with_program());
    }
    if let Choice::Named(part) = choice {
        steps.retain(|step| step.name().contains(part));
    }
    if steps.is_empty() {
        eprintln!("there is no such step");
        return false;
    }
    runner::run(steps)
}

fn steps_on_files() -> Vec<Step> {
    vec![
        Step::program("formatting", cargo(["fmt", "--all", "--check"])),
        Step::check("README", checks::readme),
        Step::check("machine paths", checks::machine_paths),
        Step::check("manifests", manifests::check),
        Step::check("floors", floors::check),
        Step::check("sizes", sizes::check),
        Step::check("names", names::check),
        Step::check("reads", reads::check),
    ]
}

fn steps_on_code() -> Vec<Step> {
    // not `--all-targets`: libraries without tests of their own need not be looked at a second time as test programs
    let targets = ["clippy", "--workspace", "--lib", "--bins", "--tests", "--examples", "--", "-D", "warnings"];
    let mut documentation = cargo(["doc", "--no-deps", "--workspace"]);
    documentation.env("RUSTDOCFLAGS", "-D warnings");
    vec![
        Step::program("lints", cargo(targets)),
        Step::program("documentation", documentation),
        Step::program("build", cargo(["build", "--workspace", "--tests", "--lib"])),
        Step::new("tests", run_tests),
        Step::counting("doc tests", cargo(["test", "--doc", "--workspace"]), count_tests),
        Step::check("a stranger's crate", stranger::check),
    ]
}

fn steps_with_program() -> Vec<Step> {
    let mut verify = Command::new(crate::tested_wolff());
    verify.arg("verify");
    vec![
        Step::counting("wolff verify", verify, count_verdicts),
        Step::new("studies", run_studies),
        Step::new("checks by other programs", outside::checks),
        Step::new("pages in a browser", browser::pages),
    ]
}

/// Runs the tests; those that lacked something are counted as skipped, not as passed.
fn run_tests(tally: &mut Tally) {
    let file = match skipped::fresh_file() {
        Ok(file) => file,
        Err(why) => return tally.check("file of skipped tests", || Err(why)),
    };
    let has_nextest = cargo(["nextest", "--version"]).output().is_ok_and(|o| o.status.success());
    let runner: &[&str] = if has_nextest { &["nextest", "run"] } else { &["test"] };
    let mut command = cargo(runner);
    command.args(["--workspace", "--tests", "--no-fail-fast"]).env(SKIPPED_TESTS, &file);
    let output = tally.counting_program("tests", &mut command, count_tests);
    match SkippedTest::read_all(&file) {
        Ok(skipped) => tally.skip_tests(skipped, &failed_checks(&output)),
        Err(e) => tally.check("file of skipped tests", || Err(format!("{}: {e}", file.display()))),
    }
}

/// Every built-in study must succeed and agree with its references.
fn run_studies(tally: &mut Tally) {
    match checks::built_in_studies() {
        Ok(names) => names.iter().for_each(|name| tally.check(name, || checks::study(name))),
        Err(why) => tally.check("list of studies", || Err(why)),
    }
}
