//! `wolff check`: finds errors in models and recordings before they are used.

use crate::failure::Failure;
use crate::output;
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use wolff_formats::trial::{Axes, ForcePlateTrial, MarkerTrial};
use wolff_motion::doctor::{Finding, Patient, Severity, examine};
use wolff_motion::recording::ending;
use wolff_opensim::{OpensimSubject, read_recording};

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff check walk.trc                         units, axes, gaps, swapped markers, spikes, times
  wolff check walk.trc walk_grf.mot --mass 72  also: do forces, feet and mass agree?
  wolff check subject.osim walk.c3d --axes x,z also: do model and trial have the same markers?

Input formats: .trc, .c3d, .sto and .mot (ground forces), .osim. Exit code 1 if there are errors or warnings,
0 if there are none or only notes.";

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
    #[arg(long, value_name = "M")]
    pub height: Option<f64>,
    /// Forward and up axes of the laboratory, such as x,z [default: x,y].
    #[arg(long, value_name = "FORWARD,UP", allow_hyphen_values = true)]
    pub axes: Option<Axes>,
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
    remarks: Vec<String>,
}

/// A finding about the model or the files that is not a finding of the check of a trial.
struct Fault {
    severity: Severity,
    message: String,
    remedy: String,
}

/// Runs the command.
pub fn check(args: &Check) -> Result<ExitCode, Failure> {
    let files = read(args)?;
    let mass = args.mass.or(files.model.as_ref().map(OpensimSubject::mass));
    let patient = Patient { markers: files.markers.as_ref(), forces: files.forces.as_ref(), mass, height: args.height };
    let mut faults: Vec<Fault> = examine(&patient).iter().map(from_finding).collect();
    faults.extend(of_model(&files));
    faults.sort_by_key(|f| std::cmp::Reverse(f.severity));
    let wrong = faults.iter().any(|f| f.severity >= Severity::Warning);
    if args.json {
        output::print_json(&for_machines(&files, &faults, wrong))?;
    } else {
        output::print(&for_people(&files, &faults))?;
    }
    Ok(if wrong { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn read(args: &Check) -> Result<Files, Failure> {
    let mut files = Files::default();
    for path in &args.files {
        if ending(path) == "osim" {
            files.model = Some(OpensimSubject::read(path)?);
            continue;
        }
        let found = read_recording(path, args.axes.as_ref())?;
        let remarks =
            [found.markers.as_ref().map(MarkerTrial::remarks), found.forces.as_ref().map(ForcePlateTrial::remarks)];
        files.remarks.extend(remarks.into_iter().flatten().flatten().cloned());
        files.markers = found.markers.or(files.markers);
        files.forces = found.forces.or(files.forces);
    }
    Ok(files)
}

fn from_finding(f: &Finding) -> Fault {
    Fault { severity: f.severity, message: f.message.clone(), remedy: f.remedy.clone() }
}

/// Elements of the model that are ignored, and markers that are only in the model or only in the trial.
fn of_model(files: &Files) -> Vec<Fault> {
    let Some(model) = &files.model else { return Vec::new() };
    let mut faults = Vec::new();
    let note = |message: String, remedy: &str| Fault { severity: Severity::Note, message, remedy: remedy.into() };
    for left in &model.converted.unconverted {
        faults
            .push(note(format!("model: {} `{}` {}", left.class, left.name, left.reason), "results do not include it"));
    }
    for changed in &model.converted.approximate {
        let message = format!("model: {} `{}`: {}", changed.class, changed.name, changed.reason);
        faults.push(note(message, "check whether this is relevant"));
    }
    let Some(trial) = &files.markers else { return faults };
    let on_model: Vec<&str> = model.subject.markers.iter().map(|(n, _)| n.as_str()).collect();
    let recorded: Vec<&str> = trial.markers().iter().map(|m| m.name.as_str()).collect();
    let only = |a: &[&str], b: &[&str]| a.iter().filter(|n| !b.contains(n)).copied().collect::<Vec<_>>().join(", ");
    let common = on_model.iter().filter(|n| recorded.contains(n)).count();
    let severity = if common < 3 { Severity::Error } else { Severity::Note };
    let (without, unused) = (only(&on_model, &recorded), only(&recorded, &on_model));
    let remedy = "give markers the same names in model and trial, or remove their tasks";
    if !without.is_empty() {
        let message = format!("markers of the model that the trial does not have: {without}");
        faults.push(Fault { severity, message, remedy: remedy.into() });
    }
    if !unused.is_empty() {
        let message = format!("recorded markers that the model does not have: {unused}");
        faults.push(Fault { severity, message, remedy: remedy.into() });
    }
    faults
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
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

fn for_people(files: &Files, faults: &[Fault]) -> String {
    let mut text = summary(files).join("\n");
    text.push('\n');
    for remark in &files.remarks {
        let _ = writeln!(text, "remark: {remark}");
    }
    for f in faults {
        let _ = writeln!(text, "{}: {}\n    {}", word(f.severity), f.message, f.remedy);
    }
    let count = |s: Severity| faults.iter().filter(|f| f.severity == s).count();
    let (errors, warnings, notes) = (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    let _ = writeln!(text, "{errors} errors, {warnings} warnings, {notes} notes");
    text
}

fn for_machines(files: &Files, faults: &[Fault], wrong: bool) -> Value {
    let fault = |f: &Fault| json!({ "severity": word(f.severity), "message": f.message, "remedy": f.remedy });
    json!({
        "status": if wrong { "faults" } else { "ok" },
        "files": summary(files),
        "remarks": files.remarks,
        "findings": faults.iter().map(fault).collect::<Vec<_>>(),
    })
}
