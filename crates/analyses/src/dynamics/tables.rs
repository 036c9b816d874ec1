//! Tables of results, written row by row.

use std::path::Path;
use wolff_files::atomic::Staging;
use wolff_formats::sto::{Storage, StorageWriter};
use wolff_formats::{FormatError, Table};
use wolff_motion::MotionError;
use wolff_motion::signal::Thinned;

/// The header of a table.
#[derive(Clone, Debug)]
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

/// Tables under construction. Rows are written to disk; only the range of each column of the first table and the rows
/// for the figures remain in memory.
pub struct Tables {
    staging: Option<Staging>,
    writers: Vec<StorageWriter>,
    files: Vec<String>,
    labels: Vec<String>,
    range: Vec<[f64; 2]>,
    drawn: Thinned<Vec<f64>>,
    stop: fn() -> bool,
}

impl Tables {
    /// Begins tables in a folder; without a folder nothing is written. `stop` tells whether the user wants to stop.
    pub fn begin(folder: Option<&Path>, heads: &[Head], stop: fn() -> bool) -> Result<Self, MotionError> {
        let staging = folder.map(Staging::beside).transpose().map_err(FormatError::from)?;
        let mut writers = Vec::new();
        for head in heads {
            let Some(staging) = &staging else { break };
            let path = staging.path().join(&head.file);
            writers.push(StorageWriter::create(&path, &head.name, head.in_degrees, head.labels.clone())?);
        }
        let labels = heads.first().map(|h| h.labels.clone()).unwrap_or_default();
        let range = vec![[f64::INFINITY, f64::NEG_INFINITY]; labels.len()];
        let files = heads.iter().map(|h| h.file.clone()).collect();
        Ok(Tables { staging, writers, files, labels, range, drawn: Thinned::default(), stop })
    }

    /// Complete tables.
    pub fn of(folder: Option<&Path>, tables: &[(String, Storage)], stop: fn() -> bool) -> Result<Self, MotionError> {
        let head = |(file, s): &(String, Storage)| Head {
            file: file.clone(),
            name: s.name.clone(),
            in_degrees: s.in_degrees,
            labels: s.table.labels().to_vec(),
        };
        let mut out = Self::begin(folder, &tables.iter().map(head).collect::<Vec<_>>(), stop)?;
        for (k, (_, storage)) in tables.iter().enumerate() {
            for row in storage.table.rows() {
                out.push_to(k, row)?;
            }
        }
        Ok(out)
    }

    /// Adds a row to each table, in their order.
    pub fn push(&mut self, rows: &[&[f64]]) -> Result<(), MotionError> {
        if (self.stop)() {
            return Err(MotionError::Stopped);
        }
        rows.iter().enumerate().try_for_each(|(k, row)| self.push_to(k, row))
    }

    fn push_to(&mut self, table: usize, row: &[f64]) -> Result<(), MotionError> {
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

    /// The rows of the first table that are drawn; `None` without columns.
    pub fn drawn(&self) -> Result<Option<Table>, MotionError> {
        let rows = self.drawn.kept().to_vec();
        Ok(if self.labels.is_empty() { None } else { Some(Table::new(self.labels.clone(), rows)?) })
    }

    /// Instants that are drawn \[s\].
    pub fn drawn_times(&self) -> Vec<f64> {
        self.drawn.kept().iter().filter_map(|row| row.first().copied()).collect()
    }

    /// Remark on a long trial.
    pub fn remark(&self) -> Option<String> {
        let every = self.drawn.every();
        (every > 1)
            .then(|| format!("the trial is long: figures show every {every}th instant, tables contain all instants"))
    }

    /// Completes the files and returns their folder and names. Of a failed analysis the names end in `.failed`, so that
    /// no other program takes them for results.
    pub fn finish(self, failed: bool) -> Result<(Option<Staging>, Vec<String>), MotionError> {
        for writer in self.writers {
            writer.finish()?;
        }
        let mut files = self.files;
        if let Some(staging) = self.staging.as_ref().filter(|_| failed) {
            for file in &mut files {
                let name = format!("{file}.failed");
                let [from, to] = [&*file, &name].map(|n| staging.path().join(n));
                std::fs::rename(&from, &to).map_err(|e| FormatError::io("rename", &from, e))?;
                *file = name;
            }
        }
        Ok((self.staging, files))
    }
}
