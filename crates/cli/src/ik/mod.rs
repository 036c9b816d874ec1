//! `wolff ik`: joint angles from markers.

pub mod args;
mod report;

use crate::failure::Failure;
use crate::output;
use args::Ik;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wolff_formats::atomic::{self, File};
use wolff_formats::setup::{self, InverseKinematicsTool, Setup, TaskSet};
use wolff_motion::ik::{result_files, run_tool};

/// Runs the command.
pub fn ik(args: &Ik) -> Result<ExitCode, Failure> {
    let (tool, name) = request(args)?;
    let target = target(args, &tool, &name);
    let bar = output::progress_bar("inverse kinematics", args.json);
    let found = run_tool(&tool, args.axes.as_ref(), &mut |fraction| output::advance(&bar, fraction));
    bar.finish_and_clear();
    let found = found?;
    let files = result_files(&found.subject, &found.motion, &name)?;
    let written = target.write(files)?;
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

/// What is to be done, and what results are called.
fn request(args: &Ik) -> Result<(InverseKinematicsTool, String), Failure> {
    let mut tool = match (&args.setup, &args.model, &args.markers) {
        (Some(path), ..) => match setup::read_file(path).map_err(|cause| in_file(path, cause))?.setup {
            Setup::InverseKinematics(tool) => tool,
            _ => {
                let message = format!("`{}` is no InverseKinematicsTool set-up", path.display());
                return Err(Failure::usage(message, "give one, or --model and --markers"));
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
        _ => return Err(Failure::usage("nothing to do", "give a set-up, or --model and --markers")),
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

/// Where results go.
enum Target {
    /// A folder of its own.
    Folder(PathBuf),
    /// The places that the set-up names: the motion, and a folder for the rest.
    Setup(Option<PathBuf>, PathBuf),
    /// Nowhere.
    Nowhere,
}

fn target(args: &Ik, tool: &InverseKinematicsTool, name: &str) -> Target {
    match (&args.out, &args.setup) {
        (Some(out), _) => Target::Folder(out.clone()),
        (None, _) if args.json => Target::Nowhere,
        (None, Some(setup)) => {
            let beside = setup.parent().map(Path::to_path_buf).unwrap_or_default();
            Target::Setup(tool.output_motion_file.clone(), tool.results_directory.clone().unwrap_or(beside))
        }
        (None, None) => Target::Folder(Path::new("runs").join(format!("ik-{name}"))),
    }
}

impl Target {
    /// Writes the files; the first is the motion. Answers with their paths.
    fn write(&self, files: Vec<File>) -> Result<Vec<PathBuf>, Failure> {
        match self {
            Target::Nowhere => Ok(Vec::new()),
            Target::Folder(folder) => {
                let names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
                atomic::write_folder(folder, &files, &|_| Some(names.clone()))?;
                Ok(names.iter().map(|n| folder.join(n)).collect())
            }
            Target::Setup(motion, folder) => {
                let mut written = Vec::new();
                for (i, file) in files.iter().enumerate() {
                    let path = match motion {
                        Some(motion) if i == 0 => motion.clone(),
                        _ => folder.join(&file.name),
                    };
                    atomic::write_file(&path, &file.bytes)?;
                    written.push(path);
                }
                Ok(written)
            }
        }
    }
}

fn in_file(path: &Path, cause: wolff_formats::FormatError) -> Failure {
    wolff_motion::MotionError::File { path: path.into(), cause }.into()
}

/// A file's name without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().map_or("trial".into(), |s| s.to_string_lossy().into_owned())
}
