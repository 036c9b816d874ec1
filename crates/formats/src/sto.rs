//! OpenSim storage files (`.sto`, `.mot`): a header, a line of labels, rows of numbers.
//!
//! ```text
//! knee
//! version=1
//! nRows=2
//! nColumns=2
//! inDegrees=no
//! endheader
//! time    flexion
//! 0       0.5
//! 0.01    0.52
//! ```
//!
//! Source: OpenSim documentation, "Storage (.sto) Files" and "Motion (.mot) Files".

use crate::number::{self, excerpt};
use crate::{FormatError, Table};
use std::fmt::Write as _;

const FORMAT: &str = ".sto";

/// A storage file.
#[derive(Clone, Debug, PartialEq)]
pub struct Storage {
    /// Name in the first line.
    pub name: String,
    /// Whether rotations are in degrees (radians otherwise).
    pub in_degrees: bool,
    /// The numbers; the first column is `time` [s].
    pub table: Table,
    /// What a reader of the file should be told; not written.
    pub remarks: Vec<String>,
}

/// The text of a storage file.
///
/// Refuses a first column that is not `time` and a name that is not one visible line.
pub fn write(storage: &Storage) -> Result<String, FormatError> {
    let Storage { name, in_degrees, table, .. } = storage;
    if name.trim().is_empty() || name.contains(['\n', '\r', '=']) {
        return Err(FormatError::Table(format!(
            "the name {name:?} cannot be the first line of a .sto file; use one line of text without `=`"
        )));
    }
    check_time(table.labels()).map_err(FormatError::Table)?;

    let mut out = format!(
        "{name}\nversion=1\nnRows={}\nnColumns={}\ninDegrees={}\nendheader\n",
        table.rows().len(),
        table.labels().len(),
        if *in_degrees { "yes" } else { "no" }
    );
    let _ = writeln!(out, "{}", table.labels().join("\t"));
    for row in table.rows() {
        for (i, &x) in row.iter().enumerate() {
            let _ = write!(out, "{}{}", if i > 0 { "\t" } else { "" }, number::write(x));
        }
        out.push('\n');
    }
    Ok(out)
}

/// Reads a storage file.
///
/// Takes Windows line ends, tabs or spaces between numbers, headers without `version` or counts, the
/// `datarows`/`datacolumns` words of motion files, and blank lines at the end. Files made by hand often
/// have wrong counts in the header, so the table decides and [`Storage::remarks`] says so. `NaN` is read
/// as such; what it means is the caller's to decide.
pub fn read(bytes: &[u8]) -> Result<Storage, FormatError> {
    let text = number::text(bytes).map_err(|(line, m)| FormatError::syntax(FORMAT, line, m))?;
    let mut lines = text.lines().enumerate().map(|(i, l)| (i + 1, l.trim_end()));
    let header = read_header(&mut lines)?;
    let mut body = lines.filter(|(_, l)| !l.trim().is_empty());

    let (label_line, labels) =
        body.next().ok_or_else(|| FormatError::syntax(FORMAT, header.end, "no labels after `endheader`"))?;
    let labels = split_labels(labels);
    check_time(&labels).map_err(|m| FormatError::syntax(FORMAT, label_line, m))?;
    let mut rows = Vec::new();
    for (line, content) in body {
        rows.push(read_row(content, labels.len(), line)?);
    }
    let remarks = header.remarks(rows.len(), labels.len());
    let table = Table::new(labels, rows).map_err(|e| FormatError::syntax(FORMAT, label_line, e.to_string()))?;
    Ok(Storage { name: header.name, in_degrees: header.in_degrees, table, remarks })
}

/// What the header says.
#[derive(Default)]
struct Header {
    name: String,
    in_degrees: bool,
    rows: Option<usize>,
    columns: Option<usize>,
    /// Line of `endheader`.
    end: usize,
}

fn read_header<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Result<Header, FormatError> {
    let mut header = Header::default();
    let mut last = 1;
    for (line, content) in lines {
        last = line;
        let content = content.trim();
        if content.eq_ignore_ascii_case("endheader") {
            header.end = line;
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

impl Header {
    fn set(&mut self, key: &str, value: &str, content: &str, line: usize) -> Result<(), FormatError> {
        let key = key.to_ascii_lowercase();
        match key.as_str() {
            "nrows" | "datarows" => self.rows = Some(count(value, line)?),
            "ncolumns" | "datacolumns" => self.columns = Some(count(value, line)?),
            "indegrees" => self.in_degrees = yes_or_no(value, line)?,
            "datatype" if !value.eq_ignore_ascii_case("double") => {
                return Err(FormatError::syntax(
                    FORMAT,
                    line,
                    format!("columns of type `{}` are not read; export the table with DataType=double", excerpt(value)),
                ));
            }
            "name" if line == 1 => self.name = value.into(),
            _ if line == 1 && !content.contains('=') => self.name = content.into(),
            // versions, units and remarks of other programs
            _ => {}
        }
        Ok(())
    }

    /// Counts of the header that the table does not bear out.
    fn remarks(&self, rows: usize, columns: usize) -> Vec<String> {
        let differ = |said: Option<usize>, found: usize, what: &str| {
            said.filter(|&said| said != found)
                .map(|said| format!("the header says {said} {what}, the table has {found}; the file may be cut off"))
        };
        [differ(self.rows, rows, "rows"), differ(self.columns, columns, "columns")].into_iter().flatten().collect()
    }
}

fn count(value: &str, line: usize) -> Result<usize, FormatError> {
    value.parse().map_err(|_| {
        FormatError::syntax(FORMAT, line, format!("`{}` is not a count of rows or columns", excerpt(value)))
    })
}

fn yes_or_no(value: &str, line: usize) -> Result<bool, FormatError> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(FormatError::syntax(FORMAT, line, format!("inDegrees is `{}`; it must be yes or no", excerpt(value)))),
    }
}

/// Labels may hold spaces when tabs stand between them.
fn split_labels(line: &str) -> Vec<String> {
    let line = line.trim();
    if line.contains('\t') {
        line.split('\t').map(str::trim).filter(|l| !l.is_empty()).map(String::from).collect()
    } else {
        line.split_whitespace().map(String::from).collect()
    }
}

fn check_time(labels: &[String]) -> Result<(), String> {
    match labels.first() {
        Some(first) if first.eq_ignore_ascii_case("time") => Ok(()),
        first => {
            Err(format!("the first column of a .sto file must be `time`, not `{}`", excerpt(first.map_or("", |l| l))))
        }
    }
}

fn read_row(content: &str, columns: usize, line: usize) -> Result<Vec<f64>, FormatError> {
    let row: Vec<f64> = content
        .split_whitespace()
        .map(number::read)
        .collect::<Result<_, _>>()
        .map_err(|m| FormatError::syntax(FORMAT, line, m))?;
    if row.len() != columns {
        return Err(FormatError::syntax(FORMAT, line, format!("{} values for {columns} labels", row.len())));
    }
    Ok(row)
}
