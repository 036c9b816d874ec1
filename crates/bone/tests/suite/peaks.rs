//! Peaks of strain and strain rate.

use std::f64::consts::TAU;
use wolff_bone::gauges::{GaugeHistory, RATE_WINDOW, StrainPeaks};

/// `1 - cos` of 1 Hz that is twice as large in the second stride, sampled every 2 ms over two strides of 1 s.
fn growing() -> (Vec<f64>, GaugeHistory) {
    let times: Vec<f64> = (0..1001).map(|k| 0.002 * f64::from(k)).collect();
    let wave = |t: &f64| 1e-3 * if *t < 1.0 { 1.0 } else { 2.0 } * (1.0 - (TAU * t).cos());
    let axial: Vec<f64> = times.iter().map(wave).collect();
    let scaled = |factor: f64| axial.iter().map(|x| factor * x).collect::<Vec<f64>>();
    let history = GaugeHistory {
        gauge: "g".into(),
        max_principal: scaled(1.0),
        min_principal: scaled(-0.5),
        max_shear: scaled(1.5),
        min_angle: vec![0.0; axial.len()],
        axial,
    };
    (times, history)
}

/// Extremes belong to strides and are averaged; a rate over the window h of a sine is its derivative times
/// `sin(π h) / (π h)`.
#[test]
fn peaks_are_means_over_strides() {
    let (times, history) = growing();
    let peaks = StrainPeaks::new(&history, &times, &[0..500, 500..1000]);
    let close = |value: f64, expected: f64| assert!((value / expected - 1.0).abs() < 1e-3, "{value} {expected}");
    close(peaks.max_principal, 3e-3);
    close(peaks.min_principal, -1.5e-3);
    close(peaks.max_shear, 4.5e-3);
    close(peaks.axial_max, 3e-3);
    assert!(peaks.axial_min.abs() < 1e-6);
    let window = TAU * 0.5 * RATE_WINDOW;
    let rate = 1.5e-3 * TAU * window.sin() / window;
    for (found, factor) in peaks.rates.into_iter().zip([1.0, -0.5, 1.5]) {
        close(found, factor * rate);
    }
}

/// The axial strain of largest magnitude keeps its sign.
#[test]
fn axial_strain_keeps_its_sign() {
    let peaks = StrainPeaks { axial_max: 1e-4, axial_min: -3e-4, ..StrainPeaks::default() };
    assert_eq!(peaks.axial(), -3e-4);
    assert_eq!(StrainPeaks { axial_max: 5e-4, ..peaks }.axial(), 5e-4);
}
