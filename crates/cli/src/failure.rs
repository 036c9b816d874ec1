//! Failures of commands, their messages and exit codes.

use crate::interrupt::STOPPED;
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use thiserror::Error;
use wolff_analyses::contact_poses::ContactPosesError;
use wolff_bone::BoneError;
use wolff_fem::FemError;
use wolff_files::text::{in_place, printable};
use wolff_files::{ErrorKind, FileError};
use wolff_flexbody::FlexBodyError;
use wolff_formats::FormatError;
use wolff_motion::MotionError;
use wolff_report::Status;
use wolff_scan::ScanError;
use wolff_study::RunError;
use wolff_study::error::{Diagnostic, StudyError};
use wolff_verdict::Finding;

/// Exit code of a result that is doubtful.
pub const DOUBTFUL: u8 = 3;

/// Exit code of a completed command.
pub fn exit_code_of(status: Status) -> ExitCode {
    match status {
        Status::Ok => ExitCode::SUCCESS,
        Status::Doubtful => ExitCode::from(DOUBTFUL),
        Status::Partial | Status::Failed => ExitCode::from(1),
    }
}

/// A failure of a command.
#[derive(Debug, Error)]
pub enum Failure {
    /// The study is invalid.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// Unknown study.
    #[error("there is no built-in study and no file `{name}`")]
    UnknownStudy {
        /// The name as given.
        name: String,
        /// Suggestion for the name.
        help: String,
    },
    /// A study file cannot be read.
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The message of the operating system.
        cause: std::io::Error,
    },
    /// The target of `wolff new` exists.
    #[error("`{}` exists already", .0.display())]
    Exists(PathBuf),
    /// No verification problem matches.
    #[error("no verification problem has `{0}` in its name")]
    NoSuchProblem(String),
    /// The results cannot be written, or not to this folder.
    #[error(transparent)]
    Folder(#[from] FormatError),
    /// A mesh file is invalid, or cannot be read or written.
    #[error(transparent)]
    Mesh(#[from] FemError),
    /// A flexible body or its file is invalid.
    #[error(transparent)]
    Body(#[from] FlexBodyError),
    /// A model, its meshes or its poses are invalid.
    #[error(transparent)]
    Contact(#[from] ContactPosesError),
    /// A model, a recording, a motion, its loads or its muscles are invalid.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// A scan or surface is invalid, or there is no mesh of it.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// Options that are incompatible or invalid.
    #[error("{message}")]
    Usage {
        /// The error.
        message: String,
        /// The remedy.
        help: Option<String>,
    },
    /// Checks of the input found errors, and `--force` was not given.
    #[error("the input cannot be right: {} refused", if .0.len() == 1 { "it is" } else { "there are several errors, it is" })]
    Refused(Vec<Finding>),
    /// The simulation failed.
    #[error("the simulation failed: {0}")]
    Simulation(String),
    /// The run was stopped before there were results or a checkpoint to write.
    #[error("stopped before there were results to save; nothing is written")]
    Stopped,
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::Folder(error.into())
    }
}

impl From<BoneError> for Failure {
    fn from(error: BoneError) -> Self {
        match error {
            BoneError::Fem(error) => Self::Mesh(error),
            BoneError::Body(error) => Self::Body(error),
            BoneError::Invalid { .. } | BoneError::Text { .. } => {
                Self::Usage { message: error.to_string(), help: None }
            }
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Input(error) => Self::Study(error),
            RunError::Simulation(message) => Self::Simulation(message),
            RunError::UnknownStudy(name) => Self::UnknownStudy { name, help: String::new() },
            RunError::Resume(message) => Self::Usage { message, help: None },
            RunError::Stopped => Self::Stopped,
        }
    }
}

impl Failure {
    /// Options that are incompatible.
    pub fn usage(message: impl Into<String>, help: &str) -> Self {
        Self::Usage { message: message.into(), help: Some(help.into()) }
    }

    /// The kind of this failure.
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Study(_) | Self::UnknownStudy { .. } | Self::Unreadable { .. } => ErrorKind::Input,
            Self::Exists(_) | Self::NoSuchProblem(_) | Self::Refused(_) | Self::Usage { .. } | Self::Contact(_) => {
                ErrorKind::Input
            }
            Self::Folder(FormatError::File(FileError::Io { .. })) | Self::Output(_) => ErrorKind::File,
            Self::Folder(_) => ErrorKind::Input,
            Self::Mesh(error) => error.kind(),
            Self::Body(error) => error.kind(),
            Self::Motion(error) => error.kind(),
            Self::Scan(error) => error.kind(),
            Self::Simulation(_) => ErrorKind::Numerical,
            Self::Stopped => ErrorKind::Stopped,
        }
    }

    /// 2 if the input is invalid, 1 if a computation or the system failed, 130 if the user stopped the run.
    pub fn exit_code(&self) -> ExitCode {
        match self.kind() {
            ErrorKind::Input => ExitCode::from(2),
            ErrorKind::Numerical | ErrorKind::File => ExitCode::from(1),
            ErrorKind::Stopped => ExitCode::from(STOPPED),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::UnknownStudy { help, .. } => Some(help.clone()),
            Self::Exists(_) => Some("choose another folder, or remove it first".into()),
            Self::NoSuchProblem(_) => Some("`wolff verify` lists them all".into()),
            Self::Usage { help, .. } => help.clone(),
            Self::Mesh(error) => mesh_help(error).map(Into::into),
            _ => None,
        }
    }

    /// Reports as text: one per error, with its place in the file.
    pub fn reports(&self) -> Vec<Report> {
        match self {
            Self::Study(error) => error.diagnostics.iter().map(|d| located(error, d)).collect(),
            Self::Refused(findings) => findings
                .iter()
                .map(|f| with_help(MietteDiagnostic::new(shown(&f.message)), Some(refusal_help(f))).into())
                .collect(),
            other => vec![with_help(MietteDiagnostic::new(shown(&other.to_string())), other.help()).into()],
        }
    }

    /// The same as JSON; `key` is `study` or `command`, and `name` that of the study or command.
    pub fn to_json(&self, key: &str, name: &str) -> Value {
        let errors: Vec<Value> = match self {
            Self::Study(error) => error.diagnostics.iter().map(|d| located_json(error, d)).collect(),
            Self::Refused(findings) => {
                findings.iter().map(|f| json!({ "message": f.message, "help": refusal_help(f) })).collect()
            }
            other => vec![json!({ "message": other.to_string(), "help": other.help() })],
        };
        json!({ key: name, "status": "failed", "results": {}, "errors": errors, "warnings": [], "timing": {} })
    }
}

