//! Strains over time.

use crate::{recipe, tibia};
use std::f64::consts::TAU;
use wolff_walk::gauges::{ROSETTE, cycle_peaks, gauge_history};

/// Two cycles of a beating motion: rates against differences, peaks cycle by cycle.
#[test]
fn rates_are_derivatives_and_peaks_belong_to_cycles() {
    let bone = recipe(tibia()).make().unwrap();
    let (n, dt, frames) = (bone.body.modes(), 1e-3, 2001);
    let amplitude = |i: usize| 1e-5 / (1.0 + i as f64).powi(2);
    let grow = |t: f64| 1.0 + 0.5 * t;
    let eta = |t: f64| (0..n).map(|i| amplitude(i) * grow(t) * (TAU * t + 0.3 * i as f64).sin()).collect::<Vec<_>>();
    let eta_dot = |t: f64| {
        let rate = |i: usize| {
            let phase = TAU * t + 0.3 * i as f64;
            amplitude(i) * (0.5 * phase.sin() + grow(t) * TAU * phase.cos())
        };
        (0..n).map(rate).collect::<Vec<_>>()
    };
    let times: Vec<f64> = (0..frames).map(|k| dt * k as f64).collect();
    let etas: Vec<Vec<f64>> = times.iter().map(|&t| eta(t)).collect();
    let eta_dots: Vec<Vec<f64>> = times.iter().map(|&t| eta_dot(t)).collect();
    let history = gauge_history(&bone.body, ROSETTE, &etas, &eta_dots).unwrap();
    let columns = [&history.axial, &history.max_principal, &history.min_principal, &history.max_shear];
    for (values, rates) in columns.iter().zip(&history.rates) {
        let scale = rates.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        for k in 1..frames - 1 {
            let difference = (values[k + 1] - values[k - 1]) / (2.0 * dt);
            assert!((difference - rates[k]).abs() < 1e-3 * scale, "{k}");
        }
    }
    let peaks = cycle_peaks(&history, &[0, 1000, 2000]);
    assert_eq!(peaks.cycles.len(), 2);
    assert_eq!(peaks.cycles[1], history.peaks(1000..2000));
    assert!(peaks.cycles[1].max_principal > peaks.cycles[0].max_principal);
    let [a, b] = [0, 1].map(|c| peaks.cycles[c].max_shear);
    assert!((peaks.mean.max_shear - 0.5 * (a + b)).abs() < 1e-12);
    assert!((peaks.deviation.max_shear - (b - a).abs() / 2f64.sqrt()).abs() < 1e-12);
    assert!(gauge_history(&bone.body, "nowhere", &etas, &eta_dots).unwrap_err().to_string().contains(ROSETTE));
    assert!(gauge_history(&bone.body, ROSETTE, &[vec![f64::NAN; n]], &[vec![0.0; n]]).is_err());
}
