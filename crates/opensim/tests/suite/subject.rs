//! Models as subjects.

use crate::pendulum::{motion, subject};
use wolff_motion::Accelerations;

/// Labels may be paths of values; other columns are not used.
#[test]
fn labels_may_be_paths() {
    let subject = subject();
    let storage = motion("inDegrees=yes\n", |t| (2.0 * t).sin().to_degrees());
    let history = subject.history(&storage, None, Accelerations::default()).unwrap();
    let (mut q, mut v, mut a) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    history.evaluate(0.505, &mut q, &mut v, &mut a);
    assert!((q[0] - 1.01_f64.sin()).abs() < 1e-10 && (v[0] - 2.0 * 1.01_f64.cos()).abs() < 1e-8, "{q:?} {v:?}");
    let (rows, missing) = subject.positions(&storage).unwrap();
    assert!(missing.is_empty() && (rows[50].1[0] - 1.0_f64.sin()).abs() < 1e-12);
    assert_eq!(subject.coordinate("/jointset/wrist/bend/value").unwrap().joint, "wrist");
}
