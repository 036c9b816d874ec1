//! Motion, loads and model against each other.

use crate::pendulum::subject;
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_plausibility::{examine_angles, examine_motion};
use wolff_verdict::Severity;

/// A motion file with angles of this size.
fn motion(names: &[String], size: f64, in_degrees: bool) -> Storage {
    let labels = std::iter::once("time".to_string()).chain(names.iter().cloned()).collect();
    let row = |i: i32| {
        let t = 0.1 * f64::from(i);
        std::iter::once(t).chain(names.iter().map(|_| size * t.sin())).collect()
    };
    let table = Table::new(labels, (0..20).map(row).collect()).unwrap();
    Storage { name: "motion".into(), in_degrees, table, remarks: vec![] }
}

/// A chain of two angles has too few of them to judge; nothing is claimed.
#[test]
fn few_angles_are_not_judged() {
    let subject = subject(None);
    let names: Vec<String> = subject.coordinates.iter().map(|c| c.name.clone()).collect();
    assert_eq!(examine_angles(&motion(&names, 60.0, false), &subject), None);
    assert_eq!(examine_angles(&motion(&names, 0.5, true), &subject), None);
}

/// Rows of `time swing bend`.
fn table(labels: &[&str], rows: &[&[f64]]) -> Storage {
    let labels = labels.iter().map(|l| l.to_string()).collect();
    let table = Table::new(labels, rows.iter().map(|r| r.to_vec()).collect()).unwrap();
    Storage { name: "motion".into(), in_degrees: false, table, remarks: vec![] }
}

/// Two poses at one instant are an error; the same row twice, or the last instant again, is none.
#[test]
fn times_increase() {
    let found = |rows: &[&[f64]]| examine_motion(&table(&["time", "swing", "bend"], rows), &subject(None));
    assert!(found(&[&[0.0, 1.0, 2.0], &[0.1, 1.0, 2.0], &[0.2, 3.0, 2.0]]).is_empty());
    let wrong = found(&[&[0.0, 1.0, 2.0], &[0.1, 1.0, 2.0], &[0.1, 3.0, 2.0], &[0.2, 3.0, 2.0]]);
    assert!(wrong[0].severity == Severity::Error && wrong[0].message.contains("row 3"), "{wrong:?}");
    let back = found(&[&[0.0, 1.0, 2.0], &[0.2, 1.0, 2.0], &[0.1, 3.0, 2.0], &[0.3, 3.0, 2.0]]);
    assert_eq!(back[0].severity, Severity::Error);
    let twice = found(&[&[0.0, 1.0, 2.0], &[0.1, 1.0, 2.0], &[0.1, 1.0, 2.0], &[0.2, 3.0, 2.0], &[0.2, 3.1, 2.0]]);
    assert_eq!(twice[0].severity, Severity::Note);
}

/// A hole in an even record is told; steps of many lengths, as of a simulation, are no holes.
#[test]
fn holes_and_jumps_are_found() {
    let found = |times: &[f64], angle: fn(f64) -> f64| {
        let rows: Vec<Vec<f64>> = times.iter().map(|t| vec![*t, angle(*t), 0.1 * t]).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        examine_motion(&table(&["time", "swing", "bend"], &rows), &subject(None))
    };
    let even: Vec<f64> = (0..60).map(|i| 0.01 * f64::from(i)).collect();
    assert!(found(&even, f64::sin).is_empty());
    let mut hole = even.clone();
    hole.drain(40..45);
    let wrong = found(&hole, f64::sin);
    assert!(wrong[0].message.contains("5 rows") && wrong[0].remedy.contains("0.000:0.390"), "{wrong:?}");
    assert_eq!(wrong[0].severity, Severity::Warning);
    let uneven: Vec<f64> = (0..60).map(|i| 1e-4 * f64::from(i * i)).collect();
    assert!(found(&uneven, f64::sin).is_empty());
    let turned = found(&even, |t| if t > 0.305 { t + std::f64::consts::TAU } else { t });
    assert!(turned[0].message.contains("`swing` by 361 degrees at 0.310 s"), "{turned:?}");
    assert_eq!(turned[0].severity, Severity::Error);
    let reversed: Vec<f64> = even.iter().rev().copied().collect();
    let backwards = found(&reversed, f64::sin);
    assert!(backwards[0].message.contains("backwards"), "{backwards:?}");
}

/// A coordinate without a column is named; one that follows another by a coupler is not missing.
#[test]
fn columns_that_are_missing_are_named() {
    let motion = table(&["time", "swing"], &[&[0.0, 1.0], &[0.1, 1.0]]);
    let found = examine_motion(&motion, &subject(None));
    assert!(found.len() == 1 && found[0].message.contains("`bend`"), "{found:?}");
    // no foot carries the model: forces do not act at wrong places
    assert_eq!(found[0].severity, Severity::Warning);
    assert!(examine_motion(&motion, &subject(Some(2.0))).is_empty());
}
