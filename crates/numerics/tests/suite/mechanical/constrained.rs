//! The Cartesian pendulum: order of positions, velocities and multipliers, drift, small steps, redundancy, failures.

use nalgebra::DMatrix;
use wolff_numerics::{
    ConstraintLevel, DenseStep, MechanicalMethod, MechanicalOptions, MechanicalReport, MechanicalSystem, OdeError,
    StepControl, integrate_mechanical,
};

use super::models::{CartesianPendulum, pendulum_angle};
use crate::{assert_close, observed_order};

const START: [f64; 2] = [1.1, 0.5];
const MASS: f64 = 2.5;

struct Run {
    q: [f64; 2],
    v: [f64; 2],
    lambda: Vec<f64>,
    largest_violation: f64,
    report: MechanicalReport,
}

fn run(options: &MechanicalOptions, copies: usize, t_end: f64) -> Run {
    let (mut q, mut v) = CartesianPendulum::state(START);
    let mut lambda = Vec::new();
    let mut largest_violation = 0.0_f64;
    let mut observer = |step: &DenseStep| {
        let q = step.end();
        largest_violation = largest_violation.max((q[0].hypot(q[1]) - 1.0).abs());
        lambda = step.algebraic()[2..].to_vec();
    };
    let mut system = CartesianPendulum { mass: MASS, copies, own_tangent: false };
    let report = integrate_mechanical(&mut system, options, 0.0, &mut q, &mut v, t_end, &mut observer).unwrap();
    Run { q, v, lambda, largest_violation, report }
}

/// Largest errors of position, velocity and multiplier at the tenths of a second up to 1.7 s.
fn errors(options: &MechanicalOptions) -> [f64; 3] {
    let mut largest = [0.0_f64; 3];
    let mut observer = |step: &DenseStep| {
        let tenths = 10.0 * step.t1;
        if (tenths - tenths.round()).abs() > 1e-9 {
            return;
        }
        let (q, v) = CartesianPendulum::state(pendulum_angle(START, step.t1));
        let exact = CartesianPendulum { mass: MASS, copies: 1, own_tangent: false }.multiplier(&q, &v);
        let (y, lambda) = (step.end(), step.algebraic()[2]);
        largest[0] = largest[0].max((y[0] - q[0]).hypot(y[1] - q[1]));
        largest[1] = largest[1].max((y[2] - v[0]).hypot(y[3] - v[1]));
        largest[2] = largest[2].max((lambda - exact).abs());
    };
    let (mut q, mut v) = CartesianPendulum::state(START);
    let mut system = CartesianPendulum { mass: MASS, copies: 1, own_tangent: false };
    integrate_mechanical(&mut system, options, 0.0, &mut q, &mut v, 1.7, &mut observer).unwrap();
    largest
}

fn assert_second_order(method: MechanicalMethod, level: ConstraintLevel) {
    let all: Vec<[f64; 3]> = [0.01, 0.005, 0.0025, 0.00125]
        .iter()
        .map(|&h| errors(&MechanicalOptions { method, level, h, newton_tolerance: 1e-12, ..Default::default() }))
        .collect();
    for (k, name) in ["position", "velocity", "multiplier"].iter().enumerate() {
        let order = observed_order(&all.iter().map(|e| e[k]).collect::<Vec<_>>());
        assert!((order - 2.0).abs() < 0.15, "{method:?} {level:?} {name}: order {order}");
    }
}

#[test]
fn generalised_alpha_has_order_2_on_every_level() {
    for level in [ConstraintLevel::Index3, ConstraintLevel::Index2, ConstraintLevel::Index1] {
        for rho_inf in [0.8, 0.3] {
            assert_second_order(MechanicalMethod::GeneralizedAlpha { rho_inf }, level);
        }
    }
}

#[test]
fn newmark_has_order_2_where_it_is_stable() {
    // undamped Newmark is unstable with positions imposed
    let trapezoidal = MechanicalMethod::Newmark { beta: 0.25, gamma: 0.5 };
    assert_second_order(trapezoidal, ConstraintLevel::Index1);
}

#[test]
fn drift_is_where_the_level_says() {
    let options = |level| MechanicalOptions { level, h: 2e-3, ..MechanicalOptions::default() };
    assert!(run(&options(ConstraintLevel::Index3), 1, 5.0).largest_violation < 1e-12);
    let index2 = run(&options(ConstraintLevel::Index2), 1, 5.0);
    assert!(index2.largest_violation > 1e-8 && index2.largest_violation < 1e-3);
    assert!((index2.q[0] * index2.v[0] + index2.q[1] * index2.v[1]).abs() < 1e-9);
    assert!(run(&options(ConstraintLevel::Index1), 1, 5.0).largest_violation > 1e-6);
}

#[test]
fn step_control_works_with_positions_imposed() {
    let steps: Vec<f64> = [1e-7, 1e-7 / 64.0]
        .iter()
        .map(|&tolerance| {
            let control = StepControl::Adaptive { tolerance, h_min: 1e-9, h_max: 0.1 };
            let run = run(&MechanicalOptions { control, ..MechanicalOptions::default() }, 1, 10.0);
            let s = run.report.run.statistics;
            assert!(s.rejected * 5 < s.steps, "{s:?}");
            assert!(run.largest_violation < 1e-12);
            let (q, _) = CartesianPendulum::state(pendulum_angle(START, 10.0));
            // about 1e3 to 1e4 local errors and the growth of phase errors
            assert_close(run.q[0], q[0], 3e5 * tolerance);
            s.steps as f64
        })
        .collect();
    // local error h³
    assert_close(steps[1] / steps[0], 4.0, 0.8);
}

