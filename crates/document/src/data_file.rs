//! Tables that a study reads from files: motions measured in a laboratory.

use super::reader::Reader;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use wolff_files::input;
use wolff_formats::{Table, csv, sto};
use wolff_report::folder::{base_name, sha256};
use wolff_report::outcome::InputFile;

/// Maximum length of a table \[bytes\].
const LONGEST_FILE: u64 = 256 << 20;

/// Minimum number of rows: a not-a-knot cubic spline requires four points.
const FEWEST_ROWS: usize = 4;

/// A table with one row per instant.
#[derive(Debug)]
pub(crate) struct DataFile {
    /// Description of the file for the outcome.
    pub input: InputFile,
    /// Whether angles are in degrees unless their label states another unit.
    pub in_degrees: bool,
    /// Times, increasing \[s\].
    pub times: Vec<f64>,
    /// All columns, including the time.
    pub table: Table,
}

/// What is wrong with a file, and the remedy.
pub(crate) type Refusal = (String, Option<String>);

/// Reads the table that a file parameter names, relative to the reader's folder; `None` where the path is empty.
pub(crate) fn load(reader: &mut Reader<'_>, parameter: &str, path: &str, span: &Range<usize>) -> Option<()> {
    let file = named(reader, (parameter, path), span, read)?;
    reader.given.tables.insert(parameter.into(), file);
    Some(())
}

/// Result of `read` for the file that a parameter names; `None` where the path is empty. A rejected file is recorded as
/// a diagnostic.
pub(super) fn named<T>(
    reader: &mut Reader<'_>,
    (parameter, path): (&str, &str),
    span: &Range<usize>,
    read: fn(&str, &Path, &str) -> Result<T, Refusal>,
) -> Option<Option<Arc<T>>> {
    if path.is_empty() {
        return Some(None);
    }
    match read(parameter, &reader.base_dir.join(path), path) {
        Ok(file) => Some(Some(Arc::new(file))),
        Err((message, help)) => reader.wrong(span, format!("{parameter}: {message}"), help),
    }
}

fn read(parameter: &str, path: &Path, shown: &str) -> Result<DataFile, Refusal> {
    let bytes = read_bytes(path, shown)?;
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let wrong = |cause: String| (format!("`{shown}`: {cause}"), Some("correct the file or export it again".into()));
    let (table, in_degrees, remarks) = match extension.as_str() {
        "sto" | "mot" => {
            let storage = sto::read(&bytes).map_err(|e| wrong(e.to_string()))?;
            (storage.table, storage.in_degrees, storage.remarks)
        }
        "csv" => (csv::read(&bytes).map_err(|e| wrong(e.to_string()))?, false, Vec::new()),
        _ => {
            let help =
                "supported tables are .sto and .mot (OpenSim) and .csv; the file name must have one of these endings";
            return Err((format!("`{shown}` is not a supported table"), Some(help.into())));
        }
    };
    let times = read_times(&table).map_err(|(message, help)| (format!("`{shown}`: {message}"), help))?;
    let input = InputFile { parameter: parameter.into(), name: base_name(shown), sha256: sha256(&bytes), remarks };
    Ok(DataFile { input, in_degrees, times, table })
}

pub(super) fn read_bytes(path: &Path, shown: &str) -> Result<Vec<u8>, Refusal> {
    let help = "file names in a study are relative to its folder, those given by --set to the current folder";
    let refused = |cause: String| (format!("cannot read `{shown}`: {cause}"), Some(help.into()));
    let about = std::fs::metadata(path).map_err(|e| refused(e.to_string()))?;
    if !about.is_file() {
        return Err(refused("it is not a file".into()));
    }
    if about.len() > LONGEST_FILE {
        return Err((format!("`{shown}` has {} bytes; at most {LONGEST_FILE} are supported", about.len()), None));
    }
    input::read(path).map_err(|e| refused(e.to_string()))
}

/// The column `time`: at least the minimum number of rows, finite and increasing.
fn read_times(table: &Table) -> Result<Vec<f64>, Refusal> {
    let label = table.labels().iter().find(|label| label.eq_ignore_ascii_case("time"));
    let Some(times) = label.and_then(|label| table.column(label)) else {
        return Err((
            "there is no column `time`".into(),
            Some("the times, in seconds, must be in a column with the label `time`".into()),
        ));
    };
    if times.len() < FEWEST_ROWS {
        let help = "a cubic spline requires at least four instants";
        return Err((
            format!("the table has {} rows; at least {FEWEST_ROWS} are required", times.len()),
            Some(help.into()),
        ));
    }
    if let Some(k) = times.iter().position(|t| !t.is_finite()) {
        return Err((format!("the time in data row {} is {}; it must be finite", k + 1, times[k]), None));
    }
    if let Some(k) = times.windows(2).position(|w| w[1] <= w[0]) {
        let message =
            format!("the time in data row {} is {} s, but in the row before it is {} s", k + 2, times[k + 1], times[k]);
        return Err((message, Some("times must increase from row to row; remove duplicate rows".into())));
    }
    Ok(times)
}
