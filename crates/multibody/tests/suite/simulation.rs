//! Whole runs against exact solutions.

use crate::fixtures::*;
use wolff_multibody::simulation::*;
use wolff_multibody::spec::*;
use wolff_multibody::{Baumgarte, Model, System};
use wolff_numerics::{Method, Options};
use wolff_spatial::{MassProperties, Mat3, Vec3};

fn settings(method: Method, options: Options, t_end: f64) -> Settings {
    Settings {
        integrator: Integrator::Ode(method, options),
        constraints: ConstraintHandling::Projection,
        t_start: 0.0,
        t_end,
        until_rest: None,
        assemble: true,
    }
}

struct Samples(Vec<(f64, Vec<f64>, Vec<f64>, f64)>);

impl Recorder for Samples {
    fn sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) {
        let (kinetic, potential) = system.energy(t, q, v);
        self.0.push((t, q.to_vec(), v.to_vec(), kinetic + potential));
    }
}

/// Torque-free body with moments 1, 2, 3 spun about the middle axis; reference by elliptic functions and integration to 1e-13.
#[test]
fn a_free_body_tumbles() {
    let inertia = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0));
    let mass = MassProperties::new(1.0, Vec3::zeros(), inertia).unwrap();
    let spec = ModelSpec {
        bodies: vec![BodySpec::rigid("body", mass)],
        joints: vec![JointSpec {
            parent: FrameSpec::at(GROUND, Vec3::zeros()),
            child: FrameSpec::at("body", Vec3::zeros()),
            v0: vec![0.01, 5.0, 0.01],
            ..joint("ball", JointKind::Ball, GROUND, "body", 0.0)
        }],
        ..Default::default()
    };
    let model = Model::build(&spec).unwrap();
    let run = settings(Method::Dop853, Options::tolerances(1e-12, 1e-12), 1.0);
    let mut samples = Samples(vec![]);
    let report = simulate(&model, &run, &model.q0, &model.v0, &[0.5, 1.0], &mut samples).unwrap();
    let quaternion = [-0.8011321123660434, 0.0017634283588975944, 0.5984399440524082, 0.007339088423977172];
    assert!(worst(&report.q, &quaternion) < 1e-9, "{:?}", report.q);
    assert_eq!(samples.0.len(), 2);
    assert!((samples.0[0].3 - 25.0002).abs() < 1e-9);
}

/// A loop run with projection keeps its constraints to rounding and its energy; without, it drifts.
#[test]
fn projection_keeps_a_loop() {
    let model = looped_zoo();
    let (q, v) = state(&model, 0.2);
    let mut drifts = Vec::new();
    for handling in [
        ConstraintHandling::Projection,
        ConstraintHandling::None,
        ConstraintHandling::Baumgarte(Baumgarte { alpha: 10.0, beta: 10.0 }),
    ] {
        let mut run = settings(Method::DormandPrince5, Options::tolerances(1e-8, 1e-8), 0.5);
        run.constraints = handling;
        let mut samples = Samples(vec![]);
        let report = simulate(&model, &run, &q, &v, &[0.0, 0.5], &mut samples).unwrap();
        drifts.push(report.drift.final_position);
        let change = samples.0[1].3 - samples.0[0].3;
        assert!(change.abs() < 1e-4, "{handling:?}: energy changed by {change}");
    }
    assert!(drifts[0] < 1e-12, "{drifts:?}");
    assert!(drifts[1] > drifts[0], "{drifts:?}");
}
