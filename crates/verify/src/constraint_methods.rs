//! Augmented Lagrangian formulation and coordinate partitioning: closed chains with independent references, forces of
//! dependent rows, drift.

use super::items::{Failure, Items};
use super::loops::{andrews_by, bricard_by};
use super::trial::{Trial, dop853, rk4};
use wolff_multibody::simulation::{ConstraintHandling, Settings};
use wolff_multibody::{AugmentedLagrangian, Baumgarte, Penalty, REPARTITION, System};

/// Relative difference of accelerations from those of the multipliers' equation.
const SOLUTION: f64 = 1e-8;

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let partition = ConstraintHandling::CoordinatePartitioning { renew_below: REPARTITION };
    let methods = [
        ("augmented-lagrangian", ConstraintHandling::AugmentedLagrangian(Penalty::default())),
        ("coordinate-partitioning", partition),
    ];
    for (name, constraints) in methods {
        let settings = || Settings { constraints, ..dop853(1e-12) };
        andrews_by(items, &format!("{name}.andrews."), settings())?;
        bricard_by(items, &format!("{name}.bricard."), settings())?;
    }
    solutions(items)?;
    drift(items, partition)
}

/// Accelerations and multipliers of consistent states, also of dependent rows.
fn solutions(items: &mut Items) -> Result<(), Failure> {
    items.cite("the multipliers' equation J M^-1 J^T lambda = b, factored with pivoting");
    for study in ["andrews", "bricard", "human-sagittal"] {
        let trial = Trial::new(study, &[])?;
        let model = &trial.model;
        let mut system = System::new(model);
        let (mut q, mut v) = (model.q0.clone(), model.v0.clone());
        system.assemble(0.0, &mut q, &mut v)?;
        let (mut direct, mut iterated) = (vec![0.0; v.len()], vec![0.0; v.len()]);
        system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut direct)?;
        let forces = forces(&system);
        let mut formulation = AugmentedLagrangian::new(model, Penalty::default());
        let iterations = formulation.accelerations(&mut system, 0.0, &q, &v, &mut iterated)?;
        let largest = |x: &[f64]| x.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let case = |what: &str| format!("augmented-lagrangian.{study}.{what}");
        items.lists(&case("acceleration"), &iterated, &direct, |_| SOLUTION * largest(&direct));
        // the multipliers of dependent rows are not unique, the forces are
        let rounding = force_rounding(&system, largest(&direct));
        items.lists(&case("constraint_force"), &self::forces(&system), &forces, |_| rounding);
        items.check(&case("iterations"), iterations as f64, 4.0, 3.0);
    }
    Ok(())
}

/// `J^T lambda`.
fn forces(system: &System<'_>) -> Vec<f64> {
    let rows = &system.constraints.J_transpose;
    rows.row_iter().map(|row| row.iter().zip(&system.lambda).map(|(j, l)| j * l).sum()).collect()
}

/// `J^T lambda` is known to the rounding of `J a`, magnified by the penalty, since `lambda = penalty (J a - b)`.
fn force_rounding(system: &System<'_>, acceleration: f64) -> f64 {
    let rows = &system.constraints.J_transpose;
    rows.nrows() as f64 * f64::EPSILON * Penalty::default().penalty * rows.amax().powi(2) * acceleration
}

/// Violations of the driven human, whose states are perturbed as in the study: partitioning removes them at once, the
/// augmented Lagrangian lets them die as `(1 + s t) exp(-s t)` with `s = omega` for `mu = 1`.
fn drift(items: &mut Items, partition: ConstraintHandling) -> Result<(), Failure> {
    let trial = Trial::new("human-sagittal", &[("perturbation", "1e-3".into())])?;
    let (end, step) = (0.5, 1e-3);
    let run = |constraints| {
        let mut settings = rk4(step, constraints);
        settings.assemble = false;
        trial.run(settings, &[end])
    };
    items.cite("rounding of the dependent coordinates");
    let partitioned = run(partition)?;
    items.check("coordinate-partitioning.human.phi", partitioned.report.drift.final_position, 0.0, 1e-11);
    items.cite("closed form v t exp(-omega t) of a violation with the initial rate v, for mu = 1");
    let penalty = Penalty { omega: 5.0, ..Penalty::default() };
    let augmented = run(ConstraintHandling::AugmentedLagrangian(penalty))?;
    // knee and ankle rows of both shanks: two along x by 1 mm/s, two along y by 2 mm/s
    let rate = 1e-3 * 10f64.sqrt();
    let exact = rate * end * (-penalty.omega * end).exp();
    items.relative("augmented-lagrangian.human.phi", augmented.report.drift.final_position, exact, 1e-3);
    Ok(())
}
