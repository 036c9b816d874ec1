//! Measured forces on bodies.

use crate::pendulum::{motion, subject};
use wolff_formats::trial::{ForcePlate, GroundWrench};
use wolff_motion::{Accelerations, CoordinateHistory, ExternalLoad, Subject, inverse_dynamics};

/// 3 N along x at half a metre below the wrist, 0.25 N m about z, for half a second.
fn push(subject: &Subject, force_in: &str, point_in: &str) -> ExternalLoad {
    let times: Vec<f64> = (0..=10).map(|i| 0.05 * f64::from(i)).collect();
    let wrench = GroundWrench { force: [3.0, 0.0, 0.0], point: Some([0.0, -0.5, 0.0]), moment: [0.0, 0.0, 0.25] };
    let plate = ForcePlate { name: "plate".into(), corners: None, samples: vec![Some(wrench); times.len()] };
    let load = ExternalLoad::from_plate("push", "hand", &times, &plate, &subject.model).unwrap();
    load.expressed_in(force_in, point_in, true, &subject.model).unwrap()
}

/// The hanging pendulum stands still under it if the joints give the opposite moments; afterwards nothing acts.
#[test]
fn moments_of_a_push() {
    for force_in in ["ground", "hand"] {
        let mut subject = subject(None);
        let load = push(&subject, force_in, "hand");
        assert_eq!(load.time_range(), [0.0, 0.5]);
        subject.model.add_force(Box::new(load)).unwrap();
        let still = motion("", |_| 0.0);
        let history = CoordinateHistory::from_storage(&still, &subject, None, Accelerations::default()).unwrap();
        let found = inverse_dynamics(&subject.model, &history, &[0.2, 0.7], |_| {}).unwrap();
        let (swing, bend) = (found.column("swing").unwrap(), found.column("bend").unwrap());
        assert!((swing[0] + 3.0 * 1.5 + 0.25).abs() < 1e-12 && (bend[0] + 3.0 * 0.5 + 0.25).abs() < 1e-12);
        assert!(swing[1].abs() < 1e-12 && bend[1].abs() < 1e-12);
    }
}

/// A sample without numbers and a force without its point are told; a point that is missing under no force is kept.
#[test]
fn missing_numbers_are_told() {
    let subject = subject(None);
    let force = |newtons: f64, point: Option<[f64; 3]>| {
        Some(GroundWrench { force: [0.0, newtons, 0.0], point, moment: [0.0; 3] })
    };
    let samples = vec![force(0.0, None), force(50.0, Some([0.1, 0.0, 0.0])), force(60.0, None), None, force(5.0, None)];
    let plate = ForcePlate { name: "plate".into(), corners: None, samples };
    let times = [0.0, 0.1, 0.2, 0.3, 0.4];
    let load = ExternalLoad::from_plate("push", "hand", &times, &plate, &subject.model).unwrap();
    assert_eq!(load.missing(), [0.2, 0.3]);
    assert!((load.interval() - 0.1).abs() < 1e-12);
    let repeated = [0.0, 0.1, 0.1, 0.3, 0.4];
    let error = ExternalLoad::from_plate("push", "hand", &repeated, &plate, &subject.model).unwrap_err().to_string();
    assert!(error.contains("0.1 s follows 0.1 s"), "{error}");
}
