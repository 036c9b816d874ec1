//! Coordinates over time.

use crate::pendulum::{motion, subject};
use wolff_motion::{Accelerations, CoordinateHistory};

/// Degrees are turned into radians, other columns are not used, both kinds of accelerations are near the truth inside.
#[test]
fn degrees_speeds_and_accelerations() {
    let subject = subject(None);
    let storage = motion("inDegrees=yes\n", |t| (2.0 * t).sin().to_degrees());
    for accelerations in [Accelerations::SecondDerivative, Accelerations::OfSpeeds] {
        let history = CoordinateHistory::from_storage(&storage, &subject, None, accelerations).unwrap();
        let (mut q, mut v, mut a) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        history.evaluate(0.505, &mut q, &mut v, &mut a);
        let (sin, cos) = 1.01_f64.sin_cos();
        assert!((q[0] - sin).abs() < 1e-10 && (v[0] - 2.0 * cos).abs() < 1e-8, "{q:?} {v:?}");
        assert!((a[0] + 4.0 * sin).abs() < 1e-5 && [q[1], v[1], a[1]] == [0.0; 3], "{a:?}");
        assert_eq!(history.times_within([0.1, 0.2], 5), [0.1, 0.15, 0.2]);
    }
}

#[test]
fn a_motion_of_something_else_is_refused() {
    let subject = subject(None);
    let mut text = String::from("motion\nendheader\ntime\telbow\n");
    (0..5).for_each(|i| text.push_str(&format!("{i}\t0\n")));
    let storage = wolff_formats::sto::read(text.as_bytes()).unwrap();
    let refused = CoordinateHistory::from_storage(&storage, &subject, None, Accelerations::default());
    assert!(refused.unwrap_err().to_string().contains("no column is named like a coordinate"));
}
