//! Residuals of a recorded walk beside OpenSim's own reduction.

use crate::data::records;
use crate::walks;
use wolff_formats::sto::Storage;
use wolff_motion::{Accelerations, ReductionOptions, inverse_dynamics, reduce_residuals};
use wolff_validation::records::add_loads;

/// Root mean squares that OpenSim's residual reduction of the same walk leaves between 0.5 and 2 s, in the order of the
/// file: moments of tilt, list and rotation [N m], forces [N]. Computed here from its recorded motion and model.
fn left_by_opensim(root: &[String]) -> Vec<f64> {
    let walk = walks::gait1992(Accelerations::SecondDerivative).unwrap().1;
    let times = walk.history.times_within([0.5, 2.0], 1);
    let forces = inverse_dynamics(&walk.subject.model, &walk.history, &times, |_| {}).unwrap();
    let rms = |x: Vec<f64>| (x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64).sqrt();
    root.iter().map(|name| rms(forces.column(name).unwrap())).collect()
}

#[test]
fn less_is_left_of_a_walk_than_by_opensim() {
    let Some(records) = records("gait1992-pipeline") else { return };
    let subject = records.subject("gait1992-pipeline/scale/model_scaled.osim").unwrap();
    let file = "gait1992-pipeline/inverse_kinematics/task_InverseKinematics.mot";
    let motion: Storage = records.storage(file).unwrap();
    let history = subject.history(&motion, Some(6.0), Accelerations::SecondDerivative).unwrap();
    let mut subject = subject.subject;
    add_loads(&records, "gait1992-pipeline/experimental_data/setup_grf.xml", &mut subject.model).unwrap();
    let lumbar = ["lumbar_extension", "lumbar_bending", "lumbar_rotation"].map(String::from).to_vec();
    let options = ReductionOptions { coordinates: lumbar, body: Some("torso".into()), ..ReductionOptions::default() };
    let found = reduce_residuals(&subject, &history, [0.5, 2.0], &options, &mut |_| ()).unwrap();
    let names: Vec<String> = found.residuals.iter().map(|r| r.coordinate.clone()).collect();
    for (r, theirs) in found.residuals.iter().zip(left_by_opensim(&names)) {
        assert!(r.rms[1] <= theirs, "{}: {} where OpenSim leaves {theirs}", r.coordinate, r.rms[1]);
    }
    for change in &found.changes {
        // OpenSim moves the pelvis by 18 mm root mean square and turns the back by 1.1 degrees
        let most = if change.turns { 1.1_f64.to_radians() } else { 0.018 };
        assert!(change.rms <= most, "{change:?}");
    }
}
