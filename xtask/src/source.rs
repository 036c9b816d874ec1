//! The source files of the workspace, and what of a line is code.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file of a crate.
pub struct Source {
    /// Name of the folder of the crate.
    pub package: String,
    /// Path from the top of the repository, with slashes.
    pub path: String,
    pub text: String,
}

/// All `.rs` files in `crates/*/src` and `xtask/src`, in order.
pub fn sources() -> Result<Vec<Source>, String> {
    let mut folders = vec![crate::root().join("xtask")];
    let crates = crate::root().join("crates");
    folders.extend(entries(&crates)?.into_iter().filter(|path| path.is_dir()));
    let mut found = Vec::new();
    for folder in folders {
        let package = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut open = vec![folder.join("src")];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(entries(&path)?);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                found.push(Source { package: package.clone(), path: relative(&path), text });
            }
        }
    }
    found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    if found.is_empty() { Err("there are no sources".into()) } else { Ok(found) }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let list = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(list.flatten().map(|entry| entry.path()).collect())
}

fn relative(path: &Path) -> String {
    path.strip_prefix(crate::root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// A string literal in a line of code.
#[derive(Debug, PartialEq, Eq)]
pub struct Literal<'a> {
    /// The code before the opening quote, other literals included.
    pub before: &'a str,
    /// What is between the quotes, escapes as they are written.
    pub text: &'a str,
    /// The code after the closing quote.
    pub after: &'a str,
}

/// The string literals that a line holds whole; comments have none. Literals over several lines are not looked at.
pub fn literals(line: &str) -> Vec<Literal<'_>> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut characters = line.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        match (start, c) {
            (Some(_), '\\') => _ = characters.next(),
            (Some(from), '"') => {
                found.push(Literal { before: &line[..from], text: &line[from + 1..at], after: &line[at + 1..] });
                start = None;
            }
            (Some(_), _) => {}
            (None, '"') => start = Some(at),
            // the character '"' opens nothing
            (None, '\'') if line[at..].starts_with("'\"'") => _ = characters.nth(1),
            (None, '/') if characters.peek().is_some_and(|(_, next)| *next == '/') => break,
            (None, _) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_outside_of_comments() {
        let line = r#"    a == "x\"y" || '"' == b("_r") // not "this""#;
        let found = literals(line);
        assert_eq!(found.iter().map(|l| l.text).collect::<Vec<_>>(), [r#"x\"y"#, "_r"]);
        assert_eq!((found[0].before, found[1].before.ends_with("b(")), ("    a == ", true));
        assert!(found[1].after.starts_with(") //"));
        assert!(literals("/// text of a \"comment\"").is_empty());
    }
}
