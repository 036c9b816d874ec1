//! Coordinates and speeds of a model from the columns of a file.

use wolff_formats::sto::Storage;
use wolff_multibody::{Kinematics, Model};

/// The meaning of a column of a states file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    /// A position coordinate.
    Position(usize),
    /// A speed.
    Speed(usize),
}

/// The columns that determine the pose of a model.
///
/// Supported names are `/jointset/knee/flexion/value` and `.../speed` of OpenSim 4, `knee/flexion/value`, and the plain
/// `flexion` and `flexion_u` of OpenSim 3. Other columns, such as those of muscles, are ignored.
#[derive(Clone, Debug, Default)]
pub struct StateColumns {
    /// Column, what it sets, factor.
    columns: Vec<(usize, Target, f64)>,
    /// Coordinates of the model that are not in the file and have their default values.
    pub unset: Vec<String>,
}

impl StateColumns {
    /// Reads the labels of a file. If the file is in degrees, rotational coordinates are converted.
    pub fn new(model: &Model, states: &Storage) -> Self {
        let turns = if states.in_degrees { turning(model) } else { Vec::new() };
        let factor = |speed: usize| if turns.get(speed) == Some(&true) { 1f64.to_radians() } else { 1.0 };
        let mut found = StateColumns::default();
        let mut set = vec![false; model.nv()];
        for (column, label) in states.table.labels().iter().enumerate().skip(1) {
            let Some((speed, is_speed)) = coordinate(model, label) else { continue };
            if is_speed {
                found.columns.push((column, Target::Speed(speed), factor(speed)));
            } else if let Some(position) = model.position_of_speed(speed) {
                found.columns.push((column, Target::Position(position), factor(speed)));
                set[speed] = true;
            }
        }
        let names = model.coordinate_names().iter().zip(set);
        found.unset = names.filter(|(_, set)| !set).map(|(name, _)| name.clone()).collect();
        found
    }

    /// Whether no column is a coordinate.
    pub fn is_empty(&self) -> bool {
        !self.columns.iter().any(|(_, target, _)| matches!(target, Target::Position(_)))
    }

    /// Coordinates and speeds of a row.
    pub fn state(&self, model: &Model, row: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (model.q0.clone(), vec![0.0; model.nv()]);
        for &(column, target, factor) in &self.columns {
            let value = factor * row.get(column).copied().unwrap_or(f64::NAN);
            match target {
                Target::Position(i) => q[i] = value,
                Target::Speed(i) => v[i] = value,
            }
        }
        (q, v)
    }
}

/// The coordinate of a label, and whether the label is its speed.
fn coordinate(model: &Model, label: &str) -> Option<(usize, bool)> {
    let parts: Vec<&str> = label.split('/').collect();
    match parts[..] {
        [.., name, "value"] => model.coordinate_index(name).map(|i| (i, false)),
        [.., name, "speed"] => model.coordinate_index(name).map(|i| (i, true)),
        [name] => {
            let speed = || name.strip_suffix("_u").and_then(|name| model.coordinate_index(name));
            model.coordinate_index(name).map(|i| (i, false)).or_else(|| speed().map(|i| (i, true)))
        }
        _ => None,
    }
}

/// For each coordinate whether it is rotational in the default pose.
fn turning(model: &Model) -> Vec<bool> {
    let mut kinematics = Kinematics::new(model);
    kinematics.update(model, &model.q0, &vec![0.0; model.nv()]);
    kinematics.S.iter().map(|column| column.w.norm() > 0.0).collect()
}
