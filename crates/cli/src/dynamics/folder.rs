//! Result folders of the dynamics commands: tables, pictures, a summary.

use super::inputs::Loaded;
use super::stream::Tables;
use crate::failure::Failure;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use wolff_files::atomic::{self, File};
use wolff_formats::Table;
use wolff_formats::plot::{Curve, LinePlot};
use wolff_motion::signal::{FootCycles, over_cycle};

const SUMMARY: &str = "summary.json";
const PROGRAM: &str = "wolff dynamics";

/// Maximum number of curves in one picture.
const MOST_CURVES: usize = 8;

/// Folder for the results: the given one, or the default in `runs`; `None` if only JSON is requested.
pub fn chosen(out: Option<&PathBuf>, json: bool, command: &str, title: &str) -> Option<PathBuf> {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let usual = || Path::new("runs").join(format!("{command}-{}", title.chars().map(safe).collect::<String>()));
    out.cloned().or_else(|| (!json).then(usual))
}

/// Completes the folder of tables with additional files, a picture of the first table over time and, if there is a gait
/// cycle, over the cycle, and the summary: completely or not at all. A folder of an earlier run is replaced; any other
/// folder that is not empty is refused.
pub fn write(
    folder: &Path,
    tables: Tables,
    more: &[File],
    picture: &Picture<'_>,
    loaded: &Loaded,
    summary: &Value,
) -> Result<(), Failure> {
    let times = tables.drawn_times();
    let (Some(staging), tables, drawn) = tables.finish()? else { return Ok(()) };
    let mut names = Vec::new();
    let mut add = |name: &str, bytes: &[u8]| {
        names.push(name.to_string());
        staging.write(name, bytes)
    };
    for file in more {
        add(&file.name, &file.bytes)?;
    }
    let mut pictures = Vec::new();
    if let Some(table) = drawn {
        pictures.push((picture.file.to_string(), picture.draw(&table)));
        let cycle = picture.draw_cycle(&table, &loaded.feet(&times));
        pictures.extend(cycle.map(|text| (picture.file.replace(".svg", "_cycle.svg"), text)));
    }
    for (name, text) in &pictures {
        add(name, text.as_bytes())?;
    }
    // additional files first, then tables, then pictures
    names.splice(more.len()..more.len(), tables);
    names.push(SUMMARY.into());
    let whole = json!({ "program": PROGRAM, "files": names, "result": summary });
    staging.write(SUMMARY, format!("{whole:#}\n").as_bytes())?;
    Ok(staging.replace(folder, &written_before)?)
}

/// Checks before the computation whether [`write`] can write to the folder.
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

/// The curves of a table with the largest range.
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
    /// The curves with the largest range, by label.
    fn farthest(&self, table: &Table) -> Vec<(String, Vec<(f64, f64)>)> {
        let times = table.column("time").unwrap_or_default();
        let reach = |points: &[(f64, f64)]| points.iter().fold(0.0_f64, |m, p| m.max(p.1.abs()));
        let labels = table.labels().iter().skip(1).filter(|l| (self.takes)(l));
        let mut drawn: Vec<(String, Vec<(f64, f64)>)> = labels
            .filter_map(|label| Some((label.clone(), times.iter().copied().zip(table.column(label)?).collect())))
            .collect();
        drawn.sort_by(|a, b| reach(&b.1).total_cmp(&reach(&a.1)));
        drawn.truncate(MOST_CURVES);
        drawn
    }

    fn draw(&self, table: &Table) -> String {
        self.plot(self.title, "time [s]", &self.farthest(table))
    }

    /// The same curves over the gait cycle; `None` where there is no gait cycle.
    fn draw_cycle(&self, table: &Table, feet: &[FootCycles]) -> Option<String> {
        let labels: Vec<String> = self.farthest(table).into_iter().map(|(label, _)| label).collect();
        let curves = over_cycle(table, feet, &labels);
        let title = format!("{}, mean of the gait cycles", self.title);
        (!curves.is_empty()).then(|| self.plot(&title, "gait cycle [%]", &curves))
    }

    fn plot(&self, title: &str, x_label: &str, drawn: &[(String, Vec<(f64, f64)>)]) -> String {
        let curves = drawn.iter().map(|(label, points)| Curve { label, points }).collect();
        LinePlot { title, x_label, y_label: self.y_label, curves, log_y: false }.to_svg()
    }
}
