//! `wolff check`: finds errors in models and recordings before they are used.

use crate::failure::{DOUBTFUL, Failure};
use crate::output;
use crate::recorded::Recorded;
use clap::Args;
use serde_json::{Map, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use wolff_doctor::{Patient, judge, judge_angles, judge_table, plate_sides};
use wolff_formats::sto::Storage;
use wolff_formats::trial::{ForcePlateTrial, MarkerTrial};
use wolff_motion::Subject;
use wolff_motion::ik::locked;
use wolff_motion::marker_distances::compare_distances;
use wolff_motion::model_markers::{compare_markers, examine_markers};
use wolff_motion::recording::{Recording, ending, read_storage};
use wolff_opensim::{OpensimSubject, read_recording_with, with_plain_labels};
use wolff_plausibility::{examine_model, examine_motion};
use wolff_report::json::{self, Stopwatch};
use wolff_report::outcome::{Outcome, RunKind, Status};
use wolff_verdict::{Finding, Severity};

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff check walk.trc                         units, axes, gaps, swapped markers, spikes, times
  wolff check walk.trc walk_grf.mot --mass 72  also: do forces, feet and mass agree?
  wolff check walk.trc external_loads.xml      also: is each force applied to the foot that is on the plate?
  wolff check subject.osim walk.c3d --axes x,z also: do model and trial have the same markers?
  wolff check subject.osim walk_ik.mot         a motion: times, unit and range of angles, missing coordinates

Input formats: .trc, .c3d, .sto and .mot (ground forces or a motion), .xml (ExternalLoads), .osim. Exit code 0 if
there are no findings or only notes, 3 if there are warnings, 2 if there are errors: other commands refuse such files.";

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
    motion: Option<Storage>,
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
        if let Some(trial) = &files.markers {
            findings.extend(compare_markers(&model.subject, trial));
            findings.extend(compare_distances(&model.subject, trial));
        }
        findings.extend(of_model(&model.subject, files.markers.is_none()));
        findings.extend(model.remarks());
    }
    findings.extend(files.motion.iter().flat_map(|motion| of_motion(motion, files.model.as_ref())));
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    findings
}

/// What other commands refuse in a model; `alone` says that its markers are not compared with a trial.
fn of_model(subject: &Subject, alone: bool) -> Vec<Finding> {
    let mut findings = examine_model(subject);
    findings.extend(locked(subject));
    if alone {
        findings.extend(examine_markers(subject));
    }
    findings
}

/// What other commands refuse in a motion; without a model its columns are judged by the usual names of coordinates.
fn of_motion(motion: &Storage, model: Option<&OpensimSubject>) -> Vec<Finding> {
    let plain = match model {
        Some(_) => with_plain_labels(motion).ok(),
        None => None,
    };
    let mut findings: Vec<Finding> = match (model, &plain) {
        (Some(model), Some(plain)) => {
            let is_known = |label: &&String| model.subject.coordinate(label).is_some();
            let labels = plain.table.labels();
            match labels.iter().any(|label| is_known(&label)) {
                true => examine_motion(plain, &model.subject),
                false => vec![Finding::error(
                    "no column of the motion is a coordinate of the model",
                    "give the motion of this model, or the model of this motion",
                )],
            }
        }
        _ => judge_angles(motion).into_iter().collect(),
    };
    let of_rows = judge_table(&motion.table);
    // the order of rows is judged with the model, too
    findings.extend(of_rows.into_iter().filter(|f| model.is_none() || f.severity == Severity::Warning));
    findings.extend(motion.remarks.iter().map(|text| Finding::note(text, "")));
    findings
}

fn read(args: &Check) -> Result<Files, Failure> {
    let reading = args.recorded.reading()?;
    let mut files = Files::default();
    for path in &args.files {
        let twice = |what: &str| {
            let message = format!("`{}` is the second file with {what}", path.display());
            Err(Failure::usage(message, "give the files of one trial; check other trials separately"))
        };
        match ending(path).as_str() {
            "osim" if files.model.is_some() => return twice("a model"),
            "osim" => files.model = Some(OpensimSubject::read(path)?),
            "sto" | "mot" if !has_forces(&read_storage(path)?) => {
                if files.motion.replace(read_storage(path)?).is_some() {
                    return twice("a motion");
                }
            }
            kind => {
                let Recording { markers, forces } = read_recording_with(path, &reading)?;
                match (&markers, &forces) {
                    (Some(_), _) if files.markers.is_some() => return twice("markers"),
                    (_, Some(_)) if files.forces.is_some() && markers.is_none() => return twice("forces"),
                    _ => {}
                }
                files.markers = markers.or(files.markers);
                if forces.is_some() {
                    files.are_applied = kind == "xml";
                    files.forces = forces;
                }
            }
        }
    }
    Ok(files)
}

/// Whether a table has columns of ground forces.
fn has_forces(table: &Storage) -> bool {
    table.table.labels().iter().any(|label| label.contains("force") && label.ends_with("vx"))
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
    if let Some(m) = &files.motion {
        out.push(format!("motion: {} columns, {} rows", m.table.labels().len(), m.table.rows().len()));
    }
    out
}

fn for_people(files: &Files, findings: &[Finding], status: Status) -> String {
    let mut text = summary(files).join("\n");
    text.push('\n');
    for f in findings {
        text += &output::lines(&format!("{}: {}", f.severity.word(), f.message), 2);
        for line in f.remedy.lines() {
            text += &output::lines(&format!("    {line}"), 4);
        }
    }
    let count = |s: Severity| findings.iter().filter(|f| f.severity == s).count();
    let (errors, warnings, notes) = (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    let _ = writeln!(text, "check: {}; {errors} errors, {warnings} warnings, {notes} notes", status.word());
    text
}
