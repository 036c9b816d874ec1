//! Activation dynamics: OpenSim's rates, and rest at the excitation.

use crate::support::*;
use wolff_muscle::hill::Activation;

#[test]
fn rates_are_those_of_opensim() {
    for (a, u, first_order, smooth) in [
        (0.05, 0.6, 95.65217391304347, 36.12652978883896),
        (0.6, 0.05, -19.249999999999996, -19.144953268159117),
        (0.3, 1.0, 73.68421052631578, 31.43228141823331),
        (0.9, 0.2, -32.375, -23.277020850628755),
    ] {
        close(Activation::FIRST_ORDER.rate(a, u), first_order, 1e-14, 1.0);
        close(Activation::SMOOTH.rate(a, u), smooth, 1e-14, 1.0);
    }
    // (u - a)(k1 u + k2)/T and (u - a) k2/T
    close(Activation::SCHUTTE.rate(0.1, 0.5), 0.4 * (7.667 * 0.5 + 1.459854) / 0.1, 1e-14, 1.0);
    close(Activation::SCHUTTE.rate(0.5, 0.1), -0.4 * 1.459854 / 0.1, 1e-14, 1.0);
}

#[test]
fn activation_rests_at_the_excitation_and_moves_towards_it() {
    for dynamics in [Activation::FIRST_ORDER, Activation::SMOOTH, Activation::SCHUTTE] {
        assert_eq!(dynamics.rate(0.4, 0.4), 0.0);
        assert!(dynamics.rate(0.2, 0.9) > 0.0 && dynamics.rate(0.9, 0.2) < 0.0);
        assert!(dynamics.rate(-5.0, 7.0).is_finite());
        assert!(dynamics.check("muscle").is_ok());
    }
    assert!(Activation::FirstOrder { rise: 0.0, fall: 0.04, minimum: 0.01 }.check("muscle").is_err());
}

/// A step of any size stays between activation and excitation, agrees with the rate in the limit, and knows its derivative.
#[test]
fn steps_follow_the_rate() {
    for (a, u) in [(0.05, 0.6), (0.6, 0.05), (0.3, 1.0)] {
        for dynamics in [Activation::FIRST_ORDER, Activation::SMOOTH, Activation::SCHUTTE] {
            for h in [1e-4, 1e-2, 1.0, 1e3] {
                let next = dynamics.step(a, u, h).value;
                assert!((next - a) * (u - next) >= 0.0, "{a} to {u}: {next}");
            }
            let h = 1e-7;
            close((dynamics.step(a, u, h).value - a) / h, dynamics.rate(a, u), 1e-4, 1.0);
        }
        let slope = |u: f64| Activation::FIRST_ORDER.step(a, u, 5e-4);
        slope_is_derivative(slope, &[0.8 * u], 1e-8);
    }
}

/// The excitation for a rate gives that rate; what no excitation can do gets the nearest end.
#[test]
fn excitations_for_rates() {
    for dynamics in [Activation::FIRST_ORDER, Activation::SMOOTH, Activation::SCHUTTE] {
        for (a, u) in [(0.05, 0.6), (0.6, 0.05), (0.3, 0.95), (0.4, 0.4)] {
            close(dynamics.excitation_for(a, dynamics.rate(a, u)), u, 1e-12, 1.0);
        }
        close(dynamics.excitation_for(0.5, 1e9), 1.0, 1e-12, 1.0);
        assert!(dynamics.excitation_for(0.5, -1e9) < 1e-12);
    }
}
