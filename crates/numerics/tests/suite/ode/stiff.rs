//! Stiff problems by backward differentiation.
//!
//! Reference end states: SciPy 1.17 `solve_ivp(method="Radau")` with analytic Jacobian; runs with rtol 1e-12 and 1e-13
//! (atol 1e-14 and 1e-20) agree to the digits quoted.

use wolff_numerics::{DenseStep, Method, Options, Report, Tolerance, integrate};

use super::models::Function;
use crate::assert_close;

/// `y'' = 1000 (1 - y²) y' - y` from (2, 0) at t = 2000.
const VAN_DER_POL: [f64; 2] = [1.706167732171, -8.92809701024e-4];
/// Robertson's kinetics from (1, 0, 0) at t = 40 and t = 4e5.
const ROBERTSON_40: [f64; 3] = [0.715827068719, 9.18553476456e-6, 0.284163745746];
const ROBERTSON_4E5: [f64; 3] = [4.93827452098e-3, 1.98499408796e-8, 0.995061705629];

fn van_der_pol(tol: f64) -> ([f64; 2], Report) {
    let mut system = Function {
        dim: 2,
        f: |_, y: &[f64], dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
        },
    };
    let mut y = [2.0, 0.0];
    let options = Options { atol: Tolerance::PerComponent(vec![tol, 1e-3 * tol]), rtol: tol, ..Options::default() };
    let report = integrate(&mut system, Method::Bdf, &options, 0.0, &mut y, 2000.0, &mut ()).unwrap();
    (y, report)
}

#[test]
fn van_der_pol_work_and_accuracy() {
    // (tolerance, allowed error of y, allowed evaluations); SciPy's BDF: errors 1.0e-3, 1.3e-5, 2.1e-7 with 1786, 3775,
    // 7864 evaluations
    for (tol, error, work) in [(1e-4, 5e-3, 2500), (1e-6, 1e-4, 5000), (1e-8, 1e-6, 11_000)] {
        let (y, report) = van_der_pol(tol);
        let e = (y[0] - VAN_DER_POL[0]).abs();
        let s = report.statistics;
        assert!(e < error, "tolerance {tol:e}: error {e:e}");
        assert!(s.rhs_evaluations < work, "tolerance {tol:e}: {s:?}");
        assert!(s.jacobian_evaluations * 5 < s.steps, "the Jacobian is kept: {s:?}");
    }
}

fn robertson(tol: f64, t_end: f64) -> ([f64; 3], Report) {
    let mut system = Function {
        dim: 3,
        f: |_, y: &[f64], dy: &mut [f64]| {
            dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
            dy[2] = 3e7 * y[1] * y[1];
            dy[1] = -dy[0] - dy[2];
        },
    };
    let mut y = [1.0, 0.0, 0.0];
    let atol = Tolerance::PerComponent(vec![1e-2 * tol, 1e-6 * tol, 1e-2 * tol]);
    let options = Options { rtol: tol, atol, ..Options::default() };
    let report = integrate(&mut system, Method::Bdf, &options, 0.0, &mut y, t_end, &mut ()).unwrap();
    (y, report)
}

#[test]
fn robertson_work_and_accuracy() {
    // SciPy's BDF needs 547, 1144 and 2546 evaluations to 4e5
    for (t_end, reference) in [(40.0, ROBERTSON_40), (4e5, ROBERTSON_4E5)] {
        for (tol, work) in [(1e-4, 700), (1e-6, 1400), (1e-8, 3200)] {
            let (y, report) = robertson(tol, t_end);
            for i in 0..3 {
                assert_close(y[i], reference[i], 100.0 * tol * reference[i]);
            }
            // mass is conserved by linear invariants, whatever the Jacobian
            assert_close(y.iter().sum(), 1.0, 1e-10);
            let s = report.statistics;
            assert!(s.rhs_evaluations < work, "tolerance {tol:e}: {s:?}");
        }
    }
}

#[test]
fn dense_output_follows_the_tolerance() {
    // y' = -50 (y - cos t) - sin t has the solution cos t
    for tol in [1e-5, 1e-8] {
        let mut system =
            Function { dim: 1, f: |t: f64, y: &[f64], dy: &mut [f64]| dy[0] = -50.0 * (y[0] - t.cos()) - t.sin() };
        let mut largest = 0.0_f64;
        let mut state = [0.0];
        let mut observer = |step: &DenseStep| {
            for k in 1..8 {
                let t = step.t0 + (step.t1 - step.t0) * k as f64 / 8.0;
                step.interpolate(t, &mut state);
                largest = largest.max((state[0] - t.cos()).abs());
            }
        };
        let options = Options::tolerances(tol, tol);
        integrate(&mut system, Method::Bdf, &options, 0.0, &mut [1.0], 10.0, &mut observer).unwrap();
        assert!(largest < 20.0 * tol, "tolerance {tol:e}: {largest:e}");
    }
}
