//! Checks on files and on the built-in studies.

use crate::process::output_of;
use crate::{root, tested_wolff};
use std::fs;
use std::process::Command;

/// What the README must show how to do.
const COMMANDS: [&str; 6] =
    ["wolff list", "wolff run", "wolff new", "wolff verify", "cargo xtask bench", "cargo xtask test"];

/// The README names every command.
pub fn readme() -> Result<(), String> {
    let text = fs::read_to_string(root().join("README.md")).map_err(|e| format!("README.md: {e}"))?;
    let missing: Vec<&str> = COMMANDS.into_iter().filter(|c| !text.contains(c)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("README.md does not mention: {}", missing.join(", "))) }
}

/// No file under version control, or about to be, names a folder of somebody's machine.
pub fn machine_paths() -> Result<(), String> {
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .map_err(|e| format!("git: {e}"))?;
    let names = String::from_utf8_lossy(&listing.stdout).into_owned();
    let mut found = Vec::new();
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        // a file deleted but not yet committed has nothing to tell
        let Ok(bytes) = fs::read(root().join(name)) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().enumerate().filter(|(_, line)| has_machine_path(line));
        found.extend(lines.map(|(i, line)| format!("{name}:{}: {}", i + 1, line.trim())));
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}

/// Whether a line holds an absolute path into a folder that only this machine has.
fn has_machine_path(line: &str) -> bool {
    let folders = ["home", "root", "tmp", "work", "Users"].map(|folder| format!("/{folder}/"));
    folders.iter().any(|folder| {
        line.match_indices(folder.as_str()).any(|(at, _)| {
            // `crates/work/` and `~/tmp/` are not absolute
            let before = line.get(..at).and_then(|text| text.chars().next_back());
            !before.is_some_and(|c| c.is_alphanumeric() || "_.-~})*".contains(c))
        })
    })
}

/// Names of the built-in studies: the first column of `wolff list`.
pub fn built_in_studies() -> Result<Vec<String>, String> {
    let text = output_of(Command::new(tested_wolff()).arg("list").current_dir(root()))?;
    // titles that are wrapped continue in indented lines
    let first_word = |line: &str| line.split_whitespace().next().map(String::from);
    let names: Vec<String> =
        text.lines().skip(1).filter(|line| !line.starts_with(' ')).filter_map(first_word).collect();
    if names.is_empty() { Err("`wolff list` names no study".into()) } else { Ok(names) }
}

/// A study succeeds, every comparison in it passes, and every value is a number.
pub fn study(name: &str) -> Result<(), String> {
    let text =
        output_of(Command::new(tested_wolff()).args(["run", name, "--json", "--no-sensitivity"]).current_dir(root()))?;
    if !text.contains("\"status\": \"ok\"") {
        return Err(format!("{text}the status is not ok"));
    }
    if text.contains("\"pass\": false") {
        return Err(format!("{text}a comparison does not pass"));
    }
    if text.contains("not finite") || text.contains("not a finite") {
        return Err(format!("{text}a value is not finite"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::has_machine_path;

    #[test]
    fn absolute_paths_are_told_from_relative_ones() {
        let folder = format!("/{}/", "home");
        assert!(has_machine_path(&format!("see {folder}anna/data")));
        assert!(has_machine_path(&format!("file://{folder}anna")));
        assert!(has_machine_path(&format!("{folder}anna")));
        assert!(!has_machine_path(&format!("crates{folder}src")));
        assert!(!has_machine_path("the force does work / time"));
    }
}
