//! Events of mechanical systems.

use wolff_numerics::{Crossing, MechanicalMethod, MechanicalOptions, StepControl, integrate_mechanical};

use super::models::{FallingMass, GRAVITY};
use crate::{assert_close, observed_order};

fn adaptive() -> StepControl {
    StepControl::Adaptive { tolerance: 1e-8, h_min: 1e-10, h_max: 0.05 }
}

#[test]
fn impacts_are_located_exactly() {
    let fall = (2.0 / GRAVITY).sqrt();
    for control in [StepControl::Fixed, adaptive()] {
        for rho_inf in [1.0, 0.7] {
            let method = MechanicalMethod::GeneralizedAlpha { rho_inf };
            let options = MechanicalOptions { method, control, h: 0.013, ..MechanicalOptions::default() };
            let (mut q, mut v) = ([1.0], [0.0]);
            let mut system = FallingMass { restitution: 0.7, stiffness: None };
            let report = integrate_mechanical(&mut system, &options, 0.0, &mut q, &mut v, 1.9, &mut ()).unwrap();
            let mut t = fall;
            for (k, event) in report.run.events.iter().take(4).enumerate() {
                // a parabola is integrated exactly
                assert_close(event.t, t, 1e-11);
                assert_eq!(event.direction, Crossing::Falling);
                t += 2.0 * fall * 0.7_f64.powi(k as i32 + 1);
            }
            assert!(report.run.events.len() >= 4);
        }
    }
}

#[test]
fn spring_contact_converges_with_order_2_through_events() {
    // flight and half an oscillation about the static deflection, in turn
    let k = 4.0e4;
    let (w, v0) = (f64::sqrt(k), (2.0 * GRAVITY).sqrt());
    let contact = 2.0 * (std::f64::consts::PI - (v0 * w / GRAVITY).atan()) / w;
    let (fall, leave) = ((2.0 / GRAVITY).sqrt(), (2.0 / GRAVITY).sqrt() + contact);
    let errors: Vec<f64> = [1e-3, 5e-4, 2.5e-4]
        .iter()
        .map(|&h| {
            let options = MechanicalOptions { h, newton_tolerance: 1e-12, ..MechanicalOptions::default() };
            let (mut q, mut v) = ([1.0], [0.0]);
            let mut system = FallingMass { restitution: 1.0, stiffness: Some(k) };
            let report = integrate_mechanical(&mut system, &options, 0.0, &mut q, &mut v, 0.6, &mut ()).unwrap();
            let events = &report.run.events;
            assert_eq!(events.len(), 2);
            assert_close(events[0].t, fall, 1e-11);
            assert_eq!(events[1].direction, Crossing::Rising);
            (events[1].t - leave).abs()
        })
        .collect();
    assert_close(observed_order(&errors), 2.0, 0.2);
}
