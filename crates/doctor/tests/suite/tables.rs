//! Tables over time.

use wolff_doctor::{Severity, angle_columns, judge_angles, judge_table};
use wolff_formats::Table;
use wolff_formats::sto::Storage;

fn table(labels: &[&str], rows: &[&[f64]]) -> Table {
    Table::new(labels.iter().map(ToString::to_string).collect(), rows.iter().map(|r| r.to_vec()).collect()).unwrap()
}

#[test]
fn rows_and_labels_are_judged() {
    let rows = |times: &[f64]| -> Vec<Vec<f64>> { times.iter().enumerate().map(|(i, t)| vec![*t, i as f64]).collect() };
    let found = |times: &[f64]| judge_table(&Table::new(vec!["time".into(), "x".into()], rows(times)).unwrap());
    assert_eq!(found(&[0.0, 0.1, 0.2, 0.3]), []);
    assert!(found(&[0.0, 0.1, 0.1, 0.2])[0].remedy.contains("delete the repeated rows"));
    assert!(found(&[0.3, 0.2, 0.1, 0.0])[0].message.contains("runs backwards"));
    let hole = found(&[0.0, 0.1, 0.2, 0.3, 0.9]);
    assert!(hole[0].severity == Severity::Warning && hole[0].message.contains("5 rows are missing"), "{hole:?}");
    let twice = judge_table(&table(&["time", "x", "x"], &[&[0.0, 1.0, 2.0], &[0.1, 1.0, 2.0]]));
    assert!(twice[0].message.contains("1 labels belong to several columns: `x`"), "{twice:?}");
    // programs write the last row twice
    let last = judge_table(&table(&["time", "x"], &[&[0.0, 1.0], &[0.1, 2.0], &[0.1, 2.0]]));
    assert_eq!(last[0].severity, Severity::Note);
}

#[test]
fn degrees_that_are_called_radians_are_found_by_names() {
    let labels = [
        "time",
        "hip_flexion_r",
        "knee_angle_r",
        "ankle_angle_r",
        "hip_flexion_l",
        "/jointset/k/knee_angle_l/value",
        "pelvis_tx",
    ];
    let storage = |size: f64, in_degrees: bool| Storage {
        name: "ik".into(),
        in_degrees,
        table: table(&labels, &[&[0.0; 7], &[1.0, size, size, size, size, size, 300.0]]),
        remarks: Vec::new(),
    };
    assert_eq!(angle_columns(&storage(1.0, false).table).len(), 5);
    assert!(judge_angles(&storage(40.0, false)).unwrap().remedy.contains("inDegrees=yes"));
    assert_eq!(judge_angles(&storage(40.0, true)), None);
    assert_eq!(judge_angles(&storage(0.7, false)), None);
    assert!(judge_angles(&storage(0.7, true)).unwrap().remedy.contains("inDegrees=no"));
    // moments of joints have similar labels
    let moments = table(&["time", "hip_flexion_r_moment", "knee_angle_r_moment"], &[&[0.0, 80.0, 50.0]]);
    assert_eq!(angle_columns(&moments), []);
}
