//! Generalised forces in closed form.

use crate::pendulum::{motion, subject};
use wolff_motion::{Accelerations, CoordinateHistory, inverse_dynamics};

/// The moment of a swinging pendulum in closed form: `m l² q'' + m g l sin q` of both bodies.
#[test]
fn a_pendulum() {
    let subject = subject(None);
    let motion = motion("", |t| 0.5 * (3.0 * t).sin());
    let history = CoordinateHistory::from_storage(&motion, &subject, None, Accelerations::SecondDerivative).unwrap();
    let found = inverse_dynamics(&subject.model, &history, &[0.5], |_| {}).unwrap();
    let (q, a) = (0.5 * 1.5_f64.sin(), -4.5 * 1.5_f64.sin());
    let inertia = 2.0 + 1.5 * 1.5;
    let weight = 10.0 * (2.0 + 1.5);
    assert!((found.column("swing").unwrap()[0] - (inertia * a + weight * q.sin())).abs() < 1e-5);
}
