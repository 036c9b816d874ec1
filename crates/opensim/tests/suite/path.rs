//! Paths over surfaces against lengths that OpenSim records.

use crate::data::{model, place, table};
use wolff_formats::Table;
use wolff_motion::MotionType;
use wolff_multibody::{Model, System};
use wolff_opensim::OpensimModel;

/// Coordinates of a motion by their paths or names; angles in degrees.
fn pose(converted: &OpensimModel, model: &Model, motion: &Table, row: usize) -> Vec<f64> {
    let mut values = Vec::new();
    for (label, x) in motion.labels().iter().zip(&motion.rows()[row]) {
        let parts: Vec<&str> = label.split('/').collect();
        let name = match parts[..] {
            [name] => name,
            [.., name, "value"] => name,
            _ => continue,
        };
        let Some(c) = converted.coordinates.iter().find(|c| c.name == name) else { continue };
        let turn = c.motion == MotionType::Rotational;
        values.push((name, if turn { x.to_radians() } else { *x }));
    }
    place(model, &values)
}

/// Largest difference [m] of each muscle over the rows.
fn compare(osim: &str, motion: &str, record: &str) -> Option<Vec<(String, f64)>> {
    let (converted, model) = model(osim)?;
    let (motion, record) = (table(motion)?, table(record)?);
    let muscles: Vec<_> = converted.muscles.iter().map(|m| m.resolve(&model).unwrap()).collect();
    let mut worst: Vec<(String, f64)> = muscles.iter().map(|m| (m.hill.name().to_string(), 0.0)).collect();
    let column =
        |name: &str| record.labels().iter().position(|l| l.contains(&format!("/{name}|")) || l == name).unwrap();
    let columns: Vec<usize> = worst.iter().map(|(name, _)| column(name)).collect();
    let mut system = System::new(&model);
    let v = vec![0.0; model.nv()];
    for (row, recorded) in record.rows().iter().enumerate() {
        let q = pose(&converted, &model, &motion, row);
        system.update_kinematics(&q, &v);
        let at = system.instant(0.0, &q, &v, None);
        for ((muscle, column), (_, w)) in muscles.iter().zip(&columns).zip(&mut worst) {
            *w = w.max((muscle.path.solve(&at, None).length - recorded[*column]).abs());
        }
    }
    Some(worst)
}

/// OpenSim's own tolerance [m]; its files have eight decimals of a degree.
const TOLERANCE: f64 = 1e-6;

/// OpenSim's own test of wrapping, two models of a walk. The medial gastrocnemius touches two cylinders at once, where
/// OpenSim moves the touching points without renewing the arc: its length is up to 6 mm too short.
#[test]
fn lengths_of_two_walks() {
    for (name, motion, record) in [
        ("subject_walk_armless_18musc", "subject_walk_armless_coordinates", "subject_walk_armless"),
        ("walk_gait1018_subject01", "walk_gait1018_state_reference", "walk_gait1018"),
    ] {
        let record = format!("opensim-core/wrapping/std_testGeometryPathWrapping_{record}_muscle_lengths.sto");
        let (model, motion) = (format!("opensim-core/moco/{name}.osim"), format!("opensim-core/moco/{motion}.mot"));
        let Some(worst) = compare(&model, &motion, &record) else { return };
        assert_eq!(worst.len(), 18);
        for (name, off) in worst {
            let tolerance = if name.starts_with("med_gas") { 6e-3 } else { TOLERANCE };
            assert!(off < tolerance, "{name}: {off:.2e} m");
        }
    }
}
