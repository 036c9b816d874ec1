//! The run folder: the outcome of a study as files that other programs can read.
//!
//! | file | content |
//! |---|---|
//! | `report.html` | the whole outcome on one self-contained page |
//! | `summary.json` | results, comparisons, warnings, timing |
//! | `provenance.json` | program, version, input hashes, settings, and the list of files |
//! | `resume.bin` | the checkpoint from which a stopped run is resumed, only of partial runs |
//! | `NAME.sto` | each time series, for OpenSim; on request as `NAME.csv` instead or in addition |
//! | `NAME.csv` | each series over something else than time, each table of results next to published ones |
//! | `NAME.svg` | each plot, each drawing of a mechanism and each strip of stick figures |
//! | `loads/SEGMENT/…` | all loads on a bone, its mesh and its reduced body, with a README, only of walks |
//! | `BODY.pvd`, `BODY-0000.vtu` and so on | displacement and strain on the surface of a body, for ParaView |
//!
//! The folder is written completely or not at all, and the same run gives the same bytes: only `timing` in
//! `summary.json` differs.

use crate::json::{self, Timing};
use crate::naming;
use crate::outcome::{FieldSeries, InputFile, Outcome, Plot, Series, SeriesFormat, Status, Strip};
use crate::page::{self, Figure, Moving, Origin};
use crate::pressure::{pressure_svg, pressure_vtu};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use wolff_bone::flexible::strain_field::strain_series;
use wolff_files::FileError;
use wolff_files::atomic::{self, File, Staging};
use wolff_formats::sto::{self, Storage};
use wolff_formats::{FormatError, Table, csv};
use wolff_plots::{Band, Curve, LinePlot, StripPlot};

const PROGRAM: &str = "wolff";
const PROVENANCE: &str = "provenance.json";
/// Checkpoint file from which a stopped run is resumed.
pub const RESUME: &str = "resume.bin";
const REPORT: &str = "report.html";
const SUMMARY: &str = "summary.json";

/// Provenance of a run.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// Name of the study file, or of the command.
    name: String,
    /// SHA-256 of the study; `None` of a command.
    study_hash: Option<String>,
    settings: Value,
    overrides: Vec<(String, String)>,
}

impl Provenance {
    /// Provenance of a study text; `study_file` is stored without its folder, so that it contains no path of the
    /// machine.
    pub fn new(study_file: &str, text: &str, overrides: &[(String, String)]) -> Self {
        let settings = toml::from_str::<toml::Table>(text).ok().and_then(|table| serde_json::to_value(table).ok());
        Self {
            name: base_name(study_file),
            study_hash: Some(sha256(text.as_bytes())),
            settings: settings.unwrap_or_default(),
            overrides: overrides.to_vec(),
        }
    }

    /// Provenance of a command with its options; options that name files have their file name only.
    pub fn of_command(command: &str, options: &[(String, String)]) -> Self {
        Self { name: command.into(), study_hash: None, settings: Value::Null, overrides: options.to_vec() }
    }

    /// The provenance for the page, with the study and the files that it read as inputs.
    fn origin(&self, read: &[InputFile]) -> Origin<'_> {
        let study = self.study_hash.clone().map(|hash| (self.name.clone(), hash));
        let mut inputs: Vec<(String, String)> = study.into_iter().collect();
        for file in read.iter().map(|file| (file.name.clone(), file.sha256.clone())) {
            // the study is read as a file too, and two parameters may name one file
            if !inputs.contains(&file) {
                inputs.push(file);
            }
        }
        Origin {
            program: PROGRAM,
            version: env!("CARGO_PKG_VERSION"),
            inputs,
            settings: &self.settings,
            overrides: self.shown_overrides(read),
        }
    }

    /// The overrides; file parameters by file name only, since folders are paths of the machine.
    fn shown_overrides(&self, read: &[InputFile]) -> Vec<(String, String)> {
        let shown = |(key, value): &(String, String)| match read.iter().any(|file| file.parameter == *key) {
            true => (key.clone(), base_name(value)),
            false => (key.clone(), value.clone()),
        };
        self.overrides.iter().map(shown).collect()
    }

    /// The provenance as JSON, with the study and the files that it read as inputs; `files` are the files written.
    fn to_json(&self, read: &[InputFile], files: &[String]) -> Value {
        let origin = self.origin(read);
        let inputs: Vec<Value> =
            origin.inputs.iter().map(|(name, hash)| json!({ "name": name, "sha256": hash })).collect();
        let overrides: Map<String, Value> =
            origin.overrides.into_iter().map(|(key, value)| (key, value.into())).collect();
        json!({
            "program": PROGRAM,
            "version": origin.version,
            if self.study_hash.is_some() { "study_file" } else { "command" }: self.name,
            "inputs": inputs,
            "settings": self.settings,
            "overrides": overrides,
            "files": files,
        })
    }
}

