//! Orders of convergence, measured by halving the step on the Kepler problem.

use wolff_numerics::{DenseStep, Method, Options, Tolerance, integrate};

use super::models::{Function, Kepler};
use crate::{assert_close, observed_order};

/// Options that make any method take steps `h`: a tolerance too wide to matter and `h` as the largest step.
fn steps_of(h: f64) -> Options {
    Options { rtol: 1e6, atol: Tolerance::Scalar(1e6), h_init: Some(h), h_max: h, h, ..Options::default() }
}

/// sn, cn, dn of 6 with parameter 0.51.
const JACOBI: [f64; 3] = [-0.9575070988256614, 0.28840970111711767, 0.7296724466541249];

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Error at the end, and the largest error of the dense output inside the steps.
fn errors(method: Method, steps: usize) -> (f64, f64) {
    let (t_end, exact) = Kepler::exact_at_anomaly(4.0);
    let mut y = Kepler::initial();
    let mut inside = 0.0_f64;
    let mut state = [0.0; 4];
    let mut observer = |step: &DenseStep| {
        for theta in [0.23, 0.5, 0.81] {
            let t = step.t0 + theta * (step.t1 - step.t0);
            step.interpolate(t, &mut state);
            inside = inside.max(distance(&state, &Kepler::exact(t)));
        }
    };
    let options = steps_of(t_end / steps as f64);
    let report = integrate(&mut Kepler, method, &options, 0.0, &mut y, t_end, &mut observer).unwrap();
    assert_eq!(report.t, t_end);
    assert_eq!((report.statistics.steps, report.statistics.rejected), (steps, 0));
    (distance(&y, &exact), inside)
}

fn measured(method: Method, coarsest: usize, halvings: u32) -> (f64, f64) {
    let (end, inside): (Vec<f64>, Vec<f64>) = (0..=halvings).map(|k| errors(method, coarsest << k)).unzip();
    (observed_order(&end), observed_order(&inside))
}

#[test]
fn euler_has_order_1() {
    assert_close(measured(Method::Euler, 20_000, 2).0, 1.0, 0.05);
}

#[test]
fn rk4_has_order_4_with_a_cubic_inside() {
    let (end, inside) = measured(Method::Rk4, 100, 3);
    assert_close(end, 4.0, 0.2);
    assert_close(inside, 4.0, 0.2);
}

#[test]
fn adams_has_order_4() {
    let (end, inside) = measured(Method::AdamsBashforthMoulton4, 400, 3);
    assert_close(end, 4.0, 0.3);
    assert_close(inside, 4.0, 0.3);
}

#[test]
fn dormand_prince_has_order_5_and_local_order_5_inside() {
    let (end, inside) = measured(Method::DormandPrince5, 40, 3);
    assert_close(end, 5.0, 0.4);
    assert_close(inside, 5.0, 0.4);
}

#[test]
fn dop853_has_order_8() {
    let errors: Vec<f64> = [8, 16, 32].iter().map(|&n| jacobi_error(n)).collect();
    assert_close(observed_order(&errors), 8.0, 0.3);
    // dense output of order 7: local error of order 8
    assert_close(measured(Method::Dop853, 12, 2).1, 8.0, 0.5);
}

/// Error of Dop853 on the rigid body of Euler, `y' = (y₂y₃, -y₁y₃, -m y₁y₂)`, whose solution from (0, 1, 1) are Jacobi's
/// elliptic functions sn, cn, dn of parameter m = 0.51 (here at t = 6, from SciPy's `ellipj`).
fn jacobi_error(steps: usize) -> f64 {
    let mut system = Function {
        dim: 3,
        f: |_, y: &[f64], dy: &mut [f64]| dy.copy_from_slice(&[y[1] * y[2], -y[0] * y[2], -0.51 * y[0] * y[1]]),
    };
    let mut y = [0.0, 1.0, 1.0];
    let options = steps_of(6.0 / steps as f64);
    integrate(&mut system, Method::Dop853, &options, 0.0, &mut y, 6.0, &mut ()).unwrap();
    distance(&y, &JACOBI)
}

