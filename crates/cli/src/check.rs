//! `wolff check`: finds errors in models and recordings before they are used.

use crate::failure::{DOUBTFUL, Failure};
use crate::output;
use crate::recorded::Recorded;
use clap::Args;
use serde_json::{Map, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use wolff_doctor::{Patient, judge, plate_sides};
use wolff_formats::trial::{ForcePlateTrial, MarkerTrial};
use wolff_motion::model_markers::compare_markers;
use wolff_motion::recording::ending;
use wolff_opensim::{OpensimSubject, read_recording_with};
use wolff_report::json::{self, Stopwatch};
use wolff_report::outcome::{Outcome, RunKind, Status};
use wolff_verdict::{Finding, Severity};

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff check walk.trc                         units, axes, gaps, swapped markers, spikes, times
  wolff check walk.trc walk_grf.mot --mass 72  also: do forces, feet and mass agree?
  wolff check walk.trc external_loads.xml      also: is each force applied to the foot that is on the plate?
  wolff check subject.osim walk.c3d --axes x,z also: do model and trial have the same markers?

Input formats: .trc, .c3d, .sto and .mot (ground forces), .xml (ExternalLoads), .osim. Exit code 0 if there are no
findings or only notes, 3 if there are warnings, 2 if there are errors: other commands refuse such files.";

/// `wolff check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Files of one trial, and its model.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Mass of the subject [kg] [default: that of the model].
    #[arg(long, value_name = "KG")]
    pub mass: Option<f64>,
    /// Height of the subject [m].
    #[arg(long, value_name = "M", alias = "height")]
    pub stature: Option<f64>,
    #[command(flatten)]
    pub recorded: Recorded,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The content of the files.
#[derive(Default)]
struct Files {
    model: Option<OpensimSubject>,
    markers: Option<MarkerTrial>,
    forces: Option<ForcePlateTrial>,
    /// Whether the forces have the names of the bodies to which they are applied.
    are_applied: bool,
}

/// Runs the command.
pub fn check(args: &Check) -> Result<ExitCode, Failure> {
    let clock = Stopwatch::start();
    let files = read(args)?;
    let findings = findings(args, &files);
    let worst = findings.iter().map(|f| f.severity).max();
    let (status, code) = match worst {
        Some(Severity::Error) => (Status::Failed, ExitCode::from(2)),
        Some(Severity::Warning) => (Status::Doubtful, ExitCode::from(DOUBTFUL)),
        Some(Severity::Note) | None => (Status::Ok, ExitCode::SUCCESS),
    };
    if args.json {
        let told = findings.iter().filter(|f| f.severity > Severity::Note).map(Finding::text).collect();
        let results = json!({ "files": summary(&files), "findings": findings });
        let results = results.as_object().cloned().unwrap_or_else(Map::new);
        let outcome = Outcome {
            kind: RunKind::Command,
            study: "check".into(),
            status,
            results,
            warnings: told,
            ..Outcome::default()
        };
        output::print_json(&json::report(&outcome, &clock.stop(0.0)))?;
    } else {
        output::print(&for_people(&files, &findings, status))?;
    }
    Ok(code)
}

/// Everything that was found, the worst first.
fn findings(args: &Check, files: &Files) -> Vec<Finding> {
    let mass = args.mass.or(files.model.as_ref().map(OpensimSubject::mass));
    let patient =
        Patient { markers: files.markers.as_ref(), forces: files.forces.as_ref(), mass, height: args.stature };
    let mut findings = judge(&patient);
    if let (Some(markers), Some(forces)) = (&files.markers, &files.forces) {
        findings.extend(plate_sides(markers, forces, files.are_applied));
    }
    if let Some(model) = &files.model {
        findings.extend(files.markers.iter().flat_map(|trial| compare_markers(&model.subject, trial)));
        findings.extend(model.remarks());
    }
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    findings
}

fn read(args: &Check) -> Result<Files, Failure> {
    let reading = args.recorded.reading()?;
    let mut files = Files::default();
    for path in &args.files {
        if ending(path) == "osim" {
            files.model = Some(OpensimSubject::read(path)?);
            continue;
        }
        let found = read_recording_with(path, &reading)?;
        files.markers = found.markers.or(files.markers);
        if found.forces.is_some() {
            files.forces = found.forces;
            files.are_applied = ending(path) == "xml";
        }
    }
    Ok(files)
}

fn summary(files: &Files) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(m) = &files.model {
        let (coordinates, markers) = (m.subject.coordinates.len(), m.subject.markers.len());
        out.push(format!("model `{}`: {coordinates} coordinates, {markers} markers, {:.2} kg", m.file.name, m.mass()));
    }
    if let Some(t) = &files.markers {
        out.push(format!(
            "{} markers, {} frames at {} Hz",
            t.markers().len(),
            t.times().len(),
            output::number(t.rate())
        ));
    }
    if let Some(f) = &files.forces {
        out.push(format!("{} force plates, {} samples", f.plates().len(), f.times().len()));
    }
    out
}

fn for_people(files: &Files, findings: &[Finding], status: Status) -> String {
    let mut text = summary(files).join("\n");
    text.push('\n');
    for f in findings {
        let _ = writeln!(text, "{}: {}", f.severity.word(), f.message);
        for line in f.remedy.lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    let count = |s: Severity| findings.iter().filter(|f| f.severity == s).count();
    let (errors, warnings, notes) = (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    let _ = writeln!(text, "check: {}; {errors} errors, {warnings} warnings, {notes} notes", status.word());
    text
}
