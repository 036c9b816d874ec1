//! Inverse kinematics from task sets and set-up files.

use crate::OpensimSubject;
use crate::setup::{self, CoordinateTarget, InverseKinematicsTool, Setup, Task, TaskKind};
use std::path::Path;
use wolff_formats::sto::Storage;
use wolff_motion::MotionError;
use wolff_motion::ik::{IkJob, Options, Target, Tasks};
use wolff_motion::recording::{Reading, read_storage};
use wolff_numerics::{CubicSpline, EndCondition};

/// Reads the files of a set-up. `reading` says in which axes and unit the markers are. Constraints hold exactly,
/// whatever their weight in the set-up, and poses are found to the default tolerance of this program where it is
/// smaller than that of the set-up.
pub fn ik_job(tool: &InverseKinematicsTool, reading: &Reading) -> Result<IkJob, MotionError> {
    let missing = |what: &str| MotionError::input("the set-up", format!("{what} is missing; add it"));
    let subject = OpensimSubject::read(tool.model_file.as_deref().ok_or_else(|| missing("model_file"))?)?;
    let markers = tool.marker_file.as_deref().ok_or_else(|| missing("marker_file"))?;
    let list = match &tool.tasks.file {
        Some(file) => read_tasks(file)?,
        None => tool.tasks.tasks.clone(),
    };
    let recorded = tool.coordinate_file.as_deref().map(read_storage).transpose()?;
    let tasks = ik_tasks(&subject, &list, recorded.as_ref())?;
    let mut options = Options::default();
    if tool.accuracy > 0.0 {
        options.tolerance = options.tolerance.min(tool.accuracy);
    }
    let ranges = subject.converted.coordinates.iter().map(|c| (c.name.clone(), c.range)).collect();
    Ok(IkJob::new(subject.subject, tasks, markers, reading, tool.time_range, options)?.with_ranges(ranges))
}

/// Tasks of a task set that apply; `recorded` are the coordinates of a motion file for tasks that follow it.
///
/// As in OpenSim, markers without a task are not tracked; but where the set has no marker task at all, all markers are
/// tracked with weight 1. A coordinate without a value of its own has its default as target.
pub fn ik_tasks(subject: &OpensimSubject, tasks: &[Task], recorded: Option<&Storage>) -> Result<Tasks, MotionError> {
    let mut out = Tasks::default();
    for task in tasks.iter().filter(|t| t.apply) {
        if !(task.weight >= 0.0 && task.weight.is_finite()) {
            let reason = format!("its weight is {}; give zero or a positive number", task.weight);
            return Err(MotionError::input(format!("task `{}`", task.name), reason));
        }
        match task.kind {
            TaskKind::Marker => {
                out.markers.insert(task.name.clone(), task.weight);
            }
            TaskKind::Coordinate(target) => {
                let (name, wanted) = wanted(subject, &task.name, target, recorded)?;
                out.coordinates.push((name, task.weight, wanted));
            }
        }
    }
    if out.markers.is_empty() && tasks.iter().any(|t| matches!(t.kind, TaskKind::Marker)) {
        let reason = "no task of a marker applies: all have `apply` false; set it to true for the markers to track";
        return Err(MotionError::input("the task set", reason));
    }
    if out.markers.is_empty() {
        out.markers = Tasks::all_markers(&subject.subject).markers;
    }
    Ok(out)
}

/// Name and target value of a coordinate.
fn wanted(
    subject: &OpensimSubject,
    name: &str,
    target: CoordinateTarget,
    recorded: Option<&Storage>,
) -> Result<(String, Target), MotionError> {
    let unknown = || MotionError::Unknown { owner: "the task set".into(), what: "coordinate", name: name.into() };
    let coordinate = subject.coordinate(name).ok_or_else(unknown)?;
    let value = match target {
        CoordinateTarget::Default => Target::Value(coordinate.default),
        CoordinateTarget::Value(value) => Target::Value(value),
        CoordinateTarget::File => {
            let object = || format!("task `{name}`");
            let motion = recorded.ok_or_else(|| {
                MotionError::input(
                    object(),
                    "it follows a coordinate file, but no file is given; name one in the set-up",
                )
            })?;
            let (rows, missing) = subject.positions(motion)?;
            if missing.contains(&coordinate.name) {
                return Err(MotionError::input(object(), "the coordinate file has no such column"));
            }
            let times: Vec<f64> = rows.iter().map(|(t, _)| *t).collect();
            let values: Vec<f64> = rows.iter().map(|(_, q)| q[coordinate.position]).collect();
            let spline = CubicSpline::new(&times, &values, EndCondition::Natural)
                .map_err(|cause| MotionError::Numerics { object: object(), cause })?;
            Target::Recorded(Box::new(spline.with_straight_ends()))
        }
    };
    Ok((coordinate.name.clone(), value))
}

/// The tasks of a task set file.
pub fn read_tasks(path: &Path) -> Result<Vec<Task>, MotionError> {
    match setup::read_file(path).map_err(|cause| MotionError::File { path: path.into(), cause })?.setup {
        Setup::Tasks(set) => Ok(set.tasks),
        Setup::InverseKinematics(tool) => Ok(tool.tasks.tasks),
        _ => Err(MotionError::input(path.display().to_string(), "is not an IKTaskSet; give an IKTaskSet file")),
    }
}
