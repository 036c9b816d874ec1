//! Loops are closed, contradictions and redundancies are named.

use crate::fixtures::*;
use wolff_multibody::spec::*;
use wolff_multibody::{Baumgarte, DynamicsError, Model, System};
use wolff_numerics::function::{Fourier, FourierTerm};
use wolff_spatial::{MassProperties, Mat3, Vec3};

fn rod(name: &str, length: f64) -> BodySpec {
    let J = length * length / 12.0;
    let inertia = Mat3::from_diagonal(&Vec3::new(1e-4, J, J));
    let mass = MassProperties::new(1.0, Vec3::new(0.5 * length, 0.0, 0.0), inertia).unwrap();
    BodySpec::rigid(name, mass)
}

fn hinge(name: &str, parent: &str, at: Vec3, child: &str, angle: f64) -> JointSpec {
    JointSpec {
        name: name.into(),
        kind: JointKind::Pin { axis: Vec3::z() },
        parent: FrameSpec::at(parent, at),
        child: FrameSpec::at(child, Vec3::zeros()),
        coordinates: vec![],
        q0: vec![angle],
        v0: vec![],
    }
}

/// Four-bar linkage: crank, coupler and rocker as a chain from ground, closed at (`base`, 0).
fn four_bar(base: f64, kind: fn(FrameSpec, FrameSpec) -> ConstraintKind) -> ModelSpec {
    let end = |l: f64| Vec3::new(l, 0.0, 0.0);
    ModelSpec {
        name: "four-bar".into(),
        gravity: Vec3::new(0.0, -9.81, 0.0),
        bodies: vec![rod("crank", 0.3), rod("coupler", 0.9), rod("rocker", 0.6)],
        joints: vec![
            hinge("A", GROUND, Vec3::zeros(), "crank", 1.0),
            hinge("B", "crank", end(0.3), "coupler", -0.6),
            hinge("C", "coupler", end(0.9), "rocker", -1.5),
        ],
        constraints: vec![ConstraintSpec {
            name: "D".into(),
            kind: kind(FrameSpec::at("rocker", end(0.6)), FrameSpec::at(GROUND, end(base))),
        }],
    }
}

fn planar(a: FrameSpec, b: FrameSpec) -> ConstraintKind {
    ConstraintKind::Point { a, b, along: vec![Vec3::x(), Vec3::y()] }
}

fn spatial(a: FrameSpec, b: FrameSpec) -> ConstraintKind {
    ConstraintKind::Revolute { a, b }
}

#[test]
fn a_loop_closes_and_keeps_its_lengths() {
    let model = Model::build(&four_bar(0.8, planar)).unwrap();
    let mut system = System::new(&model);
    let (mut q, mut v) = (model.q0.clone(), vec![1.0, 0.5, -0.2]);
    let report = system.assemble(0.0, &mut q, &mut v).unwrap();
    assert!(report.violation < 1e-12 && report.redundant.is_empty(), "{report:?}");
    system.update_constraints(0.0, &q, &v);
    assert!(system.constraints.drift().1 < 1e-12);
}

#[test]
fn an_impossible_loop_is_named() {
    let model = Model::build(&four_bar(5.0, planar)).unwrap();
    let mut system = System::new(&model);
    let (mut q, mut v) = (model.q0.clone(), vec![0.0; 3]);
    let error = system.assemble(0.0, &mut q, &mut v).unwrap_err();
    assert!(matches!(&error, DynamicsError::Assembly { constraint, .. } if constraint.starts_with('D')), "{error}");
}

/// A hinge in space closes a planar loop with three rows too many. Accelerations are those of the planar loop, and the dependent rows
/// carry nothing.
#[test]
fn redundant_rows_are_named_and_solved() {
    let mut solutions = Vec::new();
    for kind in [planar as fn(FrameSpec, FrameSpec) -> ConstraintKind, spatial] {
        let model = Model::build(&four_bar(0.8, kind)).unwrap();
        let mut system = System::new(&model);
        let (mut q, mut v) = (model.q0.clone(), vec![1.0, 0.5, -0.2]);
        let report = system.assemble(0.0, &mut q, &mut v).unwrap();
        let mut a = vec![0.0; 3];
        system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut a).unwrap();
        solutions.push((a, report.redundant.len(), system.lambda.clone()));
    }
    assert_eq!((solutions[0].1, solutions[1].1), (0, 3));
    assert!(worst(&solutions[0].0, &solutions[1].0) < 1e-9, "{solutions:?}");
    assert!(worst(&solutions[0].2, &solutions[1].2[..2]) < 1e-9);
    assert!(worst(&solutions[1].2[2..], &[0.0; 3]) < 1e-9);
}

