//! Implicit steps of the fibre: order, derivatives, ends of the range.

use crate::support::*;
use wolff_muscle::HillMuscle;
use wolff_muscle::hill::Activation;

/// Length [m] and excitation of a muscle that is stretched and shortened while it is excited in bursts.
fn motion(t: f64) -> (f64, f64) {
    (0.236 + 0.012 * (11.0 * t).sin(), 0.35 + 0.3 * (23.0 * t + 0.4).sin())
}

/// Time of the comparison [s].
const END: f64 = 0.3;

/// Tendon force [N] at the end by steps of `h` with the implicit rule for activation and fibre.
fn implicit(muscle: &HillMuscle, steps: usize) -> f64 {
    let h = END / steps as f64;
    let (mut a, mut force) = (0.2, 0.0);
    let mut l = muscle.equilibrium(a, motion(0.0).0, 0.0).state.fibre_length;
    for i in 1..=steps {
        let (length, u) = motion(i as f64 * h);
        a = Activation::FIRST_ORDER.step(a, u, h).value;
        let end = muscle.fibre_step(a, l, length, h);
        (l, force) = (end.fibre_length, end.tendon_force);
    }
    force
}

/// The same by the classical Runge-Kutta method on the muscle's own explicit fibre velocity.
fn reference(muscle: &HillMuscle, steps: usize) -> f64 {
    let h = END / steps as f64;
    let rates = |t: f64, [a, l]: [f64; 2]| {
        let (length, u) = motion(t);
        [Activation::FIRST_ORDER.rate(a, u), muscle.state(a, l, length, 0.0).fibre_velocity]
    };
    let mut x = [0.2, muscle.equilibrium(0.2, motion(0.0).0, 0.0).state.fibre_length];
    for i in 0..steps {
        let t = i as f64 * h;
        let ahead = |x: [f64; 2], k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
        let k1 = rates(t, x);
        let k2 = rates(t + 0.5 * h, ahead(x, k1, 0.5 * h));
        let k3 = rates(t + 0.5 * h, ahead(x, k2, 0.5 * h));
        let k4 = rates(t + h, ahead(x, k3, h));
        (0..2).for_each(|k| x[k] += h / 6.0 * (k1[k] + 2.0 * k2[k] + 2.0 * k3[k] + k4[k]));
    }
    muscle.state(x[0], x[1], motion(END).0, 0.0).tendon_force
}

/// Half the step, half the distance to a fine integration of the muscle's own equations.
#[test]
fn steps_converge_at_first_order() {
    for muscle in elastic_muscles() {
        let exact = reference(&muscle, 60_000);
        let error = |steps: usize| (implicit(&muscle, steps) - exact).abs();
        let errors = [300, 600, 1200, 2400].map(error);
        // half a millisecond, the step of a walk, is 600 of them: 1 % of the force
        assert!(errors[1] < 0.01 * exact, "{errors:?} of {exact}");
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!(order > 0.9, "order {order}: {errors:?}");
        }
    }
}

#[test]
fn derivatives_of_a_step() {
    let (before, h) = (0.078, 5e-4);
    for muscle in elastic_muscles() {
        for (a, length) in [(0.05, 0.2315), (0.4, 0.234), (0.9, 0.238)] {
            let step = |a: f64, length: f64| muscle.fibre_step(a, before, length, h);
            let at = step(a, length);
            let d = 1e-7;
            let by_length = (step(a, length + d).tendon_force - step(a, length - d).tendon_force) / (2.0 * d);
            let d = 1e-5;
            let by_activation = (step(a + d, length).tendon_force - step(a - d, length).tendon_force) / (2.0 * d);
            // the curves are good to 1e-9, of which differences leave 1e-5
            close(at.force_by_length, by_length, 1e-5, 1.0);
            close(at.force_by_activation, by_activation, 1e-5, 1.0);
            assert!(at.force_by_length > 0.0 && at.force_by_activation > 0.0);
        }
    }
}

/// Long steps end in equilibrium; a muscle too short holds its fibre at the shortest; a NaN does not hide.
#[test]
fn ends_of_the_range() {
    for muscle in elastic_muscles() {
        let rest = muscle.equilibrium(0.4, 0.236, 0.0).state;
        let end = muscle.fibre_step(0.4, 0.07, 0.236, 1e9);
        close(end.tendon_force, rest.tendon_force, 1e-6, 1.0);
        let shortest = muscle.shortest_fibre();
        let slack = muscle.fibre_step(0.4, shortest, 0.1, 5e-4);
        assert!(slack.fibre_length >= shortest && slack.tendon_force <= 0.0, "{slack:?}");
        assert!(muscle.fibre_step(0.4, 0.07, f64::NAN, 5e-4).tendon_force.is_nan());
        let wild = muscle.fibre_step(0.4, 0.07, 0.5, 5e-4);
        assert!(wild.tendon_force > 0.0 && wild.tendon_force.is_finite());
    }
}
