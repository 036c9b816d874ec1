//! `wolff ik`: joint angles from markers.

pub mod args;
mod report;

use crate::failure::Failure;
use crate::{interrupt, output};
use args::Ik;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wolff_files::atomic::{self, Staging};
use wolff_motion::ik::{RESULTS, file_name};
use wolff_opensim::ik_job;
use wolff_opensim::setup::{self, InverseKinematicsTool, Setup, TaskSet};

/// Runs the command.
pub fn ik(args: &Ik) -> Result<ExitCode, Failure> {
    let (tool, name) = request(args)?;
    let target = target(args, &tool, &name);
    let job = ik_job(&tool, args.axes.as_ref())?;
    interrupt::install_handler();
    let staging = target.begin(&name)?;
    let bar = output::progress_bar("inverse kinematics", args.json);
    let found = job.run(staging.as_ref(), &name, &mut |fraction| {
        output::advance(&bar, fraction);
        if interrupt::stop_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let found = found?;
    let written = target.finish(staging, &found.files, &name)?;
    if args.json {
        output::print_json(&report::for_machines(&found, &written))?;
    } else {
        for remark in &found.remarks {
            output::warn(remark);
        }
        output::print(&report::for_people(&found, &written))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The task, and the name of its results.
fn request(args: &Ik) -> Result<(InverseKinematicsTool, String), Failure> {
    let mut tool = match (&args.setup, &args.model, &args.markers) {
        (Some(path), ..) => match setup::read_file(path).map_err(|cause| in_file(path, cause))?.setup {
            Setup::InverseKinematics(tool) => tool,
            _ => {
                let message = format!("`{}` is not an InverseKinematicsTool set-up", path.display());
                return Err(Failure::usage(message, "give an InverseKinematicsTool set-up, or --model and --markers"));
            }
        },
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
    Ok((tool, name))
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
                atomic::check_replaceable(folder, &|_| Some(all_names(name)))?;
                Staging::beside(folder)?
            }
            Target::Setup(_, folder) => Staging::beside(&folder.join(file_name(name, "_ik")))?,
        };
        Ok(Some(staging))
    }

    /// Moves the files to their locations; the first is the motion. Returns their paths.
    fn finish(&self, staging: Option<Staging>, files: &[String], name: &str) -> Result<Vec<PathBuf>, Failure> {
        match (self, staging) {
            (Target::Nowhere, _) | (_, None) => Ok(Vec::new()),
            (Target::Folder(folder), Some(staging)) => {
                staging.replace(folder, &|_| Some(all_names(name)))?;
                Ok(files.iter().map(|n| folder.join(n)).collect())
            }
            (Target::Setup(motion, folder), Some(staging)) => {
                let mut written = Vec::new();
                for (i, file) in files.iter().enumerate() {
                    let path = match motion {
                        Some(motion) if i == 0 => motion.clone(),
                        _ => folder.join(file),
                    };
                    staging.place(file, &path)?;
                    written.push(path);
                }
                Ok(written)
            }
        }
    }
}

/// Names of all possible files.
fn all_names(name: &str) -> Vec<String> {
    RESULTS.iter().map(|ending| file_name(name, ending)).collect()
}

fn in_file(path: &Path, cause: wolff_formats::FormatError) -> Failure {
    wolff_motion::MotionError::File { path: path.into(), cause }.into()
}

/// The name of a file without its extension.
fn stem(path: &Path) -> String {
    path.file_stem().map_or("trial".into(), |s| s.to_string_lossy().into_owned())
}
