//! Lengths, moment arms, fibres and forces of muscles over a motion.

use crate::MotionError;
use crate::coupling::Coupling;
use crate::history::CoordinateHistory;
use crate::muscle::Muscle;
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_multibody::{Model, System};
use wolff_numerics::TimeFunction;

/// State of a muscle at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MuscleInstant {
    /// Length of muscle and tendon \[m\].
    pub length: f64,
    /// Its rate \[m/s\].
    pub speed: f64,
    /// Fibre length \[m\].
    pub fibre_length: f64,
    /// Fibre length over the optimal one.
    pub normalized_fibre_length: f64,
    /// Tendon length \[m\].
    pub tendon_length: f64,
    /// Pennation angle \[rad\].
    pub pennation_angle: f64,
    /// Force of the tendon \[N\].
    pub tendon_force: f64,
    /// Active force of the fibre \[N\].
    pub active_force: f64,
    /// Passive force of the fibre \[N\].
    pub passive_force: f64,
}

/// The name of a file of OpenSim's `MuscleAnalysis`, and its quantity.
type Quantity = (&'static str, fn(&MuscleInstant) -> f64);

const QUANTITIES: [Quantity; 8] = [
    ("Length", |m| m.length),
    ("FiberLength", |m| m.fibre_length),
    ("NormalizedFiberLength", |m| m.normalized_fibre_length),
    ("TendonLength", |m| m.tendon_length),
    ("PennationAngle", |m| m.pennation_angle),
    ("TendonForce", |m| m.tendon_force),
    ("ActiveFiberForce", |m| m.active_force),
    ("PassiveFiberForce", |m| m.passive_force),
];

/// Muscles over time.
#[derive(Clone, Debug)]
pub struct MuscleHistory {
    /// Instants \[s\].
    pub times: Vec<f64>,
    /// Names of the muscles.
    pub names: Vec<String>,
    /// For each instant, one entry per muscle.
    pub rows: Vec<Vec<MuscleInstant>>,
    /// For each requested coordinate: its name, and for each instant the moment arms \[m, or 1 for translations\].
    pub moment_arms: Vec<(String, Vec<Vec<f64>>)>,
}

/// Analyses muscles along a motion, each with its activation over time and its fibre in equilibrium with the tendon
/// (rigid ones follow the path).
///
/// The moment arm about a coordinate is minus the derivative of the length; coordinates that constraints couple to it
/// follow, as in OpenSim. Limits: an elastic tendon is in equilibrium with a fibre at rest at every instant, so the
/// force does not depend on fibre velocity.
pub fn muscle_analysis(
    model: &Model,
    muscles: &[Muscle],
    activations: &[TimeFunction],
    history: &CoordinateHistory,
    times: &[f64],
    coordinates: &[String],
    mut progress: impl FnMut(usize),
) -> Result<MuscleHistory, MotionError> {
    if activations.len() != muscles.len() {
        let reason = format!("{} activations for {} muscles", activations.len(), muscles.len());
        return Err(MotionError::input("muscle analysis", reason));
    }
    let mut moment_arms = Vec::new();
    let mut speeds = Vec::new();
    for name in coordinates {
        let missing = || MotionError::Unknown { owner: "moment arms".into(), what: "coordinate", name: name.clone() };
        speeds.push(model.coordinate_index(name).ok_or_else(missing)?);
        moment_arms.push((name.clone(), Vec::with_capacity(times.len())));
    }
    let names = muscles.iter().map(|m| m.hill.name().to_string()).collect();
    let mut out = MuscleHistory { times: times.to_vec(), names, rows: Vec::with_capacity(times.len()), moment_arms };
    let mut system = System::new(model);
    let mut coupling = Coupling::new(model.nc(), model.nv());
    let (mut q, mut v) = (vec![0.0; model.nq()], vec![0.0; model.nv()]);
    let (mut a, mut gradient) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
    for (k, t) in times.iter().enumerate() {
        history.evaluate(*t, &mut q, &mut v, &mut a);
        system.update_constraints(*t, &q, &v);
        coupling.update(&system.constraints);
        let at = system.instant(*t, &q, &v, None);
        let mut arms = vec![Vec::with_capacity(muscles.len()); speeds.len()];
        let mut row = Vec::with_capacity(muscles.len());
        for (muscle, activation) in muscles.iter().zip(activations) {
            let geometry = muscle.path.solve(&at, None);
            let speed = muscle.path.speed(&geometry, &at);
            row.push(finite(muscle, *t, instant(muscle, activation.value(*t), geometry.length, speed))?);
            if !speeds.is_empty() {
                muscle.path.length_gradient(&geometry, &at, &mut gradient);
                for (arms, i) in arms.iter_mut().zip(&speeds) {
                    arms.push(-coupling.derivative_along(&gradient, *i));
                }
            }
        }
        out.rows.push(row);
        for ((_, rows), arms) in out.moment_arms.iter_mut().zip(arms) {
            rows.push(arms);
        }
        progress(k + 1);
    }
    Ok(out)
}

/// The state; an error that names the muscle where a value is not a finite number.
fn finite(muscle: &Muscle, time: f64, state: MuscleInstant) -> Result<MuscleInstant, MotionError> {
    match QUANTITIES.iter().find(|(_, quantity)| !quantity(&state).is_finite()) {
        None => Ok(state),
        Some((what, _)) => {
            let reason = format!(
                "`{what}` of muscle `{}` is not a finite number; correct its path points, tendon slack length, optimal \
                 fibre length and maximum force in the model",
                muscle.hill.name()
            );
            Err(MotionError::Instant { time, reason })
        }
    }
}

fn instant(muscle: &Muscle, activation: f64, length: f64, speed: f64) -> MuscleInstant {
    let state = muscle.hill.equilibrium(activation, length, speed).state;
    MuscleInstant {
        length,
        speed,
        fibre_length: state.fibre_length,
        normalized_fibre_length: state.fibre_length / muscle.hill.parameters().optimal_fibre_length,
        tendon_length: state.tendon_length,
        pennation_angle: muscle.hill.pennation().angle(state.fibre_length),
        tendon_force: state.tendon_force,
        active_force: state.active_force,
        passive_force: state.passive_force,
    }
}

impl MuscleHistory {
    /// All tables with the names that OpenSim gives their files: `Length`, `MomentArm_knee_angle_r` and so on.
    pub fn to_storages(&self) -> Result<Vec<Storage>, MotionError> {
        let mut storages = Vec::new();
        for (name, quantity) in QUANTITIES {
            storages.push(self.storage(name, |row| self.rows[row].iter().map(quantity).collect())?);
        }
        for (coordinate, rows) in &self.moment_arms {
            storages.push(self.storage(&format!("MomentArm_{coordinate}"), |row| rows[row].clone())?);
        }
        Ok(storages)
    }

    fn storage(&self, name: &str, row: impl Fn(usize) -> Vec<f64>) -> Result<Storage, MotionError> {
        let labels = std::iter::once("time".to_string()).chain(self.names.iter().cloned()).collect();
        let rows = (0..self.times.len()).map(|k| std::iter::once(self.times[k]).chain(row(k)).collect()).collect();
        Ok(Storage { name: name.into(), in_degrees: false, table: Table::new(labels, rows)?, remarks: vec![] })
    }
}
