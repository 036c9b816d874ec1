//! Dependent coordinates follow from the independent ones.

use crate::fixtures::*;
use wolff_multibody::simulation::*;
use wolff_multibody::{AugmentedLagrangian, Baumgarte, Partition, Penalty, System};
use wolff_numerics::{Method, Options};

#[test]
fn dependent_coordinates_meet_the_rows_and_independent_ones_stay() {
    for model in [looped_zoo(), looped_flexible_zoo()] {
        let mut system = System::new(&model);
        let (mut q, mut v) = state(&model, 0.2);
        system.assemble(0.0, &mut q, &mut v).unwrap();
        let mut partition = Partition::new(&model);
        partition.choose(&mut system, 0.0, &q);
        assert_eq!(partition.independent().count(), model.nv() - model.nc());
        let offset: Vec<f64> = (0..model.nv()).map(|i| 1e-3 * (i as f64).cos()).collect();
        let mut moved = q.clone();
        model.retract(&q, &offset, &mut moved);
        let before = moved.clone();
        partition.positions(&mut system, 0.0, &mut moved).unwrap();
        partition.speeds(&mut system, 0.0, &moved, &mut v).unwrap();
        system.update_constraints(0.0, &moved, &v);
        let (position, velocity) = system.constraints.drift();
        assert!(position < 1e-11 && velocity < 1e-11, "{position:e} {velocity:e}");
        for i in partition.independent().filter_map(|k| model.position_of_speed(k)) {
            assert_eq!(moved[i], before[i]);
        }
        // accelerations: those of the dynamics meet the rows, so their dependent part is found again
        let mut a = vec![0.0; model.nv()];
        system.accelerations(0.0, &moved, &v, Baumgarte::NONE, &mut a).unwrap();
        let mut found = a.clone();
        (0..model.nv()).filter(|&k| partition.is_dependent(k)).for_each(|k| found[k] = 0.0);
        partition.accelerations(&mut system, 0.0, &moved, &v, &mut found).unwrap();
        assert!(worst(&found, &a) < 1e-7 * a.iter().fold(1.0, |m: f64, x| m.max(x.abs())));
    }
}

/// A spatial loop with quaternions and custom joints: every handling gives the same motion.
#[test]
fn methods_agree_on_a_loop() {
    let model = looped_zoo();
    let (mut q, mut v) = state(&model, 0.2);
    System::new(&model).assemble(0.0, &mut q, &mut v).unwrap();
    let run = |constraints: ConstraintHandling, method: Method| {
        let settings = Settings {
            integrator: Integrator::Ode(method, Options::tolerances(1e-10, 1e-10)),
            constraints,
            ..Settings::until(0.3)
        };
        simulate(&model, &settings, &q, &v, &[], &mut ()).unwrap()
    };
    let reference = run(ConstraintHandling::Projection, Method::Dop853);
    let partitioned = ConstraintHandling::CoordinatePartitioning { renew_below: 0.1 };
    let augmented = ConstraintHandling::AugmentedLagrangian(Penalty::default());
    for (handling, method) in [
        (partitioned, Method::Dop853),
        (partitioned, Method::Adams),
        (augmented, Method::Dop853),
        (ConstraintHandling::Projection, Method::Adams),
    ] {
        let report = run(handling, method);
        assert!(worst(&report.q, &reference.q) < 1e-6, "{handling:?} {:e}", worst(&report.q, &reference.q));
        let drift = report.drift.max_position;
        let limit = if matches!(handling, ConstraintHandling::AugmentedLagrangian(_)) { 1e-6 } else { 1e-11 };
        assert!(drift < limit, "{handling:?}: {drift:e}");
    }
}

#[test]
fn the_augmented_lagrangian_converges_to_the_multipliers() {
    let model = looped_flexible_zoo();
    let mut system = System::new(&model);
    let (mut q, mut v) = state(&model, 0.2);
    system.assemble(0.0, &mut q, &mut v).unwrap();
    q[1] += 1e-4;
    let penalty = Penalty::default();
    let mut a = vec![0.0; model.nv()];
    system.accelerations(0.0, &q, &v, penalty.feedback(), &mut a).unwrap();
    let lambda = system.lambda.clone();
    let mut formulation = AugmentedLagrangian::new(&model, penalty);
    let mut iterated = a.clone();
    formulation.accelerations(&mut system, 0.0, &q, &v, &mut iterated).unwrap();
    let scale = |x: &[f64]| x.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    assert!(worst(&iterated, &a) < 1e-8 * scale(&a));
    assert!(worst(&system.lambda, &lambda) < 1e-7 * scale(&lambda));
    // without iterations, the penalty alone is less exact
    let mut single = AugmentedLagrangian::new(&model, Penalty { penalty: 1e3, iterations: 1, ..penalty });
    single.accelerations(&mut system, 0.0, &q, &v, &mut iterated).unwrap();
    assert!(worst(&iterated, &a) > 1e-6 * scale(&a));
}

/// Twice the time, no more allocations.
#[test]
fn steps_take_no_memory() {
    let model = looped_zoo();
    let (mut q, mut v) = state(&model, 0.2);
    System::new(&model).assemble(0.0, &mut q, &mut v).unwrap();
    for constraints in [
        ConstraintHandling::CoordinatePartitioning { renew_below: 1.0 },
        ConstraintHandling::AugmentedLagrangian(Penalty::default()),
    ] {
        let run = |t_end: f64| {
            let integrator = Integrator::Ode(Method::Rk4, Options::fixed_step(1e-3));
            let settings = Settings { integrator, constraints, ..Settings::until(t_end) };
            let count = || drop(simulate(&model, &settings, &q, &v, &[], &mut ()).unwrap());
            allocation_counter::measure(count).count_total
        };
        assert_eq!(run(0.02), run(0.04), "{constraints:?}");
    }
}
