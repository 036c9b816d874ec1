//! Comma-separated tables (`.csv`): one line of labels, then rows of numbers.
//!
//! Source: RFC 4180. Written with commas and `\n` line ends; read with commas, semicolons or tabs between fields,
//! `\n` or `\r\n`. Spreadsheets of countries with a decimal comma write semicolons.

use crate::number::{self, excerpt};
use crate::{FormatError, Table};
use std::borrow::Cow;
use wolff_files::text::printable;

const FORMAT: &str = ".csv";

/// The text of a CSV file; labels are quoted when they need it, and marked where a spreadsheet would compute them.
pub fn write(table: &Table) -> String {
    let labels: Vec<String> = table.labels().iter().map(|l| quote(l)).collect();
    let mut out = labels.join(",");
    out.push('\n');
    out.reserve(number::USUAL_WIDTH * table.labels().len() * table.rows().len());
    table.rows().iter().for_each(|row| number::push_row(&mut out, row, ','));
    out
}

/// The text of a CSV file whose fields may be words; fields are quoted when they need it.
pub fn write_records(records: &[Vec<String>]) -> String {
    let line = |fields: &Vec<String>| fields.iter().map(|f| quote(f)).collect::<Vec<_>>().join(",") + "\n";
    records.iter().map(line).collect()
}

/// Reads a CSV file of numbers under one line of labels; an empty field is `NaN`, a gap. The separator is found in the
/// line of labels; where it is not a comma, numbers may have decimal commas. Where the first line contains only numbers
/// there are no labels, and columns are called `column 1`, `column 2` and so on.
pub fn read(bytes: &[u8]) -> Result<Table, FormatError> {
    let text = number::text(bytes).map_err(|(line, m)| FormatError::syntax(FORMAT, line, m))?;
    let records = records_between(text, separator(text))?;
    let first = records
        .first()
        .ok_or_else(|| FormatError::syntax(FORMAT, 1, "the file is empty; the first line holds the labels"))?;
    let unlabelled = first.fields.iter().all(|f| number::read(f.trim()).is_ok());
    let labels: Vec<String> = if unlabelled {
        (1..=first.fields.len()).map(|i| format!("column {i}")).collect()
    } else {
        first.fields.iter().map(|f| unmarked(f.trim()).to_string()).collect()
    };
    let rows = records.iter().skip(usize::from(!unlabelled));
    let rows = rows.map(|record| read_row(record, labels.len())).collect::<Result<_, _>>()?;
    Table::new(labels, rows).map_err(|e| FormatError::syntax(FORMAT, first.line, e.to_string()))
}

fn read_row(record: &Record, columns: usize) -> Result<Vec<f64>, FormatError> {
    if record.fields.len() != columns {
        return Err(FormatError::syntax(
            FORMAT,
            record.line,
            format!("{} values for {columns} labels", record.fields.len()),
        ));
    }
    let number = |field: &String| match field.trim() {
        "" => Ok(f64::NAN),
        text => number::read(text),
    };
    record.fields.iter().map(number).collect::<Result<_, _>>().map_err(|m| FormatError::syntax(FORMAT, record.line, m))
}

/// Mark before a text that a spreadsheet would take for a formula; spreadsheets do not show it.
const TEXT_MARK: char = '\'';

/// The field, marked as text where a spreadsheet would compute it: names in files of others may begin with `=`. A field
/// that has such a mark already gets another one, so that it reads back.
fn harmless(field: &str) -> Cow<'_, str> {
    let bare = field.trim().trim_start_matches(TEXT_MARK);
    let is_formula = match bare.chars().next() {
        Some('=' | '@') => true,
        Some('+' | '-') => bare.len() > 1 && bare.parse::<f64>().is_err(),
        _ => false,
    };
    if is_formula { format!("{TEXT_MARK}{field}").into() } else { field.into() }
}

/// The label without the mark of [`harmless`].
fn unmarked(label: &str) -> &str {
    match label.strip_prefix(TEXT_MARK) {
        Some(rest) if harmless(rest) != rest => rest,
        _ => label,
    }
}

/// A field that contains a comma, quote, line break or outer space is quoted, and its quotes are doubled.
fn quote(field: &str) -> String {
    let field = printable(&harmless(field)).into_owned();
    if field.contains([',', '"', '\n', '\r']) || field.trim() != field.as_str() {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

/// The fields of one record and the line it starts on.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Line number, from 1.
    pub line: usize,
    /// Fields without their quotes.
    pub fields: Vec<String>,
}

/// The separator of a table: the one in its first visible line outside of quotes.
fn separator(text: &str) -> char {
    let first = text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default();
    let outside: String = first.split('"').step_by(2).collect();
    [',', ';', '\t'].into_iter().find(|&c| outside.contains(c)).unwrap_or(',')
}

/// Splits a text into records at commas; blank lines are skipped, quoted fields may span lines.
pub fn records(text: &str) -> Result<Vec<Record>, FormatError> {
    records_between(text, ',')
}

/// Splits a text into records at that separator.
pub fn records_between(text: &str, separator: char) -> Result<Vec<Record>, FormatError> {
    let mut out = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while !rest.is_empty() {
        let start = line;
        let mut fields = Vec::new();
        loop {
            let (field, after) = take_field(rest, separator, &mut line)?;
            fields.push(field);
            match after.strip_prefix(separator) {
                Some(next) => rest = next,
                None => {
                    rest = skip_line_end(after);
                    line += 1;
                    break;
                }
            }
        }
        if fields.len() > 1 || fields.iter().any(|f| !f.trim().is_empty()) {
            out.push(Record { line: start, fields });
        }
    }
    Ok(out)
}

/// One field and what follows it, which is empty or starts with a separator or a line end.
fn take_field<'a>(text: &'a str, separator: char, line: &mut usize) -> Result<(String, &'a str), FormatError> {
    let Some(mut rest) = text.strip_prefix('"') else {
        let end = text.find([separator, '\n']).unwrap_or(text.len());
        let (field, after) = text.split_at(end);
        return match field.strip_suffix('\r').unwrap_or(field) {
            field if field.contains('"') => Err(FormatError::syntax(
                FORMAT,
                *line,
                format!("a quote inside the unquoted field `{}`", excerpt(field)),
            )),
            field => Ok((field.into(), after)),
        };
    };
    let opened = *line;
    let mut field = String::new();
    loop {
        let Some((part, after)) = rest.split_once('"') else {
            return Err(FormatError::syntax(FORMAT, opened, "a quoted field is never closed"));
        };
        field.push_str(part);
        *line += part.matches('\n').count();
        match after.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                rest = more;
            }
            None => {
                rest = after;
                break;
            }
        }
    }
    let at_end = rest.is_empty() || rest.starts_with([separator, '\n']) || rest.starts_with("\r\n") || rest == "\r";
    if at_end {
        Ok((field, rest))
    } else {
        Err(FormatError::syntax(FORMAT, *line, format!("text after a closing quote; a `{separator}` is missing")))
    }
}

fn skip_line_end(text: &str) -> &str {
    let text = text.strip_prefix('\r').unwrap_or(text);
    text.strip_prefix('\n').unwrap_or(text)
}
