//! The hot path takes no memory.

use crate::fixtures::*;
use wolff_multibody::benchmark::chain;
use wolff_multibody::{Baumgarte, System};

fn allocations(mut f: impl FnMut()) -> u64 {
    f();
    allocation_counter::measure(f).count_total
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1.0; 10]))) > 0);
}

#[test]
fn tree_dynamics() {
    for model in zoos().into_iter().chain([chain(20).unwrap()]) {
        let mut system = System::new(&model);
        let (q, v) = (model.q0.clone(), model.v0.clone());
        let mut a = vec![0.0; model.nv()];
        let mut r = a.clone();
        let n = allocations(|| {
            system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut a).unwrap();
            system.residual(0.0, &q, &v, &a, &[], &mut r);
        });
        assert_eq!(n, 0);
    }
}

#[test]
fn constrained_dynamics_and_projection() {
    let model = looped_zoo();
    let mut system = System::new(&model);
    let (mut q, mut v) = state(&model, 0.2);
    system.assemble(0.0, &mut q, &mut v).unwrap();
    let mut a = vec![0.0; model.nv()];
    let n = allocations(|| {
        system.accelerations(0.0, &q, &v, Baumgarte { alpha: 5.0, beta: 5.0 }, &mut a).unwrap();
        q[1] += 1e-7;
        system.project_position(0.0, &mut q, 8).unwrap();
        system.project_velocity(0.0, &q, &mut v).unwrap();
    });
    assert_eq!(n, 0);
}

/// A whole run with a loop and projection: twice the time, no more allocations.
#[test]
fn simulated_steps() {
    use wolff_multibody::simulation::{ConstraintHandling, Integrator, Settings, simulate};
    use wolff_numerics::{Method, Options};
    let model = looped_zoo();
    let (q, v) = state(&model, 0.2);
    let run = |t_end: f64| {
        let settings = Settings {
            integrator: Integrator::Ode(Method::Rk4, Options::fixed_step(1e-3)),
            constraints: ConstraintHandling::Projection,
            t_start: 0.0,
            t_end,
            until_rest: None,
            assemble: true,
        };
        allocations(|| drop(simulate(&model, &settings, &q, &v, &[], &mut ()).unwrap()))
    };
    assert_eq!(run(0.02), run(0.04));
}
