//! Systems of equations: square, redundant, undetermined, contradicting.

use wolff_numerics::NumericsError;
use wolff_numerics::newton::{NewtonOptions, NewtonStatus, NonlinearSystem, solve};

use super::assert_close;

struct Closure<F> {
    unknowns: usize,
    equations: usize,
    f: F,
}

impl<F: FnMut(&[f64], &mut [f64])> NonlinearSystem for Closure<F> {
    fn unknowns(&self) -> usize {
        self.unknowns
    }

    fn equations(&self) -> usize {
        self.equations
    }

    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), NumericsError> {
        (self.f)(x, r);
        Ok(())
    }
}

#[test]
fn square_system_from_far_away() {
    // Rosenbrock's valley as two equations
    let mut system = Closure {
        unknowns: 2,
        equations: 2,
        f: |x: &[f64], r: &mut [f64]| {
            r[0] = 10.0 * (x[1] - x[0] * x[0]);
            r[1] = 1.0 - x[0];
        },
    };
    let mut x = [-1.2, 1.0];
    let report = solve(&mut system, &mut x, &NewtonOptions::default()).unwrap();
    assert_eq!(report.status, NewtonStatus::Converged);
    assert!(report.residual <= 1e-10);
    assert_close(x[0], 1.0, 1e-9);
    assert_close(x[1], 1.0, 1e-9);
}

#[test]
fn damping_tames_the_arc_tangent() {
    // undamped Newton diverges from |x| > 1.39
    let mut system = Closure { unknowns: 1, equations: 1, f: |x: &[f64], r: &mut [f64]| r[0] = x[0].atan() };
    let mut x = [20.0];
    let report = solve(&mut system, &mut x, &NewtonOptions::default()).unwrap();
    assert_eq!(report.status, NewtonStatus::Converged);
    assert_close(x[0], 0.0, 1e-10);
}

#[test]
fn redundant_equations_and_least_motion() {
    // the sphere twice: the nearest point along the radius
    let mut system = Closure {
        unknowns: 3,
        equations: 2,
        f: |x: &[f64], r: &mut [f64]| {
            r[0] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 4.0;
            r[1] = 2.0 * r[0];
        },
    };
    let mut x = [1.0, 2.0, -2.0];
    let report = solve(&mut system, &mut x, &NewtonOptions::default()).unwrap();
    assert_eq!((report.status, report.rank), (NewtonStatus::Converged, 1));
    for (x, e) in x.iter().zip([2.0 / 3.0, 4.0 / 3.0, -4.0 / 3.0]) {
        assert_close(*x, e, 1e-8);
    }
}

#[test]
fn contradicting_equations_stall_at_the_least_squares_solution() {
    let mut system = Closure {
        unknowns: 1,
        equations: 3,
        f: |x: &[f64], r: &mut [f64]| {
            for (i, target) in [1.0, 2.0, 6.0].iter().enumerate() {
                r[i] = x[0] - target;
            }
        },
    };
    let mut x = [100.0];
    let report = solve(&mut system, &mut x, &NewtonOptions::default()).unwrap();
    assert_eq!(report.status, NewtonStatus::Stalled);
    assert_close(x[0], 3.0, 1e-7);
    assert_close(report.residual, 3.0, 1e-7);
}

#[test]
fn budget_and_bad_input() {
    let mut system = Closure { unknowns: 1, equations: 1, f: |x: &[f64], r: &mut [f64]| r[0] = x[0].exp() - 5.0 };
    let options = NewtonOptions { max_iterations: 1, ..NewtonOptions::default() };
    let mut x = [0.0];
    assert_eq!(solve(&mut system, &mut x, &options).unwrap().status, NewtonStatus::MaxIterations);
    assert!(solve(&mut system, &mut [f64::NAN], &options).is_err());
    assert!(solve(&mut system, &mut [0.0, 1.0], &options).is_err());
}
