//! `wolff convert`: converts recordings and tables between formats.

use crate::answer;
use crate::failure::Failure;
use crate::recorded::{Recorded, unit};
use clap::Args;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wolff_doctor::{Patient, angle_columns, judge, judge_angles, judge_table};
use wolff_files::{atomic, input};
use wolff_formats::c3d::{self, C3d};
use wolff_formats::sto::{self, Storage};
use wolff_formats::trial::{ForcePlateTrial, LengthUnit};
use wolff_formats::{Table, csv, trc};
use wolff_motion::MotionError;
use wolff_motion::recording::{Reading, ending, read_markers_with, read_recording_with, read_storage};
use wolff_motion::signal::{Preparation, Prepared};
use wolff_report::json::Stopwatch;
use wolff_report::outcome::{Outcome, RunKind};
use wolff_verdict::Finding;

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff convert walk.c3d walk.trc --axes x,z   markers, rotated from x forward, z up to x forward, y up
  wolff convert walk.c3d walk.mot --axes x,z   ground forces, as OpenSim's ExternalLoads reads them
  wolff convert ik.mot ik.csv
  wolff convert walk.trc smooth.trc --fill 0.1 --marker-cutoff 6 --rate 100
                                               gaps filled, noise removed, 100 Hz; prints what was changed per marker

Supported conversions:
  from .c3d            to .trc, .c3d, .csv (markers), to .mot, .sto (ground forces)
  from .trc            to .trc, .c3d, .csv, .sto (columns NAME_x, NAME_y, NAME_z in m)
  from .sto and .mot   to .sto, .mot, .csv
  from .csv            to .sto, .mot, .csv (the first column must be time); a .csv does not say whether angles are in
                       degrees, give --in-degrees yes or no";

/// `wolff convert`.
#[derive(Debug, Args)]
pub struct Convert {
    /// The file to read: .trc, .c3d, .sto, .mot or .csv.
    pub input: PathBuf,
    /// The file to write: .trc, .c3d, .sto, .mot or .csv.
    pub output: PathBuf,
    #[command(flatten)]
    pub recorded: Recorded,
    /// Unit of length of the output .trc or .c3d: mm, cm, m or in.
    #[arg(long, value_name = "UNIT", default_value = "mm", value_parser = unit)]
    pub unit: LengthUnit,
    /// Whether angles of a .csv are in degrees, for the header of the .mot or .sto: yes or no.
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no)]
    pub in_degrees: Option<bool>,
    /// Convert a recording that cannot be right.
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn convert(args: &Convert) -> Result<ExitCode, Failure> {
    let clock = Stopwatch::start();
    let Converted { bytes, what, findings, prepared } = converted(args)?;
    let mut outcome = Outcome { kind: RunKind::Command, study: "convert".into(), ..Outcome::default() };
    outcome.judgement.found(findings);
    answer::gate(&outcome.judgement, args.force)?;
    atomic::write_file(&args.output, &bytes)?;
    outcome.results.insert("content".into(), what.clone().into());
    outcome.results.insert("file".into(), args.output.display().to_string().into());
    let mut text = format!("wrote {}: {what}\n", args.output.display());
    if let Some(prepared) = prepared {
        outcome.results.extend(changes(&prepared));
        text.push_str(&table_of_changes(&prepared));
    }
    answer::show(&outcome, &clock.stop(0.0), None, args.json, &text)
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("`{text}` is not yes or no")),
    }
}

/// A new file.
struct Converted {
    bytes: Vec<u8>,
    /// Its description.
    what: String,
    /// Findings about the recording.
    findings: Vec<Finding>,
    /// What was changed in markers.
    prepared: Option<Prepared>,
}

