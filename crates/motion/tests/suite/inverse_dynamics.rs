//! Generalised forces against OpenSim's.

use crate::walks::{Walk, rms, storage, times};
use wolff_formats::Table;
use wolff_motion::{Accelerations, GeneralizedForces, inverse_dynamics};

/// Root mean square difference of each column from a record.
fn compare(walk: &Walk, record: &Table) -> Vec<(String, f64)> {
    let found: GeneralizedForces = inverse_dynamics(&walk.model, &walk.history, &times(record), |_| {}).unwrap();
    let table = found.to_storage(&walk.opensim.coordinates).unwrap().table;
    let mut off = Vec::new();
    for label in &record.labels()[1..] {
        let column = table.column(label).unwrap_or_else(|| panic!("no {label}"));
        off.push((label.clone(), rms(&column, &record.column(label).unwrap())));
    }
    off
}

/// The record has eight decimals, and so has the motion: what a last digit of it means for accelerations at 1000 Hz [N m or N].
const RECORD: f64 = 1e-6;

#[test]
fn a_walk_of_92_muscles() {
    let Some(walk) = Walk::gait1992(Accelerations::SecondDerivative) else { return };
    let Some(record) = storage("gait1992-pipeline/inverse_dynamics/task_InverseDynamics.sto") else { return };
    let off = compare(&walk, &record.table);
    assert_eq!(off.len(), 19);
    for (name, off) in off {
        assert!(off < RECORD, "{name}: {off:.2e}");
    }
}

/// OpenSim's own tests with a filter of 6 Hz; their records come from an older version, which its makers allow 0.01 and 2 N m.
#[test]
fn tests_of_opensim() {
    for (name, tolerance) in [("arm26", 2e-4), ("subject01", 1.0)] {
        let path = |file: &str| format!("opensim-core/ID/{file}");
        let walks = name == "subject01";
        let motion = if walks { "subject01_walk1_ik.mot" } else { "arm26_InverseKinematics.mot" };
        let loads = walks.then(|| path("subject01_walk1_grf.xml"));
        let (model, motion) = (path(&format!("{name}.osim")), path(motion));
        let (Some(mut motion), Some(record)) =
            (storage(&motion), storage(&path(&format!("std_{name}_InverseDynamics.sto"))))
        else {
            return;
        };
        // the header says so in words only
        motion.in_degrees = true;
        let Some(walk) =
            Walk::with_motion(&model, &motion, loads.as_deref(), Some(6.0), Accelerations::SecondDerivative)
        else {
            return;
        };
        let range = [walk.history.times()[0], *walk.history.times().last().unwrap()];
        let rows = record.table.rows().iter().filter(|r| r[0] >= range[0] - 1e-5 && r[0] <= 1.6).cloned().collect();
        let inside = Table::new(record.table.labels().to_vec(), rows).unwrap();
        for (column, off) in compare(&walk, &inside) {
            assert!(off < tolerance, "{name} {column}: {off:.2e}");
        }
    }
}

/// A walk of a model with patellae, whose record of moments was made from the motion with a filter of 6 Hz. The file has the coordinates of the
/// patellae in degrees although it says radians; they follow the knees. Above the legs the record's rounding is reached; the measured
/// forces of the record were smoothed otherwise, by less than 1 N.
#[test]
fn a_walk_with_arms() {
    let path = |file: &str| format!("rajagopal-walk/{file}");
    let (model, loads) = (path("subject_walk_scaled.osim"), path("grf_walk.xml"));
    let motion = path("coordinates.sto");
    let Some(walk) = Walk::read(&model, &motion, Some(&loads), Some(6.0), Accelerations::SecondDerivative) else {
        return;
    };
    let Some(record) = storage(&path("id_walk.sto")) else { return };
    let rows = record.table.rows().iter().filter(|r| r[0] > 0.6 && r[0] < 1.65).cloned().collect();
    let inside = Table::new(record.table.labels().to_vec(), rows).unwrap();
    for (column, off) in compare(&walk, &inside) {
        let of_legs =
            ["pelvis", "hip", "knee_angle_r_m", "knee_angle_l_m", "ankle"].iter().any(|p| column.starts_with(p));
        assert!(off < if of_legs { 1.0 } else { RECORD }, "{column}: {off:.2e}");
    }
}

/// The moment of a swinging pendulum in closed form: `m l² q'' + m g l sin q` of both bodies.
#[test]
fn a_pendulum() {
    let (opensim, model) = crate::pendulum::model("");
    let motion = crate::pendulum::motion("", |t| 0.5 * (3.0 * t).sin());
    let history =
        wolff_motion::CoordinateHistory::from_storage(&motion, &opensim, &model, None, Accelerations::SecondDerivative)
            .unwrap();
    let found = inverse_dynamics(&model, &history, &[0.5], |_| {}).unwrap();
    let (q, a) = (0.5 * 1.5_f64.sin(), -4.5 * 1.5_f64.sin());
    let inertia = 2.0 + 1.5 * 1.5;
    let weight = 10.0 * (2.0 + 1.5);
    assert!((found.column("swing").unwrap()[0] - (inertia * a + weight * q.sin())).abs() < 1e-5);
}