/// Writes the run folder. An earlier run folder at the same place is replaced; any other existing folder or file is an
/// error.
pub fn write_run_folder(
    folder: &Path,
    outcome: &Outcome,
    provenance: &Provenance,
    timing: &Timing,
) -> Result<(), FormatError> {
    check_run_folder(folder)?;
    complete_run_folder(Staging::beside(folder)?, &[], folder, outcome, provenance, timing)
}

/// Writes the run folder like [`write_run_folder`], with files that were written to a staging folder during the run.
pub fn complete_run_folder(
    staging: Staging,
    streamed: &[String],
    folder: &Path,
    outcome: &Outcome,
    provenance: &Provenance,
    timing: &Timing,
) -> Result<(), FormatError> {
    let mut files = Files::new();
    files.taken.extend(streamed.iter().map(|name| name.to_lowercase()));
    for series in &outcome.series {
        files.add_series(series, outcome.series_format)?;
    }
    for table in &outcome.tables {
        let stem = files.free_stem(&table.name, &["csv"]);
        files.add(format!("{stem}.csv"), csv::write_records(&table.records()));
    }
    let figures = files.add_figures(outcome)?;
    for field in &outcome.fields {
        files.add_field(folder, field)?;
    }
    for file in &outcome.files {
        files.add_bytes(file.name.clone(), file.bytes.clone());
    }
    if let Some(resume) = &outcome.resume {
        files.add_bytes(RESUME.into(), resume.clone());
    }
    files.add(SUMMARY.into(), pretty(&json::report(outcome, timing)));
    let mut names: Vec<String> = streamed.iter().cloned().chain(files.all.iter().map(|f| f.name.clone())).collect();
    names.extend([REPORT.into(), PROVENANCE.into()]);
    files.add(REPORT.into(), page::page(outcome, &provenance.origin(&outcome.inputs), &figures, &names));
    files.add(PROVENANCE.into(), pretty(&provenance.to_json(&outcome.inputs, &names)));
    atomic::check_names(folder, &files.all)?;
    for file in &files.all {
        staging.write(&file.name, &file.bytes)?;
    }
    Ok(staging.replace(folder, &written_before)?)
}

/// Checks whether [`write_run_folder`] would accept the place; to be called before a long run.
pub fn check_run_folder(folder: &Path) -> Result<(), FormatError> {
    Ok(atomic::check_replaceable(folder, &written_before)?)
}

/// Whether the folder holds a run that neither ended early nor failed.
pub fn holds_finished_run(folder: &Path) -> bool {
    let unfinished = [Status::Partial.word(), Status::Failed.word()];
    let is_finished = || !summary_of(folder, "status").is_some_and(|status| unfinished.contains(&status.as_str()));
    written_before(folder).is_some_and(|files| !files.iter().any(|name| name == RESUME)) && is_finished()
}

/// The name of the study whose results a run folder holds.
pub fn study_of(folder: &Path) -> Option<String> {
    written_before(folder)?;
    summary_of(folder, "study")
}

/// A text of the summary of a run folder.
fn summary_of(folder: &Path, key: &str) -> Option<String> {
    let text = fs::read_to_string(folder.join(SUMMARY)).ok()?;
    let summary: Value = serde_json::from_str(&text).ok()?;
    Some(summary.get(key)?.as_str()?.to_owned())
}

/// Removes a run folder that holds nothing else; any other folder stays.
pub fn remove_run_folder(folder: &Path) {
    if written_before(folder).is_some() && check_run_folder(folder).is_ok() {
        // a folder that cannot be removed is replaced by the next run
        let _ = fs::remove_dir_all(folder);
    }
}

/// Whether a file is a result of this program: the run folder in which it is lists it.
pub fn is_result(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.parent().and_then(written_before).is_some_and(|files| files.contains(&name.into_owned()))
}

/// The files of an earlier run in this folder, if it is a run folder.
fn written_before(folder: &Path) -> Option<Vec<String>> {
    let text = fs::read_to_string(folder.join(PROVENANCE)).ok()?;
    let provenance: Value = serde_json::from_str(&text).ok()?;
    if provenance.get("program")?.as_str()? != PROGRAM {
        return None;
    }
    let files = provenance.get("files")?.as_array()?;
    files.iter().map(|name| name.as_str().map(String::from)).collect()
}

/// Files of a run folder while it is written; all names are different.
struct Files {
    all: Vec<File>,
    /// Names in use, in lower case, since some file systems are not case-sensitive.
    taken: BTreeSet<String>,
}

impl Files {
    fn new() -> Self {
        Self { all: Vec::new(), taken: BTreeSet::new() }
    }

    fn add(&mut self, name: String, text: String) {
        self.add_bytes(name, text.into_bytes());
    }

    fn add_bytes(&mut self, name: String, bytes: Vec<u8>) {
        self.taken.insert(name.to_lowercase());
        self.all.push(File { name, bytes });
    }