/// What was changed in the markers, as results.
fn changes(prepared: &Prepared) -> serde_json::Map<String, serde_json::Value> {
    let mut out = serde_json::Map::new();
    let filled = prepared.filled_by_marker().into_iter().collect::<std::collections::BTreeMap<_, _>>();
    out.insert("frames_filled".into(), serde_json::json!(filled));
    out.insert("gaps_left".into(), serde_json::json!(prepared.left()));
    let removed = prepared.removed.iter().map(|(name, rms)| (name, 1e3 * rms));
    let removed = removed.collect::<std::collections::BTreeMap<_, _>>();
    out.insert("removed_rms_mm".into(), serde_json::json!(removed));
    out.insert("intervals_too_short".into(), serde_json::json!(prepared.short.len()));
    if let Some([from, to]) = prepared.rates {
        out.insert("rate_before_hz".into(), serde_json::json!(from));
        out.insert("rate_hz".into(), serde_json::json!(to));
    }
    out
}

/// One line per marker that was changed.
fn table_of_changes(prepared: &Prepared) -> String {
    let filled = prepared.filled_by_marker();
    let mut names: Vec<&String> = prepared.removed.iter().map(|(name, _)| name).collect();
    names.extend(filled.iter().map(|(name, _)| name).filter(|name| !prepared.removed.iter().any(|r| r.0 == **name)));
    if names.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{:<24} {:>13} {:>18}\n", "marker", "frames filled", "removed [mm rms]");
    for name in names {
        let frames = filled.iter().find(|(n, _)| n == name).map_or(0, |(_, frames)| *frames);
        let removed = prepared.removed.iter().find(|(n, _)| n == name);
        let removed = removed.map_or(String::from("-"), |(_, rms)| format!("{:.2}", 1e3 * rms));
        let _ = writeln!(text, "{name:<24} {frames:>13} {removed:>18}");
    }
    text
}

/// Content of the new file, its description, and findings about the recording.
fn converted(args: &Convert) -> Result<Converted, Failure> {
    let (from, to) = (ending(&args.input), ending(&args.output));
    let of_markers = matches!((from.as_str(), to.as_str()), ("trc" | "c3d", "trc" | "c3d" | "csv") | ("trc", "sto"));
    if !of_markers && !args.recorded.preparation().is_none() {
        return Err(Failure::usage(
            "--fill, --marker-cutoff and --rate apply to markers only",
            "convert a .trc or .c3d to .trc, .c3d or .csv with them",
        ));
    }
    match (from.as_str(), to.as_str()) {
        ("trc" | "c3d", "trc" | "c3d" | "csv") | ("trc", "sto") => markers(args, &to),
        ("c3d", "mot" | "sto") => forces(args),
        ("sto" | "mot" | "csv", "sto" | "mot" | "csv") if args.recorded.axes.is_none() => a_table(args, &from, &to),
        ("sto" | "mot" | "csv", "sto" | "mot" | "csv") => Err(Failure::usage(
            "--axes applies to markers and force plates only",
            "convert the .c3d or .trc with --axes",
        )),
        _ => {
            let message = format!("`.{from}` cannot be converted to `.{to}`");
            Err(Failure::usage(message, "`wolff convert --help` lists the supported conversions"))
        }
    }
}

fn markers(args: &Convert, to: &str) -> Result<Converted, Failure> {
    let reading = args.recorded.reading()?;
    let (prepare, raw) = (reading.prepare, Reading { prepare: Preparation::default(), ..reading });
    let (trial, prepared) = prepare.apply(read_markers_with(&args.input, &raw)?)?;
    let bytes = match to {
        "trc" => trc::write(&trial, args.unit)?.into_bytes(),
        "c3d" => c3d::write(&C3d::from_markers(&trial, args.unit))?,
        "csv" => csv::write(&trial.table()?).into_bytes(),
        _ => storage_bytes(&args.output, trial.table()?, false)?,
    };
    let what = format!("{} markers in {} frames", trial.markers().len(), trial.times().len());
    let mut findings = judge(&Patient { markers: Some(&trial), ..Patient::default() });
    let gaps = trial.gaps().len();
    if gaps > 0 {
        findings.push(Finding::note(format!("{gaps} gaps are written as gaps"), ""));
    }
    Ok(Converted { bytes, what, findings, prepared: (!prepare.is_none()).then_some(prepared) })
}

