//! The force element in a simulation.

use super::*;
use crate::support::close;
use wolff_contact::{ContactError, FoundationForce};
use wolff_multibody::dynamics::energy::{kinetic_energy, momentum};
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Recorder, Settings, simulate};
use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use wolff_multibody::{Frame, Model, System};
use wolff_numerics::{Method, Options};
use wolff_spatial::{Force, MassProperties, Mat3, Quaternion};

/// A tray with a layer and a ball, both free and without gravity, that meet off-centre.
fn tray_and_ball(s: FoundationSettings) -> Model {
    let body = |name: &str, mass: f64| {
        let inertia = Mat3::from_diagonal(&Vec3::new(1.1e-4, 0.9e-4, 1.3e-4));
        BodySpec::rigid(name, MassProperties::new(mass, Vec3::new(1.0, -2.0, 0.5) * MM, inertia).unwrap())
    };
    let free = |name: &str, p: Vec3, v: Vec3| {
        let q = Quaternion::from_rotation_vector(&Vec3::new(0.02, 0.01, 0.3));
        JointSpec {
            name: format!("joint of {name}"),
            kind: JointKind::Free,
            parent: FrameSpec::at(GROUND, Vec3::zeros()),
            child: FrameSpec::at(name, Vec3::zeros()),
            coordinates: Vec::new(),
            q0: vec![q.w, q.v.x, q.v.y, q.v.z, p.x, p.y, p.z],
            v0: vec![0.1, -0.2, 0.3, v.x, v.y, v.z],
        }
    };
    let spec = ModelSpec {
        name: "tray and ball".into(),
        gravity: Vec3::zeros(),
        bodies: vec![body("tray", 0.4), body("ball", 0.2)],
        joints: vec![
            free("tray", Vec3::zeros(), Vec3::zeros()),
            free("ball", Vec3::new(1.5, -0.8, 30.05) * MM, Vec3::new(0.02, 0.01, -0.1)),
        ],
        constraints: Vec::new(),
    };
    let mut model = Model::build(&spec).unwrap();
    let frame = |name: &str| model.frame(&FrameSpec::at(name, Vec3::zeros())).unwrap();
    let law = LayerMaterial::linear(4.0 * MPA, 0.45, Strain::Large).unwrap();
    let pair = Arc::new(pair(flat_layer(24, 12.0 * MM, 4.0 * MM), ball(30.0 * MM), law, s));
    let force = FoundationForce::new("knee", frame("tray"), frame("ball"), pair).unwrap();
    model.add_force(Box::new(force)).unwrap();
    model
}

#[derive(Default)]
struct Balance {
    momenta: Vec<Force>,
    energies: Vec<f64>,
    stored: Vec<f64>,
}

impl Recorder for Balance {
    fn sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) {
        let at = system.instant(t, q, v, None);
        let stored = system.model.forces()[0].potential_energy(&at);
        self.momenta.push(momentum(&system.kin, &Vec3::zeros()));
        self.energies.push(kinetic_energy(&system.kin) + stored);
        self.stored.push(stored);
    }
}

fn bounce(s: FoundationSettings) -> Balance {
    let model = tray_and_ball(s);
    let options = Options { h_max: 1e-4, ..Options::tolerances(1e-10, 1e-13) };
    let settings = Settings {
        integrator: Integrator::Ode(Method::Dop853, options),
        constraints: ConstraintHandling::None,
        t_start: 0.0,
        t_end: 0.012,
        until_rest: None,
        assemble: false,
    };
    let mut balance = Balance::default();
    let times: Vec<f64> = (0..=12).map(|k| k as f64 * 1e-3).collect();
    simulate(&model, &settings, &model.q0, &model.v0, &times, &mut balance).unwrap();
    balance
}

#[test]
fn a_bounce_keeps_momentum_and_energy() {
    let balance = bounce(settings(Distance::Minimum, Along::MovingNormal, Rule::Adaptive));
    let first = balance.momenta[0];
    for p in &balance.momenta {
        assert!((p.f - first.f).norm() < 1e-9 * first.f.norm() && (p.n - first.n).norm() < 1e-9 * first.n.norm());
    }
    // the energy is as good as the local model: fourth order in elements of 1 mm
    let deepest = balance.stored.iter().fold(0.0_f64, |a, b| a.max(*b));
    assert!(deepest > 0.3 * balance.energies[0], "the bounce is a real one: {deepest:e}");
    for e in &balance.energies {
        close(*e, balance.energies[0], 1e-5, "energy");
    }
    assert_eq!(balance.stored.last(), Some(&0.0), "they separate again");
}

#[test]
fn one_body_cannot_touch_itself() {
    let pair = Arc::new(pair(
        flat_layer(3, 1.0 * MM, 1.0 * MM),
        ball(1.0),
        polyethylene(Strain::Small),
        FoundationSettings::default(),
    ));
    let frame = Frame { body: 1, X_BF: Pose::identity() };
    assert!(matches!(FoundationForce::new("self", frame, frame, pair), Err(ContactError::SameBody { .. })));
}