    /// Writes an `.svg` file per strip, drawing, plot and map, and a `.vtu` file per map; returns the figures for the
    /// report.
    fn add_figures(&mut self, outcome: &Outcome) -> Result<Vec<Figure>, FormatError> {
        let mut figures = Vec::new();
        for strip in &outcome.strips {
            figures.push(self.add_figure(&strip.name, &strip.title, stick_figures(strip)));
        }
        for mechanism in &outcome.mechanisms {
            let figure = self.add_figure(&mechanism.name, &mechanism.title, mechanism.to_svg());
            let moving = mechanism.moving_svg().map(|svg| Moving { svg, times: mechanism.times.clone() });
            figures.push(Figure { moving, ..figure });
        }
        for plot in &outcome.plots {
            figures.push(self.add_figure(&plot.name, &plot.title, picture(plot)));
        }
        for picture in &outcome.pictures {
            figures.push(self.add_figure(&picture.name, &picture.title, picture.svg.clone()));
        }
        for (contact, map) in &outcome.maps {
            let name = self.free_stem(&format!("{}-pressure", contact.name), &["svg", "vtu"]);
            let title = format!("Pressure {}, {}", map.state, contact.name);
            self.add(format!("{name}.vtu"), pressure_vtu(contact, map)?);
            let svg = pressure_svg(std::slice::from_ref(contact), std::slice::from_ref(map), &title);
            figures.push(self.add_figure(&name, &title, svg));
        }
        Ok(figures)
    }

    fn add_figure(&mut self, name: &str, title: &str, svg: String) -> Figure {
        let file = format!("{}.svg", self.free_stem(name, &["svg"]));
        self.add(file.clone(), svg.clone());
        Figure { file, title: title.into(), svg, moving: None }
    }

    /// A `.vtu` file per instant and the `.pvd` file with their times.
    fn add_field(&mut self, folder: &Path, field: &FieldSeries) -> Result<(), FormatError> {
        let stem = self.free_stem(&field.name, &["pvd"]);
        let files = strain_series(&stem, &field.surface, &field.states).map_err(|e| FileError::Refused {
            path: folder.into(),
            reason: format!("field of `{}`: {e}", field.name),
        })?;
        files.into_iter().for_each(|(name, bytes)| self.add_bytes(name, bytes));
        Ok(())
    }

    /// The name with safe characters only; it is numbered if a file with one of the extensions exists.
    fn free_stem(&self, name: &str, extensions: &[&str]) -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        let stem: String = name.chars().map(safe).collect();
        let stem = if stem.is_empty() { "unnamed".into() } else { stem };
        let is_taken =
            |stem: &str| extensions.iter().any(|e| self.taken.contains(&format!("{stem}.{e}").to_lowercase()));
        let mut free = stem.clone();
        let mut number = 1;
        while is_taken(&free) {
            number += 1;
            free = format!("{stem}-{number}");
        }
        free
    }

    /// A `.sto` or `.csv` file, or both; `.csv` if the first column is not the time, which `.sto` requires.
    fn add_series(&mut self, series: &Series, format: SeriesFormat) -> Result<(), FormatError> {
        let table = Table::new(series.columns.clone(), series.rows.clone())?;
        let stem = self.free_stem(&series.name, &["csv", "sto"]);
        let over_time = series.columns.first().is_some_and(|label| label == "time");
        if format != SeriesFormat::Sto || !over_time {
            self.add(format!("{stem}.csv"), csv::write(&table));
        }
        if format != SeriesFormat::Csv && over_time {
            let in_degrees = series.columns.iter().any(|label| label.contains("[deg]") || label.ends_with("_deg"));
            let storage = Storage { name: stem.clone(), in_degrees, table, remarks: Vec::new() };
            self.add(format!("{stem}.sto"), sto::write(&storage)?);
        }
        Ok(())
    }
}

/// The plot with labels in words; units that the axis has already are left out.
fn picture(plot: &Plot) -> String {
    let words = |label: &str| naming::label_beside(label, &plot.y_label);
    let labels: Vec<String> = plot.curves.iter().map(|(label, _)| words(label)).collect();
    let curves = labels.iter().zip(&plot.curves).map(|(label, (_, points))| Curve { label, points }).collect();
    let owners: Vec<Option<String>> = plot.bands.iter().map(|band| band.of_curve.as_deref().map(words)).collect();
    let bands: Vec<_> = plot
        .bands
        .iter()
        .zip(&owners)
        .map(|(band, of)| Band { label: &band.label, points: &band.points, of_curve: of.as_deref() })
        .collect();
    let (x_label, y_label) = (naming::heading(&plot.x_label), naming::heading(&plot.y_label));
    LinePlot { title: &plot.title, x_label: &x_label, y_label: &y_label, curves, log_y: plot.log_y }.to_svg_over(&bands)
}

fn stick_figures(strip: &Strip) -> String {
    let Strip { title, frames, floor, views, spacing, .. } = strip;
    StripPlot { title, frames, floor: *floor, views, spacing: *spacing }.to_svg()
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// A path without its folder.
pub fn base_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.into(), |name| name.to_string_lossy().into_owned())
}

/// Hash as hexadecimal text.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
