//! Result folders of the dynamics commands: tables, pictures, a summary.

use crate::failure::Failure;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use wolff_formats::Table;
use wolff_formats::atomic::{self, File};
use wolff_formats::plot::{Curve, LinePlot};
use wolff_formats::sto::{self, Storage};

const SUMMARY: &str = "summary.json";
const PROGRAM: &str = "wolff dynamics";

/// Most curves in one picture.
const MOST_CURVES: usize = 8;

/// Where results go: what was asked for, or a folder of runs; none where only JSON is wanted.
pub fn chosen(out: Option<&PathBuf>, json: bool, command: &str, title: &str) -> Option<PathBuf> {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let usual = || Path::new("runs").join(format!("{command}-{}", title.chars().map(safe).collect::<String>()));
    out.cloned().or_else(|| (!json).then(usual))
}

/// Writes tables (by file name), a picture of the first of them, and the summary, all or nothing; an earlier folder is replaced, any other that
/// is not empty is refused.
pub fn write(
    folder: &Path,
    tables: &[(String, Storage)],
    picture: &Picture<'_>,
    summary: &Value,
) -> Result<(), Failure> {
    write_with(folder, tables, picture, summary, Vec::new())
}

/// The same with more files.
pub fn write_with(
    folder: &Path,
    tables: &[(String, Storage)],
    picture: &Picture<'_>,
    summary: &Value,
    mut files: Vec<File>,
) -> Result<(), Failure> {
    for (name, storage) in tables {
        files.push(File { name: name.clone(), bytes: sto::write(storage)?.into_bytes() });
    }
    if let Some((_, storage)) = tables.first() {
        files.push(File { name: picture.file.into(), bytes: picture.draw(&storage.table).into_bytes() });
    }
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).chain([SUMMARY]).collect();
    let whole = json!({ "program": PROGRAM, "files": names, "result": summary });
    files.push(File { name: SUMMARY.into(), bytes: format!("{whole:#}\n").into_bytes() });
    Ok(atomic::write_folder(folder, &files, &written_before)?)
}

/// Whether [`write`] would accept the place; asked before the work.
pub fn check(folder: &Path) -> Result<(), Failure> {
    Ok(atomic::check_replaceable(folder, &written_before)?)
}

fn written_before(folder: &Path) -> Option<Vec<String>> {
    let text = fs::read_to_string(folder.join(SUMMARY)).ok()?;
    let summary: Value = serde_json::from_str(&text).ok()?;
    if summary.get("program")?.as_str()? != PROGRAM {
        return None;
    }
    summary.get("files")?.as_array()?.iter().map(|name| name.as_str().map(String::from)).collect()
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
        let plot = LinePlot { title: self.title, x_label: "time [s]", y_label: self.y_label, curves, log_y: false };
        plot.to_svg()
    }
}