fn mesh_help(error: &FemError) -> Option<&'static str> {
    match error {
        FemError::Io { action: "read", .. } => {
            Some("give the path of a Gmsh .msh, Abaqus .inp, or VTK .vtu or .vtk file")
        }
        FemError::Io { .. } => Some("choose an existing folder with write permission and enough space"),
        FemError::InFile { .. } if [" parts: ", " instances: "].iter().any(|what| error.to_string().contains(what)) => {
            Some("choose a part of the file with --part NAME, or join all parts of its assembly with --part all")
        }
        FemError::InFile { .. } => {
            Some("save the mesh again with tetrahedra only, as Gmsh .msh 4.1 or 2.2, Abaqus .inp, VTK .vtu or .vtk")
        }
        FemError::Quality(_) => Some(
            "`wolff mesh check FILE --repair OUT` repairs some kinds of faults; for the others, mesh the solid again",
        ),
        FemError::UnknownSet { .. } => Some(
            "name a node set of the mesh, or write a place: z<0.001, sphere(x,y,z,r), box(x0,y0,z0,x1,y1,z1), in m",
        ),
        _ => None,
    }
}

fn refusal_help(finding: &Finding) -> String {
    format!("{}; or use --force to go on with this input, which makes the result doubtful", finding.remedy)
}

/// Text that does not control the terminal.
fn shown(text: &str) -> String {
    printable(text).into_owned()
}

fn with_help(diagnostic: MietteDiagnostic, help: Option<String>) -> MietteDiagnostic {
    match help {
        Some(help) => diagnostic.with_help(shown(&help)),
        None => diagnostic,
    }
}

fn located(error: &StudyError, d: &Diagnostic) -> Report {
    if d.span.is_empty() {
        // the error is not in the text of the study but, for example, in a file that it names
        return Report::new(with_help(MietteDiagnostic::new(shown(&d.message)), d.help.clone()));
    }
    let label = LabeledSpan::new_with_span(None, (d.span.start, d.span.len()));
    let diagnostic = with_help(MietteDiagnostic::new(shown(&d.message)).with_label(label), d.help.clone());
    Report::new(diagnostic).with_source_code(NamedSource::new(shown(&error.file), in_place(&error.text).into_owned()))
}

fn located_json(error: &StudyError, d: &Diagnostic) -> Value {
    let before = error.text.get(..d.span.start).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
    json!({ "message": d.message, "file": error.file, "line": line, "column": column, "help": d.help })
}
