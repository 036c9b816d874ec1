//! `cargo xtask fuzz`, `kills` and `extremes`: the long versions of tests of which `cargo xtask test` runs short ones;
//! `spoiled`: the table that one of them makes.

use crate::process::cargo;

/// Number of mutated files.
const FILES: &str = "100000";
/// Number of killed runs.
const KILLS: &str = "100";

/// Gives mutated files to all readers; true when all are read or refused.
pub fn fuzz(files: Option<&str>) -> bool {
    test("fuzz::", "WOLFF_FUZZ_FILES", files.unwrap_or(FILES))
}

/// Kills runs at random moments, and at each step of writing a folder; true when nothing is lost.
pub fn kills(count: Option<&str>) -> bool {
    let mut steps = cargo(["test", "--package", "wolff-files", "--test", "suite", "leftover::"]);
    steps.status().is_ok_and(|status| status.success()) && test("kills::", "WOLFF_KILLS", count.unwrap_or(KILLS))
}

/// Plants mistakes into real files and prints what every command says about them.
pub fn spoiled() -> bool {
    let well = test("spoiled::", "WOLFF_SPOILED", "table");
    let tables = crate::target_dir().join("tmp");
    for title in ["markers", "forces", "models", "files"] {
        match std::fs::read_to_string(tables.join(format!("spoiled-{title}.md"))) {
            Ok(table) => println!("\n{title}\n\n{table}"),
            Err(e) => println!("\n{title}: {e}"),
        }
    }
    well
}

/// Runs every study with each parameter at extreme values, or those with `study` in their name; true when all end in
/// time with a message or finite numbers.
pub fn extremes(study: Option<&str>) -> bool {
    let sweep = |package: &str, filter: &str| {
        let words = ["test", "--package", package, "--test", "suite", filter, "--", "--ignored", "--nocapture"];
        let mut command = cargo(words);
        command.env("WOLFF_EXTREMES", study.unwrap_or("")).status().is_ok_and(|status| status.success())
    };
    let models = sweep("wolff-study", "all_studies_end_at_extremes");
    models & (study.is_some_and(|name| !"walk".contains(name)) || sweep("wolff-app", "all_walks_end_at_extremes"))
}

fn test(filter: &str, variable: &str, number: &str) -> bool {
    let mut command = cargo(["test", "--package", "wolff-cli", "--test", "suite", filter, "--", "--nocapture"]);
    command.env(variable, number).status().is_ok_and(|status| status.success())
}
