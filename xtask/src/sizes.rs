//! Limits of size: files, functions, crates and lines stay small enough to be read.

use crate::source::{Source, sources};
use std::collections::BTreeMap;

/// Most lines of a file.
const FILE: usize = 400;
/// Most lines of a function, from its first line to its closing brace.
const FUNCTION: usize = 60;
/// Most lines of the sources of a crate.
const CRATE: usize = 9_000;
/// Most characters of a line, comments included.
const COLUMNS: usize = 120;

/// Nothing is above its limit.
pub fn check() -> Result<(), String> {
    let found = offenders(&sources()?);
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}

fn offenders(sources: &[Source]) -> Vec<String> {
    let mut crates: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for Source { package, path, text } in sources {
        let lines = text.lines().count();
        *crates.entry(package).or_default() += lines;
        if lines > FILE {
            found.push(format!("{path}: {lines} lines, at most {FILE}"));
        }
        let long = functions(text).into_iter().filter(|f| f.lines > FUNCTION);
        found.extend(long.map(|Function { name, first, lines }| {
            format!("{path}:{first}: function `{name}` has {lines} lines, at most {FUNCTION}")
        }));
        found.extend(wide_lines(text).map(|what| format!("{path}:{what}")));
    }
    let large = crates.into_iter().filter(|(_, lines)| *lines > CRATE);
    found.extend(large.map(|(name, lines)| format!("crate {name}: {lines} lines, at most {CRATE}")));
    found
}

/// The first of the comments that are too wide, and how many there are. Code is the formatter's; the row of a table
/// cannot be broken.
fn wide_lines(text: &str) -> Option<String> {
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    let is_row = |line: &str| ["//! |", "/// |"].iter().any(|start| line.trim_start().starts_with(start));
    let width = |line: &str| if is_comment(line) && !is_row(line) { line.chars().count() } else { 0 };
    let columns = text.lines().map(width).enumerate();
    let wide: Vec<(usize, usize)> = columns.filter(|(_, columns)| *columns > COLUMNS).collect();
    let (line, columns) = wide.first()?;
    Some(format!(
        "{}: {columns} columns, at most {COLUMNS}; lines of this file that are too wide: {}",
        line + 1,
        wide.len()
    ))
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
struct Function<'a> {
    name: &'a str,
    /// Number of its first line.
    first: usize,
    lines: usize,
}

/// The functions of a formatted file: the closing brace stands below the first letter of the function's first line.
fn functions(text: &str) -> Vec<Function<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indent = line.len() - line.trim_start().len();
        let ends = |l: &str| l.get(..indent).is_some_and(|s| s.trim().is_empty()) && l.get(indent..) == Some("}");
        // declared without a body, or with all of it in one line
        if line.trim_end().ends_with([';', '}']) {
            continue;
        }
        let declared = |l: &str| l.get(indent..).is_some_and(|rest| rest.starts_with(')') && rest.ends_with(';'));
        let end = lines[index..].iter().position(|l| ends(l) || declared(l)).unwrap_or(0);
        found.push(Function { name, first: index + 1, lines: end + 1 });
    }
    found
}

/// The name of the function that a line begins.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.trim_start().split_once("fn ")?;
    let is_qualifier = |word: &str| {
        word.starts_with("pub")
            || word.starts_with('"')
            || ["const", "async", "unsafe", "extern", "crate)"].contains(&word)
    };
    let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (before.split_whitespace().all(is_qualifier) && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: String) -> Source {
        Source { package: "x".into(), path: "crates/x/src/lib.rs".into(), text }
    }

    #[test]
    fn functions_are_measured_to_their_closing_brace() {
        let text = "pub(crate) const fn a(x: u8) -> u8 {\n    if x > 0 {\n        1\n    } else {\n        2\n    }\n}\n\
                    trait T {\n    fn declared(\n        &self,\n    ) -> f64;\n    fn one_line(&self) {}\n}\n\
                    // a comment on a fn that is none\nlet f: fn (u8) = a;\n";
        let measured: Vec<(&str, usize, usize)> = functions(text).iter().map(|f| (f.name, f.first, f.lines)).collect();
        assert_eq!(measured, [("a", 1, 7), ("declared", 9, 3)]);
    }

    #[test]
    fn every_limit_has_its_offender() {
        let body = "    step();\n".repeat(FUNCTION - 1);
        let long = format!("fn long() {{\n{body}}}\n");
        let found =
            offenders(&[source(long), source("x\n".repeat(CRATE)), source(format!("//{}", "é".repeat(COLUMNS - 1)))]);
        let parts = ["function `long` has 61", "9000 lines, at most 400", "1: 121 columns", "crate x: 9062 lines"];
        assert_eq!(found.len(), parts.len(), "{found:?}");
        for part in parts {
            assert!(found.iter().any(|line| line.contains(part)), "{part} is not in {found:?}");
        }
        let fits = format!("fn fits() {{\n{}}}\n{}\n", "    step();\n".repeat(FUNCTION - 2), "é".repeat(COLUMNS + 9));
        assert_eq!(offenders(&[source(fits)]), Vec::<String>::new());
    }
}
