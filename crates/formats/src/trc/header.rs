//! The header of a marker file.

use super::FORMAT;
use super::lines::Lines;
use crate::FormatError;
use crate::number::{self, excerpt};
use crate::trial::LengthUnit;
use std::io::BufRead;

/// Content of the header.
pub(super) struct Header {
    /// Last word of the first line, without folders.
    pub(super) file_name: String,
    /// Names of the markers.
    pub(super) names: Vec<String>,
    /// Keys of the second line with the values of the third.
    values: Vec<(String, String)>,
}

fn missing(line: usize, what: &str) -> FormatError {
    FormatError::syntax(FORMAT, line, format!("the file ends before {what}; it is empty or truncated"))
}

impl Header {
    /// Reads up to the first row of data.
    pub(super) fn read<R: BufRead>(lines: &mut Lines<R>) -> Result<Self, FormatError> {
        let mut visible = || lines.find(|(_, l)| !l.trim().is_empty());
        let (mut line, mut content) = visible().ok_or_else(|| missing(1, "its header"))?;
        check_text(&content).map_err(|m| FormatError::syntax(FORMAT, line, m))?;
        let mut file_name = String::new();
        if starts_with(&content, "PathFileType") {
            file_name = last_name(&content);
            (line, content) = visible().ok_or_else(|| missing(line + 1, "the line `DataRate …`"))?;
        }
        if !starts_with(&content, "DataRate") {
            let message =
                format!("`{}` stands where the line `DataRate CameraRate …` belongs", excerpt(content.trim()));
            return Err(FormatError::syntax(FORMAT, line, message));
        }
        if content.contains(';') && !content.contains('\t') {
            let message = "the separator is `;`: export the file with tabs between cells";
            return Err(FormatError::syntax(FORMAT, line, message));
        }
        let keys = content;
        let (_, content) = visible().ok_or_else(|| missing(line + 1, "the values of `DataRate …`"))?;
        let values = pair(&keys, &content);
        let (line, content) = visible().ok_or_else(|| missing(line + 2, "the line `Frame# Time …`"))?;
        if !starts_with(&content, "Frame") {
            let message = format!("`{}` stands where the line `Frame# Time …` belongs", excerpt(content.trim()));
            return Err(FormatError::syntax(FORMAT, line, message));
        }
        let header = Self { file_name, names: names(&content), values };
        // the line of X1 Y1 Z1, where there is one
        while let Some(l) = lines.peek() {
            let word = l.split_whitespace().next().map(|w| w.trim_matches('"'));
            if word.is_some_and(|w| number::read(w).is_ok() || !w.starts_with(['X', 'x'])) {
                break;
            }
            lines.next();
        }
        Ok(header)
    }

    fn value(&self, key: &str) -> Option<&str> {
        let found = self.values.iter().find(|(k, _)| k.eq_ignore_ascii_case(key))?;
        Some(found.1.as_str())
    }

    /// The number under that key, if there is one.
    pub(super) fn number(&self, key: &str) -> Option<f64> {
        number::read(self.value(key)?).ok()
    }

    /// The unit given, or that of the header.
    pub(super) fn unit(&self, given: Option<LengthUnit>) -> Result<LengthUnit, FormatError> {
        let said = self.value("Units").unwrap_or_default();
        given.or_else(|| LengthUnit::from_name(said)).ok_or_else(|| {
            let message =
                format!("Units is `{}`; write mm, cm or m there, or name the unit when reading", excerpt(said));
            FormatError::syntax(FORMAT, 3, message)
        })
    }

    /// A number of markers that the rest of the file does not bear out.
    pub(super) fn remarks(&self) -> Option<String> {
        self.differ("NumMarkers", self.names.len(), "names")
    }

    /// A number of frames that the rest of the file does not bear out.
    pub(super) fn lost(&self, frames: usize) -> Option<String> {
        self.differ("NumFrames", frames, "frames; it may be truncated")
    }

    fn differ(&self, key: &str, found: usize, what: &str) -> Option<String> {
        let said = self.number(key).filter(|&said| said != found as f64)?;
        Some(format!("{key} is {said}, the file has {found} {what}"))
    }
}

/// Refuses a first line with zero bytes, as characters of two bytes have.
fn check_text(line: &str) -> Result<(), &'static str> {
    match line.contains('\0') {
        true => Err("the file is in UTF-16 or another encoding of two bytes; save it as UTF-8 or plain ASCII"),
        false => Ok(()),
    }
}

fn starts_with(line: &str, word: &str) -> bool {
    let line = line.trim_start().trim_start_matches('"');
    line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// What follows `(X/Y/Z)`, without folders of either system.
fn last_name(line: &str) -> String {
    let path = line.rsplit_once(')').map_or("", |(_, path)| path).trim();
    path.rsplit(['/', '\\']).next().unwrap_or_default().into()
}

/// Keys and values word by word, or tab by tab where a value is missing.
fn pair(keys: &str, values: &str) -> Vec<(String, String)> {
    let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
    let cells = |line: &str| line.split('\t').map(|c| c.trim().to_string()).collect::<Vec<_>>();
    if words(keys).len() == words(values).len() {
        words(keys).into_iter().zip(words(values)).collect()
    } else {
        cells(keys).into_iter().zip(cells(values)).collect()
    }
}

/// Names after `Frame#` and `Time`; spaces belong to a name where tabs stand between names. Labels `X1 Y1 Z1` on the
/// same line are ignored.
fn names(line: &str) -> Vec<String> {
    let bare = |cell: &str| cell.trim().trim_matches('"').trim().to_string();
    let cells: Vec<String> = if line.contains('\t') {
        line.split('\t').map(bare).filter(|c| !c.is_empty()).collect()
    } else {
        line.split_whitespace().map(bare).collect()
    };
    // `Frame# Time` may share a cell
    let skip = if cells.first().is_some_and(|c| c.contains(char::is_whitespace)) { 1 } else { 2 };
    let cells: Vec<String> = cells.into_iter().skip(skip).collect();
    let components = cells.iter().filter(|c| is_component(c)).count();
    let merged = components > 0 && components == 3 * (cells.len() - components);
    cells.into_iter().filter(|c| !merged || !is_component(c)).collect()
}

/// Whether a cell is `X1`, `y12` and the like.
fn is_component(cell: &str) -> bool {
    let mut chars = cell.chars();
    matches!(chars.next(), Some('X' | 'Y' | 'Z' | 'x' | 'y' | 'z'))
        && !chars.as_str().is_empty()
        && chars.all(|c| c.is_ascii_digit())
}
