//! Motion by constraints and drivers alone.

use crate::fixtures::*;
use wolff_multibody::simulation::{Recorder, SimulationError, analyse_kinematics};
use wolff_multibody::spec::*;
use wolff_multibody::{DynamicsError, Model, System};
use wolff_spatial::{MassProperties, Vec3};

/// Crank, coupler and rocker without inertia about their hinges, which no dynamics could move; the loop is closed at (1, 0), the crank may have a driver.
fn four_bar(driven: bool) -> Model {
    let slender = |name: &str| BodySpec::rigid(name, MassProperties::point(1.0, Vec3::zeros()).unwrap());
    let hinge = |name: &str, parent: FrameSpec, angle: f64| JointSpec {
        kind: JointKind::Pin { axis: Vec3::z() },
        parent,
        child: FrameSpec::at(name, Vec3::zeros()),
        name: name.into(),
        coordinates: vec![],
        q0: vec![angle],
        v0: vec![],
    };
    let at = |body: &str, x: f64| FrameSpec::at(body, Vec3::new(x, 0.0, 0.0));
    let close =
        ConstraintKind::Point { a: at("coupler", 0.9), b: at("rocker", 0.6), along: vec![Vec3::x(), Vec3::y()] };
    let mut constraints = vec![ConstraintSpec { name: "loop".into(), kind: close }];
    if driven {
        let kind = ConstraintKind::Driver { terms: vec![("crank".into(), 1.0)], function: polynomial(&[1.0, 3.0]) };
        constraints.push(ConstraintSpec { name: "drive".into(), kind });
    }
    Model::build(&ModelSpec {
        name: "four-bar".into(),
        bodies: vec![slender("crank"), slender("coupler"), slender("rocker")],
        joints: vec![
            hinge("crank", at(GROUND, 0.0), 1.0),
            hinge("coupler", at("crank", 0.3), -0.6),
            hinge("rocker", at(GROUND, 1.0), 1.7),
        ],
        constraints,
        ..Default::default()
    })
    .unwrap()
}

/// Angle, rate and acceleration of the rocker at the sample times.
struct Rocker(Vec<(f64, [f64; 3])>);

impl Recorder for Rocker {
    fn sample(&mut self, _system: &mut System<'_>, _t: f64, _q: &[f64], _v: &[f64]) {}

    fn kinematic_sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64], a: &[f64]) {
        let i = system.model.coordinate_index("rocker").unwrap();
        self.0.push((t, [q[i], v[i], a[i]]));
    }
}

/// Rocker angle of the open branch: the coupler's end lies on circles about the crank's end and the rocker's pivot.
fn rocker_angle(crank: f64) -> f64 {
    let (x, y) = (0.3 * crank.cos() - 1.0, 0.3 * crank.sin());
    let d = x.hypot(y);
    y.atan2(x) - ((d * d + 0.36 - 0.81) / (2.0 * d * 0.6)).acos()
}

#[test]
fn a_four_bar_linkage_follows_its_closed_form() {
    let model = four_bar(true);
    let times: Vec<f64> = (0..=70).map(|i| 0.1 * f64::from(i)).collect();
    let mut rocker = Rocker(vec![]);
    let report = analyse_kinematics(&model, (0.0, 7.0), &model.q0, &times, &mut rocker).unwrap();
    assert!(report.drift.max_position < 1e-11 && report.drift.max_velocity < 1e-11, "{:?}", report.drift);
    assert_eq!(rocker.0.len(), 71);
    for (t, [angle, rate, acceleration]) in rocker.0 {
        let exact = |t: f64| rocker_angle(1.0 + 3.0 * t);
        let turn = (angle - exact(t)).rem_euclid(std::f64::consts::TAU);
        assert!(turn.min(std::f64::consts::TAU - turn) < 1e-11, "t = {t}: {angle} for {}", exact(t));
        let h = 1e-4;
        // differences over an angle that may jump by a turn
        let near =
            |t: f64| exact(t) - ((exact(t) - exact(0.0)) / std::f64::consts::TAU).round() * std::f64::consts::TAU;
        assert!((rate - (near(t + h) - near(t - h)) / (2.0 * h)).abs() < 1e-6, "t = {t}");
        assert!((acceleration - (near(t + h) - 2.0 * near(t) + near(t - h)) / (h * h)).abs() < 1e-5, "t = {t}");
    }
}

#[test]
fn remaining_freedoms_are_named() {
    let model = four_bar(false);
    let error = analyse_kinematics(&model, (0.0, 1.0), &model.q0, &[], &mut ()).unwrap_err();
    match error {
        SimulationError::Start(DynamicsError::Freedoms { count, coordinates }) => {
            assert_eq!(count, 1);
            assert!(["`crank`", "`coupler`", "`rocker`"].contains(&coordinates.as_str()), "{coordinates}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_position_that_is_not_a_number_is_an_error() {
    let model = four_bar(true);
    let error = analyse_kinematics(&model, (0.0, 1.0), &[1.0, f64::NAN, 1.7], &[], &mut ()).unwrap_err();
    assert!(matches!(error, SimulationError::Start(_)), "{error}");
}
