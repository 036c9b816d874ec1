//! `wolff ik`: joint angles from markers.

pub mod args;
mod places;
mod report;

use crate::failure::Failure;
use crate::{answer, interrupt, output};
use args::Ik;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wolff_files::atomic::Staging;
use wolff_files::input::Recorder;
use wolff_motion::ik::{IkResult, file_name};
use wolff_opensim::ik_job;
use wolff_opensim::setup::{self, InverseKinematicsTool, Setup, TaskSet};
use wolff_report::folder::{Provenance, base_name, check_run_folder, complete_run_folder};
use wolff_report::json::{Stopwatch, Timing};
use wolff_report::outcome::{InputFile, Judgement, Outcome, Status};
use wolff_verdict::Finding;

/// Runs the command.
pub fn ik(args: &Ik) -> Result<ExitCode, Failure> {
    let clock = Stopwatch::start();
    let recorder = Recorder::start();
    let (tool, name, told) = request(args)?;
    places::check(args, &tool, &name)?;
    let target = target(args, &tool, &name);
    let job = ik_job(&tool, &args.recorded.reading()?)?;
    let mut judgement = Judgement::default();
    judgement.found(told);
    judgement.found(job.examine(None, args.stature)?);
    answer::gate(&judgement, args.force)?;
    interrupt::install_handler();
    let staging = target.begin(&name)?;
    let bar = output::progress_bar("inverse kinematics", args.json);
    let found = job.run(staging.as_ref(), &name, &mut |fraction| {
        output::advance(&bar, fraction);
        if interrupt::stop_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let found = found?;
    found.summary.judge(&mut judgement);
    let inputs = recorder.finish().into_iter().map(InputFile::from).collect();
    let outcome = Outcome { judgement, inputs, ..report::outcome(&found, &tool, &name) };
    let timing = clock.stop(0.0);
    let provenance = Provenance::of_command("ik", &options(args));
    let written = target.finish(staging, &found, &name, &Page { outcome: &outcome, provenance, timing: &timing })?;
    let outcome = written.into_outcome(outcome);
    answer::show(&outcome.0, &timing, outcome.1.as_deref(), args.json, &report::for_people(&found, &outcome.0))
}

/// The options for the provenance; files by their names.
fn options(args: &Ik) -> Vec<(String, String)> {
    let file =
        |key: &str, path: &Option<PathBuf>| path.as_deref().map(|p| (key.to_string(), base_name(&p.to_string_lossy())));
    let mut all: Vec<(String, String)> = [
        file("setup", &args.setup),
        file("model", &args.model),
        file("markers", &args.markers),
        file("tasks", &args.tasks),
        args.time.map(|t| ("time".to_string(), format!("{}:{}", t.0[0], t.0[1]))),
        args.stature.map(|s| ("stature".to_string(), s.to_string())),
        args.force.then(|| ("force".to_string(), "true".to_string())),
    ]
    .into_iter()
    .flatten()
    .collect();
    all.extend(args.recorded.options());
    all
}

/// What a run folder needs beside the tables.
struct Page<'a> {
    outcome: &'a Outcome,
    provenance: Provenance,
    timing: &'a Timing,
}

/// Files that were written, and the run folder, if there is one.
struct Written {
    files: Vec<PathBuf>,
    folder: Option<PathBuf>,
    /// Why files are not where they were wanted.
    warning: Option<String>,
}

impl Written {
    /// The outcome with the names of the files, and the run folder.
    fn into_outcome(self, mut outcome: Outcome) -> (Outcome, Option<PathBuf>) {
        let files: Vec<String> = self.files.iter().map(|f| f.display().to_string()).collect();
        outcome.results.insert("files".into(), files.into());
        outcome.warnings.extend(self.warning);
        (outcome, self.folder)
    }
}

/// The task, the name of its results, and findings about its set-up.
fn request(args: &Ik) -> Result<(InverseKinematicsTool, String, Vec<Finding>), Failure> {
    let mut told = Vec::new();
    let mut tool = match (&args.setup, &args.model, &args.markers) {
        (Some(path), ..) => {
            let file = setup::read_file(path).map_err(|cause| in_file(path, cause))?;
            told = file.findings;
            let Setup::InverseKinematics(tool) = file.setup else {
                let message = format!("`{}` is not an InverseKinematicsTool set-up", path.display());
                return Err(Failure::usage(message, "give an InverseKinematicsTool set-up, or --model and --markers"));
            };
            places::check_inputs(&tool, path)?;
            tool
        }
        (None, Some(model), Some(markers)) => InverseKinematicsTool {
            name: stem(markers),
            model_file: Some(model.clone()),
            marker_file: Some(markers.clone()),
            coordinate_file: None,
            tasks: TaskSet { file: args.tasks.clone(), tasks: Vec::new() },
            time_range: None,
            constraint_weight: f64::INFINITY,
            accuracy: 1e-5,
            output_motion_file: None,
            results_directory: None,
        },
        _ => return Err(Failure::usage("there is no input", "give a set-up, or --model and --markers")),
    };
    if let Some(time) = args.time {
        tool.time_range = Some(time.0);
    }
    let name = match (&tool.name, &tool.marker_file) {
        (name, _) if !name.is_empty() => name.clone(),
        (_, Some(markers)) => stem(markers),
        _ => "trial".into(),
    };
    Ok((tool, name, told))
}

/// Location of the results.
enum Target {
    /// A folder for this run.
    Folder(PathBuf),
    /// The paths in the set-up: the motion, and a folder for the other files.
    Setup(Option<PathBuf>, PathBuf),
    /// Nothing is written.
    Nowhere,
}

fn target(args: &Ik, tool: &InverseKinematicsTool, name: &str) -> Target {
    match (&args.out, &args.setup) {
        (Some(out), _) => Target::Folder(out.clone()),
        (None, _) if args.json => Target::Nowhere,
        (None, Some(setup)) => {
            let folder_of_setup = setup.parent().map(Path::to_path_buf).unwrap_or_default();
            Target::Setup(tool.output_motion_file.clone(), tool.results_directory.clone().unwrap_or(folder_of_setup))
        }
        (None, None) => Target::Folder(Path::new("runs").join(format!("ik-{name}"))),
    }
}

impl Target {
    /// A folder for files under construction; `None` where nothing is written.
    fn begin(&self, name: &str) -> Result<Option<Staging>, Failure> {
        let staging = match self {
            Target::Nowhere => return Ok(None),
            Target::Folder(folder) => {
                check_run_folder(folder)?;
                Staging::beside(folder)?
            }
            Target::Setup(_, folder) => Staging::beside(&folder.join(file_name(name, "_ik")))?,
        };
        Ok(Some(staging))
    }

    /// Moves the files to their locations; the first is the motion. A result that failed is not written to its
    /// location: a run folder has another name, and the paths of a set-up stay as they are.
    fn finish(&self, staging: Option<Staging>, found: &IkResult, name: &str, page: &Page) -> Result<Written, Failure> {
        let failed = page.outcome.judged_status() == Status::Failed;
        match (self, staging) {
            (Target::Nowhere, _) | (_, None) => Ok(Written { files: Vec::new(), folder: None, warning: None }),
            (Target::Folder(wanted), Some(staging)) => {
                let folder = if failed { beside(wanted, "-failed") } else { wanted.clone() };
                check_run_folder(&folder)?;
                complete_run_folder(staging, &found.files, &folder, page.outcome, &page.provenance, page.timing)?;
                let files = found.files.iter().map(|n| folder.join(n)).collect();
                let warning = failed
                    .then(|| format!("the result failed: it is in {}, not in {}", folder.display(), wanted.display()));
                Ok(Written { files, folder: Some(folder), warning })
            }
            (Target::Setup(motion, folder), Some(staging)) if !failed => {
                let mut names = found.files.clone();
                for plot in &found.plots {
                    let file = file_name(name, plot.ending);
                    staging.write(&file, plot.to_svg().as_bytes())?;
                    names.push(file);
                }
                let mut files = Vec::new();
                for (i, file) in names.iter().enumerate() {
                    let path = match motion {
                        Some(motion) if i == 0 => motion.clone(),
                        _ => folder.join(file),
                    };
                    staging.place(file, &path)?;
                    files.push(path);
                }
                Ok(Written { files, folder: None, warning: None })
            }
            (Target::Setup(..), Some(_)) => {
                let warning = "the result failed and was not written; give --out DIR to look at it".to_string();
                Ok(Written { files: Vec::new(), folder: None, warning: Some(warning) })
            }
        }
    }
}

/// The folder with an ending added to its name.
fn beside(folder: &Path, ending: &str) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_os_string();
    name.push(ending);
    folder.with_file_name(name)
}

fn in_file(path: &Path, cause: wolff_formats::FormatError) -> Failure {
    wolff_motion::MotionError::File { path: path.into(), cause }.into()
}

/// The name of a file without its extension.
fn stem(path: &Path) -> String {
    path.file_stem().map_or("trial".into(), |s| s.to_string_lossy().into_owned())
}
