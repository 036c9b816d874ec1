//! Force elements: energy is conserved by springs, laws have the stated form, nonsense is refused.

use crate::fixtures::*;
use wolff_multibody::force::*;
use wolff_multibody::spec::*;
use wolff_multibody::{Baumgarte, Frame, Model, System};
use wolff_numerics::{TimeFunction, function::Step};
use wolff_spatial::{Pose, Vec3};

fn frame(body: usize, p: Vec3) -> Frame {
    Frame { body, X_BF: Pose::translation(p) }
}

/// Power of undamped springs equals the loss of their potential energy.
#[test]
fn springs_conserve_energy() {
    let mut model = zoo();
    let (a, b) = (frame(3, Vec3::new(0.1, 0.2, 0.0)), frame(9, Vec3::new(-0.2, 0.0, 0.3)));
    model.add_force(Box::new(TranslationalSpringDamper::new("spring", a, b, 700.0, 0.0, 0.4).unwrap())).unwrap();
    model.add_force(Box::new(TorsionalSpringDamper::new("torsion", 0, 30.0, 0.0, 0.2).unwrap())).unwrap();
    let mut system = System::new(&model);
    let (q, v) = state(&model, 0.4);
    let mut acceleration = vec![0.0; model.nv()];
    system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut acceleration).unwrap();
    let h = 1e-6;
    let mut energy = |h: f64| {
        let v: Vec<f64> = v.iter().zip(&acceleration).map(|(v, a)| v + h * a).collect();
        let q = moved(&model, &q, &v, h);
        system.update_kinematics(&q, &v);
        let (kinetic, potential) = system.energy(0.0, &q, &v);
        kinetic + potential
    };
    let rate = (energy(h) - energy(-h)) / (2.0 * h);
    assert!(rate.abs() < 1e-4, "{rate}");
}

/// A known tension pulls as a spring that has it just now.
#[test]
fn a_line_force_pulls_as_a_spring_of_that_tension() {
    let (a, b) = (frame(3, Vec3::new(0.1, 0.2, 0.0)), frame(9, Vec3::new(-0.2, 0.0, 0.3)));
    let spring = TranslationalSpringDamper::new("spring", a, b, 700.0, 5.0, 0.4).unwrap();
    let accelerations = |force: Box<dyn ForceElement>| {
        let mut model = zoo();
        model.add_force(force).unwrap();
        let mut system = System::new(&model);
        let (q, v) = state(&model, 0.4);
        let mut a = vec![0.0; model.nv()];
        system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut a).unwrap();
        (a, spring.tension(&system.instant(0.0, &q, &v, None)))
    };
    let (pulled, tension) = accelerations(Box::new(spring.clone()));
    let terms = [tension + 3.0, -3.0].map(TimeFunction::Constant).to_vec();
    let (known, _) = accelerations(Box::new(LineForce::new("line", a, b, terms)));
    assert!(tension.abs() > 1.0 && worst(&pulled, &known) < 1e-9, "{tension}");
}

#[test]
fn damping_takes_energy() {
    let (a, b) = (frame(0, Vec3::zeros()), frame(1, Vec3::new(0.3, 0.0, 0.0)));
    let model = zoo();
    let mut system = System::new(&model);
    let (q, v) = state(&model, 0.4);
    system.update_kinematics(&q, &v);
    let at = system.instant(0.0, &q, &v, None);
    let soft = TranslationalSpringDamper::new("s", a, b, 0.0, 2.0, 0.1).unwrap();
    let d = at.point(&b) - at.point(&a);
    let rate = at.velocity(&b).v.dot(&d) / d.norm();
    assert!((soft.tension(&at) - 2.0 * rate).abs() < 1e-12);
}

#[test]
fn passive_torque_is_linear_inside_and_steep_at_the_limits() {
    let p = PassiveParameters {
        stiffness: 2.0,
        damping: 0.5,
        neutral: 0.2,
        limits: [-0.5, 1.5],
        limit_torque: 10.0,
        width: 0.05,
    };
    let torque = PassiveJointTorque::new("knee", 0, p).unwrap();
    assert_eq!(torque.torque(0.2, 0.0), 0.0);
    assert!((torque.torque(0.4, 0.0) + 2.0 * 0.2).abs() < 1e-8);
    assert!((torque.torque(0.2, 3.0) + 1.5).abs() < 1e-12);
    // at the limit: linear part plus the limit torque
    assert!((torque.torque(1.5, 0.0) + 2.0 * 1.3 + 10.0).abs() < 1e-9);
    assert!((torque.torque(-0.5, 0.0) - 2.0 * 0.7 - 10.0).abs() < 1e-4);
    assert!(torque.torque(50.0, 0.0).is_finite() && torque.torque(50.0, 0.0) < -1e9);
    // the undamped torque is minus the slope of the energy, on both sides and far beyond the limits
    for q in [-0.7, 0.0, 0.9, 1.52, 2.7] {
        let h = 1e-6;
        let slope = (torque.energy(q + h) - torque.energy(q - h)) / (2.0 * h);
        assert!((slope + torque.torque(q, 0.0)).abs() < 1e-6 * (1.0 + slope.abs()), "{q}");
        let stiffness = (torque.torque(q - h, 0.0) - torque.torque(q + h, 0.0)) / (2.0 * h);
        assert!((stiffness - torque.stiffness_at(q)).abs() < 1e-5 * (1.0 + stiffness.abs()), "{q}");
    }
    let bad = PassiveParameters { neutral: 2.0, ..p };
    assert!(PassiveJointTorque::new("knee", 0, bad).is_err());
}

