//! Regularised Coulomb friction.

use crate::support::close;
use proptest::prelude::*;
use wolff_contact::Friction;
use wolff_contact::friction::LEAST_FALL;
use wolff_spatial::Vec3;

/// μ_s, μ_d, v_s, v_d: ordinary, equal velocities (published foot models), equal coefficients.
const CASES: [[f64; 4]; 4] =
    [[0.8, 0.5, 1e-3, 1e-2], [1.0, 0.8, 1e-3, 1e-3], [0.6, 0.6, 2e-2, 2e-2], [0.3, 0.0, 0.1, 0.5]];

fn friction([mu_s, mu_d, v_s, v_d]: [f64; 4]) -> Friction {
    Friction::new(mu_s, mu_d, v_s, v_d).unwrap()
}

#[test]
fn reaches_both_coefficients() {
    for case @ [mu_s, mu_d, v_s, v_d] in CASES {
        let f = friction(case);
        assert_eq!(f.coefficient(0.0), 0.0);
        close(f.coefficient(v_s), mu_s, 1e-14, "static");
        let end = v_d.max((1.0 + LEAST_FALL) * v_s);
        for v in [end, 2.0 * end, 100.0 * end] {
            close(f.coefficient(v), mu_d, 1e-14, "dynamic");
            assert_eq!(f.derivative(v), 0.0);
        }
        // half way through the cubic steps
        close(f.coefficient(0.5 * v_s), mu_s * 11.0 / 16.0, 1e-14, "half of the rise");
        close(f.coefficient(0.5 * (v_s + end)), 0.5 * (mu_s + mu_d), 1e-13, "half of the fall");
    }
}

#[test]
fn continuous_with_its_slope_and_odd() {
    for case @ [mu_s, mu_d, v_s, v_d] in CASES {
        let f = friction(case);
        let end = v_d.max((1.0 + LEAST_FALL) * v_s);
        // second derivatives are bounded by 6 μ over the square of the narrower transition
        let narrow = v_s.min(end - v_s);
        let bound = 6.0 * mu_s.max(mu_s - mu_d) / (narrow * narrow);
        let step = 1e-4 * narrow;
        let mut v = -1.2 * end;
        while v < 1.2 * end {
            let next = v + step;
            let middle = 0.5 * (f.derivative(v) + f.derivative(next));
            let difference = (f.coefficient(next) - f.coefficient(v)) / step;
            assert!((f.derivative(next) - f.derivative(v)).abs() <= bound * step * 1.01, "kink at {v}");
            assert!((difference - middle).abs() <= bound * step, "slope at {v}: {difference} against {middle}");
            assert_eq!(f.coefficient(-v), -f.coefficient(v));
            assert_eq!(f.derivative(-v), f.derivative(v));
            v = next;
        }
    }
}

#[test]
fn nonsense_is_refused() {
    for [a, b, c, d] in [
        [0.5, 0.8, 1e-3, 1e-2],
        [0.8, -0.1, 1e-3, 1e-2],
        [0.8, 0.5, 0.0, 1e-2],
        [0.8, 0.5, 1e-2, 1e-3],
        [f64::NAN, 0.5, 1e-3, 1e-2],
        [0.8, f64::NAN, 1e-3, 1e-2],
        [0.8, 0.5, f64::NAN, 1e-2],
        [0.8, 0.5, 1e-3, f64::NAN],
        [0.8, 0.5, 1e-3, f64::INFINITY],
    ] {
        assert!(Friction::new(a, b, c, d).is_err(), "{a} {b} {c} {d}");
    }
}

proptest! {
    #[test]
    fn force_opposes_sliding_and_stays_in_the_cone(
        case in 0_usize..4, x in -1.0..1.0_f64, y in -1.0..1.0_f64, z in -1.0..1.0_f64, decade in -6.0..1.0_f64,
        normal in 0.0..1e4_f64,
    ) {
        let f = friction(CASES[case]);
        let v = Vec3::new(x, y, z) * 10_f64.powf(decade);
        let force = f.force(normal, &v);
        prop_assert!(force.dot(&v) <= 0.0);
        prop_assert!(force.norm() <= CASES[case][0] * normal * (1.0 + 1e-14));
        prop_assert!(force.cross(&v).norm() <= 1e-12 * force.norm() * v.norm());
        prop_assert!((force.norm() - f.coefficient(v.norm()) * normal).abs() <= 1e-12 * normal);
    }

    #[test]
    fn jacobian_is_the_derivative(
        case in 0_usize..4, x in -1.0..1.0_f64, y in -1.0..1.0_f64, z in -1.0..1.0_f64, speed in 0.05..4.0_f64,
    ) {
        let [_, _, v_s, _] = CASES[case];
        let f = friction(CASES[case]);
        let v = Vec3::new(x, y, z) * (speed * v_s);
        let jacobian = f.force_jacobian(250.0, &v);
        let h = 1e-6 * v_s;
        for i in 0..3 {
            let mut e = Vec3::zeros();
            e[i] = h;
            let difference = (f.force(250.0, &(v + e)) - f.force(250.0, &(v - e))) / (2.0 * h);
            // a step across a joint of the cubics sees a jump of the second derivative: first order there
            prop_assert!((difference - jacobian.column(i)).norm() <= 1e-4 * 250.0 / v_s);
        }
    }
}
