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

/// A row of parallelogram windows with equal uniform rods, at rest angle `π/2` of the uprights.
fn windows(count: usize, speed: f64) -> Model {
    let inertia = Mat3::from_diagonal(&Vec3::new(0.0, 1.0 / 12.0, 1.0 / 12.0));
    let rod = || MassProperties::new(1.0, Vec3::new(0.5, 0.0, 0.0), inertia).unwrap();
    let pin = |name: String, parent: FrameSpec, q: f64, v: f64| JointSpec {
        kind: JointKind::Pin { axis: Vec3::z() },
        parent,
        child: FrameSpec::at(&name, Vec3::zeros()),
        name,
        coordinates: vec![],
        q0: vec![q],
        v0: vec![v],
    };
    let end = |name: &str| FrameSpec::at(name, Vec3::x());
    let quarter = std::f64::consts::FRAC_PI_2;
    let mut spec = ModelSpec { gravity: Vec3::new(0.0, -9.81, 0.0), ..ModelSpec::default() };
    for i in 0..=count {
        let name = format!("upright_{i}");
        spec.bodies.push(BodySpec::rigid(&name, rod()));
        spec.joints.push(pin(name, FrameSpec::at(GROUND, Vec3::new(i as f64, 0.0, 0.0)), quarter, -speed));
    }
    for i in 0..count {
        let (name, upright, next) = (format!("beam_{i}"), format!("upright_{i}"), format!("upright_{}", i + 1));
        spec.bodies.push(BodySpec::rigid(&name, rod()));
        let kind = ConstraintKind::Point { a: end(&name), b: end(&next), along: vec![Vec3::x(), Vec3::y()] };
        spec.constraints.push(ConstraintSpec { name: format!("corner_{i}"), kind });
        spec.joints.push(pin(name, end(&upright), -quarter, speed));
    }
    Model::build(&spec).unwrap()
}

/// The parallel branch of the windows has one freedom: `I θ'' = -W cos θ` with `I = (n+1)/3 + n`, `W = g ((n+1)/2 + n)`.
struct Crank {
    ratio: f64,
}

impl wolff_numerics::OdeSystem for Crank {
    fn dim(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), wolff_numerics::OdeError> {
        (dy[0], dy[1]) = (y[1], -self.ratio * y[0].cos());
        Ok(())
    }
}

/// Three windows turn through their flat positions, where the constraints lose rank, many times in 10 s. The solution
/// agrees with that of the single equation of the parallel branch, and its error falls with the tolerance.
#[test]
fn windows_converge_through_change_points() {
    let (count, speed) = (3_u32, 2.5);
    let n = f64::from(count);
    let mut crank = Crank { ratio: 9.81 * (0.5 * (n + 1.0) + n) / ((n + 1.0) / 3.0 + n) };
    let mut exact = [std::f64::consts::FRAC_PI_2, -speed];
    let tight = Options::tolerances(1e-14, 1e-14);
    wolff_numerics::integrate(&mut crank, Method::Dop853, &tight, 0.0, &mut exact, 10.0, &mut ()).unwrap();
    assert!(exact[0] < -20.0, "passes many flat positions: {exact:?}");
    let model = windows(3, speed);
    let error = |tolerance: f64| {
        let settings = settings(Method::Dop853, Options::tolerances(tolerance, tolerance), 10.0);
        let report = simulate(&model, &settings, &model.q0, &model.v0, &[], &mut ()).unwrap();
        let drift = report.drift;
        assert!(drift.max_position < 1e-10, "tolerance {tolerance}: {drift:?}");
        (report.q[0] - exact[0]).abs()
    };
    let errors = [1e-8, 1e-10, 1e-12, 1e-13].map(error);
    assert!(errors[2] < 1e-9 && errors[3] < 1e-9, "{errors:?}");
    assert!(errors[1] < 0.1 * errors[0] && errors[2] < 0.1 * errors[1], "{errors:?}");
}

/// A run ends when its recorder asks for it; the state that it has reached is recorded, and the error tells how long the
/// steps are and which coordinate limits them.
#[test]
fn a_run_is_interrupted() {
    struct Until(Vec<f64>);
    impl Recorder for Until {
        fn sample(&mut self, _system: &mut System<'_>, t: f64, _q: &[f64], _v: &[f64]) {
            self.0.push(t);
        }

        fn interrupt(&self) -> Interrupt {
            Interrupt::new(|t| (t > 0.5).then(|| "the time is over".to_string()))
        }
    }
    let model = windows(1, 2.5);
    let settings = settings(Method::Dop853, Options::tolerances(1e-9, 1e-9), 10.0);
    let mut recorder = Until(Vec::new());
    let error = simulate(&model, &settings, &model.q0, &model.v0, &[0.0, 10.0], &mut recorder).unwrap_err().to_string();
    assert!(error.contains("the time is over") && error.contains("forced down by `"), "{error}");
    assert!(error.contains("upright") || error.contains("beam"), "{error}");
    let [start, last] = recorder.0[..] else { panic!("{:?}", recorder.0) };
    assert!(start == 0.0 && last > 0.2 && last <= 0.6, "{last}");
}