#[test]
fn small_steps_do_not_spoil_the_constraint() {
    // without scaling the index-3 tangent has condition 1/h⁴; here positions stay exact and the rod force good
    for h in [1e-4, 1e-5, 1e-6] {
        let t_end = 200.0 * h;
        let run = run(&MechanicalOptions { h, ..MechanicalOptions::default() }, 1, t_end);
        let (q, v) = CartesianPendulum::state(pendulum_angle(START, t_end));
        let exact = CartesianPendulum { mass: MASS, copies: 1, own_tangent: false }.multiplier(&q, &v);
        assert!(run.largest_violation < 1e-14);
        assert_close(run.q[0], q[0], 1e-9);
        // rounding of positions, ε/(β h²), is what is left in the multiplier
        assert_close(run.lambda[0], exact, 1e-3 + 100.0 * MASS * f64::EPSILON / (h * h));
    }
}

#[test]
fn redundant_constraints_share_the_force() {
    let options = MechanicalOptions { h: 2e-3, ..MechanicalOptions::default() };
    let single = run(&options, 1, 1.0);
    assert_eq!(single.report.redundant_constraints, 0);
    let triple = run(&options, 3, 1.0);
    assert_eq!(triple.report.redundant_constraints, 2);
    for i in 0..2 {
        assert_close(triple.q[i], single.q[i], 1e-10);
    }
    for lambda in triple.lambda {
        assert_close(lambda, single.lambda[0] / 3.0, 1e-6);
    }
}

#[test]
fn an_own_tangent_saves_evaluations_and_changes_nothing() {
    let simulate = |own_tangent: bool| {
        let (mut q, mut v) = CartesianPendulum::state(START);
        let mut system = CartesianPendulum { mass: MASS, copies: 1, own_tangent };
        let options = MechanicalOptions { h: 0.01, newton_tolerance: 1e-13, ..MechanicalOptions::default() };
        let report = integrate_mechanical(&mut system, &options, 0.0, &mut q, &mut v, 1.0, &mut ()).unwrap();
        (q, report.run.statistics)
    };
    let ((q_own, own), (q_differences, differences)) = (simulate(true), simulate(false));
    for i in 0..2 {
        assert_close(q_own[i], q_differences[i], 1e-12);
    }
    assert_eq!(own.factorisations, differences.factorisations);
    assert_eq!(own.rhs_evaluations + 2 * own.factorisations, differences.rhs_evaluations);
}

/// Two rods of different length to the same point: impossible.
struct Impossible(CartesianPendulum);

impl MechanicalSystem for Impossible {
    fn nq(&self) -> usize {
        2
    }

    fn nv(&self) -> usize {
        2
    }

    fn nc(&self) -> usize {
        2
    }

    fn residual(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError> {
        self.0.residual(t, q, v, a, &lambda[..1], r)?;
        r[0] += lambda[1];
        Ok(())
    }

    fn mass_matrix(&mut self, q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError> {
        self.0.mass_matrix(q, m)
    }

    /// The mass is pulled out of reach of the rod.
    fn constraints(&mut self, t: f64, q: &[f64], phi: &mut [f64]) -> Result<(), OdeError> {
        self.0.constraints(t, q, &mut phi[..1])?;
        phi[1] = q[0] - 3.0 * t;
        Ok(())
    }

    fn constraint_jacobian(&mut self, _t: f64, q: &[f64], g: &mut DMatrix<f64>) -> Result<(), OdeError> {
        g.copy_from_slice(&[q[0], 1.0, q[1], 0.0]);
        Ok(())
    }

    fn constraint_velocity(&mut self, t: f64, q: &[f64], v: &[f64], phidot: &mut [f64]) -> Result<(), OdeError> {
        self.0.constraint_velocity(t, q, v, &mut phidot[..1])?;
        phidot[1] = v[0] - 3.0;
        Ok(())
    }

    fn accelerations(
        &mut self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        a: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<(), OdeError> {
        a.fill(0.0);
        lambda.fill(0.0);
        Ok(())
    }

    fn retract(&self, q: &[f64], dq: &[f64], q_out: &mut [f64]) {
        self.0.retract(q, dq, q_out);
    }

    fn coordinate_name(&self, i: usize) -> String {
        self.0.coordinate_name(i)
    }

    fn constraint_name(&self, i: usize) -> String {
        ["rod", "pull"][i].into()
    }
}

#[test]
fn an_impossible_constraint_is_named() {
    let mut system = Impossible(CartesianPendulum { mass: 1.0, copies: 1, own_tangent: false });
    let (mut q, mut v) = ([0.0, -1.0], [3.0, 0.0]);
    let options = MechanicalOptions { h: 0.01, ..MechanicalOptions::default() };
    let error = integrate_mechanical(&mut system, &options, 0.0, &mut q, &mut v, 1.0, &mut ()).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("`rod`") || message.contains("`pull`"), "{message}");
    // the rod of 1 m is reached at t = 1/3 s
    let (OdeError::NewtonFailed { t, .. } | OdeError::NonFinite { t, .. }) = error else { panic!("{message}") };
    assert_close(t, 1.0 / 3.0, 0.02);
    assert_eq!(q, [0.0, -1.0]);
}
