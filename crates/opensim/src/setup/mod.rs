//! OpenSim's set-up files: the tasks of its tools, as plain structs.
//!
//! Paths are resolved from the folder of the file; where no file is there, one of that name is looked for nearby, and
//! what was found is told ([`SetupFile::findings`]). `Unassigned` and empty properties are `None`. Unsupported elements
//! are listed, not silently dropped. Source: set-up files of OpenSim 2.3 to 4.6 and the comments that OpenSim writes
//! into them.

mod actuators;
mod analyze;
mod control;
mod external_loads;
mod find;
mod inverse;
mod markers;
mod reduction;
mod scale;
mod xml;

pub use actuators::{Actuator, ActuatorKind, ActuatorSet};
pub use analyze::{Analysis, AnalysisKind, AnalyzeTool};
pub use control::{ControlCurve, ForwardTool, MuscleControlTool, TrackingTask};
pub use external_loads::{ExternalForce, ExternalLoads};
pub use inverse::{InverseDynamicsTool, InverseKinematicsTool};
pub use markers::{CoordinateTarget, MarkerSet, ModelMarker, Task, TaskKind, TaskSet};
pub use reduction::ResidualReductionTool;
pub use scale::{BodyScale, MarkerPlacer, Measurement, ModelScaler, ScaleFactors, ScaleTool};

use std::path::Path;
use wolff_files::input;
use wolff_formats::FormatError;
use wolff_formats::number::{self, excerpt};
use wolff_formats::xml::{Lines, check_attributes};
use wolff_verdict::Finding;
use xml::{Reader, Told};

pub(crate) const FORMAT: &str = "set-up XML";

/// A set-up file.
#[derive(Clone, Debug, PartialEq)]
pub struct SetupFile {
    /// Version of the document, such as 40000; `None` in files without the outer element.
    pub version: Option<u32>,
    /// Its content.
    pub setup: Setup,
    /// Unsupported elements.
    pub unknown: Vec<Unknown>,
    /// Files that were not where the set-up says, and what is used instead.
    pub findings: Vec<Finding>,
}

/// An unsupported element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its tag after that of its owner, such as `AnalyzeTool/output_precision`.
    pub element: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Content of a set-up file.
#[derive(Clone, Debug, PartialEq)]
pub enum Setup {
    /// Scaling a model to a subject.
    Scale(Box<ScaleTool>),
    /// Inverse kinematics.
    InverseKinematics(InverseKinematicsTool),
    /// Inverse dynamics.
    InverseDynamics(InverseDynamicsTool),
    /// Residual reduction.
    ResidualReduction(ResidualReductionTool),
    /// Analyses of a motion, including static optimisation.
    Analyze(AnalyzeTool),
    /// Computed muscle control.
    MuscleControl(Box<MuscleControlTool>),
    /// Forward simulation.
    Forward(Box<ForwardTool>),
    /// Coordinates that are tracked.
    Tracking(Vec<TrackingTask>),
    /// Controls over time.
    Controls(Vec<ControlCurve>),
    /// Ground forces and others.
    ExternalLoads(ExternalLoads),
    /// Markers on a model.
    Markers(MarkerSet),
    /// Weights of inverse kinematics.
    Tasks(TaskSet),
    /// Reserve and residual actuators.
    Actuators(ActuatorSet),
    /// Pairs of markers that scale bodies.
    Measurements(Vec<Measurement>),
    /// Scale factors of bodies.
    ScaleFactors(Vec<ScaleFactors>),
}

/// Reads a set-up file from disk.
pub fn read_file(path: &Path) -> Result<SetupFile, FormatError> {
    read_file_without(path, &[])
}

/// Reads a set-up file from disk. Files that it names in these elements, such as `model_file`, are given otherwise:
/// they are not looked for, and the properties are `None`.
pub fn read_file_without(path: &Path, given: &[&str]) -> Result<SetupFile, FormatError> {
    let bytes = input::read(path).map_err(|e| FormatError::io("read", path, e))?;
    read_without(&bytes, path.parent().unwrap_or(Path::new("")), given)
}