#[test]
fn a_wrench_table_is_linear_and_ends() {
    let row =
        |f: f64| WrenchRow { force: Vec3::new(0.0, f, 0.0), point: Vec3::new(f, 0.0, 0.0), torque: Vec3::zeros() };
    let table = WrenchTable::new("plate", 1, vec![0.0, 1.0, 3.0], vec![row(0.0), row(10.0), row(20.0)]).unwrap();
    assert_eq!(table.at(0.5).unwrap().force.y, 5.0);
    assert_eq!(table.at(2.0).unwrap().force.y, 15.0);
    assert_eq!(table.at(3.0).unwrap().force.y, 20.0);
    assert!(table.at(3.1).is_none() && table.at(-0.1).is_none());
    let single = WrenchTable::new("plate", 1, vec![1.0], vec![row(4.0)]).unwrap();
    assert_eq!(single.at(1.0).unwrap().force.y, 4.0);
    assert!(WrenchTable::new("plate", 1, vec![0.0, 0.0], vec![row(0.0), row(1.0)]).is_err());
    assert!(WrenchTable::new("plate", 1, vec![0.0], vec![row(f64::NAN)]).is_err());
}

/// A force through the centre of mass of a free body accelerates it by f/m; in the body's axes it turns with the body.
#[test]
fn actuators_push() {
    let spec = |kind: JointKind| ModelSpec {
        bodies: vec![BodySpec::rigid("block", lump(0.5))],
        joints: vec![JointSpec {
            parent: FrameSpec::at(GROUND, Vec3::zeros()),
            child: FrameSpec::at("block", lump(0.5).com),
            ..joint("j", kind, GROUND, "block", 0.0)
        }],
        ..Default::default()
    };
    let mut model = Model::build(&spec(JointKind::Free)).unwrap();
    let mass = model.total_mass();
    let ramp: TimeFunction = Step::new(0.0, 0.0, 2.0, 6.0).unwrap().into();
    let none = || TimeFunction::Constant(0.0);
    let at_com = frame(1, lump(0.5).com);
    let force = PointForce::new("push", at_com, [none(), ramp, none()], [none(), none(), none()], false);
    model.add_force(Box::new(force)).unwrap();
    let (q, v) = (model.q0.clone(), model.v0.clone());
    let mut a = vec![0.0; 6];
    System::new(&model).accelerations(1.0, &q, &v, Baumgarte::NONE, &mut a).unwrap();
    assert!(worst(&a, &[0.0, 0.0, 0.0, 0.0, 3.0 / mass, 0.0]) < 1e-12, "{a:?}");

    let mut model = Model::build(&spec(JointKind::Slider { axis: Vec3::x() })).unwrap();
    model.add_force(Box::new(CoordinateForce::new("motor", 0, TimeFunction::Constant(2.0)))).unwrap();
    let mut a = vec![0.0];
    System::new(&model).accelerations(0.0, &[0.0], &[0.0], Baumgarte::NONE, &mut a).unwrap();
    assert!((a[0] - 2.0 / mass).abs() < 1e-12);
}

#[test]
fn nonsense_is_refused() {
    let f = frame(0, Vec3::zeros());
    let error = TranslationalSpringDamper::new("spring", f, f, -5.0, 0.0, 0.0).unwrap_err();
    assert_eq!(error.to_string(), "spring: stiffness is -5, must be a finite number, zero or more");
    assert!(TorsionalSpringDamper::new("t", 0, 1.0, f64::NAN, 0.0).is_err());
    let mut model = zoo();
    let spring = || Box::new(TorsionalSpringDamper::new("t", 0, 1.0, 0.0, 0.0).unwrap());
    model.add_force(spring()).unwrap();
    assert!(model.add_force(spring()).is_err());
}
