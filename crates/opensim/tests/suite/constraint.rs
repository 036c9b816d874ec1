//! Constraints, locks and prescribed motion.

use crate::data::leg;
use wolff_formats::osim::{OsimConstraintKind, OsimFunction, OsimPlace};
use wolff_multibody::System;
use wolff_multibody::spec::{ConstraintKind, GROUND};
use wolff_opensim::convert;

fn place(frame: &str, location: [f64; 3]) -> OsimPlace {
    OsimPlace { frame: frame.into(), location, orientation: [0.0; 3] }
}

#[test]
fn couplers_scale_their_function() {
    let model = convert(&leg()).unwrap();
    let ConstraintKind::Coupler { dependent, independent, function } = &model.spec.constraints[0].kind else {
        panic!("a coupler")
    };
    assert_eq!((dependent.as_str(), independent.as_str()), ("knee_slide", "knee_angle"));
    assert!((function.value(2.0) - 1.5 * (0.5 * 2.0 + 0.1)).abs() < 1e-15);
}

/// A locked coordinate keeps its default while the model is assembled; without the lock it may move.
#[test]
fn locks_are_drivers() {
    let mut file = leg();
    file.joints[0].coordinates[1].prescribed = true;
    file.joints[0].coordinates[1].prescribed_function =
        Some(OsimFunction::Linear { slopes: vec![2.0], intercept: 0.1 });
    let converted = convert(&file).unwrap();
    let names: Vec<_> = converted.spec.constraints.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["follow", "prescribe hip_y", "lock knee_angle"]);
    let model = converted.build().unwrap();
    let (mut q, mut v) = (model.q0.clone(), vec![0.0; model.nv()]);
    System::new(&model).assemble(3.0, &mut q, &mut v).unwrap();
    let value = |name: &str| q[model.position_of_speed(model.coordinate_index(name).unwrap()).unwrap()];
    assert!((value("knee_angle") - 0.5).abs() < 1e-9);
    assert!((value("hip_y") - 6.1).abs() < 1e-9);
    assert!((v[model.coordinate_index("hip_y").unwrap()] - 2.0).abs() < 1e-9);
}

#[test]
fn constraints_between_bodies() {
    let mut file = leg();
    let (a, b) = (place("/ground", [0.1, 0.2, 0.3]), place("/bodyset/femur/condyles", [0.0, 0.1, 0.0]));
    let mut converted = |kind: OsimConstraintKind| {
        file.constraints[0].kind = kind;
        let c = convert(&file).unwrap();
        (c.spec.constraints.first().map(|c| c.kind.clone()), c.unconverted)
    };
    let pair = [a.clone(), b.clone()];
    let (Some(ConstraintKind::Weld { b: frame, .. }), _) = converted(OsimConstraintKind::Weld(pair.clone())) else {
        panic!("a weld")
    };
    assert_eq!((frame.body.as_str(), frame.pose.p.y), ("femur", -0.4 + 0.1));
    assert!(matches!(converted(OsimConstraintKind::Point(pair.clone())).0, Some(ConstraintKind::Spherical { .. })));
    let distance = converted(OsimConstraintKind::ConstantDistance(pair, 0.7)).0;
    assert!(matches!(distance, Some(ConstraintKind::Distance { length: 0.7, .. })));
    let line = |line: OsimPlace, follower: OsimPlace| OsimConstraintKind::PointOnLine {
        line,
        direction: [0.0, 2.0, 0.0],
        follower,
    };
    let Some(ConstraintKind::Point { a: on, along, .. }) = converted(line(a.clone(), b.clone())).0 else {
        panic!("a line")
    };
    assert_eq!(on.body, GROUND);
    assert!(along.len() == 2 && along.iter().all(|e| e.y.abs() < 1e-15 && (e.norm() - 1.0).abs() < 1e-15));
    // a line that moves is left out, and said to be
    let (first, left) = converted(line(b, a));
    assert!(matches!(first, Some(ConstraintKind::Driver { .. })));
    assert!(left.iter().any(|l| l.class == "PointOnLineConstraint" && l.name == "follow"));
}
