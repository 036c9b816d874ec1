//! Joint reactions.

use crate::difference::{Difference, of_tables};
use crate::records::{Records, Walk, times};
use crate::{ValidationRow, attempt};
use wolff_formats::Table;
use wolff_motion::{Accelerations, Axes, MotionError, ReactionRequest, Side, add_motor_forces, joint_reactions};

/// All trials.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let quantity = "joint reactions";
    let mut rows = attempt("gait1992", quantity, || gait1992_rows(records));
    rows.extend(attempt("double pendulum", quantity, || pendulum_rows(records)));
    rows
}

/// Differences of the columns of a record from reactions on children in their axes.
pub fn reaction_differences(walk: &Walk, record: &Table, joints: &[&str]) -> Result<Vec<Difference>, MotionError> {
    let requests: Vec<_> = joints.iter().copied().map(on_child).collect();
    let found = joint_reactions(&walk.subject.model, &walk.history, &times(record), &requests, |_| {})?;
    of_tables(&found.to_storage()?.table, record, unit)
}

/// The reaction of a joint on its child, in the child's axes.
fn on_child(joint: &str) -> ReactionRequest {
    ReactionRequest { joint: joint.into(), on: Side::Child, axes: Axes::Of(Side::Child) }
}

/// The unit of a column such as `knee_r_on_tibia_r_in_tibia_r_fx`.
fn unit(label: &str) -> &'static str {
    match label.rsplit('_').next().and_then(|part| part.chars().next()) {
        Some('f') => "N",
        Some('m') => "N m",
        _ => "m",
    }
}

/// The joints of the walk of 92 muscles whose reactions are recorded.
const JOINTS: [&str; 6] = ["hip_r", "knee_r", "ankle_r", "hip_l", "knee_l", "ankle_l"];

/// What OpenSim 4.6 finds at 1 s with the muscle forces that are stored beside the record: force \[N\] and moment \[N
/// m\] of each joint, on the child in its axes.
const RERUN: [[f64; 6]; 6] = [
    [-204.17188330, -1335.92182262, 433.10541305, -0.01273720, -0.00425533, 0.00367283],
    [114.62139183, -1371.53638797, 68.51772066, -6.56235280, -1.66680915, 4.97968971],
    [-285.86988392, -2008.72202532, 50.44625926, 26.32452596, -6.49048958, 1.66854864],
    [-152.64957317, -352.34722457, -229.89976333, 0.00540215, 0.00452162, 0.00376515],
    [130.99923139, -120.52413534, -4.66023644, -0.87575541, -1.65201494, 1.88879981],
    [39.22146930, -163.19664155, 0.84555318, 1.08952713, 0.52305921, -0.20713581],
];

/// The walk of 92 muscles under recorded muscle forces.
fn gait1992_walk(records: &Records) -> Result<Walk, MotionError> {
    let mut walk = Walk::gait1992_with_reserves(records)?;
    let forces = records.storage("gait1992-pipeline/static_optimization/task_StaticOptimization_force.sto")?.table;
    let motors = walk.subject.motors()?;
    add_motor_forces(&mut walk.subject.model, &motors, &forces)?;
    Ok(walk)
}

/// Reactions of that walk from a record that was made with muscle forces of another run.
pub fn gait1992(records: &Records) -> Result<Vec<Difference>, MotionError> {
    let record = records.storage("gait1992-pipeline/opensim-4.5.2/task_JointReaction_ReactionLoads.sto")?.table;
    reaction_differences(&gait1992_walk(records)?, &record, &JOINTS)
}

/// The same at 1 s from what OpenSim finds with the same muscle forces: forces \[N\] and moments \[N m\].
pub fn gait1992_rerun(records: &Records) -> Result<[Difference; 2], MotionError> {
    let walk = gait1992_walk(records)?;
    let found = joint_reactions(&walk.subject.model, &walk.history, &[1.0], &JOINTS.map(on_child), |_| {})?;
    let ours =
        |part: usize| -> Vec<f64> { found.rows.iter().flatten().flat_map(|r| <[f64; 3]>::from(r[part])).collect() };
    let theirs = |part: usize| -> Vec<f64> { RERUN.iter().flat_map(|r| r[3 * part..3 * part + 3].to_vec()).collect() };
    Ok([(0, "N"), (1, "N m")]
        .map(|(part, unit)| Difference::new("six joints at 1 s", unit, &ours(part), &theirs(part))))
}

/// OpenSim's own test with a double pendulum.
pub fn double_pendulum(records: &Records) -> Result<Vec<Difference>, MotionError> {
    let folder = "opensim-core/Analyze";
    let motion = records.degrees(&format!("{folder}/DoublePendulum3D_states_degrees.mot"))?;
    let model = format!("{folder}/DoublePendulum3D.osim");
    let walk = Walk::new(records, &model, &motion, None, None, Accelerations::OfSpeeds)?;
    let record = records.storage(&format!("{folder}/std_DoublePendulum3D_JointReaction_ReactionLoads.sto"))?.table;
    reaction_differences(&walk, &record, &["pin1", "pin2"])
}

/// The column of a unit with the largest root mean square difference, and the largest recorded value of the unit.
fn largest<'a>(off: &'a [Difference], unit: &str) -> Result<(&'a Difference, f64), MotionError> {
    let of = || off.iter().filter(|d| d.unit == unit);
    let worst = of().max_by(|a, b| a.rms.total_cmp(&b.rms));
    let worst = worst.ok_or_else(|| MotionError::input("joint reactions", format!("no column has the unit {unit}")))?;
    Ok((worst, of().fold(0.0, |m: f64, d| m.max(d.largest))))
}

fn gait1992_rows(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    const OTHER_FORCES: &str =
        "the record has muscle forces of another run; so far from it is OpenSim 4.6, too, with the stored ones";
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
    for (quantity, off) in ["forces", "moments"].into_iter().zip(gait1992_rerun(records)?) {
        let quantity = format!("reaction {quantity} of the same muscle forces, worst over largest");
        let row = ValidationRow::measured("gait1992", &quantity, off.worst / off.largest, "");
        let row = row.limited(1e-5, "goal").bounded(1e-8).noted(&off.name);
        rows.push(row.noted(format!("{:.1e} of {:.0} {}", off.worst, off.largest, off.unit)).noted("OpenSim 4.6"));
    }
    Ok(rows)
}

fn pendulum_rows(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let off = double_pendulum(records)?;
    let mut rows = Vec::new();
    for (quantity, unit) in [("reaction forces, RMS", "N"), ("reaction moments, RMS", "N m")] {
        let (worst, _) = largest(&off, unit)?;
        let row = ValidationRow::measured("double pendulum", quantity, worst.rms, unit);
        rows.push(row.limited(1e-5, "OpenSim's test").bounded(1e-5).noted(&worst.name));
    }
    Ok(rows)
}
