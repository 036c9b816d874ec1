//! A storage file written row by row.

use super::head;
use crate::{FormatError, Table, number};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a storage file one row at a time, so that no rows are kept in memory. The header contains the number of rows,
/// so the rows are first written to a separate file (the name and `.rows`) until [`StorageWriter::finish`]; for a
/// folder that nobody looks into yet, such as a [`wolff_files::atomic::Staging`].
#[derive(Debug)]
pub struct StorageWriter {
    path: PathBuf,
    waiting: PathBuf,
    name: String,
    in_degrees: bool,
    labels: Vec<String>,
    body: BufWriter<File>,
    text: String,
    rows: usize,
}

impl StorageWriter {
    /// Begins a file; errors as in [`super::write`].
    pub fn create(path: &Path, name: &str, in_degrees: bool, labels: Vec<String>) -> Result<Self, FormatError> {
        // labels by the rules of tables
        Table::new(labels.clone(), Vec::new())?;
        head(name, in_degrees, &labels, 0)?;
        let mut waiting = path.as_os_str().to_owned();
        waiting.push(".rows");
        let waiting = PathBuf::from(waiting);
        let body = File::create_new(&waiting).map_err(|e| FormatError::io("write", &waiting, e))?;
        let (path, name, body) = (path.into(), name.into(), BufWriter::new(body));
        Ok(StorageWriter { path, waiting, name, in_degrees, labels, body, text: String::new(), rows: 0 })
    }

    /// Adds a row, as long as the labels.
    pub fn push(&mut self, row: &[f64]) -> Result<(), FormatError> {
        self.rows += 1;
        if row.len() != self.labels.len() {
            let (rows, found, wanted) = (self.rows, row.len(), self.labels.len());
            return Err(FormatError::Table(format!("row {rows} has {found} values for {wanted} columns")));
        }
        self.text.clear();
        number::push_row(&mut self.text, row, '\t');
        self.body.write_all(self.text.as_bytes()).map_err(|e| FormatError::io("write", &self.waiting, e))
    }

    /// Puts the header before the rows.
    pub fn finish(mut self) -> Result<(), FormatError> {
        let text = head(&self.name, self.in_degrees, &self.labels, self.rows)?;
        let mut join = || -> io::Result<()> {
            self.body.flush()?;
            let mut whole = BufWriter::new(File::create_new(&self.path)?);
            whole.write_all(text.as_bytes())?;
            io::copy(&mut BufReader::new(File::open(&self.waiting)?), &mut whole)?;
            whole.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
        };
        join().map_err(|e| FormatError::io("write", &self.path, e))?;
        fs::remove_file(&self.waiting).map_err(|e| FormatError::io("remove", &self.waiting, e))
    }
}
