//! Kinds of motion of coordinates.

use wolff_motion::{MotionType, Subject};
use wolff_multibody::Model;
use wolff_multibody::joint::{CoordinateFunction, CustomJoint, itself, still};
use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use wolff_numerics::TimeFunction;
use wolff_numerics::function::Polynomial;
use wolff_spatial::{MassProperties, Mat3, Vec3};

/// A body on ground by a joint with coordinates of these names.
fn model(kind: JointKind, coordinates: &[&str]) -> Model {
    let mass = MassProperties::new(1.0, Vec3::zeros(), Mat3::identity()).unwrap();
    let joint = JointSpec {
        name: "joint".into(),
        parent: FrameSpec::at(GROUND, Vec3::zeros()),
        child: FrameSpec::at("body", Vec3::zeros()),
        kind,
        coordinates: coordinates.iter().map(ToString::to_string).collect(),
        q0: vec![],
        v0: vec![],
    };
    let spec = ModelSpec {
        name: "model".into(),
        gravity: Vec3::zeros(),
        bodies: vec![BodySpec::rigid("body", mass)],
        joints: vec![joint],
        constraints: vec![],
    };
    Model::build(&spec).unwrap()
}

fn kinds(kind: JointKind, coordinates: &[&str]) -> Vec<MotionType> {
    Subject::new(model(kind, coordinates)).unwrap().coordinates.iter().map(|c| c.kind).collect()
}

/// The joint decides and not the name: `pelvis_tilt` is an angle although it has `_t` in its name.
#[test]
fn the_joint_decides_what_a_coordinate_measures() {
    use MotionType::{Coupled, Rotational, Translational};
    let axes = [Vec3::z(), Vec3::x(), Vec3::y(), Vec3::x(), Vec3::y(), Vec3::z()];
    let pelvis = CustomJoint::new(6, axes, [3, 4, 5, 0, 1, 2].map(itself)).unwrap();
    let names = ["pelvis_tx", "pelvis_ty", "pelvis_tz", "pelvis_tilt", "pelvis_list", "pelvis_rotation"];
    let three = |kind: MotionType| [kind; 3];
    assert_eq!(kinds(JointKind::Custom(Box::new(pelvis)), &names), [three(Translational), three(Rotational)].concat());
    let knee =
        CoordinateFunction { coordinate: 1, function: TimeFunction::from(Polynomial::new(0.0, &[0.0, 0.5]).unwrap()) };
    let custom = CustomJoint::new(2, axes, [itself(0), still(), still(), knee, still(), still()]).unwrap();
    assert_eq!(kinds(JointKind::Custom(Box::new(custom)), &["angle", "half"]), [Rotational, Coupled]);
    assert_eq!(kinds(JointKind::Planar, &["x", "y", "turn"]), [Translational, Translational, Rotational]);
    assert_eq!(kinds(JointKind::Slider { axis: Vec3::x() }, &["rotation"]), [Translational]);
}

#[test]
fn speeds_without_positions_are_refused() {
    let ball = model(JointKind::Ball, &["x", "y", "z"]);
    assert!(Subject::new(ball).unwrap_err().to_string().contains("use a gimbal"));
}
