//! Sharing of moments against an independent solver of quadratic programs, and by the conditions of optimality.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SupportedConeT};
use nalgebra::DMatrix;
use proptest::prelude::*;
use wolff_motion::{Sharing, SharingProblem};

/// A problem that has a solution: moments of some controls within the bounds.
fn problem(rows: usize, columns: usize, numbers: &[f64], reserves: bool) -> SharingProblem {
    let mut next = numbers.iter().copied().cycle();
    let mut number = || next.next().unwrap();
    let extra = if reserves { rows } else { 0 };
    let mut A = DMatrix::zeros(rows, columns + extra);
    for k in 0..columns {
        for r in 0..rows {
            let x = number();
            A[(r, k)] = if x.abs() < 0.5 { 0.0 } else { 100.0 * x };
        }
    }
    for r in 0..extra {
        A[(r, columns + r)] = 1.0;
    }
    let x: Vec<f64> =
        (0..columns + extra).map(|k| if k < columns { 0.01 + 0.98 * number().abs() } else { 0.1 }).collect();
    let b = (0..rows).map(|r| (0..columns + extra).map(|k| A[(r, k)] * x[k]).sum()).collect();
    let bound = |muscle: f64, reserve: f64| {
        (0..columns + extra).map(|k| if k < columns { muscle } else { reserve }).collect::<Vec<f64>>()
    };
    SharingProblem { A, b, lower: bound(0.01, f64::NEG_INFINITY), upper: bound(1.0, f64::INFINITY) }
}

/// The controls that Clarabel finds for the power two.
fn clarabel(problem: &SharingProblem) -> Vec<f64> {
    let (m, n) = problem.A.shape();
    let P = CscMatrix::identity(n);
    let mut rows: Vec<Vec<f64>> = (0..m).map(|r| problem.A.row(r).iter().copied().collect()).collect();
    let mut b = problem.b.clone();
    for k in 0..n {
        for (sign, bound) in [(1.0, problem.upper[k]), (-1.0, problem.lower[k])] {
            if bound.is_finite() {
                let mut row = vec![0.0; n];
                row[k] = sign;
                rows.push(row);
                b.push(sign * bound);
            }
        }
    }
    let cones = [SupportedConeT::ZeroConeT(m), SupportedConeT::NonnegativeConeT(rows.len() - m)];
    let A = CscMatrix::from(&rows);
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(1e-12)
        .tol_gap_rel(1e-12)
        .tol_feas(1e-12)
        .build()
        .unwrap();
    let mut solver = DefaultSolver::new(&P, &vec![0.0; n], &A, &b, &cones, settings).unwrap();
    solver.solve();
    solver.solution.x
}

/// Cost, moments, bounds and stationarity: what makes a control of least cost.
fn check_optimal(problem: &SharingProblem, sharing: &Sharing, power: f64, tolerance: f64) {
    let x = sharing.controls();
    for (r, b) in problem.b.iter().enumerate() {
        let moment: f64 = (0..x.len()).map(|k| problem.A[(r, k)] * x[k]).sum();
        assert!((moment - b).abs() < 1e-6 * (1.0 + b.abs()), "row {r}: {moment} for {b}");
    }
    for k in 0..x.len() {
        let (l, u) = (problem.lower[k], problem.upper[k]);
        assert!(x[k] >= l && x[k] <= u);
        let g: f64 = sharing.multipliers().iter().enumerate().map(|(r, m)| problem.A[(r, k)] * m).sum();
        let off = x[k].signum() * x[k].abs().powf(power - 1.0) - g;
        let right = if x[k] <= l {
            off >= -tolerance
        } else if x[k] >= u {
            off <= tolerance
        } else {
            off.abs() < tolerance
        };
        assert!(right, "control {k} = {}: {off}", x[k]);
    }
}

fn numbers() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0_f64, 97)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// With and without reserves, 3 to 12 moments of 15 to 40 muscles.
    #[test]
    fn an_independent_solver_agrees(numbers in numbers(), rows in 3..12_usize, columns in 15..40_usize, reserves: bool) {
        let problem = problem(rows, columns, &numbers, reserves);
        let mut sharing = Sharing::new(problem.b.len(), problem.lower.len(), 2.0).unwrap();
        let report = sharing.solve(&problem);
        prop_assert!(report.solved, "{report:?}");
        check_optimal(&problem, &sharing, 2.0, 1e-9);
        for (ours, theirs) in sharing.controls().iter().zip(clarabel(&problem)) {
            prop_assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");
        }
    }

    /// Other powers satisfy the conditions of optimality.
    #[test]
    fn other_powers_are_optimal(numbers in numbers(), power in 1.3..4.0_f64) {
        let problem = problem(6, 30, &numbers, true);
        let mut sharing = Sharing::new(6, 36, power).unwrap();
        let report = sharing.solve(&problem);
        prop_assert!(report.solved, "power {power}: {report:?}");
        check_optimal(&problem, &sharing, power, 1e-4);
    }
}

/// A warm start changes the number of steps, not the controls.
#[test]
fn the_start_does_not_matter() {
    let numbers: Vec<f64> = (0..97).map(|i| (1.7 * f64::from(i)).sin()).collect();
    let (one, mut two) = (problem(8, 40, &numbers, true), problem(8, 40, &numbers, true));
    two.b.iter_mut().for_each(|b| *b *= 1.02);
    let mut warm = Sharing::new(8, 48, 2.0).unwrap();
    let first = warm.solve(&one);
    let second = warm.solve(&two);
    let mut cold = Sharing::new(8, 48, 2.0).unwrap();
    let alone = cold.solve(&two);
    assert!(first.solved && second.solved && alone.solved && second.steps <= alone.steps);
    for (a, b) in warm.controls().iter().zip(cold.controls()) {
        // both keep the moments to 1e-10 of their size
        assert!((a - b).abs() < 1e-8);
    }
}

#[test]
fn moments_that_cannot_be_made() {
    let A = DMatrix::from_row_slice(2, 3, &[10.0, -5.0, 0.0, 0.0, 0.0, 3.0]);
    let unbounded = SharingProblem { A, b: vec![20.0, 1.0], lower: vec![0.0; 3], upper: vec![1.0; 3] };
    let report = Sharing::new(2, 3, 2.0).unwrap().solve(&unbounded);
    assert!(!report.solved && report.worst_row == 0 && (report.residual - 10.0).abs() < 1e-6, "{report:?}");
    assert!(Sharing::new(2, 3, 1.0).unwrap_err().to_string().contains("must be above 1"));
}
