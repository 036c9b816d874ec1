//! Time functions: reference values, and derivatives against finite differences.

use proptest::prelude::*;
use wolff_numerics::function::{Derivatives, Fourier, FourierTerm, PiecewiseLinear, Polynomial, Pulse, RunUp, Step};
use wolff_numerics::{CubicSpline, EndCondition, TimeFunction};

use super::assert_close;

#[test]
fn adams_step_reference_values() {
    // independent reference solution of STEP(x, 0.2, -10, 0.8, 230)
    let step = Step::new(0.2, -10.0, 0.8, 230.0).unwrap();
    let cases = [
        (0.1, -10.0, 0.0),
        (0.2, -10.0, 0.0),
        (0.35, 27.49999999999997, 449.99999999999983),
        (0.5, 109.99999999999994, 599.9999999999999),
        (0.65, 192.5, 450.0),
        (0.8, 230.0, 0.0),
        (1.0, 230.0, 0.0),
    ];
    for (x, value, derivative) in cases {
        let s = step.evaluate(x);
        assert_close(s.value, value, 1e-12 * 230.0);
        assert_close(s.d1, derivative, 1e-12 * 600.0);
    }
}

fn smooth_functions() -> Vec<TimeFunction> {
    let terms = [FourierTerm { sin: 0.7, cos: -0.2 }, FourierTerm { sin: 0.1, cos: 0.4 }];
    let knots = [-0.5, 0.0, 0.4, 1.1, 2.0];
    let spline = CubicSpline::new(&knots, &[0.3, 1.0, -0.4, 0.8, 0.1], EndCondition::NotAKnot);
    vec![
        TimeFunction::constant(4.2).unwrap(),
        Polynomial::new(0.3, &[1.0, -2.0, 0.5, 0.25]).unwrap().into(),
        Fourier::new(5.0, 0.3, 1.7, &terms).unwrap().into(),
        Step::new(-1.0, 2.0, 3.0, -5.0).unwrap().into(),
        Pulse::new(1.3, 0.8, 4.73).unwrap().into(),
        spline.unwrap().into(),
    ]
}

proptest! {
    #[test]
    fn derivatives_agree_with_central_differences(t in 0.45..1.05_f64) {
        let d = 1e-5;
        for f in smooth_functions() {
            let (a, b) = (f.evaluate(t - d), f.evaluate(t + d));
            let x = f.evaluate(t);
            // truncation d²/6 f''' and rounding ε/d, both below 1e-7 for these functions
            prop_assert!((x.d1 - (b.value - a.value) / (2.0 * d)).abs() < 1e-7);
            prop_assert!((x.d2 - (b.d1 - a.d1) / (2.0 * d)).abs() < 1e-6);
        }
    }
}

#[test]
fn a_pulse_rises_once_and_dies_out() {
    let pulse = Pulse::new(100.0, 0.1, 4.73).unwrap();
    assert_eq!(pulse.evaluate(-0.01), Derivatives::default());
    assert_close(pulse.evaluate(0.05).value, 100.0 * (-4.73f64 / 4.0).exp(), 1e-12);
    assert_close(pulse.evaluate(0.0).d1, 100.0 * std::f64::consts::PI / 0.1, 1e-9);
    let peak = (0..=1000).map(|k| pulse.evaluate(1e-4 * k as f64).value).fold(0.0, f64::max);
    assert_close(peak, 53.18, 0.005);
    assert!(pulse.evaluate(0.3).value.abs() < 1e-15);
    assert!(Pulse::new(1.0, 0.0, 1.0).is_err() && Pulse::new(1.0, 1.0, -1.0).is_err());
    assert!(Pulse::new(f64::NAN, 1.0, 1.0).is_err());
}

#[test]
fn polynomial_and_fourier_values() {
    let p = Polynomial::new(1.0, &[1.0, 2.0, 3.0]).unwrap().evaluate(3.0);
    assert_eq!((p.value, p.d1, p.d2), (17.0, 14.0, 6.0));
    let f = Fourier::new(2.0, 1.0, 0.5, &[FourierTerm { sin: 3.0, cos: 0.0 }]).unwrap();
    assert_close(f.evaluate(0.7).value, 1.0 + 0.35 + 3.0 * 1.4_f64.sin(), 1e-15);
}

#[test]
fn piecewise_linear_is_constant_outside() {
    let f = TimeFunction::from(PiecewiseLinear::new(&[0.0, 1.0, 3.0], &[2.0, 4.0, 0.0]).unwrap());
    let at = |t: f64| (f.evaluate(t).value, f.evaluate(t).d1);
    assert_eq!(at(-1.0), (2.0, 0.0));
    assert_eq!(at(0.5), (3.0, 2.0));
    assert_eq!(at(1.0), (4.0, -2.0));
    assert_eq!(at(2.0), (2.0, -2.0));
    assert_eq!(at(3.0), (0.0, 0.0));
    assert_eq!(at(9.0), (0.0, 0.0));
}

#[test]
fn refusals_name_the_object() {
    let message = Step::new(1.0, 0.0, 1.0, 2.0).unwrap_err().to_string();
    assert!(message.contains("step function") && message.contains("[1, 1]"), "{message}");
    assert!(TimeFunction::constant(f64::NAN).is_err());
    assert!(Polynomial::new(0.0, &[1.0, f64::INFINITY]).is_err());
    assert!(Fourier::new(0.0, 0.0, 0.0, &[]).is_err());
    assert!(PiecewiseLinear::new(&[], &[]).is_err());
    assert!(PiecewiseLinear::new(&[0.0, 0.0], &[1.0, 2.0]).is_err());
}

/// The run-up starts at rest, is smooth, and its derivatives are those of its value.
#[test]
fn run_up_is_smooth() {
    let f = RunUp::new(6.0, 15.0).unwrap();
    assert_eq!(f.evaluate(0.0), Derivatives::default());
    let [before, after] = [15.0 - 1e-9, 15.0 + 1e-9].map(|t| f.evaluate(t));
    assert!((before.value - after.value).abs() < 2e-8 && (before.d1 - 6.0).abs() < 1e-12 && before.d2.abs() < 1e-12);
    for t in [0.3, 4.0, 9.7, 14.2, 18.0] {
        let h = 1e-4;
        let (low, mid, high) = (f.evaluate(t - h), f.evaluate(t), f.evaluate(t + h));
        assert!(((high.value - low.value) / (2.0 * h) - mid.d1).abs() < 1e-8);
        assert!(((high.d1 - low.d1) / (2.0 * h) - mid.d2).abs() < 1e-8);
    }
    assert!(RunUp::new(6.0, 0.0).unwrap_err().to_string().contains("greater than zero"));
}
