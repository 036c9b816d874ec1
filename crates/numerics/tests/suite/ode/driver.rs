//! Grids, samples, projection and failures.

use wolff_numerics::{DenseStep, Method, OdeError, OdeSystem, Options, Sampler, Tolerance, integrate};

use super::models::{Function, Kepler};
use crate::assert_close;

#[test]
fn fixed_steps_lie_on_the_grid_and_end_exactly() {
    for method in [Method::Euler, Method::Rk4, Method::AdamsBashforthMoulton4] {
        let mut system = Function { dim: 1, f: |_, _: &[f64], dy: &mut [f64]| dy[0] = 1.0 };
        let mut ends = Vec::new();
        let mut observer = |s: &DenseStep| ends.push(s.t1);
        let options = Options::fixed_step(0.1);
        let mut y = [0.0];
        integrate(&mut system, method, &options, 0.0, &mut y, 1.05, &mut observer).unwrap();
        let expected: Vec<f64> = (1..=10).map(|n| n as f64 * 0.1).chain([1.05]).collect();
        assert_eq!(ends, expected);
        assert_close(y[0], 1.05, 1e-15);

        // a whole number of steps is not followed by a sliver
        ends.clear();
        let mut observer = |s: &DenseStep| ends.push(s.t1);
        integrate(&mut system, method, &options, 0.0, &mut y, 0.7, &mut observer).unwrap();
        assert_eq!((ends.len(), ends[6]), (7, 0.7));
    }
}

#[test]
fn sampler_takes_each_time_once() {
    for method in [Method::Rk4, Method::Adams, Method::DormandPrince5, Method::Dop853, Method::Bdf] {
        let mut sampler = Sampler::uniform(0.0, 4.0, 7);
        let mut y = Kepler::initial();
        let options = Options { h: 0.01, ..Options::tolerances(1e-9, 1e-9) };
        integrate(&mut Kepler, method, &options, 0.0, &mut y, 4.0, &mut sampler).unwrap();
        assert_eq!(sampler.len(), 8);
        assert_eq!((sampler.times()[0], sampler.times()[7]), (0.0, 4.0));
        assert_eq!(sampler.state(0).unwrap(), Kepler::initial());
        assert_eq!(sampler.state(7).unwrap(), y);
        for (t, state) in sampler.times().iter().zip(sampler.states()) {
            for (a, b) in state.iter().zip(Kepler::exact(*t)) {
                assert_close(*a, b, 2e-6);
            }
        }
        assert!(sampler.state(8).is_none());
    }
}

/// A rotation of the plane whose radius is restored after each step.
struct Circle;

impl OdeSystem for Circle {
    fn dim(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        dy.copy_from_slice(&[-y[1], y[0]]);
        Ok(())
    }

    fn project(&mut self, _t: f64, y: &mut [f64]) -> Result<bool, OdeError> {
        let r = y[0].hypot(y[1]);
        y.iter_mut().for_each(|y| *y /= r);
        Ok(true)
    }
}

#[test]
fn projection_keeps_the_invariant() {
    let methods = [
        Method::Euler,
        Method::Rk4,
        Method::AdamsBashforthMoulton4,
        Method::Adams,
        Method::DormandPrince5,
        Method::Dop853,
        Method::Bdf,
    ];
    for method in methods {
        let mut y = [1.0, 0.0];
        let options = Options { h: 1e-3, ..Options::tolerances(1e-7, 1e-9) };
        let mut radius = 0.0_f64;
        let mut observer = |s: &DenseStep| radius = radius.max((s.end()[0].hypot(s.end()[1]) - 1.0).abs());
        integrate(&mut Circle, method, &options, 0.0, &mut y, 3.0, &mut observer).unwrap();
        assert!(radius < 1e-15, "{method:?}");
        assert_close(y[1].atan2(y[0]), 3.0, 2e-5);
    }
}

/// `y' = y²` from 1 explodes at t = 1; the second component is harmless.
struct Explosion;

impl OdeSystem for Explosion {
    fn dim(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        dy.copy_from_slice(&[1.0, y[1] * y[1]]);
        Ok(())
    }

    fn component_name(&self, i: usize) -> String {
        ["clock", "pressure"][i].into()
    }
}

#[test]
fn a_failing_step_names_the_component() {
    for method in [Method::Adams, Method::DormandPrince5, Method::Dop853, Method::Bdf, Method::Euler, Method::Rk4] {
        let mut y = [0.0, 1.0];
        let options = Options { h: 0.01, h_min: 1e-9, ..Options::default() };
        let error = integrate(&mut Explosion, method, &options, 0.0, &mut y, 3.0, &mut ()).unwrap_err();
        assert!(error.to_string().contains("`pressure`"), "{method:?}: {error}");
        assert_eq!(y, [0.0, 1.0]);
    }
}

#[test]
fn a_system_that_refuses_is_quoted() {
    struct Refuses;
    impl OdeSystem for Refuses {
        fn dim(&self) -> usize {
            1
        }
        fn rhs(&mut self, t: f64, _y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
            dy[0] = 1.0;
            if t > 0.5 { Err(OdeError::System { t, cause: "joint limit".into() }) } else { Ok(()) }
        }
    }
    for method in [Method::Rk4, Method::DormandPrince5, Method::Bdf] {
        let options = Options { h: 0.01, h_min: 1e-6, ..Options::default() };
        let error = integrate(&mut Refuses, method, &options, 0.0, &mut [0.0], 1.0, &mut ()).unwrap_err();
        let OdeError::System { t, cause } = error else { panic!("{method:?}: {error}") };
        assert!(t > 0.5 && t < 0.52 && cause == "joint limit");
    }
}

#[test]
fn bad_settings_are_refused() {
    let refused = |options: &Options, t_end: f64, y: &mut [f64]| {
        integrate(&mut Kepler, Method::Rk4, options, 0.0, y, t_end, &mut ()).is_err()
    };
    let ok = Options::default();
    let mut y = Kepler::initial();
    assert!(refused(&ok, -1.0, &mut y));
    assert!(refused(&ok, f64::NAN, &mut y));
    assert!(refused(&ok, 1.0, &mut [1.0; 3]));
    assert!(refused(&ok, 1.0, &mut [f64::NAN; 4]));
    assert!(refused(&Options::fixed_step(0.0), 1.0, &mut y));
    assert!(refused(&Options::tolerances(-1.0, 1e-6), 1.0, &mut y));
    assert!(refused(&Options::tolerances(0.0, 0.0), 1.0, &mut y));
    let short = Options { atol: Tolerance::PerComponent(vec![1e-6; 3]), ..Options::default() };
    assert!(refused(&short, 1.0, &mut y));
    let message = integrate(
        &mut Kepler,
        Method::Rk4,
        &Options { max_steps: 10, ..Options::default() },
        0.0,
        &mut y,
        1.0,
        &mut (),
    );
    assert!(matches!(message, Err(OdeError::TooManySteps { max_steps: 10, .. })));
}
