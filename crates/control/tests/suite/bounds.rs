//! Controls over time and their limits.

use wolff_control::{Bounds, Controls, Schedule};
use wolff_motion::Motors;

/// Motors without muscles and with one actuator's name.
fn motors(name: &str) -> Motors {
    Motors { names: vec![name.into()], muscles: Vec::new(), actuators: Vec::new(), control: vec![[-3.0, 7.0]] }
}

#[test]
fn a_schedule_is_linear_or_keeps_the_next_value() {
    let nodes = vec![(0.0, 1.0), (1.0, 3.0), (2.0, -1.0)];
    let at = |steps: bool, t: f64| {
        let schedule = Schedule::new(&motors("m"), vec![(nodes.clone(), steps)]).unwrap();
        let mut out = [f64::NAN];
        schedule.at(t, &mut out);
        out[0]
    };
    assert_eq!([-1.0, 0.5, 1.0, 1.75, 9.0].map(|t| at(false, t)), [1.0, 2.0, 3.0, 0.0, -1.0]);
    // the value at a node holds on the interval before it
    assert_eq!([-1.0, 0.5, 1.0, 1.75, 9.0].map(|t| at(true, t)), [1.0, 3.0, 3.0, -1.0, -1.0]);
}

#[test]
fn times_must_increase_and_motors_must_exist() {
    assert!(Schedule::new(&motors("m"), vec![(vec![(1.0, 0.0), (1.0, 1.0)], false)]).is_err());
    assert!(Schedule::new(&motors("m"), Vec::new()).is_err());
    let mut bounds = Bounds::of(&motors("m"));
    let error = bounds.limit(&motors("m"), "other.excitation", Vec::new(), Vec::new()).unwrap_err();
    assert!(error.to_string().contains("`other`"), "{error}");
}

#[test]
fn limits_over_time_replace_the_constant_ones() {
    let mut bounds = Bounds::of(&motors("m"));
    assert_eq!(bounds.at(0, 0.3), [-3.0, 7.0]);
    bounds.limit(&motors("m"), "m.excitation", vec![(0.0, 0.0), (1.0, 2.0)], Vec::new()).unwrap();
    assert_eq!(bounds.at(0, 0.5), [1.0, 7.0]);
}