/// Reads a set-up file whose paths start from `folder`.
pub fn read(bytes: &[u8], folder: &Path) -> Result<SetupFile, FormatError> {
    read_without(bytes, folder, &[])
}

fn read_without(bytes: &[u8], folder: &Path, given: &[&str]) -> Result<SetupFile, FormatError> {
    let text = number::text(bytes).map_err(|(line, m)| FormatError::syntax(FORMAT, line, m))?;
    check_attributes(text).map_err(|(line, m)| FormatError::syntax(FORMAT, line, m))?;
    let options = roxmltree::ParsingOptions { allow_dtd: false, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options)
        .map_err(|e| FormatError::syntax(FORMAT, e.pos().row as usize, e.to_string()))?;
    let root = document.root_element();
    let outer = root.tag_name().name() == "OpenSimDocument";
    let version = root.attribute("Version").filter(|_| outer).and_then(|v| v.trim().parse().ok());
    let inner = if outer { root.first_element_child() } else { Some(root) };
    let node = inner.ok_or_else(|| FormatError::syntax(FORMAT, 1, "the document is empty"))?;

    let given = given.iter().map(|name| name.to_string()).collect();
    let told = Told { lines: Lines::new(text), given, ..Told::default() };
    let reader = Reader::new(node, folder, &told);
    let setup = read_setup(&reader)?;
    reader.finish();
    let Told { unknown, findings, ambiguous, .. } = told;
    match ambiguous.take().into_iter().next() {
        Some((line, message)) => Err(FormatError::syntax(FORMAT, line, message)),
        None => Ok(SetupFile { version, setup, unknown: unknown.take(), findings: findings.take() }),
    }
}

fn read_setup(r: &Reader) -> Result<Setup, FormatError> {
    match r.tag() {
        "ScaleTool" => ScaleTool::read(r).map(|tool| Setup::Scale(Box::new(tool))),
        // misspelled in OpenSim 2.3
        "InverseKinematicsTool" | "InverseKinemtaticsTool" => {
            InverseKinematicsTool::read(r).map(Setup::InverseKinematics)
        }
        "InverseDynamicsTool" => InverseDynamicsTool::read(r).map(Setup::InverseDynamics),
        "RRATool" => ResidualReductionTool::read(r).map(Setup::ResidualReduction),
        "AnalyzeTool" => AnalyzeTool::read(r).map(Setup::Analyze),
        "CMCTool" => MuscleControlTool::read(r).map(|tool| Setup::MuscleControl(Box::new(tool))),
        "ForwardTool" => ForwardTool::read(r).map(|tool| Setup::Forward(Box::new(tool))),
        "CMC_TaskSet" => {
            r.skip(&["datafile"]);
            r.own_objects(TrackingTask::read).map(Setup::Tracking)
        }
        "ControlSet" => r.own_objects(ControlCurve::read).map(Setup::Controls),
        "ExternalLoads" => ExternalLoads::read(r).map(Setup::ExternalLoads),
        "MarkerSet" => MarkerSet::read(r).map(Setup::Markers),
        "IKTaskSet" => TaskSet::read(r).map(Setup::Tasks),
        "ForceSet" | "ActuatorSet" => ActuatorSet::read(r).map(Setup::Actuators),
        "MeasurementSet" => r.own_objects(Measurement::read).map(Setup::Measurements),
        "ScaleSet" => r.own_objects(ScaleFactors::read).map(Setup::ScaleFactors),
        other => {
            let message = format!(
                "<{}> is not supported; supported are set-ups of scaling, inverse kinematics, inverse dynamics, \
                 residual reduction, computed muscle control, forward simulation and analyses, and their parts",
                excerpt(other)
            );
            Err(FormatError::unsupported(FORMAT, message))
        }
    }
}
