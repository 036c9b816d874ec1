//! Steps take no memory: a run that is twice as long allocates no more often.

use crate::mechanical::models::CartesianPendulum;
use crate::ode::models::Kepler;
use wolff_numerics::{DenseStep, MechanicalOptions, Method, Options, integrate, integrate_mechanical};

fn allocations(run: impl FnMut()) -> u64 {
    allocation_counter::measure(run).count_total
}

fn orbit(method: Method, t_end: f64) -> u64 {
    let options = Options { h: 1e-2, ..Options::tolerances(1e-8, 1e-8) };
    let mut middle = [0.0; 4];
    allocations(|| {
        let mut y = Kepler::initial();
        let mut watch = |step: &DenseStep| step.interpolate(0.5 * (step.t0 + step.t1), &mut middle);
        integrate(&mut Kepler, method, &options, 0.0, &mut y, t_end, &mut watch).unwrap();
    })
}

#[test]
fn ode_steps_with_dense_output() {
    use Method::{Adams, AdamsBashforthMoulton4, Bdf, Dop853, DormandPrince5, Euler, Rk4};
    for method in [Euler, Rk4, AdamsBashforthMoulton4, Adams, DormandPrince5, Dop853, Bdf] {
        let (short, long) = (orbit(method, 5.0), orbit(method, 10.0));
        assert!(short > 0, "set-up allocates; the counter must see it");
        assert_eq!(short, long, "{method:?}");
    }
}

#[test]
fn implicit_steps_with_constraints() {
    let swing = |t_end: f64| {
        let mut pendulum = CartesianPendulum { mass: 2.0, copies: 2, own_tangent: false };
        let (mut q, mut v) = CartesianPendulum::state([1.0, 0.5]);
        allocations(|| {
            integrate_mechanical(&mut pendulum, &MechanicalOptions::default(), 0.0, &mut q, &mut v, t_end, &mut ())
                .unwrap();
        })
    };
    assert_eq!(swing(0.5), swing(1.0));
}
