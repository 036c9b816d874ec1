//! Tables of simulated instants, as OpenSim writes them.

use wolff_control::Sample;
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_motion::{Coordinate, MotionError, Motors, Subject};

/// Files of [`sample_tables`].
pub const SAMPLE_FILES: [&str; 5] =
    ["Actuation_force.sto", "states.sto", "controls.sto", "Kinematics_q.sto", "Kinematics_u.sto"];

/// Times with the values of a row.
type Rows = Vec<(f64, Vec<f64>)>;

/// A table with its labels, the time first.
pub(super) fn storage(name: &str, in_degrees: bool, labels: Vec<String>, rows: Rows) -> Result<Storage, MotionError> {
    let labels = std::iter::once("time".to_string()).chain(labels).collect();
    let rows = rows.into_iter().map(|(t, row)| std::iter::once(t).chain(row).collect()).collect();
    Ok(Storage { name: name.into(), in_degrees, table: Table::new(labels, rows)?, remarks: Vec::new() })
}

/// Forces, states, controls, coordinates and speeds; the latter two in degrees.
pub fn sample_tables(
    subject: &Subject,
    motors: &Motors,
    samples: &[Sample],
) -> Result<Vec<(String, Storage)>, MotionError> {
    let (nq, nv, nm) = (subject.model.nq(), subject.model.nv(), motors.muscles.len());
    let coordinates = &subject.coordinates;
    let angle = |c: &Coordinate, x: f64| if c.is_angle() { x.to_degrees() } else { x };
    let path = |c: &Coordinate, what: &str| format!("/jointset/{}/{}/{what}", c.joint, c.name);
    let muscle = |k: usize, what: &str| format!("/forceset/{}/{what}", motors.names[k]);
    let of_coordinates = coordinates.iter().flat_map(|c| [path(c, "value"), path(c, "speed")]);
    let of_muscles = (0..nm).flat_map(|k| [muscle(k, "activation"), muscle(k, "fiber_length")]);
    let state = |y: &[f64]| -> Vec<f64> {
        let motion = coordinates.iter().flat_map(|c| [y[c.position], y[nq + c.speed]]);
        motion.chain((0..nm).flat_map(|k| [y[nq + nv + k], y[nq + nv + nm + k]])).collect()
    };
    let names = || coordinates.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    let rows = |row: &dyn Fn(&Sample) -> Vec<f64>| samples.iter().map(|s| (s.t, row(s))).collect::<Rows>();
    let values = |s: &Sample| coordinates.iter().map(|c| angle(c, s.y[c.position])).collect::<Vec<_>>();
    let speeds = |s: &Sample| coordinates.iter().map(|c| angle(c, s.y[nq + c.speed])).collect::<Vec<_>>();
    let motors = || motors.names.clone();
    let all = [
        storage("ActuatorForces", false, motors(), rows(&|s| s.forces.clone()))?,
        storage("states", false, of_coordinates.chain(of_muscles).collect(), rows(&|s| state(&s.y)))?,
        storage("controls", false, motors(), rows(&|s| s.controls.clone()))?,
        storage("Coordinates", true, names(), rows(&values))?,
        storage("Speeds", true, names(), rows(&speeds))?,
    ];
    Ok(SAMPLE_FILES.into_iter().map(String::from).zip(all).collect())
}
