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
//! Files of OpenSim 4 may hold vectors or quaternions in a cell (`DataType=Vec3`, cells `x,y,z`); they are read as
//! columns `name_1`, `name_2`, ….
//!
//! Source: OpenSim documentation, "Storage (.sto) Files" and "Motion (.mot) Files".

mod header;
mod rows;
mod stream;

use crate::number::{self, excerpt};
use crate::{FormatError, Table};
use header::Header;
pub use stream::StorageWriter;
use wolff_files::text::on_one_line;

pub(crate) const FORMAT: &str = ".sto";

/// A storage file.
#[derive(Clone, Debug, PartialEq)]
pub struct Storage {
    /// Name in the first line.
    pub name: String,
    /// Whether rotations are in degrees (radians otherwise). Where a header does not say, they are in radians, but
    /// in degrees in SIMM's motion files (`datacolumns`, `datarows`), which never held anything else.
    pub in_degrees: bool,
    /// The numbers; the first column is `time` \[s\].
    pub table: Table,
    /// Remarks for the user; not written.
    pub remarks: Vec<String>,
}

/// The text of a storage file.
///
/// A first column that is not `time` and a name that is not one visible line are errors.
pub fn write(storage: &Storage) -> Result<String, FormatError> {
    let Storage { name, in_degrees, table, .. } = storage;
    let mut out = head(name, *in_degrees, table.labels(), table.rows().len())?;
    out.reserve(number::USUAL_WIDTH * table.labels().len() * table.rows().len());
    table.rows().iter().for_each(|row| number::push_row(&mut out, row, '\t'));
    Ok(out)
}

/// Header and labels.
fn head(name: &str, in_degrees: bool, labels: &[String], rows: usize) -> Result<String, FormatError> {
    if name.trim().is_empty() || name.contains(['\n', '\r', '=']) {
        return Err(FormatError::Table(format!(
            "the name {name:?} cannot be the first line of a .sto file; use one line of text without `=`"
        )));
    }
    check_time(labels).map_err(FormatError::Table)?;
    // names of others may hold characters that control a terminal
    let (name, labels): (_, Vec<_>) = (on_one_line(name), labels.iter().map(|l| on_one_line(l)).collect());
    Ok(format!(
        "{name}\nversion=1\nnRows={rows}\nnColumns={}\ninDegrees={}\nendheader\n{}\n",
        labels.len(),
        if in_degrees { "yes" } else { "no" },
        labels.join("\t")
    ))
}

/// Treatment of rows whose time is not later than that of the previous row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimePolicy {
    /// Keep every row, with a remark where time repeats or decreases.
    #[default]
    Remark,
    /// Return an error with the line.
    Refuse,
    /// Keep the first of rows of the same time, drop those that go back, with a remark.
    KeepFirst,
}

/// The text of a storage file whose cells hold `components` numbers each, written from columns `name_1` … `name_n`.
///
/// `data_type` is OpenSim's word for them: `Vec3` (3), `Quaternion` (4), `SpatialVec` (6).
pub fn write_typed(storage: &Storage, data_type: &str) -> Result<String, FormatError> {
    let components = header::components(data_type)
        .ok_or_else(|| FormatError::Table(format!("`{data_type}` is not a column type; use Vec3 or Quaternion")))?;
    let labels = grouped_labels(storage.table.labels(), components)?;
    let mut out = format!(
        "{}\nDataType={data_type}\nversion=3\nnRows={}\nnColumns={}\ninDegrees={}\nendheader\n{}\n",
        storage.name,
        storage.table.rows().len(),
        labels.len(),
        if storage.in_degrees { "yes" } else { "no" },
        labels.join("\t")
    );
    for row in storage.table.rows() {
        let (time, values) = row.split_first().unwrap_or((&f64::NAN, &[]));
        number::push(&mut out, *time);
        for cell in values.chunks(components) {
            for (k, x) in cell.iter().enumerate() {
                out.push(if k == 0 { '\t' } else { ',' });
                number::push(&mut out, *x);
            }
        }
        out.push('\n');
    }
    Ok(out)
}

/// `time` and one label for each group of `name_1` … `name_n`.
fn grouped_labels(labels: &[String], components: usize) -> Result<Vec<String>, FormatError> {
    check_time(labels).map_err(FormatError::Table)?;
    let mut grouped = vec!["time".to_string()];
    for group in labels.get(1..).unwrap_or_default().chunks(components) {
        let stem = group.first().and_then(|l| l.strip_suffix("_1")).unwrap_or_default();
        let whole =
            group.len() == components && group.iter().enumerate().all(|(i, l)| *l == format!("{stem}_{}", i + 1));
        if !whole {
            return Err(FormatError::Table(format!(
                "the columns from `{}` on are not `name_1` to `name_{components}`",
                group.first().map_or("", |l| l)
            )));
        }
        grouped.push(stem.into());
    }
    Ok(grouped)
}

/// Reads a storage file, keeping rows whose time does not advance ([`TimePolicy::Remark`]).
///
/// Takes any line ends, tabs, spaces or commas between numbers, decimal commas, quoted cells, headers without `version`
/// or counts, the `datarows`/`datacolumns` words of motion files, and blank lines. Files made by hand often have wrong
/// counts in the header, so the table is used, with a remark in [`Storage::remarks`]. An empty cell between tabs and
/// `NaN` are read as `NaN`, a gap; its meaning is up to the caller. A row without a time is an error.
pub fn read(bytes: &[u8]) -> Result<Storage, FormatError> {
    read_with(bytes, TimePolicy::Remark)
}

/// Reads a storage file as [`read`] does, with that policy for times that do not advance.
pub fn read_with(bytes: &[u8], policy: TimePolicy) -> Result<Storage, FormatError> {
    let text = number::text(bytes).map_err(|(line, m)| FormatError::syntax(FORMAT, line, m))?;
    let mut lines = number::lines(text);
    let header = Header::read(&mut lines)?;
    let mut body = lines.filter(|(_, l)| !l.trim().is_empty());

    let (label_line, labels) =
        body.next().ok_or_else(|| FormatError::syntax(FORMAT, header.end, "no labels after `endheader`"))?;
    let layout = rows::Layout::new(labels, header.components);
    check_time(&layout.labels).map_err(|m| FormatError::syntax(FORMAT, label_line, m))?;
    let body = rows::read(&mut body, &layout, policy, text.ends_with(['\n', '\r']))?;

    let mut remarks = header.remarks(body.found, layout.labels.len());
    remarks.extend(body.remarks);
    let labels = layout.flat_labels();
    remarks.extend(repeated_labels(&labels));
    let table = Table::new(labels, body.rows).map_err(|e| FormatError::syntax(FORMAT, label_line, e.to_string()))?;
    Ok(Storage { name: header.name, in_degrees: header.in_degrees, table, remarks })
}

fn repeated_labels(labels: &[String]) -> Option<String> {
    let mut sorted: Vec<&String> = labels.iter().collect();
    sorted.sort();
    let twice = sorted.windows(2).find_map(|pair| match pair {
        [a, b] if a == b => Some(*a),
        _ => None,
    })?;
    Some(format!("the label `{}` belongs to more than one column; only the first is found by name", excerpt(twice)))
}

fn check_time(labels: &[String]) -> Result<(), String> {
    match labels.first() {
        Some(first) if first.eq_ignore_ascii_case("time") => Ok(()),
        first => {
            Err(format!("the first column of a .sto file must be `time`, not `{}`", excerpt(first.map_or("", |l| l))))
        }
    }
}
