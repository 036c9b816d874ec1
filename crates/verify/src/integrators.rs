//! Integrators on mechanisms: orders measured by halving the step, work against tolerance, conservation of energy.

use super::items::{Failure, Items};
use super::trial::{Sample, Trial, dop853};
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Settings};
use wolff_numerics::{ConstraintLevel, MechanicalMethod, MechanicalOptions, Method, Options};

/// Tolerance of a measured order: the next term of the error series is a few percent at these steps.
const ORDER: f64 = 0.1;

/// Relative change of energy over ten seconds at a tolerance of 1e-12.
const ENERGY: f64 = 1e-9;

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    items.cite("order of the method, measured against a run at a tolerance of 1e-13");
    explicit_orders(items)?;
    implicit_orders(items)?;
    backward_differences(items)?;
    variable_adams(items)?;
    items.cite("conservation of energy");
    energy(items)
}

fn ode(method: Method, options: Options) -> Settings {
    let integrator = Integrator::Ode(method, options);
    Settings {
        integrator,
        constraints: ConstraintHandling::Projection,
        t_start: 0.0,
        t_end: 0.0,
        until_rest: None,
        assemble: true,
    }
}

/// Final state of a run.
fn end(trial: &Trial, settings: Settings, t: f64) -> Result<Sample, Failure> {
    let mut run = trial.run(settings, &[t])?;
    run.samples.pop().ok_or_else(|| "there is no sample".into())
}

/// Maximum difference of coordinates.
fn error(a: &Sample, b: &Sample) -> f64 {
    a.q.iter().zip(&b.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// `log2(e(h)/e(h/2))`.
fn order(trial: &Trial, t: f64, h: f64, settings: impl Fn(f64) -> Settings) -> Result<f64, Failure> {
    let exact = end(trial, dop853(1e-13), t)?;
    let coarse = error(&end(trial, settings(h), t)?, &exact);
    let fine = error(&end(trial, settings(h / 2.0), t)?, &exact);
    Ok((coarse / fine).log2())
}

fn explicit_orders(items: &mut Items) -> Result<(), Failure> {
    let trial = Trial::new("double-pendulum", &[])?;
    let methods = [
        ("euler", Method::Euler, 1e-5, 1.0),
        ("rk4", Method::Rk4, 4e-3, 4.0),
        ("abm4", Method::AdamsBashforthMoulton4, 1e-3, 4.0),
    ];
    for (name, method, h, expected) in methods {
        let measured = order(&trial, 0.5, h, |h| ode(method, Options::fixed_step(h)))?;
        items.check(&format!("{name}.order"), measured, expected, ORDER);
    }
    Ok(())
}

/// On a spatial loop with a redundant constraint, at every index of the constraints.
fn implicit_orders(items: &mut Items) -> Result<(), Failure> {
    let trial = Trial::new("bricard", &[])?;
    let damped = MechanicalMethod::GeneralizedAlpha { rho_inf: 0.8 };
    let trapezoidal = MechanicalMethod::Newmark { beta: 0.25, gamma: 0.5 };
    let cases = [
        ("generalized-alpha.index-3.order", damped, ConstraintLevel::Index3),
        ("generalized-alpha.index-2.order", damped, ConstraintLevel::Index2),
        ("generalized-alpha.index-1.order", damped, ConstraintLevel::Index1),
        ("newmark.index-1.order", trapezoidal, ConstraintLevel::Index1),
    ];
    for (name, method, level) in cases {
        let settings = |h: f64| Settings {
            integrator: Integrator::Mechanical(MechanicalOptions { method, level, h, ..Default::default() }),
            ..ode(Method::Rk4, Options::fixed_step(h))
        };
        items.check(name, order(&trial, 0.5, 2e-3, settings)?, 2.0, ORDER);
    }
    Ok(())
}

/// Error and number of steps against the tolerance. At order five, the number of steps grows as the tolerance to the
/// power -1/6; lower orders during the run increase it a little.
fn backward_differences(items: &mut Items) -> Result<(), Failure> {
    let trial = Trial::new("double-pendulum", &[])?;
    let exact = end(&trial, dop853(1e-13), 1.0)?;
    let mut work = Vec::new();
    for exponent in [-4, -6, -8, -10] {
        let tolerance = 10f64.powi(exponent);
        let mut run = trial.run(ode(Method::Bdf, Options::tolerances(tolerance, tolerance)), &[1.0])?;
        let sample = run.samples.pop().ok_or("there is no sample")?;
        // local errors of hundreds of steps accumulate
        items.check(&format!("bdf.error.1e{exponent}"), error(&sample, &exact), 0.0, 300.0 * tolerance);
        work.push(run.report.integration.statistics.steps as f64);
    }
    if let [first, .., last] = work[..] {
        items.check("bdf.work.exponent", (last / first).log10() / 6.0, 1.0 / 6.0, 0.05);
    }
    Ok(())
}

/// Error, and evaluations beside those of the Runge-Kutta method of order eight, against the tolerance. At a tight
/// tolerance the number of evaluations of high orders hardly grows: by less than the power -1/9 of a method of order
/// eight.
fn variable_adams(items: &mut Items) -> Result<(), Failure> {
    let trial = Trial::new("double-pendulum", &[])?;
    let exact = end(&trial, dop853(1e-13), 1.0)?;
    let mut work = Vec::new();
    for exponent in [-4, -6, -8, -10, -12] {
        let tolerance = 10f64.powi(exponent);
        let mut run = trial.run(ode(Method::Adams, Options::tolerances(tolerance, tolerance)), &[1.0])?;
        let sample = run.samples.pop().ok_or("there is no sample")?;
        items.check(&format!("adams.error.1e{exponent}"), error(&sample, &exact), 0.0, 300.0 * tolerance);
        work.push(run.report.integration.statistics.rhs_evaluations as f64);
    }
    if let [.., first, _, last] = work[..] {
        items.check("adams.work.exponent", (last / first).log10() / 4.0, 1.0 / 13.0, 0.05);
    }
    Ok(())
}

fn energy(items: &mut Items) -> Result<(), Failure> {
    for study in ["free-body", "double-pendulum"] {
        let trial = Trial::new(study, &[])?;
        let total = |at: &Sample| {
            let (kinetic, potential) = trial.energy(at);
            (kinetic + potential, kinetic.abs() + potential.abs())
        };
        let (start, _) = total(&trial.start());
        let (end, scale) = total(&end(&trial, dop853(1e-12), 10.0)?);
        items.check(&format!("{study}.energy_drift_relative"), (end - start) / scale, 0.0, ENERGY);
    }
    Ok(())
}
