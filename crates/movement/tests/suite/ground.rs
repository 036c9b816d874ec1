//! Pads on the floor: a block comes to rest with its weight under it, sticks on a slope, slides beyond friction.

use wolff_anatomy::Side;
use wolff_movement::model::ground::{Floor, FloorParameters, Pad, Reaction};
use wolff_multibody::spec::*;
use wolff_multibody::stiff::{ImplicitStep, Rows, StiffForces};
use wolff_multibody::{Instant, Model};
use wolff_spatial::{MassProperties, Mat3, Vec3};

const MASS: f64 = 20.0;

struct OnFloor(Floor);

impl StiffForces for OnFloor {
    fn rows(&mut self, at: &Instant<'_>, rows: &mut Rows) {
        self.0.rows(at, rows);
    }
}

/// A plate on four pads; gravity may lean.
fn plate(gravity: Vec3) -> Model {
    let mass = MassProperties::new(MASS, Vec3::new(0.03, 0.1, 0.01), Mat3::from_diagonal_element(0.3)).unwrap();
    let spec = ModelSpec {
        gravity,
        bodies: vec![BodySpec::rigid("plate", mass)],
        joints: vec![JointSpec {
            name: "free".into(),
            kind: JointKind::Free,
            parent: FrameSpec::at(GROUND, Vec3::zeros()),
            child: FrameSpec::at("plate", Vec3::zeros()),
            coordinates: vec![],
            q0: vec![],
            v0: vec![],
        }],
        ..Default::default()
    };
    Model::build(&spec).unwrap()
}

/// Pads that come to rest soon: fully damped from a millimetre on.
fn firm() -> FloorParameters {
    FloorParameters { stiffness: 50e3, exponent: 1.0, full_damping_depth: 1e-3, ..FloorParameters::default() }
}

/// Runs for two seconds; returns reaction, place and speed at the end.
fn settle(gravity: Vec3, parameters: &FloorParameters, radii: Vec3) -> (Reaction, Vec3, f64) {
    let model = plate(gravity);
    let pad = |x: f64, z: f64| {
        let frame = model.frame(&FrameSpec::at("plate", Vec3::new(x, radii.y, z))).unwrap();
        Pad::new("pad", Side::Right, frame, radii, parameters).unwrap()
    };
    let mut on = OnFloor(Floor { pads: vec![pad(-0.1, -0.1), pad(0.1, -0.1), pad(0.1, 0.1), pad(-0.1, 0.1)] });
    let (mut q, mut v) = (model.q0.clone(), model.v0.clone());
    let mut step = ImplicitStep::new(&model);
    for i in 0..4000 {
        step.advance(&mut on, f64::from(i) * 5e-4, 5e-4, &mut q, &mut v).unwrap();
    }
    let center = step.system.kin.bodies[1].X_GB.point(&Vec3::new(0.03, 0.1, 0.01));
    (on.0.reactions(step.applied())[0], center, v[0].hypot(v[2]).hypot(v[5]))
}

/// The floor carries the weight, and the centre of pressure is under the centre of mass; spheres and ellipsoids alike.
#[test]
fn weight_comes_to_rest() {
    for radii in [Vec3::new(0.03, 0.03, 0.03), Vec3::new(0.03, 0.012, 0.02)] {
        let (reaction, center, _) = settle(Vec3::new(0.0, -9.81, 0.0), &firm(), radii);
        assert!((reaction.force - Vec3::new(0.0, MASS * 9.81, 0.0)).norm() < 1e-3, "{reaction:?}");
        assert!((reaction.center.x - center.x).abs() < 1e-5 && (reaction.center.z - center.z).abs() < 1e-5);
        assert!(reaction.free_moment.abs() < 1e-4);
    }
}

/// On a slope of 0.5 it creeps at most at the stiction velocity; on one of 1.2 it slides with the dynamic friction.
#[test]
fn friction_holds_up_to_its_coefficient() {
    let p = firm();
    let radii = Vec3::new(0.03, 0.03, 0.03);
    let (held, _, _) = settle(Vec3::new(0.5 * 9.81, -9.81, 0.0), &p, radii);
    assert!((held.force.x + 0.5 * MASS * 9.81).abs() < 0.1, "{held:?}");
    let (slides, _, speed) = settle(Vec3::new(1.2 * 9.81, -9.81, 0.0), &p, radii);
    assert!((slides.force.x + p.dynamic_friction * slides.force.y).abs() < 1e-2 * slides.force.y, "{slides:?} {speed}");
}

/// Force over depth is the given stiffness at the reference depth, and grows with the exponent.
#[test]
fn a_pad_stiffens_as_it_is_pressed() {
    let p = FloorParameters { stiffness: 40e3, exponent: 1.5, reference_depth: 0.008, ..FloorParameters::default() };
    let model = plate(Vec3::zeros());
    let frame = model.frame(&FrameSpec::at("plate", Vec3::zeros())).unwrap();
    let pad = Pad::new("pad", Side::Right, frame, Vec3::new(0.03, 0.03, 0.03), &p).unwrap();
    assert!((pad.pressure(0.008).0 - 320.0).abs() < 1e-9);
    assert!((pad.pressure(0.002).0 - 40.0).abs() < 1e-9);
    assert_eq!(pad.pressure(-0.001), (0.0, 0.0));
}

/// The published presets, and names that are none.
#[test]
fn presets() {
    let second = FloorParameters::published("second").unwrap();
    assert_eq!((second.stiffness, second.damping, second.friction_velocity), (150e3, 20e3, 1e-3));
    assert!(FloorParameters::published("third").is_none());
}
