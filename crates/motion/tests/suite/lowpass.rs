//! The low-pass filter of OpenSim's tools.

use wolff_motion::lowpass::filtered;

/// Slow signals pass, fast ones go; at the corner a half is left, since the filter runs twice. Samples are added at
/// both ends.
#[test]
fn gain_over_frequency() {
    let times: Vec<f64> = (0..1000).map(|i| f64::from(i) / 256.0).collect();
    for (frequency, gain, tolerance) in [(0.5, 1.0, 1e-4), (6.0, 0.5, 1e-3), (60.0, 0.0, 1e-4)] {
        let y: Vec<f64> = times.iter().map(|t| (std::f64::consts::TAU * frequency * t).sin()).collect();
        let (long, found) = filtered(&times, &[y], 6.0).unwrap();
        assert_eq!(long.len(), 2000);
        let middle = long.iter().zip(&found[0]).filter(|(t, _)| **t > 1.2 && **t < 2.8);
        let most = middle.fold(0.0_f64, |m, (_, y)| m.max(y.abs()));
        assert!((most - gain).abs() < tolerance, "{frequency} Hz: {most}");
    }
}

/// Uneven steps are resampled at the smallest; a straight line stays one.
#[test]
fn uneven_steps() {
    let times: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.01 + if i % 2 == 0 { 0.0 } else { 0.001 }).collect();
    let (even, found) = filtered(&times, &[times.iter().map(|t| 3.0 * t).collect()], 8.0).unwrap();
    assert!((even[1] - even[0] - 0.009).abs() < 1e-9);
    assert!(even.iter().zip(&found[0]).skip(70).take(80).all(|(t, y)| (y - 3.0 * t).abs() < 1e-6));
}

/// Up to the highest corner frequency the filter does not ring: a smooth signal keeps its second differences.
#[test]
fn the_highest_corner_frequency_does_not_ring() {
    let times: Vec<f64> = (0..200).map(|i| 0.005 * f64::from(i)).collect();
    let y: Vec<f64> = times.iter().map(|t| (6.0 * t).sin()).collect();
    let (even, found) = filtered(&times, &[y], 80.0).unwrap();
    for k in 110..290 {
        let second = (found[0][k - 1] - 2.0 * found[0][k] + found[0][k + 1]) / 0.005_f64.powi(2);
        let exact = -36.0 * (6.0 * even[k]).sin();
        assert!((second - exact).abs() < 0.5, "{second} instead of {exact} at {} s", even[k]);
    }
    let refused = filtered(&times, std::slice::from_ref(&times), 97.0).unwrap_err().to_string();
    assert!(refused.contains("at most 80 Hz"), "{refused}");
}

#[test]
fn bad_settings_are_refused() {
    let refused = |times: &[f64], cutoff| filtered(times, &[times.to_vec()], cutoff).unwrap_err().to_string();
    assert!(refused(&[0.0, 1.0, 2.0], 1.0).contains("four or more"));
    assert!(refused(&[0.0, 1.0, 2.0, 3.0], f64::NAN).contains("corner frequency is NaN"));
    assert!(refused(&[0.0, 0.1, 0.2, 0.3], 6.0).contains("0.4 of the sampling rate"));
}
