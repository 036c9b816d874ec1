//! Joint reactions.

use super::difference::{Difference, of_tables};
use super::records::{Records, ValidationError, Walk, times};
use super::{ValidationRow, attempt};
use crate::{Accelerations, Axes, Motors, ReactionRequest, Side, add_motor_forces, joint_reactions};
use wolff_formats::Table;

/// All trials.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let quantity = "joint reactions";
    let mut rows = attempt("gait1992", quantity, || gait1992_rows(records));
    rows.extend(attempt("double pendulum", quantity, || pendulum_rows(records)));
    rows
}

/// Differences of the columns of a record from reactions on children in their axes.
pub fn reaction_differences(walk: &Walk, record: &Table, joints: &[&str]) -> Result<Vec<Difference>, ValidationError> {
    let request =
        |joint: &&str| ReactionRequest { joint: joint.to_string(), on: Side::Child, axes: Axes::Of(Side::Child) };
    let requests: Vec<_> = joints.iter().map(request).collect();
    let found = joint_reactions(&walk.model, &walk.history, &times(record), &requests, |_| {})?;
    of_tables(&found.to_storage()?.table, record, unit)
}

/// The unit of a column such as `knee_r_on_tibia_r_in_tibia_r_fx`.
fn unit(label: &str) -> &'static str {
    match label.rsplit('_').next().and_then(|part| part.chars().next()) {
        Some('f') => "N",
        Some('m') => "N m",
        _ => "m",
    }
}

/// The walk of 92 muscles under recorded muscle forces.
pub fn gait1992(records: &Records) -> Result<Vec<Difference>, ValidationError> {
    let mut walk = Walk::gait1992_with_reserves(records)?;
    let forces = records.storage("gait1992-pipeline/static_optimization/task_StaticOptimization_force.sto")?.table;
    let motors = Motors::new(&walk.opensim, &walk.model)?;
    add_motor_forces(&mut walk.model, &motors, &forces)?;
    let record = records.storage("gait1992-pipeline/opensim-4.5.2/task_JointReaction_ReactionLoads.sto")?.table;
    reaction_differences(&walk, &record, &["hip_r", "knee_r", "ankle_r", "hip_l", "knee_l", "ankle_l"])
}

/// OpenSim's own test with a double pendulum.
pub fn double_pendulum(records: &Records) -> Result<Vec<Difference>, ValidationError> {
    let folder = "opensim-core/Analyze";
    let motion = records.degrees(&format!("{folder}/DoublePendulum3D_states_degrees.mot"))?;
    let model = format!("{folder}/DoublePendulum3D.osim");
    let walk = Walk::new(records, &model, &motion, None, None, Accelerations::OfSpeeds)?;
    let record = records.storage(&format!("{folder}/std_DoublePendulum3D_JointReaction_ReactionLoads.sto"))?.table;
    reaction_differences(&walk, &record, &["pin1", "pin2"])
}

/// The column of a unit with the largest root mean square difference, and the largest recorded value of the unit.
fn largest<'a>(off: &'a [Difference], unit: &str) -> Result<(&'a Difference, f64), ValidationError> {
    let of = || off.iter().filter(|d| d.unit == unit);
    let worst = of().max_by(|a, b| a.rms.total_cmp(&b.rms));
    let worst =
        worst.ok_or_else(|| ValidationError::input("joint reactions", format!("no column has the unit {unit}")))?;
    Ok((worst, of().fold(0.0, |m: f64, d| m.max(d.largest))))
}

fn gait1992_rows(records: &Records) -> Result<Vec<ValidationRow>, ValidationError> {
    const OTHER_FORCES: &str = "the record was made with muscle forces of another run, which differ by 0.2 N RMS";
    let off = gait1992(records)?;
    let mut rows = Vec::new();
    for (quantity, unit, bound) in [("reaction forces", "N", 0.4), ("reaction moments", "N m", 0.01)] {
        let (worst, scale) = largest(&off, unit)?;
        let row =
            |what: &str, value, unit| ValidationRow::measured("gait1992", &format!("{quantity}, {what}"), value, unit);
        rows.push(row("RMS", worst.rms, unit).bounded(bound).noted(&worst.name));
        let relative = row("RMS over largest", worst.rms / scale, "").limited(1e-5, "goal").bounded(bound / scale);
        rows.push(relative.noted(format!("largest {scale:.0} {unit}")).noted(OTHER_FORCES));
    }
    Ok(rows)
}

fn pendulum_rows(records: &Records) -> Result<Vec<ValidationRow>, ValidationError> {
    let off = double_pendulum(records)?;
    let mut rows = Vec::new();
    for (quantity, unit) in [("reaction forces, RMS", "N"), ("reaction moments, RMS", "N m")] {
        let (worst, _) = largest(&off, unit)?;
        let row = ValidationRow::measured("double pendulum", quantity, worst.rms, unit);
        rows.push(row.limited(1e-5, "OpenSim's test").bounded(1e-5).noted(&worst.name));
    }
    Ok(rows)
}
