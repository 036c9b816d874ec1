//! Muscles over a motion against OpenSim's records.

use crate::walks::{Walk, storage, times};
use wolff_motion::{Accelerations, muscle_analysis};
use wolff_numerics::TimeFunction;

/// Half a unit of the last of eight decimals, with room for one more rounding.
const RECORD: f64 = 5.01e-9;

#[test]
fn moment_arms_and_fibres_of_a_walk() {
    let Some(walk) = Walk::gait1992(Accelerations::OfSpeeds) else { return };
    let folder = "gait1992-pipeline/opensim-4.5.2/task_MuscleAnalysis";
    let Some(arms) = storage(&format!("{folder}_MomentArm_knee_angle_r.sto")) else { return };
    let muscles = walk.opensim.resolve_muscles(&walk.model).unwrap();
    let activations = vec![TimeFunction::Constant(0.05); muscles.len()];
    let coordinates = ["knee_angle_r".to_string()];
    let found =
        muscle_analysis(&walk.model, &muscles, &activations, &walk.history, &times(&arms.table), &coordinates, |_| {})
            .unwrap();
    let names: Vec<String> = found.to_storages().unwrap().into_iter().map(|s| s.name).collect();
    assert!(names.iter().any(|n| n == "TendonForce") && names.iter().any(|n| n == "MomentArm_knee_angle_r"));
    let table = &found.to_storages().unwrap().pop().unwrap().table;
    for label in &arms.table.labels()[1..] {
        for (x, y) in table.column(label).unwrap().iter().zip(arms.table.column(label).unwrap()) {
            assert!((x - y).abs() < RECORD, "{label}: {x} {y}");
        }
    }
    for instant in found.rows.iter().flatten() {
        let along = instant.fibre_length * instant.pennation_angle.cos() + instant.tendon_length;
        assert!((along - instant.length).abs() < 1e-12 && instant.tendon_force >= 0.0);
    }
}

/// The patella of a knee follows the knee: the moment arm about the knee is the derivative of the length with the patella on its way.
#[test]
fn coupled_coordinates_follow() {
    let folder = "rajagopal-walk";
    let model = format!("{folder}/subject_walk_scaled.osim");
    let Some(walk) =
        Walk::read(&model, &format!("{folder}/coordinates.sto"), None, None, Accelerations::SecondDerivative)
    else {
        return;
    };
    let muscles: Vec<_> = walk.opensim.resolve_muscles(&walk.model).unwrap();
    let muscles: Vec<_> = muscles.into_iter().filter(|m| m.hill.name().starts_with("vasint_r")).collect();
    let activations = vec![TimeFunction::Constant(0.05); muscles.len()];
    let coordinates = ["knee_angle_r".to_string()];
    let instants = walk.history.times_within([0.6, 1.6], 50);
    let found =
        muscle_analysis(&walk.model, &muscles, &activations, &walk.history, &instants, &coordinates, |_| {}).unwrap();
    for row in &found.moment_arms[0].1 {
        // quadriceps extend the knee, whose flexion is positive here: 2 to 6 cm, less in deep flexion
        assert!(row[0] < -0.01 && row[0] > -0.07, "{row:?}");
    }
}
