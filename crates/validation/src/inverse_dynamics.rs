//! Generalised forces of inverse dynamics.

use crate::difference::{self, Difference, Goal, moment_or_force, of_tables};
use crate::records::{Records, Walk, rows_within, times};
use crate::{ValidationRow, attempt};
use wolff_formats::Table;
use wolff_motion::{Accelerations, MotionError, inverse_dynamics};

/// The records of walks have eight decimals, and so has the motion of one: what a last digit of it means for
/// accelerations at 1000 Hz \[N m or N\].
pub const LAST_DIGIT: f64 = 1e-6;

/// All trials.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let quantity = "inverse dynamics";
    let mut rows = attempt("gait1992", quantity, || gait1992(records));
    rows.extend(attempt("arm26", quantity, || opensim_test(records, "arm26", 0.01, [[2e-4, 2e-3]; 2])));
    rows.extend(attempt("subject01", quantity, || opensim_test(records, "subject01", 2.0, [[1.0, 2.5], [1e-4, 2e-4]])));
    rows.extend(attempt("rajagopal", quantity, || rajagopal(records)));
    rows
}

/// Differences of all columns of a record, at its instants.
pub fn force_differences(walk: &Walk, record: &Table) -> Result<Vec<Difference>, MotionError> {
    let found = inverse_dynamics(&walk.subject.model, &walk.history, &times(record), |_| {})?;
    of_tables(&found.to_storage(&walk.subject.coordinates)?.table, record, moment_or_force)
}

/// Rows of moments and forces; bounds are of root mean square and largest difference of moments, and of forces.
fn force_rows(
    name: &str,
    off: &[Difference],
    limit: f64,
    source: &'static str,
    [moments, forces]: [[f64; 2]; 2],
) -> Vec<ValidationRow> {
    let goal = |unit, bounds| Goal { unit, limit, source, bounds };
    let mut rows = difference::rows(name, "joint moments", off, goal("N m", moments));
    rows.extend(difference::rows(name, "residual forces", off, goal("N", forces)));
    rows
}

fn gait1992(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let walk = Walk::gait1992(records, Accelerations::SecondDerivative)?;
    let record = records.storage("gait1992-pipeline/inverse_dynamics/task_InverseDynamics.sto")?.table;
    let off = force_differences(&walk, &record)?;
    let rows = force_rows("gait1992", &off, LAST_DIGIT, "record's last digit", [[1e-7, 1e-6]; 2]);
    let note = format!("{} instants", record.rows().len());
    Ok(rows.into_iter().map(|row| row.noted(&note)).collect())
}

/// A test of OpenSim with a filter of 6 Hz: the walk, and the record where it and the motion are.
pub fn opensim_trial(records: &Records, name: &str) -> Result<(Walk, Table), MotionError> {
    let path = |file: &str| format!("opensim-core/ID/{file}");
    let walks = name == "subject01";
    let motion = path(if walks { "subject01_walk1_ik.mot" } else { "arm26_InverseKinematics.mot" });
    let loads = walks.then(|| path("subject01_walk1_grf.xml"));
    let (model, motion) = (path(&format!("{name}.osim")), records.degrees(&motion)?);
    let walk = Walk::new(records, &model, &motion, loads.as_deref(), Some(6.0), Accelerations::SecondDerivative)?;
    let record = records.storage(&path(&format!("std_{name}_InverseDynamics.sto")))?.table;
    let start = walk.history.times().first().copied().unwrap_or(f64::NAN);
    // instants of the record are rounded
    let inside = rows_within(&record, [start - 1e-5, 1.6])?;
    Ok((walk, inside))
}

fn opensim_test(
    records: &Records,
    name: &str,
    tolerance: f64,
    bounds: [[f64; 2]; 2],
) -> Result<Vec<ValidationRow>, MotionError> {
    let (walk, record) = opensim_trial(records, name)?;
    let rows = force_rows(name, &force_differences(&walk, &record)?, tolerance, "OpenSim's test", bounds);
    let rerun = if name == "arm26" { "1.4e-4 N m" } else { "0.99 N m" };
    let start = walk.history.times().first().copied().unwrap_or(f64::NAN);
    let instants = format!("{} instants from {start} s, where the motion begins", record.rows().len());
    let note = format!("{instants}; OpenSim 4.5.2 is {rerun} RMS off its own record");
    Ok(rows.into_iter().map(|row| row.noted(&note)).collect())
}

/// The record of the walk with arms, away from the ends of its filtered motion.
pub fn rajagopal_record(records: &Records) -> Result<Table, MotionError> {
    rows_within(&records.storage("rajagopal-walk/id_walk.sto")?.table, [0.6001, 1.6499])
}

fn rajagopal(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let walk = Walk::rajagopal(records, Accelerations::SecondDerivative)?;
    let record = rajagopal_record(records)?;
    let off = force_differences(&walk, &record)?;
    let rows = force_rows("rajagopal", &off, 2.0, "OpenSim's test of a walk", [[0.7, 1.5], [0.8, 1.8]]);
    let note =
        format!("{} instants from 0.6 to 1.65 s; the record's forces were smoothed otherwise", record.rows().len());
    Ok(rows.into_iter().map(|row| row.noted(&note)).collect())
}
