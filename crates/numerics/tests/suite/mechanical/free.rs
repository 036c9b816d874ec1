//! Unconstrained systems: order, manifold, dense output, step control, damping.

use wolff_numerics::{DenseStep, MechanicalMethod, MechanicalOptions, Sampler, StepControl, integrate_mechanical};

use super::models::{AnglePendulum, CartesianPendulum, FreeBody, Rocker, SpringPendulum, pendulum_angle};
use crate::{assert_close, observed_order};

const TRAPEZOIDAL: MechanicalMethod = MechanicalMethod::Newmark { beta: 0.25, gamma: 0.5 };
const METHODS: [MechanicalMethod; 4] = [
    TRAPEZOIDAL,
    MechanicalMethod::GeneralizedAlpha { rho_inf: 1.0 },
    MechanicalMethod::GeneralizedAlpha { rho_inf: 0.6 },
    MechanicalMethod::GeneralizedAlpha { rho_inf: 0.0 },
];

fn options(method: MechanicalMethod, h: f64) -> MechanicalOptions {
    MechanicalOptions { method, h, newton_tolerance: 1e-12, ..MechanicalOptions::default() }
}

#[test]
fn pendulum_converges_with_order_2() {
    let start = [1.2, 0.4];
    let exact = pendulum_angle(start, 1.9);
    for method in METHODS {
        let errors: Vec<f64> = [0.02, 0.01, 0.005, 0.0025]
            .iter()
            .map(|&h| {
                let (mut q, mut v) = ([start[0]], [start[1]]);
                integrate_mechanical(&mut AnglePendulum, &options(method, h), 0.0, &mut q, &mut v, 1.9, &mut ())
                    .unwrap();
                (q[0] - exact[0]).abs().max((v[0] - exact[1]).abs())
            })
            .collect();
        assert_close(observed_order(&errors), 2.0, 0.1);
    }
}

