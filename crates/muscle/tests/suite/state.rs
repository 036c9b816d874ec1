//! Muscles in motion: OpenSim's velocities, forces and powers; derivatives.

use crate::hill_facts::*;
use crate::support::*;
use wolff_muscle::hill::*;
use wolff_muscle::{HillMuscle, HillParameters};

/// OpenSim solves for the velocity of a damped fibre to 1e-10 of the maximum force.
const VELOCITY: f64 = 1e-8;

fn check_states(muscle: &HillMuscle, facts: &[[f64; 8]], tolerance: f64) {
    for [a, l, length, velocity, force, active, contraction, tendon] in facts {
        let s = muscle.state(*a, *l, *length, 0.1);
        close(s.fibre_velocity, *velocity, tolerance, 0.1);
        close(s.tendon_force, *force, 1e-9, 1.0);
        close(s.active_force, *active, tolerance, 1.0);
        close(s.active_power(), *contraction, tolerance, 1.0);
        close(s.tendon_power(), *tendon, tolerance, 1.0);
    }
}

#[test]
fn states_are_those_of_opensim() {
    check_states(&fact_muscle(millard(), false, 0.1), MILLARD_STATE, VELOCITY);
    check_states(&fact_muscle(Curves::Thelen(ThelenCurves::default()), false, 0.0), THELEN_STATE, 1e-10);
    let muscle = fact_muscle(schutte(), false, 0.1);
    for [a, l, length, velocity, force] in SCHUTTE_STATE {
        let s = muscle.state(*a, *l, *length, 0.1);
        close(s.fibre_velocity, *velocity, 1e-9, 0.1);
        close(s.tendon_force, *force, 1e-9, 1.0);
    }
}

#[test]
fn rigid_tendons_are_those_of_opensim() {
    for (curves, damping, facts) in
        [(millard(), 0.1, MILLARD_RIGID), (Curves::DeGroote(DeGrooteCurves::default()), 0.0, DEGROOTE_RIGID)]
    {
        let muscle = fact_muscle(curves, true, damping);
        for [a, length, speed, l, velocity, force, active, passive] in facts {
            let s = muscle.state(*a, 0.0, *length, *speed);
            close(s.fibre_length, *l, 1e-13, 0.01);
            close(s.fibre_velocity, *velocity, 1e-13, 0.01);
            close(s.tendon_force, *force, 1e-10, 1.0);
            close(s.active_force, *active, 1e-10, 1.0);
            close(s.passive_force + s.damping_force, *passive, 1e-10, 1.0);
        }
    }
}

/// Fibre and tendon pull equally whenever the fibre is free to move, and power is neither made nor lost.
#[test]
fn forces_and_powers_balance() {
    for muscle in elastic_muscles() {
        for (a, l, length) in [(0.05, 0.07, 0.22), (0.7, 0.08, 0.2305), (1.0, 0.1, 0.252)] {
            let s = muscle.state(a, l, length, -0.2);
            let free = s.fibre_force() * s.cosine;
            if !(matches!(muscle.curves(), Curves::Schutte(_)) && s.tendon_force == 0.0) {
                close(free, s.tendon_force, 1e-10, 1234.0);
                let stored = s.active_power() + s.passive_power() + s.tendon_power();
                close(stored, s.muscle_power(-0.2), 1e-10, 1234.0);
            }
        }
    }
}

#[test]
fn rates_are_derivatives() {
    let h = 1e-7;
    for muscle in elastic_muscles() {
        for (a, l, length) in [(0.3, 0.075, 0.2245), (0.8, 0.09, 0.2395)] {
            let at = |a: f64, l: f64, length: f64| muscle.state(a, l, length, 0.0);
            let rates = muscle.fibre_rates(&at(a, l, length));
            let difference = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
            let tolerance = 2e-5;
            close(rates.velocity_by_fibre, difference(&|h| at(a, l + h, length).fibre_velocity), tolerance, 1.0);
            close(rates.velocity_by_length, difference(&|h| at(a, l, length + h).fibre_velocity), tolerance, 1.0);
            close(rates.velocity_by_activation, difference(&|h| at(a + h, l, length).fibre_velocity), tolerance, 0.1);
            close(rates.force_by_fibre, difference(&|h| at(a, l + h, length).tendon_force), tolerance, 1.0);
            close(rates.force_by_length, difference(&|h| at(a, l, length + h).tendon_force), tolerance, 1.0);
        }
    }
}

#[test]
fn nonsense_is_refused() {
    let good = HillParameters::new(1000.0, 0.1, 0.2);
    let bad = [
        HillParameters { max_isometric_force: -1.0, ..good.clone() },
        HillParameters { tendon_slack_length: 0.0, ..good.clone() },
        HillParameters { min_activation: 0.0, ..good.clone() },
        HillParameters { damping: 0.0, ..good.clone() },
        HillParameters { pennation_angle: f64::NAN, ..good.clone() },
    ];
    assert!(HillMuscle::new("soleus", good, millard()).is_ok());
    for p in bad {
        let message = HillMuscle::new("soleus", p, millard()).unwrap_err().to_string();
        assert!(message.starts_with("soleus: "), "{message}");
    }
}
