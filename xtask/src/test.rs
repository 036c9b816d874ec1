//! `cargo xtask test`: everything that must hold.

use crate::runner::{Runner, cargo, count_tests, count_verdicts};
use crate::{browser, checks, outside};
use std::process::Command;

/// Runs all steps, those on the optimised build only when asked; true when all is well.
pub fn test(release: bool) -> bool {
    let mut runner = Runner::default();
    lint(&mut runner);
    run_tests(&mut runner);
    // units stand in brackets, and rustdoc takes [m] for a link
    let flags = "-D warnings -A rustdoc::broken_intra_doc_links";
    runner.program("documentation", cargo(["doc", "--no-deps", "--workspace"]).env("RUSTDOCFLAGS", flags));
    runner.step("README names the commands", checks::readme);
    runner.step("no machine paths in tracked files", checks::machine_paths);
    if release {
        runner.program("optimised build", &mut cargo(["build", "--profile", "quick", "--package", "wolff-cli"]));
        runner.counting_program("wolff verify", Command::new(crate::quick_wolff()).arg("verify"), count_verdicts);
        run_examples(&mut runner);
        outside::checks(&mut runner);
        browser::pages(&mut runner);
    }
    runner.finish()
}

fn lint(runner: &mut Runner) {
    runner.program("formatting", &mut cargo(["fmt", "--all", "--check"]));
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    runner.program("lints", &mut cargo(clippy));
}

fn run_tests(runner: &mut Runner) {
    let has_nextest = cargo(["nextest", "--version"]).output().is_ok_and(|o| o.status.success());
    if has_nextest {
        runner.counting_program("tests", &mut cargo(["nextest", "run", "--workspace", "--no-fail-fast"]), count_tests);
    } else {
        let test = ["test", "--workspace", "--all-targets", "--no-fail-fast"];
        runner.counting_program("tests", &mut cargo(test), count_tests);
    }
    runner.counting_program("doc tests", &mut cargo(["test", "--doc", "--workspace"]), count_tests);
}

/// Every built-in study must succeed and agree with its references.
fn run_examples(runner: &mut Runner) {
    let names = checks::built_in_studies();
    if let Ok(names) = &names {
        for name in names {
            runner.step(&format!("wolff run {name}"), || checks::example(name));
        }
    }
    runner.step("list of studies", || names.map(|_| ()));
}
