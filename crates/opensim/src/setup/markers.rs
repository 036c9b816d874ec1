//! Marker sets and the tasks of inverse kinematics.

use super::xml::Reader;
use std::path::PathBuf;
use wolff_formats::FormatError;

/// Markers on a model.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerSet {
    /// The markers.
    pub markers: Vec<ModelMarker>,
}

/// A marker on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelMarker {
    /// Its name, equal to that of the recorded marker.
    pub name: String,
    /// The body; the last part of the path in files of OpenSim 4.
    pub body: String,
    /// Position in the frame of the body \[m\].
    pub location: [f64; 3],
    /// Whether scaling must not move it.
    pub fixed: bool,
}

impl MarkerSet {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        Ok(Self { markers: r.own_objects(ModelMarker::read)? })
    }
}

impl ModelMarker {
    fn read(r: &Reader) -> Result<Option<Self>, FormatError> {
        if r.tag() != "Marker" {
            return Ok(None);
        }
        let path = r.text("socket_parent_frame").or(r.text("socket_parent_frame_connectee_name")).or(r.text("body"));
        let body = path.map(|p| p.rsplit('/').next().unwrap_or_default().to_string()).unwrap_or_default();
        let location = r.numbers("location")?.unwrap_or_default();
        Ok(Some(Self { name: r.name(), body, location, fixed: r.flag("fixed", false)? }))
    }
}

/// Weights of inverse kinematics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskSet {
    /// Another file that contains the tasks.
    pub file: Option<PathBuf>,
    /// The tasks.
    pub tasks: Vec<Task>,
}

/// One term of the cost of inverse kinematics.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Marker or coordinate.
    pub name: String,
    /// Kind of the task.
    pub kind: TaskKind,
    /// Whether it is applied.
    pub apply: bool,
    /// Its weight.
    pub weight: f64,
}

/// Target of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TaskKind {
    /// A recorded marker.
    Marker,
    /// A coordinate.
    Coordinate(CoordinateTarget),
}

/// Source of the target value of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoordinateTarget {
    /// The default of the model.
    Default,
    /// This value \[m or rad\].
    Value(f64),
    /// The coordinate file of the tool.
    File,
}

impl TaskSet {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        Ok(Self { file: None, tasks: r.own_objects(Task::read)? })
    }

    /// The task set that is a property of a tool.
    pub(super) fn of(r: &Reader) -> Result<Self, FormatError> {
        Ok(Self { file: r.file_of("IKTaskSet"), tasks: r.objects("IKTaskSet", Task::read)? })
    }
}

impl Task {
    fn read(r: &Reader) -> Result<Option<Self>, FormatError> {
        let kind = match r.tag() {
            "IKMarkerTask" => TaskKind::Marker,
            "IKCoordinateTask" => {
                let value = r.number("value")?.unwrap_or(0.0);
                TaskKind::Coordinate(match r.text("value_type").as_deref() {
                    Some("manual_value") => CoordinateTarget::Value(value),
                    Some("from_file") => CoordinateTarget::File,
                    _ => CoordinateTarget::Default,
                })
            }
            _ => return Ok(None),
        };
        let (apply, weight) = (r.flag("apply", true)?, r.number("weight")?.unwrap_or(0.0));
        Ok(Some(Self { name: r.name(), kind, apply, weight }))
    }
}
