//! A double pendulum and its motion in closed form.

use wolff_formats::sto::{self, Storage};
use wolff_motion::Subject;
use wolff_multibody::Model;
use wolff_multibody::spec::{
    BodySpec, ConstraintKind, ConstraintSpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec,
};
use wolff_numerics::TimeFunction;
use wolff_numerics::function::Polynomial;
use wolff_spatial::{MassProperties, Mat3, Vec3};

fn pin(name: &str, coordinate: &str, parent: FrameSpec, child: &str) -> JointSpec {
    JointSpec {
        name: name.into(),
        parent,
        child: FrameSpec::at(child, Vec3::zeros()),
        kind: JointKind::Pin { axis: Vec3::z() },
        coordinates: vec![coordinate.into()],
        q0: vec![],
        v0: vec![],
    }
}

/// An arm of 2 kg and 1 m that swings, and a hand of 1 kg that bends, its mass half a metre below the wrist. `coupled`:
/// the hand bends so many times as far as the arm swings.
pub fn subject(coupled: Option<f64>) -> Subject {
    let point = |mass: f64, y: f64| MassProperties::new(mass, Vec3::new(0.0, y, 0.0), Mat3::zeros()).unwrap();
    let coupler = |factor: f64| ConstraintSpec {
        name: "together".into(),
        kind: ConstraintKind::Coupler {
            dependent: "bend".into(),
            independent: "swing".into(),
            function: TimeFunction::from(Polynomial::new(0.0, &[0.0, factor]).unwrap()),
        },
    };
    let spec = ModelSpec {
        name: "pendulum".into(),
        gravity: Vec3::new(0.0, -10.0, 0.0),
        bodies: vec![BodySpec::rigid("arm", point(2.0, -1.0)), BodySpec::rigid("hand", point(1.0, -0.5))],
        joints: vec![
            pin("shoulder", "swing", FrameSpec::at(GROUND, Vec3::zeros()), "arm"),
            pin("wrist", "bend", FrameSpec::at("arm", Vec3::new(0.0, -1.0, 0.0)), "hand"),
        ],
        constraints: coupled.map(coupler).into_iter().collect(),
    };
    Subject::new(Model::build(&spec).unwrap()).unwrap()
}

/// A motion file with `swing = f(t)` and the hand straight, 101 rows from 0 to 1 s.
pub fn motion(header: &str, f: impl Fn(f64) -> f64) -> Storage {
    let mut text = format!("motion\n{header}endheader\ntime\tswing\tbend\tother\n");
    for i in 0..=100 {
        let t = f64::from(i) / 100.0;
        text.push_str(&format!("{t}\t{}\t0\t7\n", f(t)));
    }
    sto::read(text.as_bytes()).unwrap()
}
