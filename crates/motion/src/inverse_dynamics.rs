//! Inverse dynamics: generalised forces of a motion.

use crate::MotionError;
use crate::coordinate::Coordinate;
use crate::history::CoordinateHistory;
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_multibody::{Model, System};

/// Generalised forces over time.
#[derive(Clone, Debug)]
pub struct GeneralizedForces {
    /// Instants \[s\].
    pub times: Vec<f64>,
    /// Names of the coordinates, one per speed of the model.
    pub coordinates: Vec<String>,
    /// For each instant, one entry per coordinate \[N m or N\].
    pub rows: Vec<Vec<f64>>,
}

/// Generalised forces that a motion needs in addition to gravity and the model's own forces, which include external
/// loads:
///
/// ```text
/// τ = M(q) q'' + h(q, q') - f
/// ```
/// M mass matrix, h velocity terms and weight, f generalised forces of the model's force elements. Constraints are
/// ignored, as OpenSim's inverse dynamics tool does: a coupled coordinate has a force of its own. The speeds of joints
/// are rates of angles, so forces of ball and free joints differ from OpenSim's by the map from rates to angular
/// velocity. Source: Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 5.
pub fn inverse_dynamics(
    model: &Model,
    history: &CoordinateHistory,
    times: &[f64],
    mut progress: impl FnMut(usize),
) -> Result<GeneralizedForces, MotionError> {
    let mut frame = InverseFrame::new(model);
    let mut rows = Vec::with_capacity(times.len());
    for (k, t) in times.iter().enumerate() {
        rows.push(frame.solve(history, *t)?.to_vec());
        progress(k + 1);
    }
    Ok(GeneralizedForces { times: times.to_vec(), coordinates: model.coordinate_names().to_vec(), rows })
}

/// Inverse dynamics instant by instant, without allocation.
#[derive(Debug)]
pub struct InverseFrame<'m> {
    /// The model at the instant.
    pub system: System<'m>,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
    /// Generalised forces.
    pub tau: Vec<f64>,
    still: Vec<f64>,
}

impl<'m> InverseFrame<'m> {
    /// Work memory for a model.
    pub fn new(model: &'m Model) -> Self {
        let (nq, nv) = (model.nq(), model.nv());
        InverseFrame {
            system: System::new(model),
            q: vec![0.0; nq],
            v: vec![0.0; nv],
            a: vec![0.0; nv],
            tau: vec![0.0; nv],
            still: vec![0.0; model.nc()],
        }
    }

    /// Generalised forces at time `t` \[s\].
    pub fn solve(&mut self, history: &CoordinateHistory, t: f64) -> Result<&[f64], MotionError> {
        history.evaluate(t, &mut self.q, &mut self.v, &mut self.a);
        self.solve_present(t)
    }

    /// Generalised forces of the present coordinates, speeds and accelerations.
    pub fn solve_present(&mut self, t: f64) -> Result<&[f64], MotionError> {
        self.system.residual(t, &self.q, &self.v, &self.a, &self.still, &mut self.tau);
        match self.tau.iter().position(|x| !x.is_finite()) {
            None => Ok(&self.tau),
            Some(i) => {
                let name = &self.system.model.coordinate_names()[i];
                let reason = format!(
                    "the force of coordinate `{name}` is not a finite number; check motion and loads at this instant"
                );
                Err(MotionError::Instant { time: t, reason })
            }
        }
    }
}

impl GeneralizedForces {
    /// The column of a coordinate.
    pub fn column(&self, coordinate: &str) -> Option<Vec<f64>> {
        let i = self.coordinates.iter().position(|c| c == coordinate)?;
        Some(self.rows.iter().map(|row| row[i]).collect())
    }

    /// A table as OpenSim writes it: [`force_columns`].
    pub fn to_storage(&self, coordinates: &[Coordinate]) -> Result<Storage, MotionError> {
        let (labels, order) = force_columns(coordinates, &self.coordinates);
        let row = |(t, row): (&f64, &Vec<f64>)| std::iter::once(*t).chain(order.iter().map(|i| row[*i])).collect();
        let table = Table::new(labels, self.times.iter().zip(&self.rows).map(row).collect())?;
        Ok(Storage { name: FORCES_TITLE.into(), in_degrees: false, table, remarks: vec![] })
    }
}

/// First line of OpenSim's files of generalised forces.
pub const FORCES_TITLE: &str = "Inverse Dynamics Generalized Forces";

/// Columns of OpenSim's tables of generalised forces: `time`, then `<coordinate>_moment` for rotations,
/// `<coordinate>_force` for others, in the file's order; and the indices of their coordinates in `names`.
pub fn force_columns(coordinates: &[Coordinate], names: &[String]) -> (Vec<String>, Vec<usize>) {
    let mut labels = vec!["time".to_string()];
    let mut order = Vec::new();
    for coordinate in coordinates {
        let Some(i) = names.iter().position(|c| *c == coordinate.name) else { continue };
        let kind = if coordinate.is_angle() { "moment" } else { "force" };
        labels.push(format!("{}_{kind}", coordinate.name));
        order.push(i);
    }
    (labels, order)
}