#[test]
fn free_body_converges_with_order_2_on_the_manifold() {
    let (q0, w0) = ([1.0, 0.0, 0.0, 0.0], [0.3, 2.0, -0.5]);
    let (q_exact, w_exact) = FreeBody::reference(q0, w0, 2.0);
    for method in METHODS {
        let errors: Vec<f64> = [0.02, 0.01, 0.005]
            .iter()
            .map(|&h| {
                let (mut q, mut w) = (q0, w0);
                integrate_mechanical(&mut FreeBody, &options(method, h), 0.0, &mut q, &mut w, 2.0, &mut ()).unwrap();
                let norm: f64 = q.iter().map(|x| x * x).sum();
                assert_close(norm, 1.0, 1e-12);
                let momentum = FreeBody::momentum(&q, &w) - FreeBody::momentum(&q0, &w0);
                let turn: f64 = q.iter().zip(q_exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                w.iter().zip(w_exact).map(|(a, b)| (a - b).abs()).fold(turn, f64::max).max(momentum.norm())
            })
            .collect();
        assert_close(observed_order(&errors), 2.0, 0.15);
    }
}

#[test]
fn dense_output_is_no_worse_than_the_method() {
    let start = [1.2, 0.4];
    let errors: Vec<f64> = [0.04, 0.02, 0.01]
        .iter()
        .map(|&h| {
            let mut sampler = Sampler::uniform(0.0, 1.0, 37);
            let (mut q, mut v) = ([start[0]], [start[1]]);
            integrate_mechanical(&mut AnglePendulum, &options(TRAPEZOIDAL, h), 0.0, &mut q, &mut v, 1.0, &mut sampler)
                .unwrap();
            assert_eq!(sampler.len(), 38);
            let error = |(t, y): (&f64, &[f64])| {
                let exact = pendulum_angle(start, *t);
                (y[0] - exact[0]).abs().max((y[1] - exact[1]).abs())
            };
            sampler.times().iter().zip(sampler.states()).map(error).fold(0.0, f64::max)
        })
        .collect();
    assert_close(observed_order(&errors), 2.0, 0.1);
}

#[test]
fn step_control_follows_the_tolerance() {
    let start = [2.8, 0.0];
    let exact = pendulum_angle(start, 5.0);
    for method in METHODS {
        let mut errors = Vec::new();
        let mut steps = Vec::new();
        for tolerance in [1e-8, 1e-8 / 8.0, 1e-8 / 64.0] {
            let control = StepControl::Adaptive { tolerance, h_min: 1e-9, h_max: 0.1 };
            let (mut q, mut v) = ([start[0]], [start[1]]);
            let options = MechanicalOptions { control, ..options(method, 1e-3) };
            let mut widest = (f64::INFINITY, 0.0_f64);
            let mut observer = |s: &DenseStep| {
                let h = s.t1 - s.t0;
                widest = (widest.0.min(h), widest.1.max(h));
            };
            let report =
                integrate_mechanical(&mut AnglePendulum, &options, 0.0, &mut q, &mut v, 5.0, &mut observer).unwrap();
            assert!(widest.1 > 1.5 * widest.0, "the step varies: {widest:?}");
            errors.push((q[0] - exact[0]).abs());
            steps.push(report.run.statistics.steps as f64);
        }
        // local error h³ means twice the steps and a quarter of the error for an eighth of the tolerance
        assert_close((steps[2] / steps[0]).log2() / 2.0, 1.0, 0.15);
        assert_close(observed_order(&errors), 2.0, 0.4);
    }
}

#[test]
fn tangent_is_kept() {
    let (mut q, mut v) = ([1.2], [0.4]);
    let report =
        integrate_mechanical(&mut AnglePendulum, &options(TRAPEZOIDAL, 1e-3), 0.0, &mut q, &mut v, 1.0, &mut ())
            .unwrap();
    let s = report.run.statistics;
    assert_eq!(s.steps, 1000);
    assert!(s.factorisations < 20 && s.rhs_evaluations < 3500, "{s:?}");
}

#[test]
fn bad_parameters_are_refused() {
    for method in [
        MechanicalMethod::Newmark { beta: 0.0, gamma: 0.5 },
        MechanicalMethod::GeneralizedAlpha { rho_inf: 1.1 },
        MechanicalMethod::GeneralizedAlpha { rho_inf: f64::NAN },
    ] {
        let run =
            integrate_mechanical(&mut AnglePendulum, &options(method, 0.01), 0.0, &mut [0.1], &mut [0.0], 1.0, &mut ());
        assert!(run.is_err());
    }
}

#[test]
fn stiff_springs_act_as_rods_when_the_step_is_far_longer_than_their_period() {
    // period 0.2 ms and 6 µs, step 1 ms; the start is off the static stretch, so the stiff mode is excited
    for stiffness in [1e9, 1e12] {
        for rho_inf in [0.0, 0.5, 0.8] {
            let method = MechanicalMethod::GeneralizedAlpha { rho_inf };
            let mut system = SpringPendulum { stiffness };
            let (mut q, mut v) = CartesianPendulum::state([1.1, 0.5]);
            let before = system.energy(&q, &v);
            integrate_mechanical(&mut system, &options(method, 1e-3), 0.0, &mut q, &mut v, 1.0, &mut ()).unwrap();
            let [angle, rate] = pendulum_angle([1.1, 0.5], 1.0);
            let (q_exact, v_exact) = CartesianPendulum::state([angle, rate]);
            for i in 0..2 {
                // the error of the method on the rigid pendulum at this step is 1e-5
                assert_close(q[i], q_exact[i], 1e-4);
                assert_close(v[i], v_exact[i], 1e-3);
            }
            assert_close(system.energy(&q, &v), before, 1e-3);
        }
    }
}

/// Steps of several periods of the contact, which opens and closes on the way: without damping Newton's method fails from all of these starts;
/// the method's own damping leads to the rest.
#[test]
fn a_block_dropped_askew_on_stiff_contacts_comes_to_rest() {
    for (height, angle, turn) in
        [(1e-4, 0.0, 0.1), (1e-4, 0.0, 1.0), (1e-4, 0.0, 3.0), (1e-3, 0.02, 0.3), (1e-3, 0.02, 3.0)]
    {
        let mut rocker = Rocker { load: 174.0, moment: -1.2 };
        let (mut q, mut v) = ([height, angle], [-0.1, turn]);
        let options = options(MechanicalMethod::GeneralizedAlpha { rho_inf: 0.0 }, 5e-4);
        integrate_mechanical(&mut rocker, &options, 0.0, &mut q, &mut v, 1.0, &mut ()).unwrap();
        for (found, wanted) in Rocker::springs(&q).into_iter().zip(rocker.shares()) {
            assert_close(found, wanted, 1e-3 * 174.0);
        }
    }
}
