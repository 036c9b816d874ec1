//! Mistakes in a specification: each named, all at once.

use crate::fixtures::*;
use wolff_multibody::Model;
use wolff_multibody::spec::*;
use wolff_spatial::Vec3;

fn messages(change: impl FnOnce(&mut ModelSpec)) -> String {
    let mut spec = zoo_spec();
    change(&mut spec);
    match Model::build(&spec) {
        Ok(_) => String::new(),
        Err(errors) => errors.iter().map(|e| format!("{e}\n")).collect(),
    }
}

#[test]
fn a_good_model_has_depth_first_bodies_and_named_coordinates() {
    let model = zoo();
    for (i, body) in model.bodies().iter().enumerate().skip(1) {
        assert!(body.parent < i, "{}", body.name);
    }
    assert_eq!(model.coordinate_names()[0], "j0");
    assert_eq!(model.coordinate_index("j2.travel"), Some(3));
    assert_eq!(model.body_index("ground"), Some(0));
}

#[test]
fn every_mistake_is_named() {
    type Mistake = Box<dyn FnOnce(&mut ModelSpec)>;
    let cases: Vec<(&str, Mistake)> = vec![
        ("used twice", Box::new(|s| s.bodies[1].name = "b0".into())),
        ("mass is -1", Box::new(|s| s.bodies[2].mass.mass = -1.0)),
        ("mass is 0 and no other body", Box::new(|s| s.bodies[9].mass.mass = 0.0)),
        ("finite", Box::new(|s| s.bodies[2].mass.com.x = f64::NAN)),
        ("belong to no body", Box::new(|s| s.bodies[2].mass.inertia[(0, 0)] += 10.0)),
        ("does not exist", Box::new(|s| s.joints[3].parent.body = "nobody".into())),
        ("no joint has this body", Box::new(|s| drop(s.joints.pop()))),
        ("2 joints have this body", Box::new(|s| s.joints[8].child.body = "b1".into())),
        ("in a circle", Box::new(|s| s.joints[7].parent.body = "b9".into())),
        ("unit length", Box::new(|s| s.joints[0].kind = JointKind::Pin { axis: Vec3::new(0.0, 2.0, 0.0) })),
        ("initial coordinates given", Box::new(|s| s.joints[0].q0 = vec![0.0, 1.0])),
        ("quaternion has norm", Box::new(|s| s.joints[6].q0 = vec![2.0, 0.0, 0.0, 0.0])),
        ("not a rotation", Box::new(|s| s.joints[0].parent.pose.R[(0, 0)] += 0.1)),
        ("gravity", Box::new(|s| s.gravity.y = f64::INFINITY)),
        ("ground cannot be the child", Box::new(|s| s.joints[1].child.body = GROUND.into())),
    ];
    for (expected, change) in cases {
        let found = messages(change);
        assert!(found.contains(expected), "expected `{expected}` in:\n{found}");
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let found = messages(|s| {
        s.bodies[2].mass.mass = -1.0;
        s.joints[0].q0 = vec![0.0, 1.0];
        s.joints[3].parent.body = "nobody".into();
    });
    for expected in ["b2: mass", "j0: 2 initial", "j3: parent body `nobody`"] {
        assert!(found.contains(expected), "expected `{expected}` in:\n{found}");
    }
}

#[test]
fn constraints_are_checked() {
    let frame = |body: &str| FrameSpec::at(body, Vec3::zeros());
    let cases = [
        ("name two bodies", ConstraintKind::Spherical { a: frame("b1"), b: frame("b1") }),
        ("does not exist", ConstraintKind::Spherical { a: frame("b1"), b: frame("nobody") }),
        ("greater than zero", ConstraintKind::Distance { a: frame("b1"), b: frame("b2"), length: 0.0 }),
        ("one to three", ConstraintKind::Point { a: frame("b1"), b: frame("b2"), along: vec![] }),
        (
            "angular velocity",
            ConstraintKind::Driver { terms: vec![("j6.wx".into(), 1.0)], function: polynomial(&[0.0]) },
        ),
        ("factors", ConstraintKind::Driver { terms: vec![], function: polynomial(&[0.0]) }),
    ];
    for (expected, kind) in cases {
        let found = messages(|s| s.constraints.push(ConstraintSpec { name: "c".into(), kind }));
        assert!(found.contains(expected), "expected `{expected}` in:\n{found}");
    }
}