#[test]
fn adaptive_methods_follow_the_tolerance() {
    let (t_end, exact) = Kepler::exact_at_anomaly(20.0);
    for (method, reach) in
        [(Method::Adams, 2e3), (Method::DormandPrince5, 2e3), (Method::Dop853, 5e2), (Method::Bdf, 5e3)]
    {
        for tol in [1e-5, 1e-7, 1e-9] {
            let mut y = Kepler::initial();
            integrate(&mut Kepler, method, &Options::tolerances(tol, tol), 0.0, &mut y, t_end, &mut ()).unwrap();
            // over three revolutions SciPy's codes of the same methods are off by 1400, 270 and 3800 times the tolerance
            let error = distance(&y, &exact);
            assert!(error < reach * tol, "{method:?} at {tol:e}: error {error:e}");
        }
    }
}

/// Number of evaluations and error of the Adams method over a revolution.
fn adams_work(max_order: usize, tolerance: f64) -> (f64, f64) {
    let (t_end, exact) = Kepler::exact_at_anomaly(2.0 * std::f64::consts::PI);
    let options = Options { max_order, ..Options::tolerances(tolerance, tolerance) };
    let mut y = Kepler::initial();
    let report = integrate(&mut Kepler, Method::Adams, &options, 0.0, &mut y, t_end, &mut ()).unwrap();
    (report.statistics.steps as f64, distance(&y, &exact))
}

/// An estimate of the error of order k controls the step: `steps ~ tolerance^(-1/(k+1))`.
#[test]
fn adams_of_each_order_takes_the_steps_of_that_order() {
    for (order, tolerances) in [(1, [1e-4, 1e-6]), (2, [1e-5, 1e-8]), (3, [1e-6, 1e-9]), (5, [1e-7, 1e-11])] {
        let [coarse, fine] = tolerances.map(|tolerance| adams_work(order, tolerance));
        let exponent = (fine.0 / coarse.0).log10() / (tolerances[0] / tolerances[1]).log10();
        assert_close(exponent, 1.0 / (order as f64 + 1.0), 0.03);
        assert!(fine.1 < 1e3 * tolerances[1], "order {order}: error {:e}", fine.1);
    }
}

/// Each order is put to use: at a tight tolerance it saves steps.
#[test]
fn adams_rises_to_order_12() {
    let steps = |max_order: usize| {
        let mut wave = Function { dim: 1, f: |t: f64, _: &[f64], dy: &mut [f64]| dy[0] = t.cos() };
        let options = Options { max_order, ..Options::tolerances(1e-13, 1e-13) };
        let mut y = [0.0];
        let report = integrate(&mut wave, Method::Adams, &options, 0.0, &mut y, 20.0, &mut ()).unwrap();
        assert_close(y[0], 20f64.sin(), 1e-12);
        report.statistics.steps
    };
    let (four, eight, twelve) = (steps(4), steps(8), steps(12));
    assert!(3 * eight < four && twelve < eight, "{four} {eight} {twelve}");
}

/// The dense output inside the steps is as good as their ends.
#[test]
fn adams_dense_output_follows_the_tolerance() {
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let mut worst = 0.0_f64;
        let mut state = [0.0; 4];
        let mut observer = |step: &DenseStep| {
            for theta in [0.0, 0.23, 0.5, 0.81] {
                let t = step.t0 + theta * (step.t1 - step.t0);
                step.interpolate(t, &mut state);
                worst = worst.max(distance(&state, &Kepler::exact(t)));
            }
        };
        let mut y = Kepler::initial();
        let options = Options::tolerances(tolerance, tolerance);
        integrate(&mut Kepler, Method::Adams, &options, 0.0, &mut y, 6.0, &mut observer).unwrap();
        let end = distance(&y, &Kepler::exact(6.0));
        assert!(worst < 5.0 * end.max(20.0 * tolerance), "{tolerance:e}: {worst:e} inside, {end:e} at the end");
    }
}
