//! Forces: those that Wolff has act as the file says, the others are listed.

use crate::data::leg;
use wolff_formats::osim::{OsimForceKind, OsimPathWrap};
use wolff_multibody::System;
use wolff_opensim::{ForceKind, convert};

#[test]
fn ligaments_and_springs_are_elements() {
    let converted = convert(&leg()).unwrap();
    let names: Vec<_> = converted.forces.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["acl", "knee_spring"]);
    let ForceKind::Ligament { points, law, slack_length } = &converted.forces[0].kind else { panic!("a ligament") };
    assert_eq!((points[0].body.as_str(), points[1].body.as_str(), *slack_length), ("femur", "tibia", 0.03));
    assert_eq!((law.stiffness, law.transition_strain, law.damping), (2000.0, 0.06, 0.003));
    let model = converted.build().unwrap();
    assert_eq!(model.forces().len(), 2);
    // 2 N m/rad at the default angle of 0.5 rad, and the ligament
    let mut system = System::new(&model);
    system.update_kinematics(&model.q0, &model.v0);
    let at = system.instant(0.0, &model.q0, &model.v0, None);
    assert!((model.forces()[1].potential_energy(&at) - 0.25).abs() < 1e-15);
}

#[test]
fn what_is_left_out_is_listed() {
    let converted = convert(&leg()).unwrap();
    let left: Vec<_> = converted.unconverted.iter().map(|l| (l.class.as_str(), l.name.as_str())).collect();
    for expected in [
        ("HuntCrossleyForce", "heel"),
        ("Smith2018ArticularContactForce", "cartilage"),
        ("ExoticForce", "odd"),
        ("force", "motor"),
        ("PrescribedController", "brain"),
    ] {
        assert!(left.contains(&expected), "{expected:?} in {left:?}");
    }
    assert!(converted.approximate.is_empty());
}

/// A ligament with a surface has a path, nothing is left out.
#[test]
fn a_ligament_that_wraps_has_a_path() {
    let mut file = leg();
    let OsimForceKind::Blankevoort(acl) = &mut file.forces[1].kind else { panic!("a ligament") };
    acl.path.wraps.push(OsimPathWrap {
        name: "w".into(),
        wrap_object: "patella_groove".into(),
        method: "hybrid".into(),
        range: [-1.0; 2],
    });
    let converted = convert(&file).unwrap();
    let ForceKind::Path { path, .. } = &converted.forces[0].kind else { panic!("a path") };
    assert_eq!((path.name.as_str(), path.wraps[0].name.as_str()), ("acl", "patella_groove"));
    assert!(converted.approximate.is_empty());
    assert!(converted.build().is_ok());
}

/// A surface that does not exist: the ligament is listed, not straight.
#[test]
fn a_ligament_without_its_surface_is_listed() {
    let mut file = leg();
    let OsimForceKind::Blankevoort(acl) = &mut file.forces[1].kind else { panic!("a ligament") };
    let wrap = OsimPathWrap { name: "w".into(), wrap_object: "ghost".into(), method: "".into(), range: [-1.0; 2] };
    acl.path.wraps.push(wrap);
    let converted = convert(&file).unwrap();
    assert!(converted.unconverted.iter().any(|l| l.name == "acl" && l.reason.contains("`ghost`")));
    assert!(converted.forces.iter().all(|f| f.name != "acl"));
}

#[test]
fn mistakes_in_forces_are_reported_together() {
    let mut file = leg();
    let OsimForceKind::Blankevoort(acl) = &mut file.forces[1].kind else { panic!("a ligament") };
    acl.slack_length = 0.0;
    let spring = file.forces.iter_mut().find(|f| f.name == "knee_spring").unwrap();
    let OsimForceKind::SpringGeneralized { coordinate, .. } = &mut spring.kind else { panic!("a spring") };
    *coordinate = "elbow".into();
    let errors = convert(&file).unwrap().build().unwrap_err();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].to_string().contains("slack length") && errors[1].to_string().contains("`elbow`"));
}
