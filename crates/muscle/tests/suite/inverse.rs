//! From forces back to activations: forward gives the force again.

use crate::support::*;
use wolff_muscle::hill::{Curves, ThelenCurves};

/// At a constant length the fibre is at rest, and the muscle in equilibrium pulls with the force that was wanted.
#[test]
fn inversion_then_forward_gives_the_force() {
    for muscle in elastic_muscles() {
        for (force, length) in [(60.0, 0.225), (300.0, 0.23), (800.0, 0.236), (1100.0, 0.239)] {
            let l = muscle.fibre_under(force, length);
            let a = muscle.activation_for(force, l, 0.0);
            assert!(a > 0.01 && a < 1.0, "{a}");
            let found = muscle.equilibrium(a, length, 0.0).state;
            // Millard's equilibrium ends at 1e-15 of the fibre, which the tendon's stiffness makes 1e-10 of the force
            close(found.tendon_force, force, 1e-9, 1.0);
            close(found.fibre_length, l, 1e-9, 0.01);
        }
    }
}

/// In motion the state of the muscle moves as was wanted.
#[test]
fn inversion_in_motion() {
    for muscle in elastic_muscles() {
        for (force, velocity) in [(250.0, -0.1), (700.0, 0.06), (400.0, -0.02)] {
            let length = 0.232;
            let l = muscle.fibre_under(force, length);
            let a = muscle.activation_for(force, l, velocity);
            assert!(a > 0.01 && a < 1.0, "{a}");
            let state = muscle.state(a, l, length, 0.0);
            close(state.fibre_velocity, velocity, 1e-8, 0.01);
            close(state.tendon_force, force, 1e-10, 1.0);
            close(muscle.force_for(a, l, velocity), force, 1e-12, 1.0);
        }
    }
}

/// More than a muscle can do is an activation above one, less than it does at rest is none; a slack tendon has its slack length.
#[test]
fn what_cannot_be_done_is_told() {
    let muscle = fact_muscle(Curves::Thelen(ThelenCurves::default()), false, 0.1);
    for muscle in elastic_muscles().iter().chain([&muscle]) {
        let l0 = muscle.parameters().optimal_fibre_length;
        assert!(muscle.activation_for(2.0 * muscle.parameters().max_isometric_force, l0, 0.0) > 1.0);
        assert_eq!(muscle.activation_for(1.0, 1.4 * l0, 0.0), 0.0);
        assert_eq!(muscle.activation_for(1e9, 0.46 * l0, -5.0), 10.0);
        close(
            muscle.fibre_under(0.0, 0.23) * muscle.pennation().cosine(muscle.fibre_under(0.0, 0.23)),
            0.08,
            1e-12,
            1.0,
        );
        assert_eq!(muscle.fibre_under(100.0, 0.05), muscle.shortest_fibre());
        assert!(muscle.fibre_under(100.0, f64::NAN).is_nan());
    }
}
