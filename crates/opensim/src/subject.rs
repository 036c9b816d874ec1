//! OpenSim models as subjects: the file, the converted model, and the subject for analyses.

use crate::{OpensimModel, convert_in, coordinate_name};
use std::path::Path;
use wolff_formats::Table;
use wolff_formats::osim::{self, OsimModel};
use wolff_formats::sto::Storage;
use wolff_motion::recording::read_bytes;
use wolff_motion::{Accelerations, Coordinate, CoordinateHistory, MotionError, MotionType, Poses, Subject};

/// A subject from a model file.
#[derive(Debug)]
pub struct OpensimSubject {
    /// The file.
    pub file: OsimModel,
    /// The converted model.
    pub converted: OpensimModel,
    /// The subject for analyses; its coordinates have the order of the file.
    pub subject: Subject,
}

impl OpensimSubject {
    /// Reads a model file.
    pub fn read(path: &Path) -> Result<Self, MotionError> {
        let file = osim::read(&read_bytes(path)?).map_err(|cause| MotionError::File { path: path.into(), cause })?;
        Self::new_in(file, path.parent())
    }

    /// From a model file that has been read.
    ///
    /// Models that cannot be converted and coordinates that are not positions are errors.
    pub fn new(file: OsimModel) -> Result<Self, MotionError> {
        Self::new_in(file, None)
    }

    /// The same for a file in a folder, from which contact meshes are read.
    fn new_in(file: OsimModel, folder: Option<&Path>) -> Result<Self, MotionError> {
        let converted = convert_in(&file, folder).map_err(|e| {
            let reasons = e.iter().map(ToString::to_string).collect();
            MotionError::Model { model: file.name.clone(), reasons }
        })?;
        let subject = converted.subject()?;
        Ok(Self { file, converted, subject })
    }

    /// The coordinate of that name or path.
    pub fn coordinate(&self, name: &str) -> Option<&Coordinate> {
        self.subject.coordinate(value_name(name))
    }

    /// The mass of all bodies \[kg\].
    pub fn mass(&self) -> f64 {
        self.subject.mass()
    }

    /// [`Subject::positions`] of a motion file as OpenSim writes it.
    pub fn positions(&self, motion: &Storage) -> Result<(Poses, Vec<String>), MotionError> {
        Ok(self.subject.positions(&with_plain_labels(motion)?))
    }

    /// [`CoordinateHistory::from_storage`] of a motion file as OpenSim writes it.
    pub fn history(
        &self,
        motion: &Storage,
        cutoff: Option<f64>,
        accelerations: Accelerations,
    ) -> Result<CoordinateHistory, MotionError> {
        CoordinateHistory::from_storage(&with_plain_labels(motion)?, &self.subject, cutoff, accelerations)
    }
}

impl OpensimModel {
    /// The subject of the model, with all passive forces.
    ///
    /// Models that cannot be built and coordinates that are not positions are errors.
    pub fn subject(&self) -> Result<Subject, MotionError> {
        let model = self.build().map_err(|e| MotionError::Model {
            model: self.spec.name.clone(),
            reasons: e.iter().map(ToString::to_string).collect(),
        })?;
        let subject = Subject::new(model)?;
        Ok(Subject {
            coordinates: self.ordered_coordinates(&subject),
            markers: self.markers.clone(),
            muscles: self.muscles.clone(),
            actuators: self.actuators.clone(),
            ..subject
        })
    }

    /// Coordinates in the order of the file, with its kinds of motion and ranges; coordinates of the solver that the
    /// file does not name come after them.
    fn ordered_coordinates(&self, subject: &Subject) -> Vec<Coordinate> {
        let mut out: Vec<Coordinate> = Vec::with_capacity(subject.coordinates.len());
        for spec in &self.coordinates {
            let Some(found) = subject.coordinate(&spec.name) else { continue };
            let range = spec.clamped.then_some(spec.range);
            out.push(Coordinate {
                joint: spec.joint.clone(),
                kind: spec.motion,
                default: spec.default_value,
                range,
                ..found.clone()
            });
        }
        for other in &subject.coordinates {
            if !out.iter().any(|c| c.speed == other.speed) {
                out.push(Coordinate { kind: MotionType::Coupled, ..other.clone() });
            }
        }
        out
    }
}

/// A motion whose labels are names of coordinates instead of paths such as `/jointset/knee_r/knee_angle_r/value`.
pub fn with_plain_labels(motion: &Storage) -> Result<Storage, MotionError> {
    let labels = motion.table.labels().iter().map(|l| value_name(l).to_string()).collect();
    Ok(Storage { table: Table::new(labels, motion.table.rows().to_vec())?, ..motion.clone() })
}

/// The coordinate that a label is the value of; labels of other quantities give their last part.
fn value_name(label: &str) -> &str {
    coordinate_name(label.strip_suffix("/value").unwrap_or(label))
}
