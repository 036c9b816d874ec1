//! Lengths of muscles and moment arms.

use crate::difference::{Difference, of_tables};
use crate::records::{Records, Walk, times};
use crate::{ValidationRow, attempt};
use wolff_formats::Table;
use wolff_motion::{Accelerations, MotionError, MuscleHistory, muscle_analysis};
use wolff_multibody::System;
use wolff_numerics::TimeFunction;

/// Half a unit of the last of eight decimals, with room for one more rounding.
pub const LAST_DIGIT: f64 = 5.01e-9;

/// All trials.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let mut rows = attempt("gait1992", "muscle lengths", || gait1992_lengths(records));
    rows.extend(attempt("gait1992", "moment arms", || gait1992_moment_arms(records)));
    for (name, model, motion, record) in WRAPPING {
        rows.extend(attempt(name, "muscle lengths", || wrapping(records, name, model, motion, record)));
    }
    rows
}

/// The largest difference and whose it is.
fn worst<'a>(differences: impl Iterator<Item = &'a Difference>) -> (f64, &'a str) {
    let rank = |d: &Difference| if d.worst.is_nan() { f64::INFINITY } else { d.worst };
    differences.max_by(|a, b| rank(a).total_cmp(&rank(b))).map_or((f64::NAN, ""), |d| (d.worst, &d.name))
}

/// Muscles of a walk, hardly active, at some instants.
pub(super) fn analysis(walk: &Walk, instants: &[f64], coordinates: &[String]) -> Result<MuscleHistory, MotionError> {
    let muscles = walk.subject.motors()?.muscles;
    let activations = vec![TimeFunction::Constant(0.05); muscles.len()];
    muscle_analysis(&walk.subject.model, &muscles, &activations, &walk.history, instants, coordinates, |_| {})
}

/// The table of that name.
fn table(found: &MuscleHistory, name: &str) -> Result<Table, MotionError> {
    let missing = || MotionError::input(name, "is no table of the muscle analysis");
    Ok(found.to_storages()?.into_iter().find(|s| s.name == name).ok_or_else(missing)?.table)
}

fn gait1992_lengths(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let walk = Walk::gait1992(records, Accelerations::OfSpeeds)?;
    let record = records.storage("gait1992-pipeline/static_optimization/task_MuscleAnalysis_Length.sto")?.table;
    let found = table(&analysis(&walk, &times(&record), &[])?, "Length")?;
    let off = of_tables(&found, &record, |_| "m")?;
    let (value, name) = worst(off.iter());
    let row = ValidationRow::measured("gait1992", "muscle lengths, worst", value, "m").limited(1e-4, "goal");
    let note = format!("{} muscles, {} instants", off.len(), record.rows().len());
    Ok(vec![row.bounded(1e-8).noted(name).noted(note)])
}

/// Differences of moment arms \[m\] of the walk of 92 muscles about a coordinate of the right leg.
pub fn moment_arm_differences(
    records: &Records,
    walk: &Walk,
    coordinate: &str,
) -> Result<(MuscleHistory, Vec<Difference>), MotionError> {
    let name = format!("MomentArm_{coordinate}");
    let record = records.storage(&format!("gait1992-pipeline/opensim-4.5.2/task_MuscleAnalysis_{name}.sto"))?.table;
    let found = analysis(walk, &times(&record), &[coordinate.to_string()])?;
    let off = of_tables(&table(&found, &name)?, &record, |_| "m")?;
    Ok((found, off))
}

fn gait1992_moment_arms(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let walk = Walk::gait1992(records, Accelerations::OfSpeeds)?;
    let mut rows = Vec::new();
    for coordinate in ["hip_flexion_r", "hip_adduction_r", "hip_rotation_r", "knee_angle_r", "ankle_angle_r"] {
        let (_, off) = moment_arm_differences(records, &walk, coordinate)?;
        let (value, name) = worst(off.iter());
        let row = ValidationRow::measured("gait1992", &format!("moment arms, {coordinate}, worst"), value, "m");
        rows.push(row.limited(LAST_DIGIT, "record's last digit").bounded(LAST_DIGIT).noted(name));
    }
    Ok(rows)
}

/// OpenSim's own test of wrapping: name, model, motion and record.
const WRAPPING: [(&str, &str, &str, &str); 2] = [
    ("subject_walk_armless", "subject_walk_armless_18musc", "subject_walk_armless_coordinates", "subject_walk_armless"),
    ("walk_gait1018", "walk_gait1018_subject01", "walk_gait1018_state_reference", "walk_gait1018"),
];

/// A muscle that touches two cylinders at once, of which OpenSim moves the touching points without renewing the arc.
const TWO_CYLINDERS: &str = "med_gas";

fn wrapping(
    records: &Records,
    name: &str,
    model: &str,
    motion: &str,
    record: &str,
) -> Result<Vec<ValidationRow>, MotionError> {
    let record = format!("opensim-core/wrapping/std_testGeometryPathWrapping_{record}_muscle_lengths.sto");
    let (model, motion) = (format!("opensim-core/moco/{model}.osim"), format!("opensim-core/moco/{motion}.mot"));
    let off = path_differences(records, &model, &motion, &record)?;
    let row = |what: &str, on_two: bool, bound: f64| {
        let of = || off.iter().filter(|d| d.name.starts_with(TWO_CYLINDERS) == on_two);
        let (value, muscle) = worst(of());
        let row = ValidationRow::measured(name, what, value, "m").limited(1e-6, "OpenSim's test").bounded(bound);
        (of().count() > 0).then(|| row.noted(muscle).noted(format!("{} muscles", of().count())))
    };
    let two = row("lengths over two cylinders, worst", true, 6e-3);
    let two = two.map(|row| row.noted("OpenSim does not renew the arc when it moves the touching points"));
    Ok(row("muscle lengths, worst", false, 1e-6).into_iter().chain(two).collect())
}

/// Differences \[m\] of the lengths of all muscles at every row of a motion in degrees.
fn path_differences(
    records: &Records,
    model: &str,
    motion: &str,
    record: &str,
) -> Result<Vec<Difference>, MotionError> {
    let subject = records.subject(model)?;
    let (poses, _) = subject.positions(&records.degrees(motion)?)?;
    let record = records.storage(record)?.table;
    let muscles = subject.subject.motors()?.muscles;
    let mut system = System::new(&subject.subject.model);
    let still = vec![0.0; subject.subject.model.nv()];
    let mut lengths = vec![Vec::with_capacity(poses.len()); muscles.len()];
    for (_, q) in poses.iter().take(record.rows().len()) {
        system.update_kinematics(q, &still);
        let at = system.instant(0.0, q, &still, None);
        for (muscle, lengths) in muscles.iter().zip(&mut lengths) {
            lengths.push(muscle.path.solve(&at, None).length);
        }
    }
    let mut differences = Vec::new();
    for (muscle, lengths) in muscles.iter().zip(&lengths) {
        let name = muscle.hill.name();
        let column = record.column(&format!("/forceset/{name}|length"));
        let recorded = column.ok_or_else(|| MotionError::input(name, "has no column in the record"))?;
        differences.push(Difference::new(name, "m", lengths, &recorded));
    }
    Ok(differences)
}
