//! Result folders of the dynamics commands: tables, pictures, a summary.

use crate::failure::Failure;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use wolff_formats::plot::{Curve, LinePlot};
use wolff_formats::sto::{self, Storage};
use wolff_formats::{FormatError, Table};

/// Most curves in one picture.
const MOST_CURVES: usize = 8;

/// Where results go: what was asked for, or a folder of runs; none where only JSON is wanted.
pub fn chosen(out: Option<&PathBuf>, json: bool, command: &str, title: &str) -> Option<PathBuf> {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let usual = || Path::new("runs").join(format!("{command}-{}", title.chars().map(safe).collect::<String>()));
    out.cloned().or_else(|| (!json).then(usual))
}

/// Writes tables (by file name), a picture of the first of them, and the summary.
pub fn write(
    folder: &Path,
    tables: &[(String, Storage)],
    picture: &Picture<'_>,
    summary: &Value,
) -> Result<(), Failure> {
    make(folder)?;
    for (name, storage) in tables {
        put(&folder.join(name), &sto::write(storage)?)?;
    }
    if let Some((_, storage)) = tables.first() {
        put(&folder.join(picture.file), &picture.draw(&storage.table))?;
    }
    put(&folder.join("summary.json"), &format!("{summary:#}\n"))
}

/// The curves of a table that reach farthest.
pub struct Picture<'a> {
    /// File name.
    pub file: &'a str,
    /// Title.
    pub title: &'a str,
    /// Label of the vertical axis.
    pub y_label: &'a str,
    /// Which columns may be drawn.
    pub takes: &'a dyn Fn(&str) -> bool,
}

impl Picture<'_> {
    fn draw(&self, table: &Table) -> String {
        let times = table.column("time").unwrap_or_default();
        let reach = |points: &[(f64, f64)]| points.iter().fold(0.0_f64, |m, p| m.max(p.1.abs()));
        let labels = table.labels().iter().skip(1).filter(|l| (self.takes)(l));
        let mut drawn: Vec<(&String, Vec<(f64, f64)>)> = labels
            .filter_map(|label| Some((label, times.iter().copied().zip(table.column(label)?).collect())))
            .collect();
        drawn.sort_by(|a, b| reach(&b.1).total_cmp(&reach(&a.1)));
        drawn.truncate(MOST_CURVES);
        let curves = drawn.iter().map(|(label, points)| Curve { label, points }).collect();
        let plot =
            LinePlot { title: self.title, x_label: "time [s]", y_label: self.y_label, curves, log_y: false };
        plot.to_svg()
    }
}

fn make(folder: &Path) -> Result<(), Failure> {
    Ok(fs::create_dir_all(folder).map_err(|e| FormatError::io("write", folder, e))?)
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(fs::write(path, text).map_err(|e| FormatError::io("write", path, e))?)
}
