//! Equilibria against closed forms.

use crate::fixtures::*;
use wolff_multibody::force::*;
use wolff_multibody::spec::*;
use wolff_multibody::{Frame, Model, System};
use wolff_spatial::{MassProperties, Pose, Vec3};

fn pendulum(constraints: Vec<ConstraintSpec>) -> ModelSpec {
    let mass = MassProperties::point(2.0, Vec3::new(0.0, -0.5, 0.0)).unwrap();
    ModelSpec {
        gravity: Vec3::new(0.0, -9.81, 0.0),
        bodies: vec![BodySpec::rigid("bob", mass)],
        joints: vec![JointSpec {
            parent: FrameSpec::at(GROUND, Vec3::zeros()),
            child: FrameSpec::at("bob", Vec3::zeros()),
            q0: vec![2.5],
            ..joint("hinge", JointKind::Pin { axis: Vec3::z() }, GROUND, "bob", 0.0)
        }],
        constraints,
        ..Default::default()
    }
}

/// Released near the top, the pendulum ends below: the unstable equilibrium above is not taken.
#[test]
fn a_pendulum_hangs() {
    let model = Model::build(&pendulum(vec![])).unwrap();
    let mut q = model.q0.clone();
    let found = System::new(&model).equilibrium(0.0, &mut q, &mut [], 1e-10).unwrap();
    assert!(q[0].abs() < 1e-10, "{q:?} {found:?}");
}

/// A torsion spring balances the weight: k θ = m g l sin θ ... solved by the residual being small at a nontrivial angle.
#[test]
fn spring_and_weight_balance() {
    let mut model = Model::build(&pendulum(vec![])).unwrap();
    model.add_force(Box::new(TorsionalSpringDamper::new("spring", 0, 12.0, 0.0, 1.5).unwrap())).unwrap();
    let mut q = model.q0.clone();
    System::new(&model).equilibrium(0.0, &mut q, &mut [], 1e-10).unwrap();
    let balance = -2.0 * 9.81 * 0.5 * q[0].sin() - 12.0 * (q[0] - 1.5);
    assert!(balance.abs() < 1e-9 && q[0] > 0.3, "{q:?}");
}

/// A rope to the ground holds the pendulum out; its multiplier is the tension.
#[test]
fn a_constraint_carries_load() {
    let a = FrameSpec::at("bob", Vec3::new(0.0, -0.5, 0.0));
    let b = FrameSpec::at(GROUND, Vec3::new(0.5, 0.0, 0.0));
    let rope = ConstraintSpec { name: "rope".into(), kind: ConstraintKind::Distance { a, b, length: 0.2 } };
    let mut spec = pendulum(vec![rope]);
    spec.joints[0].q0 = vec![1.2];
    let model = Model::build(&spec).unwrap();
    let mut q = model.q0.clone();
    let mut lambda = vec![0.0];
    let mut system = System::new(&model);
    system.equilibrium(0.0, &mut q, &mut lambda, 1e-10).unwrap();
    // moment about the hinge of weight and tension (positive λ pulls the points together)
    let p = Vec3::new(0.5 * q[0].sin(), -0.5 * q[0].cos(), 0.0);
    let along = (Vec3::new(0.5, 0.0, 0.0) - p).normalize();
    let moment = p.cross(&(along * lambda[0] + Vec3::new(0.0, -2.0 * 9.81, 0.0))).z;
    assert!(moment.abs() < 1e-9 && lambda[0] > 0.0, "{moment} {lambda:?}");
    system.update_constraints(0.0, &q, &[0.0]);
    assert!(system.constraints.drift().0 < 1e-9);
}

#[test]
fn no_equilibrium_is_said() {
    let mut spec = pendulum(vec![]);
    spec.joints[0].kind = JointKind::Slider { axis: Vec3::y() };
    let model = Model::build(&spec).unwrap();
    let error = System::new(&model).equilibrium(0.0, &mut [0.0], &mut [], 1e-9).unwrap_err();
    assert!(error.to_string().contains("hinge"), "{error}");
    let frame = Frame { body: 1, X_BF: Pose::identity() };
    let ground = Frame { body: 0, X_BF: Pose::identity() };
    let spring = TranslationalSpringDamper::new("spring", ground, frame, 100.0, 0.0, 0.0).unwrap();
    let mut model = Model::build(&spec).unwrap();
    model.add_force(Box::new(spring)).unwrap();
    let mut q = [1.0];
    System::new(&model).equilibrium(0.0, &mut q, &mut [], 1e-9).unwrap();
    assert!((q[0] + 2.0 * 9.81 / 100.0).abs() < 1e-10);
}
