//! Files and options that give markers other names.
//!
//! ```text
//! # recorded name, name of the model
//! RASI, R.ASIS
//! LASI, L.ASIS
//! ```
//!
//! or, as TOML, `"RASI" = "R.ASIS"`.

use crate::MotionError;
use crate::recording::read_bytes;
use std::path::Path;
use wolff_anatomy::similar_markers;

/// Pairs of a recorded name and the name of the model from a file: two names per line with a comma, semicolon, tab or
/// `=` between them; `#` starts a comment; a header line `recorded, model` and lines `[markers]` are skipped.
pub fn read_marker_map(path: &Path) -> Result<Vec<(String, String)>, MotionError> {
    let text = String::from_utf8_lossy(&read_bytes(path)?).into_owned();
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').split('#').next().unwrap_or_default().trim();
        let is_header = line.starts_with('[') || (i == 0 && line.to_lowercase().starts_with("recorded"));
        if line.is_empty() || is_header {
            continue;
        }
        let pair = parse_pair(line, &[',', ';', '\t', '=']);
        let Some(pair) = pair.filter(|(old, _)| !pairs.iter().any(|(p, _)| p == old)) else {
            let reason =
                format!("line {}: `{line}` is not `recorded name, name of the model`, or renames twice", i + 1);
            return Err(MotionError::input(path.display().to_string(), reason));
        };
        pairs.push(pair);
    }
    Ok(pairs)
}

/// A pair written as `RASI=R.ASIS`.
pub fn parse_rename(text: &str) -> Result<(String, String), String> {
    parse_pair(text, &['=']).ok_or_else(|| format!("`{text}` is not RECORDED=MODEL; write for example RASI=R.ASIS"))
}

fn parse_pair(line: &str, separators: &[char]) -> Option<(String, String)> {
    let bare = |name: &str| name.trim().trim_matches(['"', '\'']).trim().to_string();
    let (old, new) = line.split_once(separators)?;
    let (old, new) = (bare(old), bare(new));
    (!old.is_empty() && !new.is_empty() && !new.contains(separators)).then_some((old, new))
}

/// A mapping of recorded names to those of a model that are similar, as text of a map file; `None` without any.
pub fn proposed_map(recorded: &[&str], model: &[&str]) -> Option<String> {
    let lines: Vec<String> =
        similar_markers(recorded, model).into_iter().map(|(old, new)| format!("{old}, {new}")).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