/// The same row twice: both carry half of the load, the multipliers of least norm.
#[test]
fn a_doubled_constraint_shares_its_load() {
    let mut spec = four_bar(0.8, planar);
    let single = Model::build(&spec).unwrap();
    let twin = spec.constraints[0].kind.clone();
    spec.constraints.push(ConstraintSpec { name: "D again".into(), kind: twin });
    let double = Model::build(&spec).unwrap();
    let solve = |model: &Model| {
        let mut system = System::new(model);
        let (mut q, mut v) = (model.q0.clone(), vec![0.0; 3]);
        system.assemble(0.0, &mut q, &mut v).unwrap();
        let mut a = vec![0.0; 3];
        system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut a).unwrap();
        system.lambda.clone()
    };
    let (one, two) = (solve(&single), solve(&double));
    for i in 0..2 {
        assert!((two[i] - 0.5 * one[i]).abs() < 1e-9 && (two[i + 2] - 0.5 * one[i]).abs() < 1e-9, "{one:?} {two:?}");
    }
}

#[test]
fn contradicting_drivers_are_named() {
    let mut spec = four_bar(0.8, planar);
    spec.constraints.clear();
    for (name, slope) in [("slow", 1.0), ("fast", 2.0)] {
        let kind = ConstraintKind::Driver { terms: vec![("A".into(), 1.0)], function: polynomial(&[1.0, slope]) };
        spec.constraints.push(ConstraintSpec { name: name.into(), kind });
    }
    let model = Model::build(&spec).unwrap();
    let mut system = System::new(&model);
    let (mut q, mut v) = (model.q0.clone(), vec![0.0; 3]);
    let error = system.assemble(0.0, &mut q, &mut v).unwrap_err();
    assert!(matches!(error, DynamicsError::Contradiction { .. }), "{error}");
}

/// A driven crank: velocities and accelerations are the derivatives of the positions.
#[test]
fn kinematic_analysis_of_a_driven_linkage() {
    let mut spec = four_bar(0.8, planar);
    let wave = Fourier::new(2.0, 1.0, 0.3, &[FourierTerm { sin: 0.4, cos: 0.1 }]).unwrap();
    let kind = ConstraintKind::Driver { terms: vec![("A".into(), 1.0)], function: wave.into() };
    spec.constraints.push(ConstraintSpec { name: "motor".into(), kind });
    let model = Model::build(&spec).unwrap();
    let mut system = System::new(&model);
    let mut at = |t: f64| {
        let (mut q, mut v, mut a) = (model.q0.clone(), vec![0.0; 3], vec![0.0; 3]);
        system.kinematic_analysis(t, &mut q, &mut v, &mut a).unwrap();
        (q, v, a)
    };
    let h = 1e-4;
    let (before, now, after) = (at(0.2 - h), at(0.2), at(0.2 + h));
    for i in 0..3 {
        let rate = (after.0[i] - before.0[i]) / (2.0 * h);
        let acceleration = (after.1[i] - before.1[i]) / (2.0 * h);
        // h² times third derivatives of order 10
        assert!((rate - now.1[i]).abs() < 1e-6 && (acceleration - now.2[i]).abs() < 1e-6);
    }
}

/// Two rods in line cannot reach a point far along their line: the row along it has no power there, which is no excuse.
#[test]
fn an_impossible_loop_at_a_singular_position_is_named() {
    let mut spec = four_bar(5.0, planar);
    for joint in &mut spec.joints {
        joint.q0 = vec![0.0];
    }
    let model = Model::build(&spec).unwrap();
    let (mut q, mut v) = (model.q0.clone(), vec![0.0; 3]);
    let error = System::new(&model).assemble(0.0, &mut q, &mut v).unwrap_err();
    assert!(matches!(&error, DynamicsError::Assembly { violation, .. } if *violation > 3.0), "{error}");
}
