//! A leg in a plane: its filter, and what is refused.

use wolff_motion::planar_leg::{PlanarLoad, TRUNK, planar_inverse_dynamics, winter_leg};
use wolff_motion::signal::DifferentiatingLowPass;
use wolff_numerics::Derivatives;

/// Value and derivatives of `a + b t + c sin(w t + d)`.
fn wave(t: f64, [a, b, c, w, d]: [f64; 5]) -> Derivatives {
    let (sin, cos) = (w * t + d).sin_cos();
    Derivatives { value: a + b * t + c * sin, d1: b + c * w * cos, d2: -c * w * w * sin }
}

/// Far below the corner the filter is transparent, and its derivatives are those of the signal.
#[test]
fn slow_signals_pass_with_their_derivatives() {
    let times: Vec<f64> = (0..=2000).map(|i| 0.005 * f64::from(i)).collect();
    let filter = DifferentiatingLowPass { corner: 10.0, turn: 100.0 };
    let slow = |t: f64| wave(t, [0.3, 0.0, 1.0, 3.0, 0.4]);
    let mut samples: Vec<Option<f64>> = times.iter().map(|t| Some(slow(*t).value)).collect();
    samples[1000..1004].fill(None);
    let found = filter.run(&times, &samples).unwrap();
    for (t, y) in times.iter().zip(&found).skip(400).take(1200) {
        let wanted = slow(*t);
        // an acceleration is the mean of the step before, which takes 25 ms over the gap; the jerk is up to 27 a second
        // cubed
        let step = if (4.999..5.021).contains(t) { 0.025 } else { 0.005 };
        assert!((y.value - wanted.value).abs() < 2e-3, "{t}: {y:?} {wanted:?}");
        assert!((y.d1 - wanted.d1).abs() < 5e-3 * 3.0, "{t}: {y:?} {wanted:?}");
        assert!((y.d2 - wanted.d2).abs() < 0.5 * step * 27.0 + 2e-3 * 9.0, "{t}: {y:?} {wanted:?}");
    }
}

/// Two passes halve the power at 0.802 of the corner of one.
#[test]
fn the_corner_is_that_of_both_passes() {
    let corner = 5.0;
    let filter = DifferentiatingLowPass { corner: corner / DifferentiatingLowPass::DUAL_PASS, turn: 100.0 };
    let times: Vec<f64> = (0..=20_000).map(|i| 5e-4 * f64::from(i)).collect();
    let tone = |t: f64| (std::f64::consts::TAU * corner * t).sin();
    let samples: Vec<_> = times.iter().map(|t| Some(tone(*t))).collect();
    let found = filter.run(&times, &samples).unwrap();
    let middle = &found[8000..12_000];
    let gain = (2.0 * middle.iter().map(|y| y.value * y.value).sum::<f64>() / middle.len() as f64).sqrt();
    assert!((gain - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-3, "{gain}");
}

#[test]
fn bad_signals_and_legs_are_refused() {
    let filter = DifferentiatingLowPass { corner: 6.0, turn: 1.0 };
    let refused = |times: &[f64], x: &[Option<f64>]| filter.run(times, x).unwrap_err().to_string();
    assert!(refused(&[0.0, 1.0], &[Some(1.0)]).contains("2 times and 1 samples"));
    assert!(refused(&[0.0, 0.0], &[Some(1.0); 2]).contains("times must increase"));
    assert!(refused(&[0.0, 1.0], &[Some(1.0), None]).contains("ends with a gap"));
    assert!(refused(&[0.0, 1.0], &[Some(1.0), Some(f64::NAN)]).contains("sample 2"));
    let still = DifferentiatingLowPass { corner: 0.0, turn: 1.0 };
    assert!(still.run(&[0.0], &[Some(1.0)]).unwrap_err().to_string().contains("corner is 0"));
    assert!(filter.run(&[], &[]).unwrap().is_empty());

    let leg = |markers: usize, frames: usize| {
        let path = vec![[Derivatives::default(); 2]; frames];
        planar_inverse_dynamics(TRUNK, &winter_leg(), &vec![path; markers], &[PlanarLoad::default()], 9.81)
    };
    assert!(leg(5, 1).unwrap_err().to_string().contains("marker 6 is named"));
    assert!(leg(6, 2).unwrap_err().to_string().contains("2 frames"));
    assert!(leg(6, 1).unwrap_err().to_string().contains("coincide"));
}
