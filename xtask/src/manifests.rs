//! What the manifest of every crate must say.

use std::fs;

/// Each manifest says which lints hold, those of the workspace or its own, and describes its crate, and its library is
/// not built a second time as a test program: tests are in `tests/suite`, so that would find none and take as long as
/// the library itself.
const LINES: [&str; 3] = ["\n[lints", "\ndescription = \"", "\ntest = false\n"];

/// Every crate has a manifest that says so.
pub fn check() -> Result<(), String> {
    let crates = crate::root().join("crates");
    let folders = fs::read_dir(&crates).map_err(|e| format!("{}: {e}", crates.display()))?;
    let mut wrong = Vec::new();
    for folder in folders.flatten().map(|entry| entry.path()) {
        let file = folder.join("Cargo.toml");
        let name = file.display().to_string();
        match fs::read_to_string(&file) {
            Ok(text) => wrong.extend(missing(&text).map(|line| format!("{name} lacks {line:?}"))),
            Err(e) => wrong.push(format!("{name}: {e}")),
        }
    }
    wrong.sort_unstable();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn missing(manifest: &str) -> impl Iterator<Item = &'static str> {
    LINES.into_iter().filter(|line| !manifest.contains(line))
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn what_a_manifest_lacks_is_found() {
        let whole =
            "[package]\nname = \"x\"\ndescription = \"y\"\n\n[lib]\ntest = false\n\n[lints]\nworkspace = true\n";
        assert_eq!(missing(whole).count(), 0);
        assert_eq!(missing(&whole.replace("test = false\n", "")).collect::<Vec<_>>(), ["\ntest = false\n"]);
    }
}
