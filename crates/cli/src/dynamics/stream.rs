//! Tables of results, written row by row.

use crate::failure::Failure;
use crate::interrupt;
use std::path::Path;
use wolff_files::atomic::Staging;
use wolff_formats::Table;
use wolff_formats::sto::{Storage, StorageWriter};
use wolff_motion::signal::Thinned;

/// The header of a table.
pub struct Head {
    /// File name.
    pub file: String,
    /// Name in the first line of the file.
    pub name: String,
    /// Whether angles are in degrees.
    pub in_degrees: bool,
    /// Labels, `time` first.
    pub labels: Vec<String>,
}

/// The folder of the tables, their names, and the data of the picture.
pub type Finished = (Option<Staging>, Vec<String>, Option<Table>);

/// Tables under construction. Rows are written to disk; only the range of each column of the first table and the rows
/// for the picture remain in memory.
pub struct Tables {
    staging: Option<Staging>,
    writers: Vec<StorageWriter>,
    files: Vec<String>,
    labels: Vec<String>,
    range: Vec<[f64; 2]>,
    drawn: Thinned<Vec<f64>>,
}

impl Tables {
    /// Begins tables in a folder; without a folder nothing is written.
    pub fn begin(folder: Option<&Path>, heads: &[Head]) -> Result<Self, Failure> {
        let staging = folder.map(Staging::beside).transpose()?;
        if staging.is_some() {
            interrupt::install_handler();
        }
        let mut writers = Vec::new();
        for head in heads {
            let Some(staging) = &staging else { break };
            let path = staging.path().join(&head.file);
            writers.push(StorageWriter::create(&path, &head.name, head.in_degrees, head.labels.clone())?);
        }
        let labels = heads.first().map(|h| h.labels.clone()).unwrap_or_default();
        let range = vec![[f64::INFINITY, f64::NEG_INFINITY]; labels.len()];
        let files = heads.iter().map(|h| h.file.clone()).collect();
        Ok(Tables { staging, writers, files, labels, range, drawn: Thinned::default() })
    }

    /// Creates it from complete tables.
    pub fn of(folder: Option<&Path>, tables: &[(String, Storage)]) -> Result<Self, Failure> {
        let head = |(file, s): &(String, Storage)| Head {
            file: file.clone(),
            name: s.name.clone(),
            in_degrees: s.in_degrees,
            labels: s.table.labels().to_vec(),
        };
        let mut out = Self::begin(folder, &tables.iter().map(head).collect::<Vec<_>>())?;
        for (k, (_, storage)) in tables.iter().enumerate() {
            for row in storage.table.rows() {
                out.push_to(k, row)?;
            }
        }
        Ok(out)
    }

    /// Adds a row to each table, in their order.
    pub fn push(&mut self, rows: &[&[f64]]) -> Result<(), Failure> {
        if interrupt::stop_requested() {
            return Err(Failure::Stopped);
        }
        rows.iter().enumerate().try_for_each(|(k, row)| self.push_to(k, row))
    }

    fn push_to(&mut self, table: usize, row: &[f64]) -> Result<(), Failure> {
        if table == 0 {
            for ([low, high], x) in self.range.iter_mut().zip(row) {
                (*low, *high) = (low.min(*x), high.max(*x));
            }
            self.drawn.add(|| row.to_vec());
        }
        if let Some(writer) = self.writers.get_mut(table) {
            writer.push(row)?;
        }
        Ok(())
    }

    /// Minimum and maximum of each column of the first table except the time.
    pub fn ranges(&self) -> impl Iterator<Item = (&String, [f64; 2])> {
        self.labels.iter().zip(self.range.iter().copied()).skip(1)
    }

    /// Instants that are drawn [s].
    pub fn drawn_times(&self) -> Vec<f64> {
        self.drawn.kept().iter().filter_map(|row| row.first().copied()).collect()
    }

    /// Remark on a long trial.
    pub fn remark(&self) -> Option<String> {
        let every = self.drawn.every();
        (every > 1)
            .then(|| format!("the trial is long: pictures show every {every}th instant, tables contain all instants"))
    }

    /// Completes the files. Returns their folder, their names, and the part of the first table to draw; `None` without
    /// columns.
    pub fn finish(self) -> Result<Finished, Failure> {
        for writer in self.writers {
            writer.finish()?;
        }
        let rows = self.drawn.kept().to_vec();
        let drawn = if self.labels.is_empty() { None } else { Some(Table::new(self.labels, rows)?) };
        Ok((self.staging, self.files, drawn))
    }
}
