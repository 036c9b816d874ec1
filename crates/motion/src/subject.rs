//! An OpenSim model ready to be moved: the solver's model, and the file's own order, units and ranges of coordinates.

use crate::MotionError;
use std::path::Path;
use wolff_formats::osim::{self, OsimModel};
use wolff_formats::sto::Storage;
use wolff_multibody::Model;
use wolff_opensim::{MotionType, OpensimModel, convert, coordinate_name};

/// A coordinate of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// Name.
    pub name: String,
    /// Index of its speed in the solver's model.
    pub speed: usize,
    /// Index of its position in the solver's model.
    pub position: usize,
    /// Unit of its values.
    pub kind: MotionType,
    /// Value in the default pose [rad or m].
    pub default: f64,
    /// Range that it is kept in; `None` where the file does not clamp it.
    pub range: Option<[f64; 2]>,
}

/// A model with the coordinates in the order of its file.
#[derive(Debug)]
pub struct SubjectModel {
    /// The file.
    pub file: OsimModel,
    /// What became of it.
    pub converted: OpensimModel,
    /// The solver's model, forces of the file included.
    pub model: Model,
    /// Coordinates in the order of the file.
    pub coordinates: Vec<Coordinate>,
}

impl SubjectModel {
    /// Reads a model file.
    pub fn read(path: &Path) -> Result<Self, MotionError> {
        let bytes = std::fs::read(path).map_err(|cause| MotionError::Unreadable { path: path.into(), cause })?;
        let file = osim::read(&bytes).map_err(|cause| MotionError::File { path: path.into(), cause })?;
        Self::new(file)
    }

    /// From a model as its file has it.
    ///
    /// Refuses models that cannot be converted and coordinates that are no positions.
    pub fn new(file: OsimModel) -> Result<Self, MotionError> {
        let refused = |reasons: Vec<String>| MotionError::Model { model: file.name.clone(), reasons };
        let converted = convert(&file).map_err(|e| refused(e.iter().map(ToString::to_string).collect()))?;
        let model = converted.build().map_err(|e| refused(e.iter().map(ToString::to_string).collect()))?;
        if let Some(k) = (0..model.nv()).find(|&k| model.position_of_speed(k).is_none()) {
            let name = model.coordinate_names().get(k).cloned().unwrap_or_default();
            return Err(refused(vec![format!("`{name}` is an angular velocity without a coordinate; use a gimbal")]));
        }
        let coordinates = coordinates(&file, &converted, &model);
        Ok(Self { file, converted, model, coordinates })
    }

    /// The coordinate of that name or path.
    pub fn coordinate(&self, name: &str) -> Option<&Coordinate> {
        let name = coordinate_name(name.strip_suffix("/value").unwrap_or(name));
        self.coordinates.iter().find(|c| c.name == name)
    }

    /// The mass of all bodies [kg].
    pub fn mass(&self) -> f64 {
        self.model.total_mass()
    }

    /// Values of the coordinates over time as OpenSim writes a motion: angles in degrees. `rows` are times with positions
    /// of the solver's model.
    pub fn motion_file(&self, name: &str, rows: &[(f64, Vec<f64>)]) -> Result<Storage, MotionError> {
        let rows = rows.iter().map(|(t, q)| self.motion_row(*t, q)).collect();
        let table = wolff_formats::Table::new(self.motion_labels(), rows)?;
        Ok(Storage { name: name.into(), in_degrees: true, table, remarks: Vec::new() })
    }

    /// Labels of such a file.
    pub fn motion_labels(&self) -> Vec<String> {
        std::iter::once("time".to_string()).chain(self.coordinates.iter().map(|c| c.name.clone())).collect()
    }

    /// A row of such a file: time [s] and coordinates from positions of the solver's model.
    pub fn motion_row(&self, t: f64, q: &[f64]) -> Vec<f64> {
        let value = |c: &Coordinate| {
            let q = q.get(c.position).copied().unwrap_or(f64::NAN);
            if c.kind == MotionType::Rotational { q.to_degrees() } else { q }
        };
        std::iter::once(t).chain(self.coordinates.iter().map(value)).collect()
    }

    /// Rows of a motion file as times and positions of the solver's model [rad, m]; coordinates that the file does not have keep
    /// their defaults. Second: names of coordinates that it does not have.
    pub fn positions(&self, motion: &Storage) -> (Vec<(f64, Vec<f64>)>, Vec<String>) {
        let labels = motion.table.labels();
        let column = |c: &Coordinate| {
            let named = |l: &String| coordinate_name(l.strip_suffix("/value").unwrap_or(l)) == c.name;
            labels.iter().position(|l| named(l) && !l.ends_with("/speed"))
        };
        let found: Vec<(&Coordinate, Option<usize>)> = self.coordinates.iter().map(|c| (c, column(c))).collect();
        let missing = found.iter().filter(|(_, at)| at.is_none()).map(|(c, _)| c.name.clone()).collect();
        let row = |row: &Vec<f64>| {
            let mut q = self.model.q0.clone();
            for (c, at) in &found {
                let Some(value) = at.and_then(|i| row.get(i)) else { continue };
                let degrees = motion.in_degrees && c.kind == MotionType::Rotational;
                q[c.position] = if degrees { value.to_radians() } else { *value };
            }
            (row.first().copied().unwrap_or(f64::NAN), q)
        };
        (motion.table.rows().iter().map(row).collect(), missing)
    }
}

/// Coordinates in the order of the file, those of the solver that the file does not name after them.
fn coordinates(file: &OsimModel, converted: &OpensimModel, model: &Model) -> Vec<Coordinate> {
    let clamped = |name: &str| file.joints.iter().flat_map(|j| &j.coordinates).any(|c| c.name == name && c.clamped);
    let mut out: Vec<Coordinate> = Vec::with_capacity(model.nv());
    for c in &converted.coordinates {
        let Some(speed) = model.coordinate_index(&c.name) else { continue };
        let Some(position) = model.position_of_speed(speed) else { continue };
        let range = clamped(&c.name).then_some(c.range);
        out.push(Coordinate { name: c.name.clone(), speed, position, kind: c.motion, default: c.default_value, range });
    }
    for (speed, name) in model.coordinate_names().iter().enumerate() {
        let Some(position) = model.position_of_speed(speed) else { continue };
        if !out.iter().any(|c| c.speed == speed) {
            let default = model.q0.get(position).copied().unwrap_or(0.0);
            let kind = MotionType::Coupled;
            out.push(Coordinate { name: name.clone(), speed, position, kind, default, range: None });
        }
    }
    out
}
