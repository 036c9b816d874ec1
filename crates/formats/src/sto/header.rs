//! The header of a storage file.

use super::FORMAT;
use crate::FormatError;
use crate::number::excerpt;

/// Content of the header.
pub(super) struct Header {
    pub(super) name: String,
    pub(super) in_degrees: bool,
    /// Numbers in a cell.
    pub(super) components: usize,
    /// Line of `endheader`.
    pub(super) end: usize,
    rows: Option<usize>,
    columns: Option<usize>,
    /// Whether `inDegrees` was there.
    told: bool,
    /// Whether the words of a SIMM motion file were there.
    simm: bool,
}

/// Numbers per cell of a column type; `None` for an unsupported type.
pub(super) fn components(data_type: &str) -> Option<usize> {
    match data_type.to_ascii_lowercase().as_str() {
        "double" | "float" => Some(1),
        "vec2" => Some(2),
        "vec3" | "unitvec3" => Some(3),
        "vec4" | "quaternion" => Some(4),
        "vec5" => Some(5),
        "vec6" | "spatialvec" => Some(6),
        "vec9" => Some(9),
        _ => None,
    }
}

/// A header line without the quotes and tabs that spreadsheets leave.
fn bare(line: &str) -> &str {
    line.trim().trim_matches(['"', ',', ';']).trim()
}

fn is_end(content: &str) -> bool {
    content.chars().filter(|c| !c.is_whitespace()).collect::<String>().eq_ignore_ascii_case("endheader")
}

impl Header {
    /// Reads lines up to and with `endheader`, however it is spaced, quoted or capitalised.
    pub(super) fn read<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Result<Self, FormatError> {
        let mut header = Self {
            name: String::new(),
            in_degrees: false,
            components: 1,
            end: 0,
            rows: None,
            columns: None,
            told: false,
            simm: false,
        };
        let mut last = 1;
        for (line, content) in lines {
            let content = bare(content);
            if !content.is_empty() {
                last = line;
            }
            if is_end(content) {
                header.end = line;
                header.in_degrees |= header.simm && !header.told;
                return Ok(header);
            }
            // `key=value`, or the two words of a motion file
            let (key, value) = match content.split_once('=') {
                Some(pair) => pair,
                None => content.split_once(char::is_whitespace).unwrap_or((content, "")),
            };
            header.set(key.trim(), value.trim(), content, line)?;
        }
        Err(FormatError::syntax(FORMAT, last, "the header has no `endheader` line"))
    }

    fn set(&mut self, key: &str, value: &str, content: &str, line: usize) -> Result<(), FormatError> {
        let key = key.to_ascii_lowercase();
        self.told |= key == "indegrees";
        self.simm |= matches!(key.as_str(), "datarows" | "datacolumns");
        match key.as_str() {
            "nrows" | "datarows" => self.rows = Some(count(value, line)?),
            "ncolumns" | "datacolumns" => self.columns = Some(count(value, line)?),
            "indegrees" => self.in_degrees = yes_or_no(value, line)?,
            "datatype" => self.components = components(value).ok_or_else(|| unread_type(value, line))?,
            "name" if line == 1 => self.name = value.into(),
            _ if line == 1 && !content.contains('=') => self.name = content.into(),
            // versions, units and remarks of other programs
            _ => {}
        }
        Ok(())
    }

    /// Remarks on counts of the header that differ from the table, and on cells that were split into columns.
    pub(super) fn remarks(&self, rows: usize, columns: usize) -> Vec<String> {
        let differ = |said: Option<usize>, found: usize, what: &str| {
            said.filter(|&said| said != found)
                .map(|said| format!("the header says {said} {what}, the table has {found}; the file may be truncated"))
        };
        let spread = (self.components > 1).then(|| {
            format!("cells hold {0} numbers each; they are columns `name_1` to `name_{0}` here", self.components)
        });
        let simm = (self.simm && !self.told).then(|| {
            "a SIMM motion file that does not say `inDegrees`: rotations are assumed to be in degrees".to_string()
        });
        let counts = [differ(self.rows, rows, "rows"), differ(self.columns, columns, "columns")];
        counts.into_iter().chain([spread, simm]).flatten().collect()
    }
}

fn unread_type(value: &str, line: usize) -> FormatError {
    FormatError::syntax(
        FORMAT,
        line,
        format!("columns of type `{}` are not supported; export the table with DataType=double", excerpt(value)),
    )
}

fn count(value: &str, line: usize) -> Result<usize, FormatError> {
    value.parse().map_err(|_| {
        FormatError::syntax(FORMAT, line, format!("`{}` is not a count of rows or columns", excerpt(value)))
    })
}

fn yes_or_no(value: &str, line: usize) -> Result<bool, FormatError> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "true" | "1" | "y" => Ok(true),
        "no" | "false" | "0" | "n" => Ok(false),
        _ => Err(FormatError::syntax(FORMAT, line, format!("inDegrees is `{}`; it must be yes or no", excerpt(value)))),
    }
}
