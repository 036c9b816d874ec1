//! Joint reactions against OpenSim's.

use crate::walks::{Walk, rms, shared, storage, times};
use wolff_formats::setup::{self, Setup};
use wolff_motion::{Accelerations, Axes, Motors, ReactionRequest, Side, add_motor_forces, joint_reactions};

/// Root mean square differences of the columns of a record from reactions on children in their axes, with the largest recorded value.
fn compare(walk: &mut Walk, forces: &str, record: &str, joints: &[&str]) -> Option<Vec<(String, f64, f64)>> {
    let motors = Motors::new(&walk.opensim, &walk.model).unwrap();
    add_motor_forces(&mut walk.model, &motors, &storage(forces)?.table).unwrap();
    let record = storage(record)?.table;
    let request =
        |joint: &&str| ReactionRequest { joint: joint.to_string(), on: Side::Child, axes: Axes::Of(Side::Child) };
    let requests: Vec<_> = joints.iter().map(request).collect();
    let found = joint_reactions(&walk.model, &walk.history, &times(&record), &requests, |_| {}).unwrap();
    let table = found.to_storage().unwrap().table;
    assert_eq!(table.labels(), record.labels());
    let column = |label: &String| {
        let recorded = record.column(label).unwrap();
        let largest = recorded.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        (label.clone(), rms(&table.column(label).unwrap(), &recorded), largest)
    };
    Some(record.labels()[1..].iter().map(column).collect())
}

/// The record was made with muscle forces of another run of OpenSim, which differ from the ones at hand by 0.2 N (root mean square); of loads up to
/// 3 kN and 47 N m this leaves less than 0.4 N and 0.01 N m.
#[test]
fn a_walk_of_92_muscles() {
    let Some(mut walk) = Walk::gait1992(Accelerations::OfSpeeds) else { return };
    let Some(file) = shared("gait1992-pipeline/model/reserve_actuators.xml") else { return };
    let Setup::Actuators(set) = setup::read_file(&file).unwrap().setup else { panic!("actuators") };
    walk.opensim.add_actuators(&set);
    let joints = ["hip_r", "knee_r", "ankle_r", "hip_l", "knee_l", "ankle_l"];
    let Some(off) = compare(
        &mut walk,
        "gait1992-pipeline/static_optimization/task_StaticOptimization_force.sto",
        "gait1992-pipeline/opensim-4.5.2/task_JointReaction_ReactionLoads.sto",
        &joints,
    ) else {
        return;
    };
    for (label, off, largest) in off {
        let tolerance = if label.contains("_m") { 0.01 } else { 0.4 };
        assert!(off < tolerance, "{label}: {off:.2e} of {largest:.1}");
    }
}

/// A double pendulum: OpenSim's own test, whose tolerance is 1e-5.
#[test]
fn a_double_pendulum() {
    let folder = "opensim-core/Analyze";
    let Some(mut motion) = storage(&format!("{folder}/DoublePendulum3D_states_degrees.mot")) else { return };
    motion.in_degrees = true;
    let model = format!("{folder}/DoublePendulum3D.osim");
    let Some(walk) = Walk::with_motion(&model, &motion, None, None, Accelerations::OfSpeeds) else { return };
    let Some(record) = storage(&format!("{folder}/std_DoublePendulum3D_JointReaction_ReactionLoads.sto")) else {
        return;
    };
    let request = |joint: &str| ReactionRequest { joint: joint.into(), on: Side::Child, axes: Axes::Of(Side::Child) };
    let requests = [request("pin1"), request("pin2")];
    let instants: Vec<f64> = times(&record.table);
    let found = joint_reactions(&walk.model, &walk.history, &instants, &requests, |_| {}).unwrap();
    let table = found.to_storage().unwrap().table;
    for label in &record.table.labels()[1..] {
        let off = rms(&table.column(label).unwrap(), &record.table.column(label).unwrap());
        assert!(off < 1e-5, "{label}: {off:.2e}");
    }
}

/// On the parent it is the opposite, about the parent's frame; all axes give the same vector.
#[test]
fn action_is_reaction() {
    let Some(walk) = Walk::gait1992(Accelerations::OfSpeeds) else { return };
    let request = |on, axes| ReactionRequest { joint: "knee_r".into(), on, axes };
    let requests = [
        request(Side::Child, Axes::Ground),
        request(Side::Parent, Axes::Ground),
        request(Side::Child, Axes::Of(Side::Parent)),
    ];
    let found = joint_reactions(&walk.model, &walk.history, &[0.7, 1.0], &requests, |_| {}).unwrap();
    assert_eq!(found.labels[2], "knee_r_on_tibia_r_in_femur_r");
    for row in &found.rows {
        let [[f, m, p], [g, n, o], [h, ..]] = [row[0], row[1], row[2]];
        assert!((f + g).norm() < 1e-12 * f.norm() && (f.norm() - h.norm()).abs() < 1e-12 * f.norm());
        assert!((m + n + (p - o).cross(&f)).norm() < 1e-9, "moments about one point cancel");
    }
    let unknown = [ReactionRequest { joint: "elbow".into(), on: Side::Child, axes: Axes::Ground }];
    let refused = joint_reactions(&walk.model, &walk.history, &[0.7], &unknown, |_| {}).unwrap_err();
    assert!(refused.to_string().contains("`elbow`"));
}
