//! Muscles over a motion against OpenSim's records.

use crate::data::records;
use crate::walks;
use wolff_motion::{Accelerations, muscle_analysis};
use wolff_numerics::TimeFunction;
use wolff_validation::Walk;
use wolff_validation::muscles::{LAST_DIGIT, moment_arm_differences};

#[test]
fn moment_arms_and_fibres_of_a_walk() {
    let Some((records, walk)) = walks::gait1992(Accelerations::OfSpeeds) else { return };
    let (found, off) = moment_arm_differences(&records, &walk, "knee_angle_r").unwrap();
    for d in off {
        assert!(d.worst < LAST_DIGIT, "{d:?}");
    }
    let names: Vec<String> = found.to_storages().unwrap().into_iter().map(|s| s.name).collect();
    assert!(names.iter().any(|n| n == "TendonForce") && names.iter().any(|n| n == "MomentArm_knee_angle_r"));
    for instant in found.rows.iter().flatten() {
        let along = instant.fibre_length * instant.pennation_angle.cos() + instant.tendon_length;
        assert!((along - instant.length).abs() < 1e-12 && instant.tendon_force >= 0.0);
    }
}

/// The patella of a knee follows the knee: the moment arm about the knee is the derivative of the length with the
/// patella on its way.
#[test]
fn coupled_coordinates_follow() {
    let Some(records) = records("rajagopal-walk") else { return };
    let motion = records.storage("rajagopal-walk/coordinates.sto").unwrap();
    let model = "rajagopal-walk/subject_walk_scaled.osim";
    let walk = Walk::new(&records, model, &motion, None, None, Accelerations::SecondDerivative).unwrap();
    let muscles = walk.subject.motors().unwrap().muscles;
    let muscles: Vec<_> = muscles.into_iter().filter(|m| m.hill.name().starts_with("vasint_r")).collect();
    let activations = vec![TimeFunction::Constant(0.05); muscles.len()];
    let coordinates = ["knee_angle_r".to_string()];
    let instants = walk.history.times_within([0.6, 1.6], 50);
    let found =
        muscle_analysis(&walk.subject.model, &muscles, &activations, &walk.history, &instants, &coordinates, |_| {})
            .unwrap();
    for row in &found.moment_arms[0].1 {
        // quadriceps extend the knee, whose flexion is positive here: 2 to 6 cm, less in deep flexion
        assert!(row[0] < -0.01 && row[0] > -0.07, "{row:?}");
    }
}
