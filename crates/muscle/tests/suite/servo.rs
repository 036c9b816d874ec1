//! Servo muscles: the law, its limits, and a leg that is taught and then driven.

use crate::support::*;
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Settings, simulate};
use wolff_multibody::{Model, System};
use wolff_muscle::path::*;
use wolff_muscle::servo::*;
use wolff_numerics::{Method, Options, TimeFunction};
use wolff_spatial::Vec3;

fn servo() -> Servo {
    Servo {
        wanted: polynomial(&[0.3, 0.1]),
        feed_forward: None,
        gains: ServoGains { proportional: 1e4, derivative: 200.0, integral: 500.0 },
        max_force: max_force(10e-4),
        series: None,
        parallel: ParallelElement::default(),
    }
}

#[test]
fn the_law_is_proportional_derivative_and_integral_within_its_limits() {
    let s = servo();
    // 87.1 N/cm² on 10 cm²
    close(s.max_force, 871.0, 1e-14, 1.0);
    // wanted at 2 s: 0.5 m, 0.1 m/s
    close(s.contraction(2.0, 0.51, 0.3, 0.2), 1e4 * 0.01 + 200.0 * 0.2 + 500.0 * 0.2, 1e-12, 1.0);
    assert_eq!(s.contraction(2.0, 0.4, 0.1, 0.0), 0.0);
    assert_eq!(s.contraction(2.0, 0.9, 0.1, 0.0), s.max_force);
    assert!(s.contraction(2.0, f64::NAN, 0.1, 0.0).is_nan());
    close(s.error(2.0, 0.51), 0.01, 1e-13, 1.0);
}

/// Two springs in series: reciprocals add; the feed-forward is felt in full.
#[test]
fn a_series_element_softens_the_servo() {
    let mut s = servo();
    s.gains.integral = 0.0;
    s.series = Some(SeriesElement { stiffness: 1e4, damping: 200.0 });
    s.feed_forward = Some(TimeFunction::Constant(50.0));
    close(s.contraction(0.0, 0.31, 0.3, 0.0), 50.0 + 5e3 * 0.01 + 100.0 * 0.2, 1e-12, 1.0);
}

#[test]
fn parallel_elements_only_pull() {
    let p = ParallelElement { stiffness: 1000.0, damping: 10.0, slack_length: 0.3 };
    assert_eq!(p.tension(0.29, 5.0), 0.0);
    close(p.tension(0.31, 0.5), 15.0, 1e-12, 1.0);
    assert_eq!(p.tension(0.31, -5.0), 0.0);
    let s = Servo { parallel: p, ..servo() };
    close(s.tension(0.0, 0.31, 0.1, 0.0), s.contraction(0.0, 0.31, 0.1, 0.0) + 11.0, 1e-12, 1.0);
}

#[test]
fn gains_follow_from_an_error_and_a_time() {
    let g = ServoGains::from_error(800.0, 0.04, 0.015);
    assert_eq!((g.proportional, g.derivative, g.integral), (2e4, 300.0, 0.0));
}

#[test]
fn nonsense_is_refused() {
    let path =
        resolve(&path_spec(vec![PointSpec::fixed("0", Vec3::zeros()), PointSpec::fixed("0", Vec3::x())], vec![]));
    for bad in [
        Servo { max_force: 0.0, ..servo() },
        Servo { gains: ServoGains { proportional: -1.0, derivative: 0.0, integral: 0.0 }, ..servo() },
        Servo { series: Some(SeriesElement { stiffness: 0.0, damping: 1.0 }), ..servo() },
    ] {
        assert!(ServoMuscle::new(path.clone(), bad).is_err());
    }
    let mut record = LengthRecord::default();
    record.push(0.0, 0.3).unwrap();
    assert!(record.push(0.0, 0.4).is_err() && record.push(1.0, f64::NAN).is_err() && record.wanted().is_err());
}

/// Muscles around the knee and ankle of a leg whose hip is left free.
fn muscle_paths(model: &Model) -> Vec<Path> {
    let point = PointSpec::fixed;
    [
        ("front", vec![point("thigh", Vec3::new(0.06, -0.1, 0.0)), point("shank", Vec3::new(0.05, -0.08, 0.0))]),
        ("back", vec![point("thigh", Vec3::new(-0.06, -0.1, 0.0)), point("shank", Vec3::new(-0.04, -0.08, 0.0))]),
    ]
    .into_iter()
    .map(|(name, points)| Path::new(&PathSpec { name: name.into(), ..path_spec(points, vec![]) }, model).unwrap())
    .collect()
}

fn run(model: &Model) -> Vec<f64> {
    let settings = Settings {
        integrator: Integrator::Ode(Method::DormandPrince5, Options::tolerances(1e-8, 1e-8)),
        constraints: ConstraintHandling::None,
        t_start: 0.0,
        t_end: 0.4,
        until_rest: None,
        assemble: false,
    };
    simulate(model, &settings, &model.q0, &model.v0, &[], &mut ()).unwrap().q
}

/// Teach: the leg is held straight, lengths are recorded. Drive: gravity acts, and the servos hold the knee, which falls without them.
#[test]
fn taught_servos_hold_a_knee() {
    let mut model = leg();
    let paths = muscle_paths(&model);
    let mut records = vec![LengthRecord::default(); paths.len()];
    let mut system = System::new(&model);
    system.update_kinematics(&model.q0, &model.v0);
    for t in [0.0, 0.2, 0.4] {
        let at = system.instant(t, &model.q0, &model.v0, None);
        for (path, record) in paths.iter().zip(&mut records) {
            record.push(t, path.solve(&at, None).length).unwrap();
        }
    }
    assert_eq!(records[0].samples().0.len(), 3);
    let knee = model.position_of_speed(3).unwrap();
    let free = (run(&model)[knee] - model.q0[knee]).abs();
    for (path, record) in paths.into_iter().zip(&records) {
        let wanted = record.wanted().unwrap();
        let gains = ServoGains::from_error(2000.0, 0.005, 0.02);
        let muscle =
            ServoMuscle::new(path, Servo { wanted, gains, max_force: 2000.0, feed_forward: None, ..servo() }).unwrap();
        muscle.set_integral(0.0);
        model.add_force(Box::new(muscle)).unwrap();
    }
    let held = (run(&model)[knee] - model.q0[knee]).abs();
    assert!(free > 0.04 && held < 0.1 * free, "free {free}, held {held}");
}