fn forces(args: &Convert) -> Result<Converted, Failure> {
    let none = || MotionError::input(args.input.display().to_string(), "has no force plates");
    let recording = read_recording_with(&args.input, &args.recorded.reading()?)?;
    let findings = judge(&Patient {
        markers: recording.markers.as_ref(),
        forces: recording.forces.as_ref(),
        ..Patient::default()
    });
    let forces = recording.forces.ok_or_else(none)?;
    let storage = forces.to_storage(&name(&args.output))?;
    let what = format!("{} force plates in {} samples", forces.plates().len(), forces.times().len());
    Ok(Converted { bytes: sto::write(&storage)?.into_bytes(), what, findings, prepared: None })
}

fn a_table(args: &Convert, from: &str, to: &str) -> Result<Converted, Failure> {
    let mut findings = Vec::new();
    let mut storage = if from == "csv" {
        let wrong = |cause| MotionError::File { path: args.input.clone(), cause };
        let bytes =
            input::read(&args.input).map_err(|cause| Failure::Unreadable { path: args.input.clone(), cause })?;
        let table = csv::read(&bytes).map_err(wrong)?;
        Storage { name: name(&args.output), in_degrees: false, table, remarks: Vec::new() }
    } else {
        read_storage(&args.input)?
    };
    match args.in_degrees {
        Some(said) => storage.in_degrees = said,
        None if from == "csv" && to != "csv" => findings.extend(unknown_unit(&storage.table)),
        None => {}
    }
    findings.extend(examine_table(&storage));
    if to == "csv" && storage.in_degrees && !angle_columns(&storage.table).is_empty() {
        let remedy = "give --in-degrees yes to convert it back";
        findings.push(Finding::note("angles are in degrees, which a .csv does not say", remedy));
    }
    let what = format!("{} columns in {} rows", storage.table.labels().len(), storage.table.rows().len());
    findings.extend(storage.remarks.iter().map(|text| Finding::note(text, "")));
    let bytes = match to {
        "csv" => csv::write(&storage.table).into_bytes(),
        _ => storage_bytes(&args.output, storage.table, storage.in_degrees)?,
    };
    Ok(Converted { bytes, what, findings, prepared: None })
}

/// A table of angles that does not say their unit.
fn unknown_unit(table: &Table) -> Option<Finding> {
    let angles = angle_columns(table);
    let first = angles.first()?.label;
    let message =
        format!("a .csv does not say whether angles such as `{first}` are in degrees; `inDegrees=no` is written");
    Some(Finding::warning(message, "give --in-degrees yes or --in-degrees no"))
}

/// Findings about rows and labels, and about ground forces or angles where the labels name them.
fn examine_table(storage: &Storage) -> Vec<Finding> {
    let mut findings = judge_table(&storage.table);
    findings.extend(judge_angles(storage));
    if let Ok(forces) = ForcePlateTrial::from_storage(storage) {
        let told = judge(&Patient { forces: Some(&forces), ..Patient::default() });
        // times and remarks of the file are told of the table
        let is_told = |f: &Finding| storage.remarks.contains(&f.message) || f.message.contains("force samples");
        findings.extend(told.into_iter().filter(|f| !is_told(f)));
    }
    findings
}

fn storage_bytes(output: &Path, table: Table, in_degrees: bool) -> Result<Vec<u8>, Failure> {
    let storage = Storage { name: name(output), in_degrees, table, remarks: Vec::new() };
    Ok(sto::write(&storage)?.into_bytes())
}

fn name(output: &Path) -> String {
    output.file_stem().map_or("table".into(), |s| s.to_string_lossy().replace('=', "_"))
}
