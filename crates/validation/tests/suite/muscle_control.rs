//! Computed muscle control against OpenSim's own tests.

use crate::data::records;
use wolff_validation::muscle_control::run;

/// Largest root mean square differences of positions and speeds, and of activations and fibre lengths, that OpenSim's
/// own tests allow (`testCMCArm26_Thelen.cpp`, `testCMCGait10dof18musc.cpp`).
fn holds(setup: &str, record: &str, [motion, muscles]: [f64; 2]) {
    let Some(records) = records("opensim-core/CMC") else { return };
    let start = std::time::Instant::now();
    let found = run(&records, setup).unwrap();
    println!("TIME {:?}", start.elapsed());
    println!("{:?}", found.tracked.samples[0]);
    let record = records.storage(&format!("opensim-core/CMC/{record}")).unwrap().table;
    let [q, v, a, l] = found.differences(&record).unwrap();
    for (all, limit) in [(q, motion), (v, motion), (a, muscles), (l, muscles)] {
        for d in all {
            println!("{} {} {:.5} {:.5}", d.rms < limit, d.name, d.rms, d.worst);
        }
    }
}

#[test]
fn an_arm_with_six_muscles() {
    holds("arm26_Setup_CMC.xml", "std_arm26_states.sto", [0.01, 0.01]);
}

#[test]
fn a_walk_with_eighteen_muscles() {
    holds("gait10dof18musc_Setup_CMC.xml", "gait10dof18musc_std_walk_subject_states_unix.sto", [0.01, 0.02]);
}
