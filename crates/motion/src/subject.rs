//! A subject: a model that can be moved, with its coordinates, markers, muscles and actuators.

use crate::actuator::ActuatorSpec;
use crate::coordinate::Coordinate;
use crate::muscle::MuscleSpec;
use crate::{MotionError, Motors};
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_multibody::Model;
use wolff_multibody::spec::FrameSpec;

/// Times \[s\] with positions of the solver's model \[rad, m\].
pub type Poses = Vec<(f64, Vec<f64>)>;

/// The data of a subject for all analyses of a motion.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Name.
    pub name: String,
    /// The solver's model with its passive forces.
    pub model: Model,
    /// Coordinates in the order in which motions list them.
    pub coordinates: Vec<Coordinate>,
    /// Markers by name, fixed to bodies.
    pub markers: Vec<(String, FrameSpec)>,
    /// Muscles; they are not among the forces of the model.
    pub muscles: Vec<MuscleSpec>,
    /// Ideal actuators; they are not among the forces of the model.
    pub actuators: Vec<ActuatorSpec>,
}

impl Subject {
    /// A subject with the coordinates of a model, in the order of its speeds, and nothing else.
    ///
    /// Models with speeds that are not the rates of positions (ball and free joints) are an error.
    pub fn new(model: Model) -> Result<Self, MotionError> {
        let coordinate = |speed: usize| {
            Coordinate::of_speed(&model, speed).ok_or_else(|| {
                let name = model.coordinate_names().get(speed).cloned().unwrap_or_default();
                let reasons = vec![format!("`{name}` is an angular velocity without a coordinate; use a gimbal")];
                MotionError::Model { model: model.name.clone(), reasons }
            })
        };
        let coordinates = (0..model.nv()).map(coordinate).collect::<Result<Vec<_>, _>>()?;
        let name = model.name.clone();
        Ok(Subject { name, model, coordinates, markers: Vec::new(), muscles: Vec::new(), actuators: Vec::new() })
    }

    /// The coordinate of that name.
    pub fn coordinate(&self, name: &str) -> Option<&Coordinate> {
        self.coordinates.iter().find(|c| c.name == name)
    }

    /// The mass of all bodies \[kg\].
    pub fn mass(&self) -> f64 {
        self.model.total_mass()
    }

    /// Muscles and actuators, resolved for the model.
    pub fn motors(&self) -> Result<Motors, MotionError> {
        Motors::new(&self.muscles, &self.actuators, &self.model)
    }

    /// Values of the coordinates over time in the format of a motion file: angles in degrees. `rows` are times with
    /// positions of the solver's model.
    pub fn motion_file(&self, name: &str, rows: &[(f64, Vec<f64>)]) -> Result<Storage, MotionError> {
        let rows = rows.iter().map(|(t, q)| self.motion_row(*t, q)).collect();
        let table = Table::new(self.motion_labels(), rows)?;
        Ok(Storage { name: name.into(), in_degrees: true, table, remarks: Vec::new() })
    }

    /// Labels of such a file.
    pub fn motion_labels(&self) -> Vec<String> {
        std::iter::once("time".to_string()).chain(self.coordinates.iter().map(|c| c.name.clone())).collect()
    }

    /// A row of such a file: time \[s\] and coordinates from positions of the solver's model.
    pub fn motion_row(&self, t: f64, q: &[f64]) -> Vec<f64> {
        let value = |c: &Coordinate| {
            let q = q.get(c.position).copied().unwrap_or(f64::NAN);
            if c.is_angle() { q.to_degrees() } else { q }
        };
        std::iter::once(t).chain(self.coordinates.iter().map(value)).collect()
    }

    /// Rows of a motion file, whose labels are names of coordinates, as times and positions of the solver's model [rad,
    /// m]; coordinates that the file does not have keep their defaults. Second: names of coordinates that it does not
    /// have.
    pub fn positions(&self, motion: &Storage) -> (Poses, Vec<String>) {
        let labels = motion.table.labels();
        let column = |c: &Coordinate| labels.iter().position(|l| *l == c.name);
        let found: Vec<(&Coordinate, Option<usize>)> = self.coordinates.iter().map(|c| (c, column(c))).collect();
        let missing = found.iter().filter(|(_, at)| at.is_none()).map(|(c, _)| c.name.clone()).collect();
        let row = |row: &Vec<f64>| {
            let mut q = self.model.q0.clone();
            for (c, at) in &found {
                let Some(value) = at.and_then(|i| row.get(i)) else { continue };
                q[c.position] = if motion.in_degrees && c.is_angle() { value.to_radians() } else { *value };
            }
            (row.first().copied().unwrap_or(f64::NAN), q)
        };
        (motion.table.rows().iter().map(row).collect(), missing)
    }
}
